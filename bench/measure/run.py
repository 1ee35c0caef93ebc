#!/usr/bin/env python3
"""usage: sh bench/run [--quick | --full] [--filter RE] [--isa NAME] [--threads LIST] [--compiler CC...] [--no-mkl] [--peers]
                    [--record] [--readme] [--note TEXT] [--open]
       sh bench/run --baseline NAME [--filter RE]
       sh bench/run --compare A B [--filter RE] [--threshold PERCENT] [--markdown FILE] [--launches N]
Measure this machine: build, run, print tables, write a folder with a page to look at, report.html, under build/results,
which git ignores. Without options all kernels at eight batch sizes, MKL at three of them: some two minutes.
  --quick          three batch sizes, well under a minute
  --full           more batch sizes and repetitions, and arrays of 1e8 (1.6 GB), some 15 minutes
  --filter RE      only rows whose names match, for example noise/laplace (--rows is the same)
  --isa NAME       of our own rows only those on avx512, avx2, avx2_vaes, avx2_aesni or scalar
  --threads LIST   also noise in so many threads side by side, for example 2,4; 1: none (default: 2, if there are two CPUs)
  --compiler CC... one or several compilers, side by side in one run; a folder for each (default: CC, or cc)
  --no-mkl         leave MKL out
  --peers          also other libraries, from Python: OpenDP, PyDP, NumPy, accountants; downloads, and takes minutes; their
                   numbers go to build/results/peers
  --record         write the folder under perf-results instead, with its line in the index there
  --readme         also put figure and table into README.md; implies --record
  --note TEXT      what was odd today, for the card
  --open           show report.html in a browser
  --baseline NAME  keep the simdp-bench of this tree and its numbers in build/baselines, to compare with
  --compare A B    how much faster is B than A? Commits, names of baselines and . (this tree) run interleaved; folders that
                   have a raw.json are compared as recorded. Exit 1 if a row is slower by more than the threshold, 2 if
                   they cannot be compared.
  --threshold P    per cent that a regression must reach (3)
  --markdown FILE  the table of the comparison for a pull request
  --launches N     how often either program is started (so many that one difference can be seen)
Ctrl-C ends a run early: finished rows are kept and reported as a partial result. SIMDP_BENCH names a simdp-bench to run
instead of building one."""
import sys

sys.dont_write_bytecode = True   # no __pycache__ in the tree

import os  # noqa: E402
import re  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "report"))

import compare  # noqa: E402
import libraries  # noqa: E402
import measure  # noqa: E402
import port_bound  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
import report_data  # noqa: E402
import report_machine  # noqa: E402
from programs import say  # noqa: E402
from server import Failed, Server, last_cpu  # noqa: E402

# sizes, repetitions, seconds for all rows together
MODES = {"quick": ("64,4096,65536", 7, 20), "default": ("1,16,64,256,1024,4096,32768,1048576", 9, 80),
         "full": ("1,16,64,256,1024,4096,16384,65536,262144,1048576,8388608", 15, 800)}
# A first run is short: it leaves out rows of MKL at sizes that no table shows. A record, and whoever picks rows, has them.
SHORT_SECONDS, LEFT_OUT = 60, re.compile(r"/mkl_[a-z0-9_]+/(1|16|256|1024|32768)$")
AVX2_ROWS = re.compile(r"/(avx2_[a-z]+|mkl_[a-z0-9_]+)/")
ISA_NAMES = ("avx512", "avx2", "avx2_vaes", "avx2_aesni", "scalar")
FLAGS = ("--quick", "--full", "--no-mkl", "--peers", "--record", "--readme", "--open", "--help", "-h")
VALUES = {"--filter": 1, "--rows": 1, "--isa": 1, "--threads": 1, "--note": 1, "--baseline": 1, "--compare": 2,
          "--threshold": 1, "--markdown": 1, "--launches": 1}


class Usage(Exception):
    """Arguments that mean nothing; str() says why."""


