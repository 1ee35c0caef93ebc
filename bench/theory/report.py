"""Text and plots of the theory experiments: report.py NUMBERS FOLDER writes report.md and SVGs. Exit 1 if a theorem is broken.

NUMBERS is what simdp-theory wrote, one JSON object a line. Every figure and every verdict of the text is computed here."""
import json
import math
import os
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "simdp", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False, "font.family": "sans-serif"})
from matplotlib import pyplot  # noqa: E402

ERRORS = 4          # standard errors that a verdict allows
PLOT_DELTA = 1e-4   # of the plots of composed systems
NAMES = {"000": "000 (Azuma)", "002": "002 (advanced)", "004": "004 (strong)"}
COLOURS = {"basic": "#2171b5", "000": "#9ecae1", "002": "#74c476", "004": "#cb181d", "strong": "#cb181d", "optimal": "#31a354",
           "exact": "#000000", "bounded range": "#e6550d", "zCDP": "#756bb1", "PLD": "#8c564b"}


def read(path):
    rows = {"bound": [], "claim": [], "point": [], "number": []}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = {key: float(value) if value in ("inf", "-inf", "nan") else value for key, value in json.loads(line).items()}
                rows[row.pop("kind")].append(row)
            except (ValueError, KeyError, AttributeError) as error:
                sys.exit(f"report.py: {path}, line {number}: {error}")
    return rows


def text(x):
    """A number with three or four digits."""
    if not math.isfinite(x):
        return "inf" if x > 0 else "-inf"
    if x == 0:
        return "0"
    return f"{x:.3g}" if 1e-3 <= abs(x) < 1e5 else f"{x:.2e}"


def table(head, rows):
    cells = [head] + rows
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, width)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in width) + "|")
    return "\n".join(lines)


def verdict(promised, seen, error, exact=False):
    """met: the simulation agrees with the promise; beaten: it stays below it; broken: it passes it."""
    if abs(seen - promised) <= ERRORS * error:
        return "met"
    if seen > promised or exact:
        return "broken"
    return "beaten"


def span(values):
    low, high = min(values), max(values)
    return text(low) if text(low) == text(high) else f"{text(low)} to {text(high)}"


def bound_verdict(row):
    return verdict(row["delta"], row["delta_seen"], row["delta_error"])


def sentence(bound, rows):
    """How one bound fared on one system."""
    verdicts = [bound_verdict(row) for row in rows]
    count = {word: verdicts.count(word) for word in ("met", "beaten", "broken")}
    words = [f"{word} {count[word]} of {len(rows)} times" for word in count if count[word] > 0]
    ratios = [row["epsilon"] / row["epsilon_seen"] for row in rows if row["epsilon_seen"] > 0 and math.isfinite(row["epsilon_seen"])]
    line = f"- **{NAMES.get(bound, bound)}**: {', '.join(words)}"
    return line + (f"; its epsilon is {span(ratios)} times the one seen." if ratios else ".")


def in_order(values):
    return list(dict.fromkeys(values))


def composition(rows, system):
    """One composed system: epsilon of each bound and of the simulation by k, and a sentence per bound."""
    mine = [row for row in rows if row["system"] == system]
    bounds = in_order(row["bound"] for row in mine)
    at = {(row["k"], row["delta"], row["bound"]): row for row in mine}
    lines = []
    for k, delta in in_order((row["k"], row["delta"]) for row in mine if row["bound"] == "optimal"):
        row = [text(k), text(delta)]
        for bound in bounds:
            row.append(text(at[k, delta, bound]["epsilon"]) if (k, delta, bound) in at else "")
        lines.append(row + [text(at[k, delta, "optimal"]["epsilon_seen"])])
    sentences = [sentence(bound, [row for row in mine if row["bound"] == bound]) for bound in bounds]
    return table(["k", "delta"] + [NAMES.get(b, b) for b in bounds] + ["seen"], lines) + "\n\n" + "\n".join(sentences)


