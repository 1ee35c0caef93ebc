#!/usr/bin/env python3
"""Benchmark results: a folder from a raw.json, its page, card and tables, the index of recorded ones, what README shows.

    report.py --new RAW...                 make a folder from the raw.json of a run (sh bench/run does this) in
                                           build/results, which git ignores; with --record in perf-results
    report.py [FOLDER]                     print the table of a folder, the newest by default
    report.py [FOLDER] --redraw            make its card, page and figure again; without a folder, those of all recorded
    report.py [FOLDER] --readme            put figure and table of a recorded folder, the newest by default, into README.md,
                                           and that of other libraries from perf-results/peers
    report.py --check-readme               exit 1 unless README.md is what would be written from the folder that it
                                           names, every other number in it has its record, and pages, tables and the
                                           index of perf-results are those of their records

A file that is broken or incomplete: a message, exit 2, nothing written."""
import sys

sys.dont_write_bytecode = True   # no __pycache__ in the tree

import argparse  # noqa: E402
import errno  # noqa: E402
import glob  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import shutil  # noqa: E402
import signal  # noqa: E402
import tempfile  # noqa: E402

import report_data  # noqa: E402
import report_figure  # noqa: E402
import report_index  # noqa: E402
import report_machine  # noqa: E402
import report_page  # noqa: E402
import report_text  # noqa: E402
import report_traces  # noqa: E402
from report_data import Broken  # noqa: E402
from report_traces import marks  # noqa: E402

FIGURE = "front.svg"


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def files_of(result):
    """What a folder has beside its raw.json: {name: text}."""
    return {"card.md": report_text.card(result), "report.html": report_page.page(result), FIGURE: report_figure.figure(result)}


def render(folder):
    result = report_data.Result(os.path.join(folder, "raw.json"))
    for name, text in files_of(result).items():
        write(os.path.join(folder, name), text)
    return result


def replace_folder(made, folder):
    """Gives a folder its name, also while another run does the same: who comes last stays."""
    while True:
        try:
            os.rename(made, folder)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        old = tempfile.mkdtemp(prefix=".old-", dir=os.path.dirname(folder))
        try:
            os.rename(folder, old)
        except FileNotFoundError:
            pass   # the other one was faster
        shutil.rmtree(old)


