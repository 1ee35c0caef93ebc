"""Results: raw.json, and from it rows one can ask.

raw.json: {"format", "date", "command", "note", "commit", "machine": {...}, "processes": [{"name", "context", "rows"}]};
"partial" if it was interrupted, "subset" if rows were chosen. A row keeps one number per repetition and measured quantity;
a row without a result says why in "skipped". "busy" (repetitions while others worked), "throttled" and "first_rate" (it was
measured again) are there where they say something; so are "port_cycles", the bound of port_bound.py in cycles per output,
or "no_bound", why there is none."""
import json
import math
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "measure"))
import stats  # noqa: E402
import watch  # noqa: E402

FORMAT = 1
# room, kernel and, after a point, the variant of its parameters; instruction set or peer; n. The kernel has the name of
# the function; records before that have names of their own (bits/words, loss/laplace_arrays), which stay as they were.
ROW_NAME = re.compile(r"([a-z0-9]+)/([a-z0-9_]+(?:\.[a-z0-9_]+)?)/([a-z0-9_]+)/([1-9][0-9]*)")
MEASURED = ("items_per_second", "real_ns", "ghz")   # rates by CPU time; real_ns: per iteration
CONTEXT_NEEDED = ("date", "compiler", "flags", "kernel_flags", "mkl", "mkl_code", "mkl_limit", "pinned_cpu",
                  "repetitions", "min_time")
VARIANTS = ("avx512", "avx2_vaes", "avx2_aesni", "scalar")
# our own code called in another way: "simdp_..." too; "two_passes" is what records before that prefix have
OTHER_WAYS = ("plain", "two_passes")
# what rows were called before they had the names of functions: first part of the name, what it is today
RENAMED = {
    "bits/words": "rng/words", "release/laplace_f64": "release/laplace", "release/gaussian_f64": "release/gaussian",
    "noise/discrete_gaussian_wide_i64": "noise/discrete_gaussian_i64.wide", "loss/laplace_arrays": "loss/laplace_f64_each",
    "loss/delta_gaussian": "loss/delta_each.gaussian", "loss/audit_laplace": "loss/audit_run.laplace",
    "loss/statistics": "loss/statistics_outputs.laplace", "account/pld_gaussian": "account/pld_compose.gaussian",
    "account/pld_laplace": "account/pld_compose.laplace", "account/gaussian_epsilon": "account/epsilon_each.gaussian",
    "account/gaussian_sigma": "account/noise.gaussian", "select/gumbel_many": "select/prepared",
    "select/gumbel_many_vartime": "select/prepared_vartime",
    "select/gumbel_many_vartime_ascending": "select/prepared_vartime.ascending",
}
MACHINE_NEEDED = ("cpu", "model", "cpus", "isa", "virtual", "governor", "system")


class Broken(Exception):
    """A file that is not what it should be: str() says which and why."""

    def __init__(self, path, reason):
        super().__init__(f"{path}: {reason}")


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise Broken(path, error.strerror) from None
    except ValueError as error:   # also wrong encoding
        raise Broken(path, f"not JSON, or cut short: {error}") from None
    if not isinstance(data, dict):
        raise Broken(path, "not a JSON object")
    return data


def is_positive(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) and x > 0


def checked_context(path, context):
    if not isinstance(context, dict):
        raise Broken(path, "no context")
    for key in CONTEXT_NEEDED:
        if not isinstance(context.get(key), str):
            raise Broken(path, f"the context lacks {key}")
    for key, form in (("date", "[0-9]{4}-[0-9]{2}-[0-9]{2}T.*"), ("repetitions", "[1-9][0-9]{0,5}"),
                      ("min_time", r"[0-9]+\.?[0-9]*")):
        if not re.fullmatch(form, context[key]):
            raise Broken(path, f"the context's {key} is {context[key]!r}")
    return context


def today(name):
    """The name that a row of an older record has now: what it measures is the same."""
    what, _, rest = name.partition("/")
    kernel, _, rest = rest.partition("/")
    return f"{RENAMED.get(f'{what}/{kernel}', f'{what}/{kernel}')}/{rest}"


def checked_rows(path, rows, repetitions, partial):
    """A row has all repetitions of all quantities, or a reason for having none; one of an interrupted run at least one."""
    if not isinstance(rows, list) or not rows:
        raise Broken(path, "no rows")
    seen = set()
    for row in rows:
        name = row.get("name") if isinstance(row, dict) else None
        if not isinstance(name, str) or not ROW_NAME.fullmatch(name):
            raise Broken(path, f"not the name of a row: {name!r}")
        if name in seen:
            raise Broken(path, f"{name} comes twice")
        seen.add(name)
        if isinstance(row.get("skipped"), str):
            continue
        for key in MEASURED:
            values = row.get(key)
            good = isinstance(values, list) and all(map(is_positive, values)) and len(values) <= repetitions
            if not good or len(values) < (1 if partial else repetitions) or len(values) != len(row[MEASURED[0]]):
                raise Broken(path, f"{name}: {key} should be {repetitions} positive numbers")
        if row.get("same_bits", 1) not in (0, 1) or not is_positive(row.get("bytes_per_item")):
            raise Broken(path, f"{name}: same_bits is neither 0 nor 1, or no bytes_per_item")
        if not is_positive(row.get("port_cycles", 1.0)) or not isinstance(row.get("no_bound", ""), str):
            raise Broken(path, f"{name}: port_cycles is no positive number, or no_bound no text")
    return rows


