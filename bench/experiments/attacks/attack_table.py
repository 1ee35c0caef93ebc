"""What simdp-attacks found, as recorded, and the table of it. Without matplotlib, so that whoever checks a record can use it."""
import json


def record(lines, facts):
    """The text of attack.json: the facts of a run, and what simdp-attacks wrote, one JSON object a line."""
    rows = ",\n".join(json.dumps(json.loads(line)) for line in lines)
    return json.dumps(facts, indent=1)[:-2] + f',\n "rows": [\n{rows}\n]}}\n'


def split(data):
    """({is it a release: outputs that can occur}, attacks) of a recorded run."""
    combs = {row["release"]: row for row in data["rows"] if row["kind"] == "comb"}
    return combs, [row for row in data["rows"] if row["kind"] == "attack"]


def shares(rows):
    """Per cent of all cases in which who sees an output of answer + noise knows the answer, by noise."""
    return {row["law"]: 100 * sum(row["sure"]) / (2 * row["n"]) for row in rows
            if row["attack"] == "reachable values" and not row["release"]}


def percent(count, n):
    return f"{100 * count / n:.2f} %" if count else "0"


def table(combs, rows):
    stated, n, risk = rows[0]["stated"], rows[0]["n"], rows[0]["risk"]
    scales = {row["law"]: row["scale"] for row in rows}
    both = {release: sum(all(pair) for pair in comb["can_be"]) for release, comb in combs.items()}
    lines = [
        "# Attacks on low-order bits", "",
        "Made by `sh bench/experiments/attacks/run` from [attack.json](attack.json).", "",
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
