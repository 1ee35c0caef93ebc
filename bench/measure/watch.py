"""Was the machine ours alone? Counters of the kernel, read about twice a second while rows run, say how much of our CPU the
hypervisor took and how much the others of this machine worked; samples of the clock say whether a core slowed down. A row
is busy only if half of its repetitions or more were disturbed: with fewer, its median lies among the calm ones.

A repetition lasts some milliseconds, and a hypervisor takes a CPU away for longer than that, so a share of stolen time is
about the share of repetitions that were hit, and those show it by their own two clocks. On a virtual machine where nothing
else ran, windows with up to 14 % of stolen time had medians within 3 % of the others: that is no alarm.

Neighbours that nobody sees here hit repetitions at random, in the noisiest record of an idle machine some 9 % of them. If one
in ten is hit, half of seven or more are in 0.3 % of all rows; measure.again gives these a second chance, so a row of an idle
machine is called busy less than once in FALSE_ALARMS_ONE_IN."""
import os
import statistics
import time

WINDOW = 0.5            # seconds between two readings: fifty ticks of the kernel's clock
STEAL_MOST = 0.2        # of our CPU's time
OTHERS_MOST = 0.35      # of one CPU: work of others on all CPUs together
CPU_LEAST = 0.9         # of the time of a run that we had the CPU
CLOCK_LEAST = 0.95      # of the clock that the run as a whole has
FALSE_ALARMS_ONE_IN = 100000   # rows of seven repetitions or more, if one repetition in ten is hit by chance


def read_counters():
    """{"cpu1": (busy, steal)} in seconds since the machine started, "cpu" for all of them; empty where nobody says."""
    tick, found = os.sysconf("SC_CLK_TCK"), {}
    try:
        with open("/proc/stat", encoding="ascii") as file:
            for line in file:
                if not line.startswith("cpu"):
                    break
                name, *numbers = line.split()
                user, nice, system, _, _, irq, soft, *rest = map(int, numbers)
                found[name] = ((user + nice + system + irq + soft) / tick, (rest[0] if rest else 0) / tick)
    except (OSError, ValueError):
        return {}
    return found


class Watch:
    """add() after each repetition; disturbed() when all are done."""

    def __init__(self, servers, cpu, counters=read_counters, clock=time.monotonic, own=None):
        self.cpu = f"cpu{cpu}" if cpu is not None else "cpu"
        self.counters, self.clock = counters, clock
        self.own = own or (lambda: sum(os.times()[:2]) + sum(server.cpu_seconds() for server in servers))
        self.windows, self.open = [], []
        self.busy = {}          # repetitions of a row in windows that were not ours alone, or without the CPU
        self.added = self.hit = 0
        self.mark()

    def mark(self):
        self.began, self.before, self.own_before = self.clock(), self.counters(), self.own()

    def add(self, key, run, threads=1):
        had = run["cpu_ns"] / (run["real_ns"] * (threads if threads > 1 else 1))
        self.open.append((key, had < CPU_LEAST and threads == 1))
        if self.clock() - self.began >= WINDOW:
            self.close_window()

    def close_window(self):
        now, after, seconds = self.clock(), self.counters(), self.clock() - self.began
        busy = False
        if after and self.before and seconds > 0.1:
            steal = (after[self.cpu][1] - self.before[self.cpu][1]) / seconds
            others = (after["cpu"][0] - self.before["cpu"][0] - (self.own() - self.own_before)) / seconds
            self.windows.append((round(seconds, 3), round(max(steal, 0.0), 4), round(max(others, 0.0), 3)))
            busy = steal > STEAL_MOST or others > OTHERS_MOST
        for key, preempted in self.open:
            self.busy[key] = self.busy.get(key, 0) + (busy or preempted)
            self.added, self.hit = self.added + 1, self.hit + (busy or preempted)
        self.open = []
        self.mark()
        return now

    def is_busy(self, key, repetitions):
        return is_busy(self.busy.get(key, 0), repetitions)

    def summary(self):
        """For the context of a result: means over the whole run, the share of its time that was busy, and that of repetitions
        that were disturbed."""
        total = sum(window[0] for window in self.windows)
        if total == 0:
            return {}
        disturbed = sum(w[0] for w in self.windows if w[1] > STEAL_MOST or w[2] > OTHERS_MOST)
        return {"seconds": round(total, 1), "steal": round(sum(w[0] * w[1] for w in self.windows) / total, 4),
                "others": round(sum(w[0] * w[2] for w in self.windows) / total, 3), "busy": round(disturbed / total, 3),
                "hit": round(self.hit / max(self.added, 1), 4)}


def is_busy(disturbed, repetitions):
    """Is the median of so many repetitions no longer one of the calm ones?"""
    return disturbed > 0 and 2 * disturbed >= repetitions


def usual_clock(samples):
    """What the core runs at when nothing holds it back: nearly the highest of all samples."""
    ordered = sorted(samples)
    return ordered[int(0.95 * (len(ordered) - 1))] if ordered else 0.0


def is_throttled(samples, usual):
    return statistics.median(samples) < CLOCK_LEAST * usual