def write_raw(path, raw):
    """JSON with one line per row, so that a difference between two results can be read."""
    head = {key: value for key, value in raw.items() if key != "processes"}
    text = json.dumps(head, indent=1)[:-2] + ',\n "processes": ['
    for i, process in enumerate(raw["processes"]):
        text += (",\n" if i else "\n") + f'{{"name": {json.dumps(process["name"])},\n"context": '
        text += json.dumps(process["context"], indent=1) + ',\n"rows": [\n'
        text += ",\n".join(json.dumps(row) for row in process["rows"]) + "\n]}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n]}\n")


def rows_of_record(path, needed):
    """A recorded comparison or experiment: {"date", ..., "rows": [{...}]}, each row with what is needed."""
    data = read_json(path)
    if not isinstance(data.get("rows"), list) or not data["rows"]:
        raise Broken(path, "no rows")
    for row in data["rows"]:
        if not isinstance(row, dict) or not needed <= set(row):
            raise Broken(path, f"a row should have {', '.join(sorted(needed))}")
    return data


class Row:
    """One line of a table: who did what at which batch size, in which process."""

    def __init__(self, row, process):
        self.room, self.kernel, self.who, n = ROW_NAME.fullmatch(row["name"]).groups()
        self.n = int(n)
        self.what = f"{self.room}/{self.kernel}"
        self.process = process
        self.is_mkl = self.who.startswith("mkl_")
        self.is_avx2 = self.who.startswith("avx2")
        self.is_ours = self.who in VARIANTS + OTHER_WAYS or self.who.startswith("simdp_")
        self.skipped = row.get("skipped")
        self.same_bits = row.get("same_bits")
        if self.skipped is None:
            rates = row["items_per_second"]
            self.rate, self.low, self.high = stats.median_interval(rates)
            self.best, self.repetitions = max(rates), len(rates)
            self.bytes_per_item = row["bytes_per_item"]
            self.real_ns = statistics.median(row["real_ns"])
            self.busy = watch.is_busy(row.get("busy", 0), len(rates))   # older records count from a third on
            self.throttled, self.again = "throttled" in row, "first_rate" in row
            self.bytes_rate = self.rate * row["bytes_per_item"]
            self.cycles = statistics.median(ghz * 1e9 / rate for ghz, rate in zip(row["ghz"], rates))
            self.ghz = row["ghz"]
            self.port_cycles = row.get("port_cycles")   # below which the ports forbid the main loop
            self.no_bound = row.get("no_bound")   # why there are none


class Result:
    """A raw.json. Rows on AVX2 come from the process with MKL limited to AVX2, if there is one, others from "all"."""

    def __init__(self, path):
        raw = read_json(path)
        if raw.get("format") != FORMAT:
            raise Broken(path, f"format {raw.get('format')!r}, expected {FORMAT}")
        for key in ("date", "command", "note", "commit"):
            if not isinstance(raw.get(key), str):
                raise Broken(path, f"lacks {key}")
        for key in MACHINE_NEEDED:
            if not isinstance(raw.get("machine"), dict) or key not in raw["machine"]:
                raise Broken(path, f"does not say the machine's {key}")
        self.raw, self.machine, self.contexts, self.every_row = raw, raw["machine"], {}, []
        processes = raw.get("processes")
        for process in processes if isinstance(processes, list) else []:
            name = process.get("name") if isinstance(process, dict) else None
            if not isinstance(name, str):
                raise Broken(path, "a process without a name")
            context = self.contexts[name] = checked_context(path, process.get("context"))
            rows = checked_rows(path, process.get("rows"), int(context["repetitions"]), raw.get("partial") is True)
            self.every_row += [Row(row, name) for row in rows]
        if not self.contexts:
            raise Broken(path, "has no process")
        if all(row.skipped is not None for row in self.every_row):
            raise Broken(path, "no row has a result")
        self.context = self.contexts.get("all", next(iter(self.contexts.values())))
        limited = "avx2" in self.contexts
        # one row of each, kernels as they were registered, each with ours first; MKL's from both processes
        kernels = {what: i for i, what in enumerate(dict.fromkeys(row.what for row in self.every_row))}
        place = {row: i for i, row in enumerate(self.every_row)}
        self.rows = [row for row in self.every_row
                     if row.is_mkl or row.process.startswith("threads")
                     or (row.process == "avx2") == (limited and row.is_avx2 and row.room != "roof")]
        rank = {who: i for i, who in enumerate(VARIANTS)}
        self.rows.sort(key=lambda row: (kernels[row.what], rank.get(row.who, len(rank)), place[row]))
        self.kernels = list(dict.fromkeys(row.what for row in self.rows if row.room != "roof"))
        self.single = [what for what in self.kernels if not re.search("_x[0-9]+$", what)]   # one thread
        self.sizes = sorted({row.n for row in self.rows})
        self.places = {}   # (what, n): rows
        for row in self.rows:
            self.places.setdefault((row.what, row.n), []).append(row)

    def mkl_best(self, what, n, process):
        """MKL's fastest generator there, or None."""
        rows = [r for r in self.places.get((what, n), []) if r.is_mkl and r.process == process and r.skipped is None]
        return max(rows, key=lambda row: row.rate, default=None)

    def ratio(self, row):
        """To MKL's best generator in the same process, or None."""
        best = self.mkl_best(row.what, row.n, row.process)
        return row.rate / best.rate if best and row.skipped is None else None
