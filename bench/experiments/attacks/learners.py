"""Gradient boosting and nearest neighbours on released bytes.   learners.py PROGRAM SIGHTS   writes lines of JSON.

PROGRAM is simdp-distinguish, whose sights of either answer are turned into bits. Half of SIGHTS is learned from by
boosting and the other half judged; neighbours get 4000 and judge as many. Needs NumPy and scikit-learn."""
import json
import math
import subprocess
import sys

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier

RISK = 1e-11
DEVIATIONS = 6.9   # beyond which a normal number lies with probability below RISK / 2
NEIGHBOURS_MOST = 4000


def sights(program, target, answer, count, seed):
    """Words of so many sights, and what the size says; None if there is no such target."""
    run = subprocess.run([program, "--bytes", str(target), str(answer), str(count), str(seed)], capture_output=True)
    if run.returncode == 2:
        return None
    if run.returncode != 0:
        raise SystemExit(f"{program} ended with status {run.returncode}")
    return numpy.frombuffer(run.stdout, "<u8").reshape(-1, 5)[:count]


def features(rows):
    """All bits, each byte whole, the first word as a number, and the verdict by size."""
    words = numpy.ascontiguousarray(rows[:, :4])
    bits = numpy.unpackbits(words.view("u1"), axis=1, bitorder="little")
    first = words[:, :1].view("<i8").astype("f8")
    return numpy.hstack([first, rows[:, 4:].astype("f8"), words.view("u1"), bits]).astype("f4")


def both(program, target, count, seed):
    """Features and answers, as many of 0 as of 1, mixed."""
    zeros, ones = (sights(program, target, answer, count, seed) for answer in (0, 1))
    if zeros is None:
        return None
    order = numpy.random.default_rng(seed).permutation(2 * count)
    answers = numpy.repeat([0, 1], count)[order]
    return features(numpy.vstack([zeros, ones]))[order], answers


def advantage(called, answers):
    p = [called[answers == answer].mean() for answer in (0, 1)]
    n = len(answers) / 2
    spread = DEVIATIONS * math.sqrt(sum(max(x * (1 - x), 1 / n) for x in p) / n)
    return [p[1] - p[0], p[1] - p[0] - spread, p[1] - p[0] + spread]


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    program, count = sys.argv[1], int(float(sys.argv[2])) // 2
    target = 0
    while (data := both(program, target, count, 11)) is not None:
        seen, answers = data
        fresh, truth = both(program, target, count, 12)
        few = min(NEIGHBOURS_MOST, count)
        boosting = HistGradientBoostingClassifier(max_iter=60, random_state=1).fit(seen, answers)
        # bits alone: the size weighs as much as eight of them
        close = [numpy.hstack([x[:few, 1:2] * 8, x[:few, 34:]]) for x in (seen, fresh)]
        neighbours = KNeighborsClassifier(25).fit(close[0], answers[:few])
        for learner, called, of in (("boosting", boosting.predict(fresh), truth),
                                    ("neighbours", neighbours.predict(close[1]), truth[:few])):
            print(json.dumps({"learner": learner, "index": target, "learned": len(of), "n": len(of),
                              "advantage": advantage(called, of), "risk": RISK}), flush=True)
        target += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
