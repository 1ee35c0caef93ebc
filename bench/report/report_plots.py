"""Plots: the rate by batch size, one picture per kernel, and bars of all kernels at one size. SVG, by matplotlib."""
import os

import matplotlib

matplotlib.use("svg")
# reproducible files with real text in them
matplotlib.rcParams.update({"svg.hashsalt": "simdp", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False, "font.family": "sans-serif"})
from matplotlib import pyplot  # noqa: E402

BAR_SIZE = 4096
OURS = ("#08306b", "#2171b5", "#6baed6", "#9ecae1")   # by rank in the dispatch list: best is darkest
MKL = ("#a63603", "#e6550d", "#fd8d3c", "#e7b416")
OTHERS = ("#31a354", "#756bb1")
ROOF = "#969696"


def size_text(n):
    for unit, text in ((1 << 20, "M"), (1 << 10, "K")):
        if n >= unit and n % unit == 0:
            return f"{n // unit}{text}"
    return str(n)


def where(result):
    return f"{result.machine['cpu']}, {result.context['compiler']}"


def colour(result, row):
    if row.room == "roof":
        return ROOF
    kin = (r.who for r in result.rows if r.room != "roof" and (r.is_mkl, r.is_ours) == (row.is_mkl, row.is_ours))
    names = list(dict.fromkeys(kin))
    palette = MKL if row.is_mkl else OURS if row.is_ours else OTHERS
    return palette[names.index(row.who) % len(palette)]


def save(figure, folder, name):
    figure.savefig(os.path.join(folder, name), metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)
    return name


def limited_to_other_code(result):
    """Does the limit to AVX2 change what MKL runs? If not, its rows repeat the others."""
    limited = result.contexts.get("avx2")
    return limited is not None and any(limited.get(key) != result.context.get(key) for key in ("mkl_code", "mkl_direct"))


def is_ceiling(result, row, what):
    """Stores bound every kernel; of the cipher's ceilings, the highest bounds the words."""
    if row.what == "roof/aes" and what.startswith("bits/"):
        measured = [r for r in result.rows if r.what == "roof/aes" and r.skipped is None]
        return row.who == max(measured, key=lambda r: r.rate).who
    return row.what == "roof/store"


def lines_of(result, what):
    """[(label, colour, style, [row by size])] of one kernel, with its ceilings."""
    lines = {}
    for row in result.rows:
        if row.skipped is not None or row.process == "avx2" and row.is_mkl:
            continue
        ceiling = is_ceiling(result, row, what)
        if row.what == what or ceiling:
            label = f"{row.what}, {row.who}" if ceiling else row.who
            style = ":" if ceiling else "-" if row.is_ours else "--"
            lines.setdefault(label, (label, colour(result, row), style, []))[3].append(row)
    if limited_to_other_code(result):
        best = [b for b in (result.mkl_best(what, n, "avx2") for n in result.sizes) if b]
        if best:
            lines["limited"] = ("MKL's best, limited to AVX2", "black", "-.", best)
    return list(lines.values())


def rate_plot(result, what, folder, name):
    figure, axes = pyplot.subplots(figsize=(7.5, 4.2))
    for label, shade, style, rows in lines_of(result, what):
        rows = sorted(rows, key=lambda row: row.n)
        axes.plot([row.n for row in rows], [row.rate / 1e6 for row in rows], style, color=shade, label=label,
                  marker="" if style == ":" else "o", markersize=3, linewidth=2 if style == "-" else 1.2)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = [n for n in result.sizes if len(result.sizes) <= 10 or n.bit_length() % 2]
    axes.set_xticks(ticks, [size_text(n) for n in ticks])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axes.grid(alpha=0.3)
    axes.set_xlabel("batch size n")
    axes.set_ylabel("million a second")
    axes.set_title(f"{what}: rate by batch size, one thread\n{where(result)}", fontsize=10)
    # in the order of the lines at their right end, so that the eye finds them
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(handles)), key=lambda i: -handles[i].get_ydata()[-1])
    axes.legend([handles[i] for i in order], [labels[i] for i in order], loc="center left", bbox_to_anchor=(1.01, 0.5),
                frameon=False)
    return save(figure, folder, name)


def bars_of(result, what, n):
    """[(label, colour, row)]: ours, MKL's best, other peers."""
    bars = [(row.who, colour(result, row), row) for row in result.rows
            if (row.what, row.n) == (what, n) and not row.is_mkl and row.skipped is None]
    for process in result.contexts:
        best = result.mkl_best(what, n, process)
        if best and (process == "all" or limited_to_other_code(result)):
            bars.append((best.who + (", limited to AVX2" if process == "avx2" else ""), MKL[1], best))
    return bars


def bars_plot(result, folder, name):
    n = BAR_SIZE if BAR_SIZE in result.sizes else result.sizes[-1]
    groups = [(what, bars_of(result, what, n)) for what in result.single]
    count = sum(len(bars) + 1.5 for _, bars in groups)
    figure, axes = pyplot.subplots(figsize=(7.5, 0.8 + 0.24 * count))
    place, ticks, labels = 0.0, [], []
    widest = max((row.rate for _, bars in groups for _, _, row in bars), default=1) / 1e6
    for what, bars in groups:
        axes.text(0, place, what, fontweight="bold", va="center")
        for label, shade, row in bars:
            place += 1
            axes.barh(place, row.rate / 1e6, color=shade, height=0.8)
            axes.text(row.rate / 1e6 + widest / 100, place, f"{row.rate / 1e6:,.0f}", va="center")
            ticks.append(place)
            labels.append(label)
        place += 1.5
    axes.set_yticks(ticks, labels)
    axes.set_ylim(place - 0.8, -0.8)
    axes.set_xlabel(f"million a second at n = {n}, one thread")
    axes.set_title(where(result), fontsize=10)
    return save(figure, folder, name)


def draw(result, folder):
    """All pictures of a result; their file names."""
    names = [what.split("/")[1] for what in result.single]
    files = [rate_plot(result, what, folder, f"rate_{name if names.count(name) == 1 else what.replace('/', '_')}.svg")
             for what, name in zip(result.single, names) if len({row.n for row in result.rows if row.what == what}) > 2]
    return files + [bars_plot(result, folder, "bars.svg")]