def parse(arguments):
    """{"--flag": True, "--option": value or values}."""
    given, i = {}, 0
    while i < len(arguments):
        name = arguments[i]
        i += 1
        if name in FLAGS:
            given[name] = True
            continue
        if name == "--compiler":
            first = i
            while i < len(arguments) and not arguments[i].startswith("-"):
                i += 1
            count, values = i - first, arguments[first:i]
            if count == 0:
                raise Usage("--compiler: which?")
            given[name] = values
            continue
        if name not in VALUES:
            raise Usage(f"unknown argument {name}")
        values = arguments[i:i + VALUES[name]]
        if len(values) < VALUES[name]:
            raise Usage(f"{name}: {VALUES[name]} value{'s' if VALUES[name] > 1 else ''} expected")
        i += VALUES[name]
        given["--filter" if name == "--rows" else name] = values if VALUES[name] > 1 else values[0]
    check(given)
    return given


def check(given):
    try:
        re.compile(given.get("--filter", ""))
        threads_of(given)
        threshold, launches = float(given.get("--threshold", 3)), int(given.get("--launches", 2))
    except (re.error, ValueError) as error:
        raise Usage(str(error)) from None
    if not 0 <= threshold < 100:   # nor what is no number: nothing is slower by that
        raise Usage(f"--threshold {given['--threshold']}: per cent, from 0 to less than 100")
    if launches < 2:
        raise Usage(f"--launches {given['--launches']}: 2 or more")
    if given.get("--isa", "scalar") not in ISA_NAMES:
        raise Usage(f"--isa {given['--isa']}: one of {', '.join(ISA_NAMES)}")
    if "--quick" in given and "--full" in given:
        raise Usage("--quick and --full exclude each other")
    if "--readme" in given:
        given["--record"] = True
    for other in ("--filter", "--isa", "--baseline", "--compare"):
        if "--record" in given and other in given:
            raise Usage(f"a record has all rows: --record and {other} exclude each other")
    if "--baseline" in given and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", given["--baseline"]):
        raise Usage(f"--baseline {given['--baseline']}: a name of letters, digits, points and hyphens")


def threads_of(given):
    """Numbers of threads beside one."""
    text = given.get("--threads")
    if text is None:
        plain = not {"--quick", "--filter", "--isa", "--baseline"} & set(given)
        return [2] if plain and len(os.sched_getaffinity(0)) >= 2 else []
    numbers = [int(part) for part in text.split(",")]
    if not all(1 <= number <= 64 for number in numbers):
        raise ValueError(f"--threads {text}: numbers from 1 to 64, separated by commas")
    return sorted(set(numbers) - {1})


def start(given, program, compiler, sizes, cpu):
    """The processes of one compiler: everything; rows on AVX2 against MKL limited to AVX2, for MKL decides once in a
    process; one for each number of threads."""
    arguments = [f"--sizes={sizes}"] + (["--large"] if "--full" in given else [])
    servers = [Server("all", program, arguments, cpu)]
    if servers[0].context["mkl"] != "not installed":
        servers.append(Server("avx2", program, arguments, cpu, {"MKL_ENABLE_INSTRUCTIONS": "AVX2"}))
    for number in threads_of(given):
        name = "threads" if number == threads_of(given)[0] else f"threads{number}"
        servers.append(Server(name, program, ["--sizes=4096,1048576", f"--threads={number}"]))
        servers[-1].threads = number
    for server in servers:
        server.compiler = compiler
    return servers


def is_short(given):
    return not {"--quick", "--full", "--record", "--filter", "--isa", "--baseline"} & set(given)


def tasks_of(given, servers):
    pattern, isa, tasks = given.get("--filter", "."), given.get("--isa"), []
    limited = {server.compiler for server in servers if server.name == "avx2"}
    for server in servers:
        for row in measure.wanted(server, pattern, isa):
            on_avx2 = AVX2_ROWS.search(row) and not row.startswith("roof/")
            ours_on_avx2 = on_avx2 and "/avx2_" in row
            if (server.name == "avx2" and not on_avx2) or (server.name == "all" and ours_on_avx2 and server.compiler in limited):
                continue
            if is_short(given) and LEFT_OUT.search(row):
                continue
            tasks.append(measure.Task(server, row, getattr(server, "threads", 1)))
            tasks[-1].key = (server.compiler, server.name, row)
    return tasks