def make_folder(results, raw):
    """A whole folder or none: it gets its name when everything is in it. One of a partial run, or of some rows, is called so,
    and replaces no whole one."""
    name = report_machine.folder_name(raw["date"], raw["machine"], raw["processes"][0]["context"]["compiler"])
    name += "".join(f"_{what}" for what in ("subset", "partial") if raw.get(what))
    os.makedirs(results, exist_ok=True)
    made = tempfile.mkdtemp(prefix=".new-", dir=results)
    try:
        os.chmod(made, 0o755)
        report_data.write_raw(os.path.join(made, "raw.json"), raw)
        render(made)
        folder = os.path.join(results, name)
        if os.path.exists(folder):
            print(f"report.py: {name} is there already (same day, CPU and compiler): replacing it", file=sys.stderr)
        replace_folder(made, folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return folder


def all_results(results):
    """[(folder name, result)], newest first."""
    found = [(os.path.basename(os.path.dirname(path)), report_data.Result(path))
             for path in glob.glob(os.path.join(results, "*", "raw.json"))]
    return sorted(found, key=lambda item: (item[1].raw["date"], item[0]), reverse=True)


def all_experiments(results):
    """[(folder name, title, date)] of what is recorded beside benchmarks: folders with a card and no raw.json."""
    found = []
    for path in sorted(glob.glob(os.path.join(results, "*", "card.md"))):
        folder = os.path.dirname(path)
        if os.path.exists(os.path.join(folder, "raw.json")):
            continue
        text = report_machine.read(path)
        title, date = re.match(r"# (.+)", text), re.search(r"^- date: ([^ \n;]+)", text, re.MULTILINE)
        if not title or not date:
            raise Broken(path, "should begin with a title, and say its date")
        found.append((os.path.basename(folder), title.group(1), date.group(1)[:10]))
    return found


def index_text(results, runs):
    return report_text.index(runs, all_experiments(results))


def new_readme(path, blocks):
    """README.md as it is, and as it should be with these blocks: {name of the marks: text}."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Broken(path, error.strerror) from None
    wanted = text
    for name, block in blocks.items():
        begin, end = marks(name)
        if wanted.count(begin) != 1 or wanted.count(end) != 1 or wanted.index(begin) > wanted.index(end):
            raise Broken(path, f"should have {begin} and then {end}, once each")
        wanted = wanted[:wanted.index(begin)] + f"{begin}\n{block}" + wanted[wanted.index(end):]
    return text, wanted


def folder_of_readme(path):
    """The name of the recorded folder that README's table says it comes from."""
    begin, end = marks("table")
    block = report_machine.read(path).partition(begin)[2].partition(end)[0]
    names = set(re.findall(r"\(perf-results/([^/)]+)/card\.md\)", block))
    if len(names) != 1:
        raise Broken(path, f"its table names {len(names)} folders of perf-results, not one")
    return names.pop()


def blocks_of(results, name, result):
    """What README.md shows of a recorded folder, and of the comparison with other libraries."""
    return {"figure": report_text.figure_block(name, FIGURE), "table": report_text.readme_block(result, name),
            "peers": report_traces.peers_block(results)}


def write_index(results, recorded):
    """The page that compares any two runs; for recorded ones also the list in README.md there."""
    runs = all_results(results)
    write(os.path.join(results, "index.html"), report_index.page(runs))
    if recorded:
        write(os.path.join(results, "README.md"), index_text(results, runs))


def publish(root, raws, record, readme):
    """Folders of one run, a raw.json for each compiler; their tables on the terminal."""
    recorded = os.path.join(root, "perf-results")
    place = recorded if record else os.path.join(root, "build", "results")
    folders = [make_folder(place, raw) for raw in raws]
    write_index(place, record)
    update_readme(root, folders[0], record, readme)
    for folder in folders:
        show(folder, report_data.Result(os.path.join(folder, "raw.json")))
    return folders


def update_readme(root, folder, record, readme):
    recorded, path = os.path.join(root, "perf-results"), os.path.join(root, "README.md")
    # a folder measured again takes what README shows with it, if that comes from there
    if readme or (record and recorded_name(recorded, folder) == folder_of_readme(path)):
        name, result = recorded_name(recorded, folder), report_data.Result(os.path.join(folder, "raw.json"))
        write(path, new_readme(path, blocks_of(recorded, name, result))[1])


def show(folder, result):
    tables = (report_text.short_table(result), report_text.rooms_table(result))
    print("\n\n".join([report_text.machine_sentence(result), *filter(None, tables), report_text.LEGEND]))
    for line in report_text.odd(result):
        print(f"Odd: {line}")
    if result.raw.get("partial"):
        print("PARTIAL: the run was interrupted; what was measured until then is here.")
    print(f"Folder: {os.path.relpath(folder)}; page: {os.path.relpath(os.path.join(folder, 'report.html'))}")


def check(readme, results):
    """The front page against the folder that it names, and the index against what is recorded: 0 or 1."""
    name, runs = folder_of_readme(readme), all_results(results)
    if name not in dict(runs):
        raise Broken(readme, f"names perf-results/{name}, which has no raw.json")
    text, wanted = new_readme(readme, blocks_of(results, name, dict(runs)[name]))
    index, page = os.path.join(results, "README.md"), os.path.join(results, "index.html")
    stale = []
    if text != wanted:
        stale.append(f"{readme} is not what perf-results/{name} says; run bench/report/report.py perf-results/{name} --readme")
    if report_machine.read(index) != index_text(results, runs):
        stale.append(f"{index} does not list what is recorded; run bench/report/report.py perf-results/{name} --readme")
    if report_machine.read(page) != report_index.page(runs):
        stale.append(f"{page} does not show what is recorded; run bench/report/report.py --redraw")
    for folder, result in runs:
        for file, made in files_of(result).items():
            if report_machine.read(os.path.join(results, folder, file)) != made:
                stale.append(f"{folder}/{file} is not what its raw.json says; run bench/report/report.py --redraw")
    for file, made in report_traces.tables(results).items():
        if report_machine.read(os.path.join(results, file)) != made:
            stale.append(f"{file} is not what the record beside it says; run bench/report/report.py --redraw")
    if report_traces.figure_differs(results):
        stale.append("attacks/attack.svg does not show attack.json; run bench/experiments/attacks/run --record")
    stale += [f"{readme} says {number}, which no record has" for number in report_traces.untraced(readme, results)]
    for line in stale:
        print(f"report.py: {line}", file=sys.stderr)
    return 1 if stale else 0


def recorded_name(results, folder):
    """The name of a folder in perf-results; README's table links to it."""
    path = os.path.abspath(folder)
    if os.path.dirname(path) != os.path.abspath(results):
        raise Broken(folder, "is not recorded: README's table comes from perf-results (sh bench/run --record)")
    return os.path.basename(path)


def newest(places):
    """The path of the newest folder in any of the places, or None."""
    found = [(result.raw["date"], os.path.join(place, name)) for place in places for name, result in all_results(place)]
    return max(found)[1] if found else None


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)   # report.py | head is no accident
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--new", nargs="+", metavar="RAW", help="raw.json of a run, one for each compiler")
    parser.add_argument("--record", action="store_true", help="a new folder goes to perf-results and its index")
    parser.add_argument("--redraw", action="store_true")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--check-readme", action="store_true")
    parser.add_argument("--root", default=root, help="another tree than this one")
    args = parser.parse_args()
    recorded, readme = os.path.join(args.root, "perf-results"), os.path.join(args.root, "README.md")
    ignored = os.path.join(args.root, "build", "results")
    try:
        if args.check_readme:
            return check(readme, recorded)
        if args.new:
            publish(args.root, [report_data.Result(path).raw for path in args.new], args.record, args.readme)
            return 0
        if args.redraw and not args.folder:
            for name, _ in all_results(recorded):
                render(os.path.join(recorded, name))
            for file, text in report_traces.tables(recorded).items():
                write(os.path.join(recorded, file), text)
            write_index(recorded, True)
            return 0
        folder = args.folder or newest([recorded] if args.readme else [recorded, ignored])
        if folder is None:
            raise Broken(recorded, "no results yet; sh bench/run makes some")
        result = render(folder) if args.redraw else report_data.Result(os.path.join(folder, "raw.json"))
        if args.readme or args.redraw:
            place = os.path.dirname(os.path.abspath(folder))
            write_index(place, place == os.path.abspath(recorded))
        if args.readme:
            update_readme(args.root, folder, False, True)
    except Broken as broken:
        print(f"report.py: {broken}", file=sys.stderr)
        return 2
    show(folder, result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
