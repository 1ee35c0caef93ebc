#!/usr/bin/env python3
"""The card of an experiment that was recorded: what made the folder, when, where and from which tree.

    experiment_card.py FOLDER TITLE COMMAND      (bench/experiments/*/run --record does this)
"""
import datetime
import os
import sys

import report_machine


def card(title, command, root):
    machine = report_machine.machine()
    core = report_machine.microarchitecture(machine["model"])
    facts = [("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+00:00")),
             ("machine", f"{machine['cpu']} ({core}), {machine['model']}, {machine['cpus']} CPUs; {machine['isa']}; "
                         f"{machine['system']}"),
             ("commit", report_machine.commit(root)),
             ("command", f"`{command}`")]
    return f"# {title}\n\n" + "".join(f"- {name}: {fact}\n" for name, fact in facts)


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    folder, title, command = sys.argv[1:]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(folder, "card.md"), "w", encoding="utf-8") as file:
        file.write(card(title, command, root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
