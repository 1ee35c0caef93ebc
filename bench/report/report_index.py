"""index.html: any two runs of a place, row by row. It has the medians and intervals of all of them, under the names that
rows have today, so that records from before a renaming can be compared."""
import report_data
import report_page
import report_text


def run_data(folder, result):
    rows, seen = [], set()
    for row in result.rows:
        name = report_data.today(f"{row.what}/{row.who}/{row.n}")
        key = name + ("" if row.process != "avx2" or not row.is_mkl else " (AVX2)")
        if row.skipped is not None or key in seen:
            continue
        seen.add(key)
        rows.append([key, report_page.digits(row.rate / 1e6), report_page.digits(row.low / 1e6), report_page.digits(row.high / 1e6)])
    return {"name": folder, "text": f"{report_text.cpu_text(result)} at {report_text.clock(result)[1]:.2f} GHz, "
                                    f"{result.context['compiler']}, commit {result.raw['commit']}", "rows": rows}


def page(results):
    """From [(folder name, result)], newest first."""
    data = [run_data(folder, result) for folder, result in results]
    return report_page.filled("index.html", {
        "style": report_page.read("page.css"), "script": report_page.read("common.js") + report_page.read("index.js"),
        "data": report_page.json_text(data)})
