"""front.svg: the story of a run at a glance, for README. Each line is a kernel on our best instruction set, a bar of our
rate and marks where its peers stand. Transparent, with colours for light and dark readers; text is text."""
import html

import report_page
import report_text

WIDTH, LEFT, RIGHT, STEP, TOP, BOTTOM = 860, 222, 86, 30, 62, 40
STYLE = """
.ink{fill:#1b1f24}.soft{fill:#57606a}.bar{fill:#0a5ea8}.mkl{fill:#b4530a}.peer{fill:#08765a}.grid{stroke:#d5d9de}
@media (prefers-color-scheme:dark){.ink{fill:#e8ecf0}.soft{fill:#a3adb8}.bar{fill:#4f9fe8}.mkl{fill:#f0994a}.peer{fill:#4cc7a0}.grid{stroke:#3a434d}}
text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}.title{font-size:16px;font-weight:600}.small{font-size:12px}
"""


def lines_of(result):
    """[(name, n, our row, MKL's best, another peer)] of README's rows that were measured."""
    peers, found = report_page.peers_by_place(result), []
    for names, n in report_text.FRONT_ROWS:
        what = next((name for name in names if name in result.single), names[0])
        ours = next(filter(None, (report_text.find(result, what, who, n) for who in report_text.measured_variants(result))), None)
        if ours is None or ours.who == "scalar":
            continue
        near = [row for row in peers.get((what, n), []) if row.process == ours.process or not row.is_mkl]
        mkl = max((row for row in near if row.is_mkl), key=lambda row: row.rate, default=None)
        other = max((row for row in near if not row.is_mkl and row.who != "libm"), key=lambda row: row.rate, default=None)
        found.append((what, n, ours, mkl, other))
    return found


def text(x, y, words, style="ink", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{html.escape(words)}</text>'


def figure(result):
    lines = lines_of(result)
    height = TOP + STEP * len(lines) + BOTTOM
    most = max((row.rate for line in lines for row in line[2:] if row), default=1e9) / 1e6

    def x(rate):
        return LEFT + (WIDTH - LEFT - RIGHT) * rate / 1e6 / most

    parts = [text(0, 18, f"Million a second on one core, {report_text.cpu_text(result)}, {result.context['compiler']}", "ink title"),
             f'<rect x="{LEFT}" y="32" width="14" height="10" rx="2" class="bar"/>', text(LEFT + 20, 42, "simdp", "soft"),
             f'<rect x="{LEFT + 84}" y="30" width="4" height="14" class="mkl"/>', text(LEFT + 94, 42, "MKL, its fastest generator", "soft"),
             f'<rect x="{LEFT + 274}" y="30" width="4" height="14" class="peer"/>', text(LEFT + 284, 42, "another peer", "soft")]
    step = next((s for s in (250, 500, 1000, 2000, 5000, 10000) if most / s <= 6), 20000)
    for value in range(0, int(most) + 1, step):
        parts.append(f'<line x1="{x(value * 1e6):.1f}" x2="{x(value * 1e6):.1f}" y1="{TOP - 6}" y2="{height - BOTTOM + 4}" class="grid"/>')
        parts.append(text(x(value * 1e6), height - BOTTOM + 20, f"{value:,}".replace(",", "\u202f"), "soft small", "middle"))
    for i, (what, n, ours, mkl, other) in enumerate(lines):
        y = TOP + STEP * i
        words = [f"{report_text.number(ours.rate / 1e6)} M/s on {ours.who}"]
        parts.append(text(LEFT - 12, y + 14, what, "ink", "end"))
        parts.append(f'<rect x="{LEFT}" y="{y + 2}" width="{x(ours.rate) - LEFT:.1f}" height="16" rx="2" class="bar"/>')
        for row, style in ((mkl, "mkl"), (other, "peer")):
            if row:
                parts.append(f'<rect x="{x(row.rate) - 2:.1f}" y="{y - 1}" width="4" height="22" class="{style}"/>')
                words.append(f"{row.who} {report_text.number(row.rate / 1e6)}")
        best = max((row for row in (mkl, other) if row), key=lambda row: row.rate, default=None)
        if best:
            parts.append(text(WIDTH, y + 15, f"{ours.rate / best.rate:.2f}\u00d7", "ink", "end"))
        parts.append(f"<title>{html.escape(what)} at n = {n}: {html.escape(', '.join(words))}</title>")
    if not lines:
        parts.append(text(0, TOP, "None of README's rows was measured.", "soft"))
    parts.append(text(WIDTH, height - 4, "\u00d7: ours to the fastest peer beside it", "soft small", "end"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
            f'aria-label="Samples a second, ours against peers"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")
