"""Which record each number of README.md comes from. What stands between marks is written from records and compared as a whole;
a number in any other sentence is either one that TRACES computes from a record, or one of those that measure nothing."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "experiments", "attacks"), os.path.join(os.path.dirname(HERE), "peers")]

import attack_table  # noqa: E402
import peers_release  # noqa: E402
import report_data  # noqa: E402
import report_machine  # noqa: E402
import report_text  # noqa: E402

BLOCKS = ("figure", "table", "peers")   # names of marks
# sentences of README.md with a measured number, and which one it is
TRACES = ((r"knows the answer for certain in ([\d.]+) %", "Laplace"), (r"learns the other in ([\d.]+) %", "Gaussian"))
# numbers that measure nothing: names, versions that are needed, and the parameter of an experiment
NAMES = r"\bx86(-64)?\b|\bAVX-?\d+\b|\bC11\b|\bgcc 12\b|\bclang 14\b|\bZen 4\b|\bApache-2\.0\b|\bepsilon 1/4\b"


def marks(name):
    """Lines of README.md between which stands what is written here."""
    return f"<!-- {name}:begin -->", f"<!-- {name}:end -->"


def peers(results):
    path = os.path.join(results, "peers", "release.json")
    return report_data.rows_of_record(path, {"law", "n", "library", "version"})


def attacks(results):
    path = os.path.join(results, "attacks", "attack.json")
    return attack_table.split(report_data.rows_of_record(path, {"kind", "release"}))


def peers_block(results):
    return report_text.peers_block(peers(results)["rows"], peers_release.rate_text)


def tables(results):
    """{file: text} that is made of a record."""
    return {os.path.join("peers", "release.md"): peers_release.table(peers(results)),
            os.path.join("attacks", "attack.md"): attack_table.table(*attacks(results))}


def figure_differs(results):
    """Numbers beside the bars of attack.svg that are not those of its record."""
    drawn = re.findall(r">(\d+) %<", report_machine.read(os.path.join(results, "attacks", "attack.svg")))
    axis = [str(20 * i) for i in range(6)]
    wanted = [f"{100 * row['advantage'][0]:.0f}" for row in attacks(results)[1]]
    return sorted(number for number in drawn if number not in axis) != sorted(n for n in wanted if n not in axis)


def prose(text):
    """README.md without what is written from records, without code, and without the targets of links."""
    for name in BLOCKS:
        begin, end = marks(name)
        text = text.partition(begin)[0] + text.partition(end)[2]
    text = re.sub(r"^```.*?^```$|^    .*?$", "", text, flags=re.S | re.M)
    return " ".join(re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text).split())


def untraced(readme, results):
    """Numbers in README's own sentences that no record has."""
    text = prose(report_machine.read(readme))
    shares = attack_table.shares(attacks(results)[1])
    for sentence, law in TRACES:
        found = re.search(sentence, text)
        if found and found[1] == f"{shares[law]:.0f}":
            text = text[:found.start(1)] + text[found.end(1):]
    return re.findall(r"\d[\d.,/e+-]*\b", re.sub(NAMES, "", text))
