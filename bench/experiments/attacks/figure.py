"""Picture and table of the attacks.   figure.py NUMBERS FOLDER   writes attack.svg and attack.md.

NUMBERS is what simdp-attacks wrote, one JSON object a line. Exit 1 if an attack proves a release to be worse than
stated, 2 if NUMBERS cannot be read."""
import json
import os
import sys

import matplotlib

matplotlib.use("svg")
# reproducible files with real text in them
matplotlib.rcParams.update({"svg.hashsalt": "simdp", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False,
                            "axes.spines.right": False, "font.family": "sans-serif"})
from matplotlib import pyplot  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

ZERO, ONE, NEVER, LIMIT = "#2171b5", "#d94801", "#d9d9d9", "#252525"
LAWS = {"Laplace": "#08519c", "Gaussian": "#74a9cf"}
TITLES = {False: "answer + noise, in floating point", True: "simdp_release"}
LABELS = {"size alone": "size\nalone", "precision": "precision\n(Haney et al.)", "learned digits": "learned\ndigits",
          "reachable values": "reachable values\n(Mironov)"}


def read(path):
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    combs = {row["release"]: row for row in rows if row["kind"] == "comb"}
    return combs, [row for row in rows if row["kind"] == "attack"]


def power_of_two(text):
    exponent = float.fromhex(text).hex().split("p")[1].lstrip("+")
    return "2" + exponent.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def draw_comb(axes, comb):
    """One mark for each neighbouring output that an answer can give."""
    for row, colour in ((1, ZERO), (0, ONE)):
        can = [bool(pair[1 - row]) for pair in comb["can_be"]]
        at = range(len(can))
        axes.plot([i for i in at if not can[i]], [row for i in at if not can[i]], ".", markersize=3, color=NEVER)
        axes.vlines([i for i in at if can[i]], row - 0.3, row + 0.3, color=colour, linewidth=2.6)
    kind = "cells of the grid" if comb["release"] else "doubles"
    axes.set_yticks([1, 0], ["answer 0", "answer 1"])
    axes.set_ylim(-0.6, 1.6)
    axes.set_xlim(-1, len(comb["can_be"]))
    axes.set_xticks([])
    axes.tick_params(left=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlabel(f"outputs that can occur, among {len(comb['can_be'])} neighbouring\n"
                    f"{kind} from 0.4 on, {power_of_two(comb['step'])} apart")


def draw_bars(axes, rows, top):
    attacks = list(dict.fromkeys(row["attack"] for row in rows))
    for k, (law, colour) in enumerate(LAWS.items()):
        mine = [row for row in rows if row["law"] == law]
        at = [attacks.index(row["attack"]) + 0.38 * (k - 0.5) for row in mine]
        value = [row["advantage"][0] for row in mine]
        error = [[v - row["advantage"][1] for v, row in zip(value, mine)],
                 [row["advantage"][2] - v for v, row in zip(value, mine)]]
        axes.bar(at, value, width=0.36, color=colour, label=law)
        axes.errorbar(at, value, error, fmt="none", ecolor="#636363", elinewidth=1, capsize=2)
        for x, v, row in zip(at, value, mine):
            axes.text(x, row["advantage"][2] + 0.015, f"{100 * v:.0f} %", ha="center", va="bottom", fontsize=9)
    limit = max(row["limit"] for row in rows)
    axes.axhline(limit, color=LIMIT, linestyle="--", linewidth=1.2)
    axes.set_ylim(0, top)
    axes.set_yticks([t / 5 for t in range(6) if t / 5 <= top], [f"{20 * t} %" for t in range(6) if t / 5 <= top])
    axes.set_xticks(range(len(attacks)), [LABELS[a] for a in attacks], fontsize=9)
    axes.tick_params(bottom=False)


def draw(combs, rows, path):
    figure, axes = pyplot.subplots(2, 2, figsize=(9.6, 5.6), height_ratios=(1, 2.6), sharey="row")
    top = 1.05 * max(row["advantage"][2] for row in rows) + 0.03
    for column, release in enumerate((False, True)):
        mine = [row for row in rows if row["release"] == release]
        draw_comb(axes[0][column], combs[release])
        axes[0][column].set_title(TITLES[release], fontsize=13, fontweight="bold", pad=10)
        draw_bars(axes[1][column], mine, top)
    axes[1][0].set_ylabel("advantage in telling answer 1 from 0")
    handles, labels = axes[1][0].get_legend_handles_labels()
    handles.append(Line2D([], [], color=LIMIT, linestyle="--", linewidth=1.2))
    labels.append("most that real-number noise allows")
    axes[1][1].legend(handles, labels, frameon=False, loc="upper right")
    figure.tight_layout(h_pad=1.6, w_pad=2.4)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def percent(count, n):
    return f"{100 * count / n:.2f} %" if count else "0"


def table(combs, rows):
    stated, n, risk = rows[0]["stated"], rows[0]["n"], rows[0]["risk"]
    scales = {row["law"]: row["scale"] for row in rows}
    both = {release: sum(all(pair) for pair in comb["can_be"]) for release, comb in combs.items()}
    lines = [
        "# Attacks on low-order bits", "",
        "Made by `sh bench/experiments/attacks/run`.", "",
        "![Advantage of attackers, and outputs that can occur](attack.svg)", "",
        f"An attacker sees one noisy answer, 0 or 1, and says which. Laplace noise has scale {scales['Laplace']:g}",
        f"(epsilon {stated:g} at sensitivity 1), Gaussian noise sigma {scales['Gaussian']:.4f}, which leaves the same",
        "advantage to whoever sees real numbers. Of Gaussian pairs the second number is seen too; its answer is 0 in",
        "any case.", "",
        f"{n} observations of either answer for each attack. Advantage: how much more often the answer 1 is called 1",
        f"than the answer 0 is; intervals (Clopper and Pearson) miss with probability {risk:g}. Limit: the most that",
        "any test gains from real-number noise. Found out: outputs of an answer that the other one cannot give.",
        "Epsilon: the least that explains the counts, up to the same risk (Gaussian noise has no finite one).", "",
        "| attack | noise | mechanism | advantage | interval | limit | 0 found out | 1 found out | epsilon proven |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        value, low, high = row["advantage"]
        cells = (row["attack"], row["law"], "release" if row["release"] else "answer + noise", f"{value:.4f}",
                 f"{low:.4f} to {high:.4f}", f"{row['limit']:.4f}", percent(row["sure"][0], row["n"]),
                 percent(row["sure"][1], row["n"]), f"{row['epsilon']:.2f}")
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", f"Of {len(combs[False]['can_be'])} neighbouring doubles from 0.4 on, {both[False]} can come from",
              f"0 + noise as well as from 1 + noise; of as many cells of the release's grid, {both[True]}.", ""]
    return "\n".join(lines)


def broken(rows):
    """Releases that an attack proves to be worse than stated."""
    def is_broken(row):
        return (row["advantage"][1] > row["limit"] or sum(row["sure"]) + sum(row["wrong"]) > 0
                or row["law"] == "Laplace" and row["epsilon"] > row["stated"])
    return [row for row in rows if row["release"] and is_broken(row)]


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        combs, rows = read(sys.argv[1])
    except (OSError, ValueError, KeyError) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    os.makedirs(sys.argv[2], exist_ok=True)
    draw(combs, rows, os.path.join(sys.argv[2], "attack.svg"))
    text = table(combs, rows)
    with open(os.path.join(sys.argv[2], "attack.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text)
    for row in broken(rows):
        print(f"BROKEN: {row['attack']} on the {row['law']} release", file=sys.stderr)
    return 1 if broken(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