def results_first(_number, _frame):
    """What is measured is not lost to a Ctrl-C that came late; to a second one it is."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    say("everything is measured: it is being written; Ctrl-C again gives it up")


def results(given, command):
    """Measures; [raw.json of each compiler]."""
    mode = "quick" if "--quick" in given else "full" if "--full" in given else "default"
    sizes, repetitions, total = MODES[mode]
    total = SHORT_SECONDS if is_short(given) else total
    built = programs.build_all(given.get("--compiler") or [None], "--no-mkl" not in given)
    cpu = last_cpu()
    servers = [server for compiler, program in built for server in start(given, program, compiler, sizes, cpu)]
    if servers[0].context["mkl"] == "not installed":
        say("without MKL: its rows say \"not installed\"")
    tasks = tasks_of(given, servers)
    if not tasks:
        raise Usage(f"no row matches {given.get('--filter', '')} {given.get('--isa', '')}".strip())
    seconds = measure.seconds_each(len(tasks), repetitions, total * len(built))
    watch, repetitions, whole = measure.rounds(tasks, repetitions, seconds, cpu, total * len(built))
    if whole:
        signal.signal(signal.SIGINT, results_first)
    facts = {"date": measure.now(), "repetitions": repetitions, "seconds": seconds}
    raws = []
    for compiler, program in built:
        own = [server for server in servers if server.compiler == compiler]
        raw = {"format": report_data.FORMAT, "date": facts["date"], "command": command, "note": given.get("--note", ""),
               "commit": report_machine.commit(programs.ROOT), "machine": report_machine.machine(),
               "processes": measure.processes_of([t for t in tasks if t.server in own], own, watch, facts)}
        core = report_machine.microarchitecture(raw["machine"]["model"])
        port_bound.annotate([row for process in raw["processes"] for row in process["rows"]], program, core)
        if not whole:
            raw["partial"] = True
        if "--filter" in given or "--isa" in given:
            raw["subset"] = True
        raws.append(raw)
    for server in servers:
        server.close()
    return raws, whole


def open_page(path):
    for tool in ("xdg-open", "open", "sensible-browser"):
        try:
            subprocess.Popen([tool, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            return
        except OSError:
            continue
    say(f"no browser found: open {path}")


def run(given, command):
    if "--compare" in given:
        return compare.main(given, programs)
    raws, whole = results(given, command)
    rows = [row for raw in raws for process in raw["processes"] for row in process["rows"]]
    if all("skipped" in row for row in rows):
        if not whole:
            say("interrupted before any row was measured")
            return 130
        say(f"no row has a result: {', '.join(sorted({row['skipped'] for row in rows}))}")
        return 1
    if "--baseline" in given and not whole:
        say("interrupted: a partial result is no baseline, nothing is kept")
        return 130
    if "--baseline" in given:
        compiler = (given.get("--compiler") or [None])[0]
        folder = programs.keep_baseline(given["--baseline"], raws[0], compiler, "--no-mkl" not in given)
        say(f"baseline {given['--baseline']} is in {os.path.relpath(folder)}")
        return 0
    record = whole and "--record" in given
    if not whole and "--record" in given:
        say("interrupted: a partial result is not recorded, it goes to build/results")
    folders = report.publish(programs.ROOT, raws, record, record and "--readme" in given)
    if len(folders) > 1:
        print(compare.side_by_side(folders))
    if "--peers" in given:
        libraries.run(os.path.join(programs.ROOT, "build", "results", "peers"), (given.get("--compiler") or [None])[0])
    if "--open" in given:
        open_page(os.path.abspath(os.path.join(folders[0], "report.html")))
    return 0 if whole else 130


def main():
    arguments = sys.argv[1:]
    only = arguments.pop(0) if arguments[:1] in (["--only-check"], ["--only-library"]) else None   # by bench/run
    try:
        given = parse(arguments)
        if only == "--only-library" and "--compare" not in given:
            programs.build_libraries(given.get("--compiler") or [None])
        if only:
            return 0
        if "--help" in given or "-h" in given:
            print(__doc__)
            return 0
        quoted = [f"'{a}'" if re.search(r"[^\w./,=-]", a) else a for a in arguments]
        compiler = os.environ.get("CC")
        prefix = f"CC={os.path.basename(compiler)} " if compiler else ""
        return run(given, prefix + " ".join(["sh bench/run", *quoted]))
    except Usage as usage:
        print(f"bench/run: {usage}\n{__doc__.partition(chr(10) + 'Measure')[0]}", file=sys.stderr)
        return 2
    except (Failed, report_data.Broken, programs.NoProgram, OSError) as error:
        say(str(error))
        return 2 if isinstance(error, report_data.Broken) or "--compare" in arguments else 1
    except KeyboardInterrupt:
        say("interrupted")
        return 130


if __name__ == "__main__":
    sys.exit(main())
