"""Rows of one or several simdp-bench, interleaved: every round runs each row of each process once, in an order of its own,
so that whatever changes in the machine meets all of them. The first round warms up and is not kept; rows that disagree with
themselves are measured again, once; an interruption keeps what there is."""
import datetime
import random
import re
import statistics
import sys
import time

import stats
from watch import Watch, is_throttled, usual_clock

MEASURED = ("items_per_second", "real_ns", "ghz")   # rates by CPU time; real_ns: per iteration
SPREAD_MOST = 0.10      # a row whose interval is wider, relative to its median, is measured again
AGAIN_MOST = 0.1        # of the time of the rounds may go into that
SECONDS_LEAST, SECONDS_MOST = 0.001, 0.02           # of one run
WARM_UP = 0.25          # of the time of a run, for the round that is not kept; a row then looks for its iterations
COST = 1.15             # a run takes so much of its time, and then a sixth of a millisecond: sample of the clock, answer
COST_EACH = 0.0005


def short(x):
    """Six digits: far below the noise, and half the file."""
    return float(f"{x:.6g}")


class Progress:
    """A line on the terminal with the time left; silent elsewhere."""

    def __init__(self, total, stream=sys.stderr):
        self.total, self.done, self.stream, self.shown = total, 0, stream, 0.0
        self.began = time.monotonic()
        self.active = stream.isatty()

    def step(self, label):
        self.done += 1
        now = time.monotonic()
        if not self.active or (now - self.shown < 0.25 and self.done < self.total):
            return
        self.shown = now
        left = (now - self.began) / self.done * (self.total - self.done)
        width = 28
        bar = "#" * (width * self.done // self.total)
        self.stream.write(f"\r\033[K[{bar:.<{width}}] {100 * self.done // self.total:3d} %  {left:3.0f} s left  {label}")
        self.stream.flush()

    def end(self):
        if self.active:
            self.stream.write("\r\033[K")
            self.stream.flush()


class Task:
    """A row of a process, and what it measured."""

    def __init__(self, server, row, threads=1):
        self.server, self.row, self.threads, self.key = server, row, threads, (server.name, row)
        self.runs, self.first, self.skipped = [], None, None

    def rates(self):
        return [run["items_per_second"] for run in self.runs]

    def run(self, seconds, watch):
        if self.skipped is not None:
            return
        answer = self.server.run(self.row, seconds)
        if "skipped" in answer:
            self.skipped = answer["skipped"]
        elif watch is not None:
            watch.add(self.key, answer, self.threads)
            self.runs.append(answer)

    def as_row(self, watch, usual):
        """The row of raw.json."""
        row = {"name": self.row}
        if self.skipped is not None:
            return {**row, "skipped": self.skipped}
        for key in MEASURED:
            row[key] = [short(run[key]) for run in self.runs]
        rate = self.runs[-1]["bytes_per_second"] / self.runs[-1]["items_per_second"]
        row["bytes_per_item"] = short(round(8 * rate) / 8)   # packed bits: 1/8
        row["iterations"] = self.runs[-1]["iterations"]
        if "same_bits" in self.runs[-1]:
            row["same_bits"] = int(self.runs[-1]["same_bits"])
        if watch.is_busy(self.key, len(self.runs)):
            row["busy"] = watch.busy[self.key]
        if is_throttled(row["ghz"], usual):
            row["throttled"] = 1
        if self.first is not None:
            row["first_rate"] = short(self.first)
        return row


def again(tasks, watch, seconds, repetitions, progress):
    """Measures the rows that were busy or disagree once more, the busy and then the widest first; the calmer of the two
    measurements stays."""
    def unrest(task):   # less is calmer
        return watch.is_busy(task.key, len(task.runs)), stats.spread(task.rates())

    suspects = [(unrest(task), task) for task in tasks if len(task.runs) >= 5]
    suspects = [(rest, task) for rest, task in suspects if rest > (False, SPREAD_MOST)]
    suspects.sort(key=lambda item: item[0], reverse=True)
    chosen = suspects[:max(1, int(AGAIN_MOST * len(tasks)))]
    progress.total += repetitions * len(chosen)
    before = {task.key: (task.runs, watch.busy.get(task.key, 0)) for _, task in chosen}
    for _, task in chosen:
        task.first, task.runs = statistics.median(task.rates()), []
        watch.busy[task.key] = 0
    try:
        for number in range(repetitions):
            for _, task in chosen:
                task.run(seconds, watch)
                progress.step("again, what disagreed with itself")
    finally:
        watch.close_window()
        for rest, task in chosen:
            runs, busy = before[task.key]
            calmer = len(task.runs) == len(runs) and unrest(task) <= rest
            if not calmer:
                task.first, task.runs, watch.busy[task.key] = None, runs, busy
    return len(chosen)


REPETITIONS_LEAST, LATE = 5, 1.2


def affordable(repetitions, round_seconds, total):
    """How many repetitions fit: rows that take long for a single iteration cannot be made shorter. An odd number, so that
    the median is one of them."""
    if total is None or repetitions * round_seconds <= LATE * total:
        return repetitions
    fit = int(LATE * total / round_seconds)
    return min(repetitions, max(REPETITIONS_LEAST, fit - 1 + fit % 2))


def rounds(tasks, repetitions, seconds, cpu, total=None, seed=1):
    """Runs everything; (watch, repetitions, is it whole?). Fewer repetitions than asked for if they would take much longer
    than the time given. Ctrl-C ends it early, a second one ends the program."""
    order = random.Random(seed)
    watch = Watch({task.server for task in tasks}, cpu)
    progress = Progress((repetitions + 1) * len(tasks))
    try:
        number = 0
        while number <= repetitions:
            order.shuffle(tasks)
            began = time.monotonic()
            for task in tasks:
                task.run(seconds if number > 0 else WARM_UP * seconds, None if number == 0 else watch)
                progress.step("warming up" if number == 0 else f"round {number} of {repetitions}")
            if number == 1:
                repetitions = affordable(repetitions, time.monotonic() - began, total)
                progress.total = (repetitions + 1) * len(tasks)
            number += 1
        watch.close_window()
        again(tasks, watch, seconds, repetitions, progress)
        whole = True
    except KeyboardInterrupt:
        watch.close_window()
        whole = False
    progress.end()
    return watch, repetitions, whole


def seconds_each(tasks, repetitions, total):
    """How long a run may take so that all of them take the given time."""
    each = (total / (tasks * (repetitions + 2)) - COST_EACH) / COST
    return min(max(each, SECONDS_LEAST), SECONDS_MOST)


def wanted(server, pattern, isa):
    """Rows that match, on one instruction set and beside their peers if it is named; of rows in several threads, which have
    their number in the name (laplace_f64_x2), the name without it counts too."""
    ours = ("avx512", "avx2_vaes", "avx2_aesni", "scalar")
    found = []
    for row in server.rows:
        who = row.split("/")[2]
        is_meant = re.search(pattern, row) or re.search(pattern, re.sub(r"_x[0-9]+/", "/", row))
        if is_meant and not (isa and who in ours and not who.startswith(isa)):
            found.append(row)
    return found


def processes_of(tasks, servers, watch, facts):
    """The processes of raw.json, rows as registered; what has no repetition is left out."""
    found = []
    for server in servers:
        place = {row: i for i, row in enumerate(server.rows)}
        own = sorted((t for t in tasks if t.server is server and (t.runs or t.skipped)), key=lambda t: place[t.row])
        if not own:
            continue
        usual = usual_clock([run["ghz"] for task in own for run in task.runs])
        context = {"date": facts["date"], **server.context, "pinned_cpu": "none" if server.cpu is None else str(server.cpu),
                   "repetitions": str(facts["repetitions"]), "min_time": f"{facts['seconds']:.4f}", "watch": watch.summary()}
        found.append({"name": server.name, "context": context, "rows": [task.as_row(watch, usual) for task in own]})
    return found


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+00:00")
