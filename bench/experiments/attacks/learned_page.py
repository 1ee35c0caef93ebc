"""Record and page of attackers that learn.   learned_page.py NUMBERS FOLDER COMMAND   writes learned.json and learned.md.

NUMBERS is what simdp-distinguish wrote, and learners.py where it ran, one JSON object a line. Exit 1 if a release gives
more than real numbers do, or if naive noise or, with enough sights, a planted leak is not found; 2 if NUMBERS cannot be
read."""
import sys

sys.dont_write_bytecode = True   # no __pycache__ in the tree

import datetime  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "bench", "report"))

import report_machine  # noqa: E402

ENOUGH = 10**8   # sights from which on a leak of 1e-4 must be found

HEAD = """# Attackers that learn

Made by `sh bench/experiments/attacks/learn` from [learned.json](learned.json). Numbers come from fixed
keys and do not depend on the machine.

{facts}
An attacker sees all bits of what one call published about some neighbouring elements, one of which was 0 or 1, and says
which. The best test of real-number noise looks at the size of that element; it gains the *limit* (the total variation of
the real-number mechanism, in closed form). The attacker learns from sights of its own in which patterns of twelve bits,
seen through one of {views} windows (any place of any word, places of last digits, low bits of several elements), the other
answer came more often, and contradicts the size there. *Gain* is what that adds to the advantage, counted on fresh
sights; intervals (Clopper and Pearson) miss with probability 1e-11.

Power: each mechanism is attacked once more with a planted leak, which sets twelve bits beside the element in 0.03 to 0.09 %
of the sights of answer 1. What that gains is found, and told from 0, where the last column says so: there an attacker of
this kind with an advantage of 1e-4 over real numbers would have been seen. A leak that no window of twelve bits shows, or
that is spread thinly over very many patterns, would not; and the size alone is judged to the width of its own interval.

"""
TABLE = """| mechanism | sights of either answer | size alone | interval | limit | gain of the learned attack | interval | \
planted leak gains | interval | found |
|---|---:|---:|---|---:|---:|---|---:|---|---|
"""
NAIVE = """
## Control: naive noise

| mechanism | sights of either answer | size alone | limit | gain of the learned attack | interval |
|---|---:|---:|---:|---:|---|
"""
LEARNERS = """
## Gradient boosting and nearest neighbours

scikit-learn's on all bits, bytes and the size, advantage on fresh sights beside the limit; normal intervals, which miss with
probability 1e-11. They see far less than the attack above: what they would find is as large as the width of their intervals.

| mechanism | learner | sights | advantage | interval | limit | more than real numbers give |
|---|---|---:|---:|---|---:|---|
"""


def interval(estimate, form):
    return f"{estimate[1]:{form}} to {estimate[2]:{form}}"


def made_by(command):
    machine = report_machine.machine()
    return {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"), "command": command,
            "machine": f"{machine['cpu']} ({report_machine.microarchitecture(machine['model'])})",
            "commit": report_machine.commit(ROOT)}


def page(rows, learners, made):
    """The text, and what is wrong, a line each."""
    wrong = []
    plain = [row for row in rows if not row["leak"]]
    leaks = {row["target"]: row for row in rows if row["leak"]}
    facts = "".join(f"- {name}: {fact}\n" for name, fact in made.items())
    text = HEAD.format(views=65, facts=facts) + TABLE
    for row in plain:
        if row["naive"]:
            continue
        leak = leaks[row["target"]]
        found = leak["gain"][1] > 0
        if row["gain"][1] > 0 or row["size"][1] > row["limit"]:
            wrong.append(f"{row['target']} gives more than real numbers do")
        if not found and leak["n"] >= ENOUGH:
            wrong.append(f"{row['target']}: the planted leak is not found")
        text += (f"| {row['target']} | {row['n']} | {row['size'][0]:.6f} | {interval(row['size'], '.6f')} | {row['limit']:.6f} "
                 f"| {row['gain'][0]:.1e} | {interval(row['gain'], '.1e')} | {leak['gain'][0]:.1e} "
                 f"| {interval(leak['gain'], '.1e')} | {'yes' if found else 'no'} |\n")
    text += NAIVE
    for row in plain:
        if not row["naive"]:
            continue
        if row["gain"][1] <= 0:
            wrong.append(f"{row['target']} is not seen through")
        text += (f"| {row['target']} | {row['n']} | {row['size'][0]:.4f} | {row['limit']:.4f} | {row['gain'][0]:.4f} "
                 f"| {interval(row['gain'], '.4f')} |\n")
    if learners:
        text += LEARNERS
    for row in learners:
        mechanism = plain[row["index"]]
        more = row["advantage"][1] > mechanism["limit"]
        if more and not mechanism["naive"]:
            wrong.append(f"{mechanism['target']}: {row['learner']} gains more than real numbers give")
        text += (f"| {mechanism['target']} | {row['learner']} | {row['n']} | {row['advantage'][0]:.4f} "
                 f"| {interval(row['advantage'], '.4f')} | {mechanism['limit']:.4f} | {'yes' if more else 'no'} |\n")
    return text, wrong


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    numbers, folder, command = sys.argv[1:]
    try:
        with open(numbers, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        made = made_by(command)
        text, wrong = page([line for line in lines if "target" in line], [line for line in lines if "learner" in line], made)
    except (OSError, ValueError, KeyError, IndexError) as error:
        print(f"{numbers}: {error!r}", file=sys.stderr)
        return 2
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "learned.json"), "w", encoding="utf-8") as file:
        file.write(json.dumps({**made, "rows": lines}, indent=1) + "\n")
    with open(os.path.join(folder, "learned.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print("".join(f"{line}\n" for line in wrong) or text, end="", file=sys.stderr if wrong else sys.stdout)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
