"""Text and plots of the theory experiments.   report.py NUMBERS FOLDER   writes report.md and SVGs.

NUMBERS is what simdp-theory wrote, one JSON object a line. Every figure and every verdict of the text is computed here.
Exit 1 if a theorem is broken, 2 if NUMBERS cannot be read."""
import json
import math
import os
import sys

import matplotlib

matplotlib.use("svg")
# reproducible files with real text in them
matplotlib.rcParams.update({"svg.hashsalt": "simdp", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False, "font.family": "sans-serif"})
from matplotlib import pyplot  # noqa: E402

ERRORS = 4   # standard errors that a verdict allows
VERDICTS = ("met", "beaten", "open", "broken")
NAMES = {"000": "000 (Azuma)", "002": "002 (advanced)", "004": "004 (strong)"}
COLOURS = {"basic": "#2171b5", "000": "#9ecae1", "002": "#74c476", "004": "#cb181d", "strong": "#cb181d",
           "optimal": "#31a354", "exact": "#000000", "bounded range": "#e6550d", "zCDP": "#756bb1", "PLD": "#8c564b"}

# plot: axis labels, title, logarithmic from which value on (None: linear)
PLOTS = {
    "figure_004": ("number of mechanisms k", "total epsilon", "epsilon = 0.01 each, delta = 1e-6 (figure of 004)", None),
    "curve": ("epsilon", "delta", "50 steps of leaky randomized response (0.1, 1e-5)", 1e-4),
    "tail_001": ("epsilon", "P[sum - mean >= epsilon n]", "tail of 4096 fair coins", 1e-8),
    "urn": ("z", "P[red - mean >= deviation(z)]", "Polya's urn, 200 draws from 10 + 10", 1e-6),
    "accuracy": ("error, in standard deviations of a query", "probability of a worse answer",
                 "33 adaptive answers (003, theorem 6.1)", 1e-4),
}
# topic of claims: what it is about, and its plot
TOPICS = {
    "simulation lemma": ("Randomized response, sent through the explicit map, becomes the Laplace mechanism on either side. "
                         "(Against the other side's law the distances are {distance_to_other_0} and {distance_to_other_1}.)", None),
    "name and shame": ("(0, delta)-DP, and yet it publishes records.", None),
    "typical stability": ("Records follow a stationary autoregression, so that replacing one of them means little; the query is "
                          "their mean.", None),
    "accuracy of adaptive answers": (
        "The analyst first asks for every coordinate and then for the direction of the answers. The theorem promises an error of "
        "{accuracy_error_in_sd} standard deviations of a query; exact answers would have misled the last one by "
        "{accuracy_overfit_in_sd}: at this size the noise is dearer than what it prevents.", "accuracy"),
    "exponential mechanism": ("Accuracy of the choice.", None),
    "concentration from the exponential mechanism": ("001, on fair coins and on matrices with dependent columns.", "tail_001"),
    "Hoeffding and Azuma": ("Fair coins, and the losses of randomized response.", None),
    "Polya's urn": ("The worked example of 000, simulated.", "urn"),
    "odometers": ("Probability that the loss of a run is ever above the odometer's reading, the gambler playing on.", None),
}


def read(path):
    rows = {"bound": [], "claim": [], "point": [], "number": []}
    special = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                row = {key: special.get(value, value) for key, value in json.loads(line).items()}
                rows[row.pop("kind")].append(row)
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        print(f"report.py: {path}{f', line {number}' if 'number' in locals() else ''}: {error}", file=sys.stderr)
        sys.exit(2)
    return rows


# ---- words ----

def text(x):
    """A number with three digits."""
    if not math.isfinite(x):
        return "inf" if x > 0 else "-inf"
    if x == round(x) and abs(x) < 1e6:
        return str(round(x))
    return f"{x:.3g}" if 1e-3 <= abs(x) < 1e5 else f"{x:.2e}"


def with_error(x, error):
    return f"{text(x)} +- {text(error)}" if error > 0 else text(x)


def span(values):
    low, high = text(min(values)), text(max(values))
    return low if low == high else f"{low} to {high}"


def table(head, rows):
    cells = [head] + rows
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, width)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in width) + "|")
    return "\n".join(lines)


def in_order(values):
    return list(dict.fromkeys(values))


# ---- verdicts ----

def verdict(promised, seen, error, exact=False):
    """met: the simulation agrees with the promise; beaten: it stays below; broken: it is above; open: too few cases to tell."""
    if abs(seen - promised) <= ERRORS * error or seen == promised:
        return "open" if ERRORS * error > promised / 2 > 0 else "met"
    return "broken" if seen > promised or exact else "beaten"


def bound_verdict(row):
    return verdict(row["delta"], row["delta_seen"], row["delta_error"])


def claim_verdict(row):
    return verdict(row["promised"], row["seen"], row["error"], row["exact"])


