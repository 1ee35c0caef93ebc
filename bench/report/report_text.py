"""Tables and sentences: everything of a result that is text. All figures come from raw.json."""
import textwrap

import report_bounds
import report_machine
from report_data import VARIANTS

README_SIZE, README_OTHERS = 4096, (64, 1048576)
ROOMS_SIZES = (1000, 4096, 100000, 1048576, 100000000)
HEAD = ["kernel", "n", "who", "M/s", "low", "high", "GB/s", "cycles", "of bound", "vs MKL", "same bits"]


def paragraph(*sentences):
    return textwrap.fill(" ".join(sentences), 120, break_long_words=False, break_on_hyphens=False)


def number(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}" if x >= 0.1 else f"{x:.3f}"


def who(row):
    return row.who + (" (AVX2)" if row.is_mkl and row.process == "avx2" else "")


def ratio_text(result, row):
    ratio = None if row.room == "roof" else result.ratio(row)
    return "-" if ratio is None else f"{ratio:.2f}"


def bound_text(result, row):
    if not hasattr(result, "ceilings"):
        result.ceilings = report_bounds.Ceilings(result)
    share = result.ceilings.share(row)
    return "-" if share is None else f"{100 * share:.0f} %"


def cells(result, row):
    if row.skipped is not None:
        return [row.what, str(row.n), f"{who(row)}: {row.skipped}"] + [""] * (len(HEAD) - 3)
    same = "-" if row.same_bits is None else "yes" if row.same_bits else "NO"
    return [row.what, str(row.n), who(row), number(row.rate / 1e6), number(row.low / 1e6), number(row.high / 1e6),
            number(row.bytes_rate / 1e9), number(row.cycles), bound_text(result, row), ratio_text(result, row), same]


LEFT = ("who", "CPU", "core", "compiler", "MKL", "date", "version", "what", "verdict")   # columns of words


def markdown(head, lines):
    """Readable on a terminal and as Markdown. Words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *lines)]
    right = [i > 0 and name not in LEFT for i, name in enumerate(head)]

    def line(texts):
        return "| " + " | ".join(t.rjust(w) if r else t.ljust(w) for t, w, r in zip(texts, widths, right)) + " |"

    rule = "|" + "|".join("-" * (w + 1) + (":" if r else "-") for w, r in zip(widths, right)) + "|"
    return "\n".join([line(head), rule] + [line(texts) for texts in lines])


def ordered(result, sizes):
    """By kernel, ceilings last, then by size; within that as measured: ours, MKL, other peers."""
    kernels = result.kernels + list(dict.fromkeys(row.what for row in result.rows if row.room == "roof"))
    return [row for what in kernels for n in sizes for row in result.places.get((what, n), [])]


def table(result, sizes):
    return markdown(HEAD, [cells(result, row) for row in ordered(result, sizes)])


def short_table(result):
    """For a terminal: one batch size; of MKL only its best generator, and no rows that this CPU cannot run."""
    n = README_SIZE if README_SIZE in result.sizes else result.sizes[-1]

    def wanted(row):
        if row.skipped is not None:
            return row.skipped != "not on this CPU"
        return not row.is_mkl or row is result.mkl_best(row.what, n, row.process)

    return markdown(HEAD, [cells(result, row) for row in ordered(result, [n]) if wanted(row)])


LEGEND = paragraph(
    "M/s: million words or samples a second, median with its 95 % interval; one thread. cycles: per word or sample.",
    "vs MKL: median rate against MKL's fastest generator at that n, in the same process; rows on AVX2 against MKL",
    "limited to AVX2. of bound: of the lowest ceiling that is known, stores, rounds of the cipher or ports of the main",
    "loop. same bits: 4096 outputs compared with scalar's, byte for byte. Other peers: libm, a scalar loop",
    "over xoshiro256++ and libm; sleef, that generator in vectors with SLEEF's functions of 3.5 ulp; plain_c, a loop",
    "that the compiler vectorises under -O3 -ffast-math. simdp_*: our own code in another way.")


def mkl_sentence(result):
    if result.context["mkl"] == "not installed":
        return "MKL is not installed."
    code = result.context["mkl_code"]
    text = f"MKL {result.context['mkl']} ran its {code} code on this CPU"
    limited = result.contexts.get("avx2")
    if limited:
        text += (", also when limited to AVX2" if limited["mkl_code"] == code
                 else f", and its {limited['mkl_code']} code when limited to AVX2")
    direct = list(dict.fromkeys(c["mkl_direct"] for c in (result.context, limited) if c and direct_code(c)))
    if direct:
        text += f"; its own {' and '.join(direct)} code, which it keeps for Intel's, was called directly and is the peer of" \
                " the ratios where it is faster"
    return text + "."


def direct_code(context):
    """MKL's code that was called past its choice, in results that have such rows."""
    return context.get("mkl_direct", "none") != "none"


