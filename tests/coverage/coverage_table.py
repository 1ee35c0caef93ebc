"""Lines and branches by room.   coverage_table.py ROOT BUILD

BUILD was compiled with --coverage by gcc, and its tests have run. A line counts as reached if it is in any object, since
kernels are compiled once for each instruction set; of a branch that objects have in different shapes the best counts.
Prints a table, and writes BUILD/unreached.txt: the lines that no test reaches."""
import collections
import glob
import json
import os
import subprocess
import sys

AT_ONCE = 20   # files for one run of gcov


def counts(build, root):
    """{file: {line: [times, [times of each branch]]}} of sources below kernels and bench/command."""
    merged = collections.defaultdict(dict)
    data = sorted(glob.glob(os.path.join(build, "CMakeFiles", "simdp_objects.dir", "**", "*.gcda"), recursive=True) +
                  glob.glob(os.path.join(build, "bench", "command", "**", "*.gcda"), recursive=True))
    for start in range(0, len(data), AT_ONCE):
        names = [os.path.abspath(name) for name in data[start:start + AT_ONCE]]
        run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities"] + names, cwd=build,
                             capture_output=True, text=True, check=True)
        for text in run.stdout.splitlines():
            report = json.loads(text)
            for file in report["files"]:
                path = os.path.relpath(os.path.join(report["current_working_directory"], file["file"]), root)
                if path.startswith(("kernels" + os.sep, "bench" + os.sep + "command")):
                    merge(merged[path], file["lines"])
    return merged


def merge(known, lines):
    for line in lines:
        taken = [branch["count"] for branch in line["branches"]]
        entry = known.setdefault(line["line_number"], [0, []])
        entry[0] += line["count"]
        if len(taken) == len(entry[1]):
            entry[1] = [a + b for a, b in zip(entry[1], taken)]
        elif share(taken) >= share(entry[1]):
            entry[1] = taken


def share(branches):
    return sum(count > 0 for count in branches) / len(branches) if branches else 0


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    root, build = (os.path.abspath(name) for name in sys.argv[1:])
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    unreached = []
    for path, lines in sorted(counts(build, root).items()):
        parts = path.split(os.sep)
        room = "command" if parts[0] == "bench" else parts[1]
        sums = rooms[room]
        for number, (times, branches) in sorted(lines.items()):
            sums[0] += times > 0
            sums[1] += 1
            if times > 0:
                sums[2] += sum(count > 0 for count in branches)
                sums[3] += len(branches)
            else:
                unreached.append((path, number))
    if not rooms:
        print("nothing was counted", file=sys.stderr)
        return 2
    print("| room | lines reached | of | % | branches taken | of | % |\n|---|---:|---:|---:|---:|---:|---:|")
    total = [sum(column) for column in zip(*rooms.values())]
    for room, sums in [*sorted(rooms.items()), ("all", total)]:
        print(f"| {room} | {sums[0]} | {sums[1]} | {100 * sums[0] / sums[1]:.1f} "
              f"| {sums[2]} | {sums[3]} | {100 * sums[2] / max(sums[3], 1):.1f} |")
    with open(os.path.join(build, "unreached.txt"), "w", encoding="utf-8") as out:
        for path, number in unreached:
            with open(os.path.join(root, path), encoding="utf-8") as source:
                out.write(f"{path}:{number}: {source.readlines()[number - 1].strip()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