def excess(rows):
    """How many times the epsilon seen a bound's epsilon is, where that can be said."""
    return [row["epsilon"] / row["epsilon_seen"] for row in rows if 0 < row["epsilon_seen"] < math.inf]


def sentence(bound, rows):
    """How one bound fared on one system."""
    verdicts = [bound_verdict(row) for row in rows]
    words = [f"{word} {verdicts.count(word)} of {len(rows)} times" for word in VERDICTS if word in verdicts]
    line = f"- **{NAMES.get(bound, bound)}**: {', '.join(words)}"
    return line + (f"; its epsilon is {span(excess(rows))} times the one seen." if excess(rows) else ".")


def summary(rows, systems):
    """One line per bound over all systems: where it was met, and by how much it was beaten elsewhere."""
    lines = []
    for bound in in_order(row["bound"] for row in rows):
        mine = [row for row in rows if row["bound"] == bound]
        tried = [system for system in systems if any(row["system"] == system for row in mine)]
        met = [system for system in tried
               if all(bound_verdict(row) in ("met", "open") for row in mine if row["system"] == system)]
        line = f"- **{NAMES.get(bound, bound)}** is met at every k by " + (" and ".join(met) if met else "no system")
        beaten = excess([row for row in mine if bound_verdict(row) == "beaten"])
        if beaten:
            line += f"; where it is beaten, its epsilon is {span(beaten)} times the one seen"
        lines.append(line + ".")
    return "\n".join(lines)


# ---- sections ----

def composition(rows):
    """One composed system: epsilon of each bound and of the simulation by k, and a sentence per bound."""
    bounds = in_order(row["bound"] for row in rows)
    places = in_order((row["k"], row["delta"]) for row in rows if row["bound"] == "optimal")
    at = {(row["k"], row["delta"], row["bound"]): row for row in rows}
    columns = [bound for bound in bounds if any((k, delta, bound) in at for k, delta in places)]
    lines = []
    for k, delta in places:
        epsilons = [text(at[k, delta, b]["epsilon"]) if (k, delta, b) in at else "" for b in columns]
        lines.append([text(k), text(delta)] + epsilons + [text(at[k, delta, "optimal"]["epsilon_seen"])])
    head = ["k", "delta"] + [NAMES.get(b, b) for b in columns] + ["seen"]
    sentences = [sentence(bound, [row for row in rows if row["bound"] == bound]) for bound in bounds]
    return table(head, lines) + "\n\n" + "\n".join(sentences)


def claims(rows):
    lines = []
    for row in rows:
        word = claim_verdict(row)
        if word == "beaten" and row["seen"] > 0:
            word += f" by {text(row['promised'] / row['seen'])}"
        promised = ("= " if row["exact"] else "<= ") + text(row["promised"])
        lines.append([row["claim"], row["source"], promised, with_error(row["seen"], row["error"]), word])
    return table(["claim", "source", "promised", "seen", "verdict"], lines)


def printed(rows):
    lines = []
    for row in rows:
        refuted = row["seen"] - ERRORS * row["error"] > row["promised"]
        lines.append([row["claim"], row["source"], "<= " + text(row["promised"]), with_error(row["seen"], row["error"]),
                      "yes" if refuted else "no"])
    return table(["statement", "erratum", "printed", "seen", "refuted"], lines)


def filters(rows):
    lines = [[row["bound"], f"({text(row['epsilon'])}, {text(row['delta'])})", text(row["k"]),
              with_error(row["delta_seen"], row["delta_error"]), bound_verdict(row)] for row in rows]
    return table(["filter", "budget", "mean steps", "delta seen", "verdict"], lines)


def figure_facts(points):
    """What the figure of 004 shows: where strong passes below basic, and the ends of the curves."""
    curve = {name: {row["x"]: row["y"] for row in points if row["plot"] == "figure_004" and row["curve"] == name}
             for name in ("basic", "strong", "optimal")}
    crossing = min(k for k in curve["basic"] if curve["strong"][k] < curve["basic"][k])
    lowest = all(curve["optimal"][k] <= min(curve["basic"][k], curve["strong"][k]) for k in curve["basic"])
    last = max(curve["basic"])
    ends = ", ".join(f"{text(curve[name][last])} ({name})" for name in curve)
    return (f"Strong composition passes below basic composition at k = {text(crossing)}. The optimal bound lies "
            f"{'below both everywhere' if lowest else 'above one of them somewhere'}; at k = {text(last)} the three are {ends}.")


# ---- plots ----

