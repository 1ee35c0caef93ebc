"""How much faster is B than A? Two programs run interleaved, started anew again and again, because where the system puts
code, stack and arrays makes differences of a few per cent that stay for the life of a process. One launch of both gives one
ratio for each row, the median of neighbouring pairs; a test over launches, stats.sign_flip_p, says whether B differs, and
Benjamini and Hochberg's rule holds the false alarms of the whole table at a stated rate."""
import math
import os
import random
import re
import statistics

import measure
import report_data
import report_text
import stats
from programs import say
from server import Failed, Server, last_cpu

FALSE_ALARMS = 0.002    # of a table in which nothing differs
CONFIDENCE = 0.99       # of the interval of a ratio
LEAST = 0.01            # a difference below it is not called one
LEAST_RECORDED = 0.03   # the same for numbers of two different runs
PAIRS = 3               # in a launch, after one that warms up
SECONDS = 14.0          # for all launches, of a table that one asked for by name
SECONDS_EACH = (0.0005, 0.02)
START = 0.25            # a launch of one program


class Verdict:
    """One row of a comparison; ratio: B's rate to A's."""

    def __init__(self, row, rates, ratio, low, high, p):
        self.row, self.rates, self.ratio, self.low, self.high, self.p = row, rates, ratio, low, high, p
        self.word = "no difference"


def judge(verdicts, least, rate=FALSE_ALARMS):
    """Names the differences of a table."""
    for verdict, found in zip(verdicts, stats.discoveries([v.p for v in verdicts], rate)):
        if found and abs(verdict.ratio - 1) >= least:
            verdict.word = "faster" if verdict.ratio > 1 else "slower"
    return verdicts


def from_launches(rows, least=LEAST, rate=FALSE_ALARMS):
    """Verdicts from {row: [(rate of A, rate of B) of each launch]}."""
    verdicts = []
    for row, launches in rows.items():
        differences = [math.log(b / a) for a, b in launches]
        centre, low, high = stats.median_of_all(differences, CONFIDENCE)
        rates = tuple(statistics.median(side) for side in zip(*launches))
        verdicts.append(Verdict(row, rates, *map(math.exp, (centre, low, high)), stats.sign_flip_p(differences)))
    return judge(verdicts, least, rate)


def from_repetitions(rows, least=LEAST_RECORDED, rate=FALSE_ALARMS):
    """Verdicts from {row: (rates of A, rates of B)} of runs that were not interleaved."""
    verdicts = []
    for row, (a, b) in rows.items():
        ratio = statistics.median(b) / statistics.median(a)
        (_, low_a, high_a), (_, low_b, high_b) = stats.median_interval(a), stats.median_interval(b)
        verdicts.append(Verdict(row, (statistics.median(a), statistics.median(b)), ratio, low_b / high_a, high_b / low_a,
                                stats.rank_sum_p(a, b)))
    return judge(verdicts, least, rate)