def clock(result):
    ghz = sorted(g for row in result.every_row if row.skipped is None for g in row.ghz)
    return ghz[len(ghz) // 20], ghz[len(ghz) // 2], ghz[-1]   # nearly the lowest, median, highest


def microarchitecture(result):
    return report_machine.microarchitecture(result.machine["model"])


def cpu_text(result):
    return f"{result.machine['cpu']} ({microarchitecture(result)})"


def machine_sentence(result):
    return (f"{cpu_text(result)} at {clock(result)[1]:.2f} GHz, {result.context['compiler']}, "
            f"{result.raw['date'][:10]}. {mkl_sentence(result)}")


def is_disturbed(row):
    return row.skipped is None and (row.busy or row.throttled)


def odd(result):
    """What a reader should know before believing the numbers."""
    lines = ["The run was interrupted: rows have fewer repetitions, or are missing."] if result.raw.get("partial") else []
    lines += [result.raw["note"]] if result.raw["note"] else []
    low, middle, high = clock(result)
    if high > 1.05 * low:
        lines.append(f"The clock was not steady: {low:.2f} to {high:.2f} GHz, median {middle:.2f}.")
    if result.machine.get("virtual"):
        lines.append("A virtual machine: neighbours may take time that nobody sees here.")
    if result.context["pinned_cpu"] == "none":
        lines.append("Not pinned to a CPU.")
    if result.context["mkl_code"] == "def" and not direct_code(result.context):
        lines.append("MKL ran its def code, the one for CPUs it does not know: on a CPU it knows it is faster.")
    if "uncommitted" in result.raw["commit"]:
        lines.append("The tree had uncommitted changes.")
    load = result.context.get("load_avg")   # of records before machines were watched while rows ran
    if isinstance(load, list) and load and load[0] > 0.7:
        lines.append(f"The machine was not idle: load average {load[0]:.2f} at the start.")
    measured = [row for row in result.every_row if row.skipped is None]
    for word, rows in (("others were busy", [row for row in measured if row.busy]),
                       ("the clock was low", [row for row in measured if row.throttled])):
        if rows:
            lines.append(f"While {len(rows)} of {len(measured)} rows ran, {word}: {named_shortly(rows)}.")
    again = [row for row in measured if row.again]
    if again:
        lines.append(f"{len(again)} of {len(measured)} rows disagreed with themselves and were measured again; the calmer run counts.")
    wide = [row for row in measured if row.high - row.low > 0.1 * row.rate]
    if wide:
        lines.append(f"The interval of {len(wide)} of {len(measured)} rows is wider than 10 % of the median.")
    for reason in dict.fromkeys(row.skipped for row in result.rows if row.skipped):
        names = dict.fromkeys(row.who for row in result.rows if row.skipped == reason)
        lines.append(f"Rows without a result, {reason}: {', '.join(names)}.")
    beyond = [row for row in result.rows if row.skipped is None and row.port_cycles and row.cycles < 0.95 * row.port_cycles]
    if beyond:
        lines.append(f"{len(beyond)} rows are faster than the bound of their ports, which is wrong then: {named_shortly(beyond)}.")
    wrong = dict.fromkeys(f"{row.what}/{row.who}" for row in result.rows if row.same_bits == 0)
    if wrong:
        lines.append(f"NOT THE SAME BITS as scalar: {', '.join(wrong)}.")
    return lines or ["Nothing."]


def named_shortly(rows):
    names = [f"{row.what}/{row.who}/{row.n}" for row in rows]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def watch_text(result):
    """What the kernel's counters said while rows ran, if anybody looked."""
    seen = result.context.get("watch") or {}
    if not seen:
        return ""
    return (f"; in {seen['seconds']:.0f} s the hypervisor took {100 * seen['steal']:.1f} % of the CPU, other programs used "
            f"{seen['others']:.2f} CPUs")


def caches_text(result):
    """L1 32K, L2 1M, L3 32M; empty where neither machine nor record says."""
    caches = result.machine.get("caches") or result.context.get("caches") or []
    sizes = {cache["level"]: cache["size"] for cache in caches if cache.get("type") != "Instruction"}
    return ", ".join(f"L{level} {size // 1024}K" if size < 1 << 20 else f"L{level} {size >> 20}M"
                     for level, size in sorted(sizes.items()))


def cores_text(result):
    cores = result.machine.get("cores")
    cpus = result.machine["cpus"]
    return f"{cpus} CPUs" if cores in (None, cpus) else f"{cores} cores, {cpus} CPUs"


def facts(result):
    """[(name, fact)]: how it was measured."""
    machine, context = result.machine, result.context
    low, middle, high = clock(result)
    caches = caches_text(result)
    return [
        ("CPU", f"{cpu_text(result)}, {machine['model']}, {cores_text(result)}{'; ' + caches if caches else ''}; {machine['isa']}"),
        ("clock", f"{middle:.2f} GHz median, {low:.2f} to {high:.2f} (a chain of multiplications after each run); "
                  f"governor {machine['governor']}"),
        ("system", machine["system"]),
        ("compiler", f"{context['compiler']}, `{context['flags']}`; kernels `{context['kernel_flags']}` and -m flags"),
        ("MKL", mkl_sentence(result)),
        ("SLEEF", context.get("sleef", "not measured")),
        ("method", f"{context['repetitions']} repetitions of at least {context['min_time']} s after one that warms up, randomly "
                   f"interleaved, one thread, pinned to CPU {context['pinned_cpu']}; CPU time{watch_text(result)}"),
        ("commit", result.raw["commit"]),
        ("date", result.raw["date"]),
        ("command", f"`{result.raw['command']}`"),
    ]


def run_sentence(result):
    """For the head of the page."""
    parts = [cores_text(result), f"{clock(result)[1]:.2f} GHz", caches_text(result), result.context["compiler"],
             result.raw["date"][:10], f"commit {result.raw['commit']}"]
    return " \u00b7 ".join(part for part in parts if part)


def card(result):
    text = f"# {cpu_text(result)}, {result.context['compiler']}, {result.raw['date'][:10]}\n\n"
    text += "".join(f"- {name}: {fact}\n" for name, fact in facts(result))
    text += "\nOdd:\n\n" + "".join(f"- {line}\n" for line in odd(result))
    text += "\n[report.html](report.html) is this as a page to look at: rate by batch size, peers, bounds, threads.\n"
    by_kernel = "\n\n".join(filter(None, (samplers_table(result), rooms_table(result))))
    text += f"\n## By kernel\n\n{by_kernel}\n\n{kernels_legend(result)}\n"
    return text + f"\n## Every row\n\n{LEGEND}\n\n{table(result, result.sizes)}\n"


def find(result, what, who_, n):
    rows = [row for row in result.places.get((what, n), []) if row.who == who_ and row.skipped is None]
    return rows[0] if rows else None


SAMPLERS = ("rng", "bits", "noise")


def measured_variants(result):
    return [who_ for who_ in VARIANTS if any(row.who == who_ and row.skipped is None for row in result.rows)]


def same_bits_text(ours):
    known = [row.same_bits for row in ours if row is not None and row.same_bits is not None]
    return "-" if not known else "yes" if all(known) else "NO"


def has_sleef(result):
    return any(row.who == "sleef" and row.skipped is None for row in result.rows)


def sleef_cells(result, what, best):
    """The rate of xoshiro256++ and SLEEF, and ours against it."""
    peer = find(result, what, "sleef", README_SIZE)
    return ["-", "-"] if peer is None else [number(peer.rate / 1e6), f"{best.rate / peer.rate:.2f}"]


def samplers_table(result):
    """A line per sampler; our best row against MKL's best, at three batch sizes."""
    variants = measured_variants(result)
    head = [f"M/s at n = {README_SIZE}"] + variants + ["MKL's best", "vs MKL"] + \
        [f"at n = {n}" for n in README_OTHERS] + (["SLEEF", "vs SLEEF"] if has_sleef(result) else []) + \
        ["cycles", "same bits"]
    lines = []
    for what in result.single:
        ours = [find(result, what, who_, README_SIZE) for who_ in variants]
        best = next((row for row in ours if row is not None), None)
        if best is None or best.room not in SAMPLERS:
            continue
        others = [find(result, what, best.who, n) for n in README_OTHERS]
        peer = result.mkl_best(what, README_SIZE, best.process)
        lines.append([what] + ["-" if row is None else number(row.rate / 1e6) for row in ours]
                     + ["-" if peer is None else f"{number(peer.rate / 1e6)} ({peer.who[4:]})", ratio_text(result, best)]
                     + ["-" if row is None else ratio_text(result, row) for row in others]
                     + (sleef_cells(result, what, best) if has_sleef(result) else [])
                     + [number(best.cycles), same_bits_text(ours)])
    return markdown(head, lines)


def fastest_peer(result, ours):
    """Of all that ran beside a row of ours: MKL's rows of the same process, and other peers."""
    peers = [row for row in result.places[ours.what, ours.n]
             if not row.is_ours and row.skipped is None and (row.process == ours.process or not row.is_mkl)]
    return max(peers, key=lambda row: row.rate, default=None)


def rooms_table(result):
    """A line per kernel and size of the other rooms, each against its fastest peer; empty without such rows."""
    variants = measured_variants(result)
    lines = []
    for what in result.single:
        if what.split("/")[0] in SAMPLERS:
            continue
        for n in sorted({row.n for row in result.rows if row.what == what and row.n in ROOMS_SIZES}):
            ours = [find(result, what, who_, n) for who_ in variants]
            best = next((row for row in ours if row is not None), None)
            if best is None:
                continue
            peer = fastest_peer(result, best)
            lines.append([what, str(n)] + ["-" if row is None else number(row.rate / 1e6) for row in ours]
                         + ["-" if peer is None else f"{number(peer.rate / 1e6)} ({peer.who})",
                            "-" if peer is None else f"{best.rate / peer.rate:.2f}", same_bits_text(ours)])
    return markdown(["M/s", "n"] + variants + ["best peer", "vs peer", "same bits"], lines) if lines else ""


def kernels_legend(result):
    legend = "M/s: million words, samples, answers, candidates or losses a second, median. vs MKL, vs peer: the leftmost of " \
             "our rows against the fastest peer in the same process. cycles: per word or sample, of that row. same bits: " \
             "outputs compared with scalar's, byte for byte."
    if has_sleef(result):
        legend += " SLEEF: xoshiro256++ in vectors and SLEEF's functions of 3.5 ulp."
    return paragraph(legend)


# README's rows: what a reader asks for first, and of each kind one where a peer may win. Names of the kernel, today's
# first and then that in older records; and the size.
FRONT_ROWS = ((("release/laplace", "release/laplace_f64"), 4096), (("release/gaussian", "release/gaussian_f64"), 4096),
              (("release/randomized_response_packed",), 4096), (("select/gumbel",), 100000),
              (("noise/laplace_f64",), 4096), (("noise/gaussian_f64",), 4096), (("noise/gaussian_f32",), 4096),
              (("noise/gumbel_f64",), 4096), (("noise/discrete_gaussian_i64",), 4096),
              (("loss/delta_each.gaussian", "loss/delta_gaussian"), 4096), (("rng/words", "bits/words"), 4096))


def front_cells(result, ours):
    """Our rate, that of MKL's fastest generator with its name, and the ratio of the two."""
    peer = None if ours is None else result.mkl_best(ours.what, ours.n, ours.process)
    return ["-" if ours is None else number(ours.rate / 1e6),
            "-" if peer is None else f"{number(peer.rate / 1e6)} ({peer.who.removeprefix('mkl_')})",
            "-" if peer is None else f"{ours.rate / peer.rate:.2f}"]


def front_table(result):
    """About ten rows: on each instruction set that was measured, ours against MKL in the same process."""
    measured = measured_variants(result)
    columns = [(name, [who_ for who_ in measured if who_.split("_")[0] == name]) for name in ("avx512", "avx2")]
    columns = [(name, variants) for name, variants in columns if variants]
    lines = []
    for names, n in FRONT_ROWS:
        what = next((name for name in names if name in result.single), names[0])
        ours = [next(filter(None, (find(result, what, who_, n) for who_ in variants)), None) for _, variants in columns]
        if any(ours):
            lines.append([what, str(n)] + [cell for row in ours for cell in front_cells(result, row)])
    head = ["M/s", "n"] + [text for name, _ in columns for text in (name, "MKL", "ratio")]
    return markdown(head, lines)


def readme_block(result, folder):
    """The table for the front page."""
    link = f"[Every kernel, size and peer](perf-results/{folder}/card.md), with a page to look at and raw numbers."
    legend = "M/s: million answers, bits, candidates, samples or words a second, one thread, median. MKL: its fastest " \
             "generator in the same process, named in brackets; it does the same without the guarantees: a release is noise " \
             "added and rounded, a discrete Gaussian is a rounded one, no generator is a cipher of full strength. ratio: ours " \
             "to MKL's."
    return "\n\n".join([paragraph(machine_sentence(result)), front_table(result), paragraph(legend, link)]) + "\n"


def figure_block(folder, figure):
    return f"![Our rates against the fastest peer, MKL in most rows](perf-results/{folder}/{figure})\n"


PEERS_SIZE = 100000


def peers_block(rows, rate_text):
    """Releases a second by library, for the front page: the fastest first, answers in calls of PEERS_SIZE."""
    places, laws = {}, list(dict.fromkeys(row["law"] for row in rows))
    for row in rows:
        if row["n"] == PEERS_SIZE:
            places.setdefault((row["library"], row["version"]), {})[row["law"]] = row

    def slowness(name):
        return -places[name].get(laws[0], {}).get("items_per_second", 0.0)   # not installed: last

    lines = [[*name] + [rate_text(places[name][law]) if law in places[name] else "-" for law in laws]
             for name in sorted(places, key=slowness)]
    head = [f"million releases a second, {PEERS_SIZE} a call", "version"] + [law.capitalize() for law in laws]
    return markdown(head, lines) + "\n"


def index(results, experiments):
    """perf-results/README.md from [(folder, result)], newest first, and [(folder, title, date)]."""
    lines = [[f"[{folder}]({folder}/card.md)", r.raw["date"][:10], r.machine["cpu"], microarchitecture(r), r.context["compiler"],
              r.context["mkl"] + ("" if r.context["mkl"] == "not installed" else f", {r.context['mkl_code']} code")]
             for folder, r in results]
    text = paragraph(
        "One folder per machine, day and compiler, written by `sh bench/run --record`: card.md says how it was measured,",
        "raw.json has every repetition, report.html is a page to look at: rate by batch size, peers, bounds, threads.",
        "[index.html](index.html) compares any two of them. bench/report/report.py makes this page.")
    others = [[f"[{folder}]({folder}/card.md)", date, title] for folder, title, date in experiments]
    return (f"# Results\n\n{text}\n\n{markdown(['result', 'date', 'CPU', 'core', 'compiler', 'MKL'], lines)}\n\n"
            f"## Experiments and other libraries\n\n{markdown(['result', 'date', 'what'], others)}\n")
