#!/usr/bin/env python3
"""Runs what a page of include/python/docs tells its reader to run: the packages of its line "pip install" are there, and
its blocks of Python run, one after the other, as one program.

    python3 page.py PAGE.md [--packages]

--packages prints the packages of that line instead, ours left out. A page without a block of Python is an error."""
import re
import sys
from importlib import metadata

OURS = "./include/python"


def packages(text):
    lines = re.findall(r"^    pip install (.*)$", text, re.MULTILINE)
    if len(lines) != 1 or OURS not in lines[0].split():
        raise SystemExit(f"a page has one line 'pip install {OURS} ...', not {lines}")
    return [word for word in lines[0].split() if word != OURS]


def program(text):
    """The blocks of Python, at the lines that they have in the page, so that a traceback points there."""
    inside, lines = False, []
    for line in text.splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    if not any(lines):
        raise SystemExit("no block of Python")
    return "\n".join(lines) + "\n"


def main(path, *options):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if len(text.splitlines()) > 100:
        raise SystemExit("a page has two screens at most")
    wanted = packages(text)
    if options == ("--packages",):
        print(*wanted)
        return
    for package in wanted:
        metadata.version(package.split("[")[0].split("<")[0].split(">")[0].split("=")[0])
    exec(compile(program(text), path, "exec"), {"__name__": "__main__"})   # pylint: disable=exec-used


if __name__ == "__main__":
    main(*sys.argv[1:])
