"""Record, picture and table of the attacks.   figure.py NUMBERS FOLDER COMMAND   writes attack.json, attack.svg and attack.md.

NUMBERS is what simdp-attacks wrote, one JSON object a line; COMMAND is what is recorded to have made it. Exit 1 if an attack
proves a release to be worse than stated, 2 if NUMBERS cannot be read."""
import sys

sys.dont_write_bytecode = True   # no __pycache__ in the tree

import datetime  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402

import matplotlib  # noqa: E402

matplotlib.use("svg")
# reproducible files with real text in them
matplotlib.rcParams.update({"svg.hashsalt": "simdp", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False,
                            "axes.spines.right": False, "font.family": "sans-serif"})
from matplotlib import pyplot  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "bench", "report"))

import attack_table  # noqa: E402
import report_machine  # noqa: E402

ZERO, ONE, NEVER, LIMIT = "#2171b5", "#d94801", "#d9d9d9", "#252525"
LAWS = {"Laplace": "#08519c", "Gaussian": "#74a9cf"}
TITLES = {False: "answer + noise, in floating point", True: "simdp_release"}
LABELS = {"size alone": "size\nalone", "precision": "precision\n(Haney et al.)", "learned digits": "learned\ndigits",
          "reachable values": "reachable values\n(Mironov)"}


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


def broken(rows):
    """Releases that an attack proves to be worse than stated."""
    def is_broken(row):
        return (row["advantage"][1] > row["limit"] or sum(row["sure"]) + sum(row["wrong"]) > 0
                or row["law"] == "Laplace" and row["epsilon"] > row["stated"])
    return [row for row in rows if row["release"] and is_broken(row)]


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    facts = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+00:00"),
             "machine": report_machine.machine(), "commit": report_machine.commit(ROOT), "command": sys.argv[3]}
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            text = attack_table.record(file, facts)
        combs, rows = attack_table.split(json.loads(text))
    except (OSError, ValueError, KeyError) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    write(folder, "attack.json", text)
    write(folder, "attack.md", attack_table.table(combs, rows))
    draw(combs, rows, os.path.join(folder, "attack.svg"))
    print(attack_table.table(combs, rows))
    for row in broken(rows):
        print(f"BROKEN: {row['attack']} on the {row['law']} release", file=sys.stderr)
    return 1 if broken(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