def save(figure, folder, name):
    figure.savefig(os.path.join(folder, name), metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def plot_system(rows, system, folder, name):
    figure, axes = pyplot.subplots(figsize=(6.2, 3.6))
    mine = [row for row in rows if row["system"] == system and row["delta"] == PLOT_DELTA]
    for bound in in_order(row["bound"] for row in mine):
        points = [row for row in mine if row["bound"] == bound]
        axes.plot([row["k"] for row in points], [row["epsilon"] for row in points], label=NAMES.get(bound, bound),
                  color=COLOURS.get(bound), linestyle="--" if bound in ("exact", "PLD") else "-")
    points = [row for row in mine if row["bound"] == "optimal"]
    axes.plot([row["k"] for row in points], [row["epsilon_seen"] for row in points], "ko", markersize=4, label="simulation")
    axes.set_xlabel("number of steps k")
    axes.set_ylabel(f"total epsilon at delta {PLOT_DELTA:g}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(system)
    axes.legend(frameon=False, fontsize=8)
    save(figure, folder, name)


def plot_points(points, plot, folder, labels, log_y=False):
    figure, axes = pyplot.subplots(figsize=(6.2, 3.6))
    mine = [row for row in points if row["plot"] == plot]
    for curve in in_order(row["curve"] for row in mine):
        xs, ys, errors = zip(*((row["x"], row["y"], row["error"]) for row in mine if row["curve"] == curve and (row["y"] > 0 or not log_y)))
        if any(errors):
            axes.errorbar(xs, ys, yerr=[2 * e for e in errors], fmt="ko", markersize=3, linewidth=1, label=curve)
        else:
            axes.plot(xs, ys, label=curve, color=COLOURS.get(curve))
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    if log_y:
        axes.set_yscale("log")
    axes.set_title(labels[2])
    axes.legend(frameon=False, fontsize=8)
    save(figure, folder, plot + ".svg")


def claims(rows, topic):
    lines = []
    for row in (row for row in rows if row["topic"] == topic):
        word = verdict(row["promised"], row["seen"], row["error"], row["exact"])
        factor = f" by {text(row['promised'] / row['seen'])}" if word == "beaten" and row["seen"] > 0 else ""
        sign = "= " if row["exact"] else "<= "
        lines.append([row["claim"], row["source"], sign + text(row["promised"]), f"{text(row['seen'])} +- {text(row['error'])}", word + factor])
    return table(["claim", "source", "promised", "seen", "verdict"], lines)


def figure_facts(points):
    """What the figure of 004 shows: where strong passes below basic, and the ends of the curves."""
    curve = {name: {row["x"]: row["y"] for row in points if row["plot"] == "figure_004" and row["curve"] == name}
             for name in ("basic", "strong", "optimal")}
    crossing = min(k for k in curve["basic"] if curve["strong"][k] < curve["basic"][k])
    lowest = all(curve["optimal"][k] <= min(curve["basic"][k], curve["strong"][k]) for k in curve["basic"])
    last = max(curve["basic"])
    return (f"Strong composition passes below basic composition at k = {text(crossing)}. The optimal bound lies "
            f"{'below both everywhere' if lowest else 'above one of them somewhere'}; at k = {text(last)} the three are "
            + ", ".join(f"{text(curve[name][last])} ({name})" for name in curve) + ".")


PLOTS = {
    "figure_004": ("number of mechanisms k", "total epsilon", "epsilon = 0.01 each, delta = 1e-6 (figure of 004)", False),
    "curve": ("epsilon", "delta", "50 steps of leaky randomized response (0.1, 1e-5)", True),
    "tail_001": ("epsilon", "P[sum - mean >= epsilon n]", "tail of 4096 fair coins", True),
    "urn": ("z", "P[red - mean >= deviation(z)]", "Polya's urn", True),
    "accuracy": ("error, in standard deviations of a query", "probability of a worse answer", "adaptive answers (003, theorem 6.1)", True),
}
TOPICS = [
    ("simulation lemma", "Randomized response, sent through the explicit map, becomes the Laplace mechanism on either side."),
    ("name and shame", "(0, delta)-DP and yet it publishes records."),
    ("typical stability", "Records follow a stationary autoregression, so that neighbours have no meaning; the query is their mean."),
    ("accuracy of adaptive answers", "An analyst who first asks for every coordinate and then for the direction of the answers."),
    ("exponential mechanism", "Accuracy of the choice."),
    ("concentration from the exponential mechanism", "001, on fair coins and on matrices with dependent columns."),
    ("Hoeffding and Azuma", "Coins, and the martingale of an urn."),
    ("Polya's urn", "000's worked example, simulated."),
    ("odometers", "Probability that the loss of a run is ever above the odometer's reading, the analyst playing against it."),
]


def report(rows, folder):
    number = {row["name"]: row["value"] for row in rows["number"]}
    systems = [s for s in in_order(row["system"] for row in rows["bound"]) if s != "filter"]
    parts = ["# Theorems and simulation", (
        "Made by `sh bench/theory/run" + (" --full" if number["full"] else "") + "`. Every number is computed by the library or by simulation from "
        f"one fixed key; each composed system is simulated {number['transcripts']:.0f} times.\n\n"
        f"A bound that promises (epsilon, delta) is **met** if the delta seen at its epsilon is delta within {ERRORS} standard errors, **beaten** "
        "if the simulation stays below, **broken** if it is above. A theorem for all mechanisms may be beaten by a given one: only the "
        "optimal bound on randomized response, and exact curves, must be met. Sources 000 to 004 are listed in [sources.md](sources.md).")]
    parts.append("## The composition figure of 004\n\n![figure](figure_004.svg)\n\n" + figure_facts(rows["point"]))
    parts.append("## Composition")
    for system in systems:
        name = "compose_" + system.replace(" ", "_") + ".svg"
        picture = ""
        if len({row["k"] for row in rows["bound"] if row["system"] == system}) > 1:
            plot_system(rows["bound"], system, folder, name)
            picture = f"![{system}]({name})\n\n"
        parts.append(f"### {system}\n\n{picture}" + composition(rows["bound"], system))
    parts.append("![privacy curve](curve.svg)")
    filters = [row for row in rows["bound"] if row["system"] == "filter"]
    parts.append("## Filters\n\nA gambler plays for high stakes while it is behind and leaves when the loss is well past the budget.\n\n" + table(
        ["filter", "budget", "mean steps", "delta seen", "verdict"],
        [[row["bound"], f"({text(row['epsilon'])}, {text(row['delta'])})", text(row["k"]),
          f"{text(row['delta_seen'])} +- {text(row['delta_error'])}", bound_verdict(row)] for row in filters]))
    for topic, words in TOPICS:
        parts.append(f"## {topic[0].upper() + topic[1:]}\n\n{words}\n\n" + claims(rows["claim"], topic))
        for plot, of_topic in (("accuracy", "accuracy of adaptive answers"), ("tail_001", "concentration from the exponential mechanism"),
                               ("urn", "Polya's urn")):
            if topic == of_topic:
                parts.append(f"![{plot}]({plot}.svg)")
    printed = [row for row in rows["claim"] if row["topic"] == "as printed"]
    parts.append("## Statements that do not hold as printed\n\nThe library computes the corrected ones; simulation refutes these.\n\n" + table(
        ["statement", "source", "promised", "seen", "refuted"],
        [[row["claim"], row["source"], "<= " + text(row["promised"]), f"{text(row['seen'])} +- {text(row['error'])}",
          "yes" if row["seen"] - ERRORS * row["error"] > row["promised"] else "no"] for row in printed]))
    for plot, labels in PLOTS.items():
        plot_points(rows["point"], plot, folder, labels[:3], labels[3])
    verdicts = [bound_verdict(row) for row in rows["bound"]]
    verdicts += [verdict(row["promised"], row["seen"], row["error"], row["exact"]) for row in rows["claim"] if row["topic"] != "as printed"]
    count = {word: verdicts.count(word) for word in ("met", "beaten", "broken")}
    parts.insert(2, "## Summary\n\n" + f"{len(verdicts)} comparisons: {count['met']} met, {count['beaten']} beaten, {count['broken']} broken.")
    with open(os.path.join(folder, "report.md"), "w", encoding="utf-8") as file:
        file.write("\n\n".join(parts) + "\n")
    return count["broken"]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: report.py NUMBERS FOLDER")
    rows = read(sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    broken = report(rows, sys.argv[2])
    print(f"simdp: {os.path.join(sys.argv[2], 'report.md')} written; {broken} broken", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