def one_launch(programs, arguments, rows, seconds, order, cpu):
    """Starts both, measures each row in neighbouring pairs; {row: (rate of A, rate of B)} of the rows that ran."""
    first = order.randrange(2)
    servers = [None, None]
    for side in (first, 1 - first):
        servers[side] = Server("AB"[side], programs[side], arguments, cpu)
    pairs = {row: [] for row in rows}
    try:
        for number in range(PAIRS + 1):
            order.shuffle(rows)
            for row in rows:
                answers = [None, None]
                for side in order.sample((0, 1), 2):
                    answers[side] = servers[side].run(row, seconds)
                if number > 0 and not any("skipped" in answer for answer in answers):
                    pairs[row].append(tuple(answer["items_per_second"] for answer in answers))
    finally:
        for server in servers:
            server.close()

    def middle(found):   # the pair with the middle ratio
        return sorted(found, key=lambda pair: pair[1] / pair[0])[len(found) // 2]

    return {row: middle(found) for row, found in pairs.items() if found}


def common_rows(programs, arguments, pattern):
    """Rows of ours that both programs have."""
    found = []
    for program in programs:
        server = Server("", program, arguments)
        found.append(measure.wanted(server, pattern or ".", None))
        server.close()
    ours = [row for row in found[0] if row in set(found[1])]
    if pattern is None:   # what belongs to others, and ceilings, are compared when somebody asks for them
        ours = [row for row in ours if row.split("/")[2] in report_data.VARIANTS + report_data.OTHER_WAYS]
    return ours


def interleaved(programs, pattern, launches=None, seed=1):
    """(verdicts, how many launches, were these all?). Ctrl-C ends it early, with the launches that were whole."""
    arguments = ["--sizes=" + ("4096" if pattern is None else "64,4096,1048576")]
    rows = common_rows(programs, arguments, pattern)
    if not rows:
        raise Failed(f"no row of both programs matches {pattern or '.'}")
    needed = stats.pairs_needed(len(rows), FALSE_ALARMS)
    if launches and 2.0 ** (1 - launches) * len(rows) > FALSE_ALARMS:   # the least that sign_flip_p can be
        say(f"--launches {launches} are too few to call one row of {len(rows)} faster or slower; {needed} are enough")
    launches = launches or needed
    runs = launches * len(rows) * 2 * (PAIRS + 1)
    each = (SECONDS - launches * 2 * START) / runs - measure.COST_EACH
    each = min(max(each, SECONDS_EACH[0]), SECONDS_EACH[1])
    order, cpu, found = random.Random(seed), last_cpu(), {row: [] for row in rows}
    progress = measure.Progress(launches)
    done = 0
    try:
        while done < launches:
            for row, pair in one_launch(programs, arguments, list(rows), each, order, cpu).items():
                found[row].append(pair)
            done += 1
            progress.step(f"launch {done} of {launches}")
    except KeyboardInterrupt:
        pass
    progress.end()
    return from_launches({row: pairs for row, pairs in found.items() if len(pairs) >= 2}), done, done == launches


def recorded(folders, pattern=None):
    """Verdicts from two folders: the same rows of the same processes. Rows that nobody asked for are not judged, for every
    row of a table makes it harder to call another one."""
    sides = []
    for folder in folders:
        raw = report_data.Result(os.path.join(folder, "raw.json")).raw
        sides.append({(process["name"], report_data.today(row["name"])): row["items_per_second"]
                      for process in raw["processes"] for row in process["rows"] if "skipped" not in row})
    keys = [key for key in sides[0] if key in sides[1]]
    rows = {name + ("" if process == "all" else f" ({process})"): (sides[0][process, name], sides[1][process, name])
            for process, name in keys}
    return from_repetitions({row: rates for row, rates in rows.items() if pattern is None or re.search(pattern, row)})


def table(verdicts, names):
    lines = [[v.row, report_text.number(v.rates[0] / 1e6), report_text.number(v.rates[1] / 1e6), f"{v.ratio:.3f}",
              f"{v.low:.3f} to {v.high:.3f}", v.word] for v in verdicts]
    return report_text.markdown(["row", f"{names[0]}, M/s", f"{names[1]}, M/s", "ratio", "interval", "verdict"], lines)


def summary(verdicts, how, least):
    words = [sum(v.word == word for v in verdicts) for word in ("faster", "slower", "no difference")]
    return report_text.paragraph(
        f"{len(verdicts)} rows: {words[0]} faster, {words[1]} slower, {words[2]} without a difference. {how}",
        "False alarms: where nothing differs, a table like this calls any row different with a probability of at most",
        f"{100 * FALSE_ALARMS:g} % (Benjamini and Hochberg over exact tests); where something does, at most that share",
        f"of the calls is wrong on average. Differences below {100 * least:g} % are not called.")


def side_by_side(folders):
    """Compilers that ran in the same rounds, each against the first."""
    parts = []
    for folder in folders[1:]:
        names = [report_data.Result(os.path.join(path, "raw.json")).context["compiler"] for path in (folders[0], folder)]
        found = [v for v in recorded([folders[0], folder]) if v.row.split("/")[2].split(" ")[0] in report_data.VARIANTS]
        parts += [table(found, names), summary(found, "Rows of all compilers ran in the same rounds.", LEAST_RECORDED)]
    return "\n\n".join(parts)


def main(given, programs):
    names, pattern = given["--compare"], given.get("--filter")
    if "--markdown" in given:   # known before minutes are spent
        with open(given["--markdown"], "w", encoding="utf-8"):
            pass
    found = [programs.find(name) for name in names]   # both before either is built: HEAD may move meanwhile
    kinds, whole = [kind for kind, _ in found], True
    if "recorded" not in kinds:
        built = [programs.program(kind, what) for kind, what in found]
        verdicts, launches, whole = interleaved(built, pattern, int(given.get("--launches", 0)) or None)
        how, least = f"{launches} launches of either program, interleaved.", LEAST
        if not whole:
            how += " PARTIAL: it was interrupted, and with fewer launches smaller differences are not seen."
    elif kinds == ["recorded", "recorded"]:
        verdicts = recorded([path for _, path in found], pattern)
        how, least = "Two recorded runs, which did not run side by side: another day is a difference too.", LEAST_RECORDED
    else:
        raise Failed("a recorded folder has no program to run: compare it with another folder")
    if not verdicts and not whole:
        raise KeyboardInterrupt
    if not verdicts:
        raise Failed(f"no row of both matches {pattern or '.'}")
    text = f"{table(verdicts, names)}\n\n{summary(verdicts, how, least)}"
    print(text)
    threshold = float(given.get("--threshold", 3)) / 100
    worse = [v for v in verdicts if v.word == "slower" and v.ratio < 1 - threshold]
    if "--markdown" in given:
        with open(given["--markdown"], "w", encoding="utf-8") as file:
            verdict = "a regression" if worse else "no regression"
            file.write(f"### Speed, {names[1]} against {names[0]}: {verdict} beyond {100 * threshold:g} %\n\n{text}\n")
    for v in worse:
        print(f"SLOWER by more than {100 * threshold:g} %: {v.row}, {100 * (1 - v.ratio):.1f} %")
    return 130 if not whole else 1 if worse else 0
