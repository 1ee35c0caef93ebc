"""A simdp-bench that runs one row at a time on demand (--serve, bench/suite/shim.h): who holds it decides about order and
repetitions. It is pinned to one CPU, has a session of its own, so that Ctrl-C ends the measurement and not the process in
the middle of a line, and ends with its input."""
import json
import os
import subprocess


class Failed(Exception):
    """simdp-bench did not do what it was asked for: str() says what happened."""


def last_cpu():
    """The last CPU that we may use: interrupts prefer the first."""
    return max(os.sched_getaffinity(0))


class Server:
    def __init__(self, name, program, arguments=(), cpu=None, environment=None):
        self.name, self.program, self.cpu = name, program, cpu
        try:
            self.process = subprocess.Popen(
                [program, "--serve", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, **(environment or {})}, start_new_session=True)
            if cpu is not None:
                os.sched_setaffinity(self.process.pid, {cpu})
        except OSError as error:
            raise Failed(f"{program}: {error.strerror}") from None
        head = self.read()
        self.context, self.rows = head["context"], head["rows"]

    def read(self):
        line = self.process.stdout.readline()
        try:
            return json.loads(line)
        except ValueError:
            self.close()
            raise Failed(f"{self.program} stopped with status {self.process.returncode}; a simdp-bench without --serve?") \
                from None

    def run(self, row, seconds):
        """One run of a row for about that long: a dictionary of numbers, or one with "skipped"."""
        try:
            self.process.stdin.write(f"{seconds:.6g} {row}\n")
            self.process.stdin.flush()
        except OSError:
            pass   # reading says what happened
        return self.read()

    def cpu_seconds(self):
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
