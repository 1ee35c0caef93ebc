"""Statistics of repeated measurements: medians with intervals, tests that assume no distribution, whole tables of tests.
Pure functions, exact where a closed form is at hand; no random numbers."""
import functools
import math
import statistics

CONFIDENCE = 0.95   # of intervals of medians


@functools.lru_cache(maxsize=None)
def bootstrap_ranks(n, confidence):
    """Ranks (from 0) of the ends of the percentile bootstrap interval of the median of n values. A resample's median is at
    most the k-th smallest value if at least (n + 1) / 2 of its draws are: a binomial tail, so no resampling is needed."""
    half = n // 2 + 1

    def at_most(k):   # P(median of a resample <= the k-th smallest of the n values)
        p = k / n
        return sum(math.comb(n, j) * p ** j * (1 - p) ** (n - j) for j in range(half, n + 1))

    tail = (1 - confidence) / 2
    low = next(k for k in range(1, n + 1) if at_most(k) > tail)
    return low - 1, n - low


def median_interval(values, confidence=CONFIDENCE):
    """(median, low, high); fewer than five values have no interval but their range."""
    ordered = sorted(values)
    if len(ordered) < 5:
        return statistics.median(ordered), ordered[0], ordered[-1]
    low, high = bootstrap_ranks(len(ordered), confidence)
    return statistics.median(ordered), ordered[low], ordered[high]


def spread(values):
    """Width of the interval of the median, relative to the median."""
    middle, low, high = median_interval(values)
    return (high - low) / middle


STEPS = 16   # of the bound on a difference


def sign_flip_p(differences):
    """How often would signs at random give so one-sided a sum? Two-sided and exact if differences are as likely above zero as
    below: all sign patterns are counted. Differences count at most as much as their median size, in steps of a 16th of it, so
    that a single wild one neither makes nor hides a difference."""
    sizes = [abs(d) for d in differences]
    bound = statistics.median(sizes) if sizes else 0
    if bound == 0:
        return 1.0
    weights = [round(STEPS * min(size, bound) / bound) for size in sizes]
    positive = sum(weight for weight, d in zip(weights, differences) if d > 0)
    counts = [1]   # sign patterns by the sum of what is positive
    for weight in weights:
        longer = counts + [0] * weight
        for i, count in enumerate(counts):
            longer[i + weight] += count
        counts = longer
    least = min(positive, sum(weights) - positive)
    return min(1.0, 2 * sum(counts[:least + 1]) / 2 ** len(weights))


def median_of_all(values, confidence):
    """(median, low, high) for whatever the values are a sample of: fewer than so many of them lie on one side of the true
    median, by the tails of fair coins."""
    ordered, n = sorted(values), len(values)
    rank, tail = 0, 0
    while 2 * (tail + math.comb(n, rank)) <= (1 - confidence) * 2 ** n:
        tail += math.comb(n, rank)
        rank += 1
    rank = max(rank, 1)
    return statistics.median(ordered), ordered[rank - 1], ordered[-rank]


@functools.lru_cache(maxsize=None)
def rank_sum_counts(m, n):
    """How many ways to choose m of m + n ranks give each value of Mann and Whitney's U."""
    if m == 0 or n == 0:
        return (1,)
    with_last, without = rank_sum_counts(m - 1, n), rank_sum_counts(m, n - 1)
    counts = [0] * (m * n + 1)
    for u, count in enumerate(with_last):
        counts[u + n] += count
    for u, count in enumerate(without):
        counts[u] += count
    return tuple(counts)


def rank_sum_p(first, second):
    """Mann and Whitney's test of two samples that were not taken in pairs, two-sided and exact; a tie
    counts half, and a sum between two integers as the one nearer to the middle."""
    m, n = len(first), len(second)
    if m == 0 or n == 0:
        return 1.0
    u = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
    least = math.ceil(min(u, m * n - u))
    return min(1.0, 2 * sum(rank_sum_counts(m, n)[:least + 1]) / math.comb(m + n, m))


def discoveries(p_values, rate):
    """Benjamini and Hochberg: which of the tests may be called a difference so that at most `rate` of the calls, on
    average, are wrong. If nothing differs at all, that is the probability of any call."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    most = 0
    for k, i in enumerate(order, 1):
        if p_values[i] <= rate * k / len(p_values):
            most = k
    chosen = set(order[:most])
    return [i in chosen for i in range(len(p_values))]


def pairs_needed(tests, rate):
    """How many differences sign_flip_p needs so that one real difference among that many tests is seen, although a
    few of them point the other way."""
    return math.ceil(math.log2(2 * max(tests, 1) / rate)) + 6