def save(figure, folder, name):
    figure.savefig(os.path.join(folder, name), metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def plot_system(rows, title, folder, name):
    """epsilon by k at the smallest delta that has all k."""
    figure, axes = pyplot.subplots(figsize=(6.2, 3.6))
    reach = {delta: sum(row["bound"] == "optimal" and row["delta"] == delta for row in rows)
             for delta in in_order(row["delta"] for row in rows)}
    delta = min(d for d in reach if reach[d] == max(reach.values()))
    rows = [row for row in rows if row["delta"] == delta]
    for bound in in_order(row["bound"] for row in rows):
        points = [row for row in rows if row["bound"] == bound]
        axes.plot([row["k"] for row in points], [row["epsilon"] for row in points], label=NAMES.get(bound, bound),
                  color=COLOURS.get(bound), linestyle={"exact": "--", "PLD": ":"}.get(bound, "-"))
    points = [row for row in rows if row["bound"] == "optimal"]
    axes.plot([row["k"] for row in points], [row["epsilon_seen"] for row in points], "ko", markersize=4,
              label="simulation")
    axes.set_xlabel("number of steps k")
    axes.set_ylabel(f"total epsilon at delta {delta:g}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)
    save(figure, folder, name)


def plot_points(rows, folder, name, labels):
    figure, axes = pyplot.subplots(figsize=(6.2, 3.6))
    least = labels[3]
    for curve in in_order(row["curve"] for row in rows):
        mine = [row for row in rows if row["curve"] == curve and (least is None or row["y"] >= least)]
        xs, ys, errors = ([row[key] for row in mine] for key in ("x", "y", "error"))
        if any(errors):
            axes.errorbar(xs, ys, yerr=[2 * e for e in errors], fmt="ko", markersize=3, linewidth=1, label=curve)
        else:
            axes.plot(xs, ys, label=curve, color=COLOURS.get(curve))
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(labels[2])
    if least is not None:
        axes.set_yscale("log")
        axes.set_ylim(bottom=least)
    axes.legend(frameon=False, fontsize=8)
    save(figure, folder, name + ".svg")


# ---- the report ----

def head(number):
    command = "sh bench/experiments/theory/run" + (" --full" if number["full"] else "")
    return (f"# Theorems and simulation\n\nMade by `{command}`. Every number is computed by the library or by simulation from one "
            f"fixed key; each composed system is simulated {number['transcripts']:.0f} times.\n\n"
            f"A bound that promises (epsilon, delta) is **met** if the delta seen at its epsilon is delta within {ERRORS} "
            "standard errors, **beaten** if the simulation stays below, **broken** if it is above, **open** if those errors exceed "
            "half of delta. A theorem for all mechanisms may be beaten by a given one: only the optimal bound on randomized "
            "response, and exact curves, must be met. Sources 000 to 004, and where each of their statements is in the tree: "
            "[sources.md](sources.md).")


def report(rows, folder):
    number = {row["name"]: row["value"] for row in rows["number"]}
    quoted = {name: text(value) for name, value in number.items()}
    composed = [row for row in rows["bound"] if row["system"] != "filter"]
    systems = in_order(row["system"] for row in composed)
    held = [row for row in rows["claim"] if row["topic"] != "as printed"]
    verdicts = [bound_verdict(row) for row in rows["bound"]] + [claim_verdict(row) for row in held]
    counts = ", ".join(f"{verdicts.count(word)} {word}" for word in VERDICTS)
    parts = [head(number), f"## Summary\n\n{len(verdicts)} comparisons: {counts}.\n\n" + summary(composed, systems),
             "## The composition figure of 004\n\n![figure](figure_004.svg)\n\n" + figure_facts(rows["point"]),
             "## Composition"]
    for system in systems:
        mine = [row for row in composed if row["system"] == system]
        parts.append(f"### {system}")
        if len({row["k"] for row in mine}) > 1:
            name = "compose_" + system.lower().replace(" ", "_") + ".svg"
            plot_system(mine, system, folder, name)
            parts.append(f"![{system}]({name})")
        parts.append(composition(mine))
    parts.append("![privacy curve](curve.svg)")
    parts.append("## Filters\n\nA gambler plays for high stakes while it is behind and leaves when the loss is well past the "
                 "budget.\n\n" + filters([row for row in rows["bound"] if row["system"] == "filter"]))
    for topic, (words, plot) in TOPICS.items():
        parts.append(f"## {topic[0].upper() + topic[1:]}\n\n{words.format(**quoted)}\n\n"
                     + claims([row for row in held if row["topic"] == topic]))
        if plot is not None:
            parts.append(f"![{plot}]({plot}.svg)")
    parts.append("## Statements that do not hold as printed\n\nThe library computes the corrected ones (sources.md lists all "
                 "errata); simulation refutes these.\n\n" + printed([row for row in rows["claim"] if row["topic"] == "as printed"]))
    for name, labels in PLOTS.items():
        plot_points([row for row in rows["point"] if row["plot"] == name], folder, name, labels)
    with open(os.path.join(folder, "report.md"), "w", encoding="utf-8") as file:
        file.write("\n\n".join(parts) + "\n")
    return verdicts.count("broken")


def main():
    if len(sys.argv) != 3:
        print("usage: report.py NUMBERS FOLDER", file=sys.stderr)
        sys.exit(2)
    rows = read(sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    broken = report(rows, sys.argv[2])
    print(f"simdp: {os.path.join(sys.argv[2], 'report.md')} written; {broken} broken", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
