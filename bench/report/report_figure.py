"""front.svg: the story of a run at a glance, for README: how much faster than the fastest peer beside it each kernel is, on
our best instruction set and on AVX2, and at which rate. Transparent, with colours for light and dark readers; text is text."""
import html
import math

import report_page
import report_text

WIDTH, LEFT, RATES, RIGHT, STEP, TOP, BOTTOM = 860, 356, 338, 66, 30, 66, 40
STYLE = """
.ink{fill:#1b1f24}.soft{fill:#57606a}.ahead{fill:#0a5ea8}.behind{fill:#b4530a}.avx2{fill:#5a3fa8;stroke:#fff}.grid{stroke:#d5d9de}.one{stroke:#57606a}
@media (prefers-color-scheme:dark){.ink{fill:#e8ecf0}.soft{fill:#a3adb8}.ahead{fill:#4f9fe8}.behind{fill:#f0994a}.avx2{fill:#b39dff;stroke:#0f1317}
.grid{stroke:#3a434d}.one{stroke:#a3adb8}}
text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
.title{font-size:16px;font-weight:600}.small{font-size:12px}
"""


def with_peer(row, peers):
    """(row, its fastest peer, ratio), or None."""
    peer = report_page.best_peer(row, peers) if row else None
    return (row, peer, row.rate / peer.rate) if peer else None


def lines_of(result):
    """[(name, n, our best, the same on AVX2 or None)] of README's rows that were measured and have a peer."""
    peers, found = report_page.peers_by_place(result), []
    variants = [who for who in report_text.measured_variants(result) if who != "scalar"]
    for names, n in report_text.FRONT_ROWS:
        what = next((name for name in names if name in result.single), names[0])
        rows = [row for row in (report_text.find(result, what, who, n) for who in variants) if row]
        best = with_peer(rows[0], peers) if rows else None
        avx2 = next((row for row in rows[1:] if row.is_avx2), None) if rows and not rows[0].is_avx2 else None
        if best:
            found.append((what, n, best, with_peer(avx2, peers)))
    return found


def text(x, y, words, style="ink", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{html.escape(words)}</text>'


def figure(result):
    lines = lines_of(result)
    height = TOP + STEP * len(lines) + BOTTOM
    ratios = [mark[2] for line in lines for mark in line[2:] if mark]
    low, high = min([0.5, *ratios]) / 1.08, max([2.0, *ratios]) * 1.08

    def x(ratio):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(ratio / low) / math.log(high / low)

    head = report_text.cpu_text(result)
    parts = [text(0, 18, f"Times the fastest peer, one thread; {head}, {result.context['compiler']}", "ink title"),
             text(RATES, 44, "M/s", "soft", "end")]
    if lines:
        parts += [f'<rect x="{LEFT}" y="35" width="14" height="10" rx="2" class="ahead"/>',
                  f'<rect x="{LEFT + 17}" y="35" width="14" height="10" rx="2" class="behind"/>',
                  text(LEFT + 38, 44, f"{lines[0][2][0].who}, ahead or behind", "soft")]
    if any(line[3] for line in lines):
        parts += [f'<circle cx="{LEFT + 214}" cy="40" r="4.5" class="avx2"/>', text(LEFT + 226, 44, "on AVX2", "soft")]
    for value in (0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32):
        if low <= value <= high:
            style = "one" if value == 1 else "grid"
            parts.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{TOP - 8}" y2="{height - BOTTOM + 4}" class="{style}"/>')
            parts.append(text(x(value), height - BOTTOM + 20, f"{value:g}\u00d7", "soft small", "middle"))
    for i, (what, n, best, avx2) in enumerate(lines):
        row, peer, ratio = best
        y, ends = TOP + STEP * i, sorted((x(1), x(ratio)))
        words = f"{what} at n = {n}: {report_text.number(row.rate / 1e6)} M/s on {row.who}, {peer.who} {report_text.number(peer.rate / 1e6)}"
        parts.append(f"<g><title>{html.escape(words)}</title>")
        parts.append(text(RATES - 66, y + 14, what, "ink", "end"))
        parts.append(text(RATES, y + 14, report_text.number(row.rate / 1e6), "soft", "end"))
        parts.append(f'<rect x="{ends[0]:.1f}" y="{y + 2}" width="{max(ends[1] - ends[0], 1.5):.1f}" height="16" rx="2" '
                     f'class="{"ahead" if ratio >= 1 else "behind"}"/>')
        if avx2:
            parts.append(f'<circle cx="{x(avx2[2]):.1f}" cy="{y + 10}" r="4.5" class="avx2"/>')
        parts.append(text(WIDTH, y + 14, f"{ratio:.2f}\u00d7", "ink", "end") + "</g>")
    if not lines:
        parts.append(text(0, TOP, "None of README's rows was measured beside a peer.", "soft"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
            f'aria-label="Our rates against the fastest peer"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")
