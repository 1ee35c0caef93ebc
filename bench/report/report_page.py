"""report.html: everything of one run on one page that needs nothing else. Numbers are put in as JSON, which page/page.js
draws; style and script are files of the folder page, inlined."""
import html
import json
import os
import re

import report_bounds
import report_text

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
TILES = (("release/laplace", 4096, "Laplace release"), ("noise/laplace_f64", 4096, "Laplace noise"),
         ("noise/gaussian_f64", 4096, "Gaussian noise"), ("select/gumbel", 100000, "Private selection"))


def read(name):
    with open(os.path.join(PAGE, name), encoding="utf-8") as file:
        return file.read()


def filled(template, values):
    """A template with its {{names}} replaced; one that is missing is an error."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], read(template))


def json_text(data):
    """JSON that may stand in a script element."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def digits(x, count=4):
    value = float(f"{x:.{count}g}")
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def flags_of(row):
    """Letters: s the same bits as scalar, S other bits, b busy, t throttled, a measured again, p partial."""
    same = {None: "", 0: "S", 1: "s"}[row.same_bits]
    return same + "b" * row.busy + "t" * row.throttled + "a" * row.again


def peers_by_place(result):
    """{(kernel, n): rows of others that ran}."""
    found = {}
    for row in result.rows:
        if row.skipped is None and not row.is_ours and row.room != "roof":
            found.setdefault((row.what, row.n), []).append(row)
    return found


def best_peer(ours, peers):
    """The fastest beside one of our rows: MKL's of the same process, and others."""
    near = [row for row in peers.get((ours.what, ours.n), []) if row.process == ours.process or not row.is_mkl]
    return max(near, key=lambda row: row.rate, default=None)


def row_data(row, peers, ceilings):
    """[who, n, M/s, low, high, cycles, GB/s, process, flags, repetitions, ratio to the best peer, its name, share of the
    bound, its name]; the last four only for rows of ours."""
    kind = "o" if row.is_ours else "m" if row.is_mkl else "p"
    data = [row.who, row.n, digits(row.rate / 1e6), digits(row.low / 1e6), digits(row.high / 1e6), digits(row.cycles, 3),
            digits(row.bytes_rate / 1e9, 3), row.process, kind + flags_of(row), row.repetitions]
    if row.is_ours:
        peer, bound = best_peer(row, peers), ceilings.of(row)
        data += [digits(row.rate / peer.rate, 3), peer.who] if peer else [None, None]
        data += [digits(row.rate / bound[0], 3), bound[1]] if bound else [None, None]
    return data


def kernels_data(result):
    peers, ceilings = peers_by_place(result), report_bounds.Ceilings(result)
    found = {}
    for row in result.rows:
        if row.skipped is None:
            found.setdefault(row.what, []).append(row_data(row, peers, ceilings))
    return [{"id": what, "rows": rows} for what, rows in found.items()]


def tiles_data(result):
    """[label, kernel, n] of what a reader asks for first, as far as it was measured; else the first kernels there are."""
    there = {(row.what, row.n) for row in result.rows if row.skipped is None and row.is_ours}
    named = [[label, what, n] for what, n, label in TILES if (what, n) in there]
    for what, n in sorted(there) if not named else []:
        if len(named) < 3 and what not in [tile[1] for tile in named] and not what.startswith("roof/"):
            named.append([what, what, n])
    return named


def page(result):
    title = f"simdp on {report_text.cpu_text(result)}, {result.context['compiler']}, {result.raw['date'][:10]}"
    data = {"kernels": kernels_data(result), "tiles": tiles_data(result), "partial": bool(result.raw.get("partial")),
            "watched": bool(result.context.get("watch"))}
    facts = "".join(f"<dt>{html.escape(name)}</dt><dd>{code_marked(fact)}</dd>" for name, fact in report_text.facts(result))
    odd = "".join(f"<li>{html.escape(line)}</li>" for line in report_text.odd(result))
    return filled("page.html", {
        "title": html.escape(title), "style": read("page.css"), "script": read("common.js") + read("chart.js") + read("page.js"),
        "machine": html.escape(report_text.cpu_text(result)),
        "summary": html.escape(report_text.run_sentence(result)), "mkl": html.escape(report_text.mkl_sentence(result)),
        "facts": facts, "odd": odd, "legend": html.escape(report_text.LEGEND.replace("\n", " ")), "data": json_text(data)})


def code_marked(text):
    """`text` as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))
