"""python -m simdp: the simdp command, as `python -m simdp help` describes it."""
import sys

from . import _simdp


def main():
    sys.stdout.flush()
    return _simdp.command(["simdp", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
