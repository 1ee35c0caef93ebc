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


@functools.lru_cache(maxsize=None)
def signed_rank_counts(n):
    """How many of the 2^n sign patterns give each sum of positive ranks."""
    counts = [1]
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for i, count in enumerate(counts):
            longer[i + rank] += count
        counts = longer
    return counts


def ranked(values):
    """Ranks from 1, ties sharing the mean of theirs."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks, i = [0.0] * len(values), 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in range(i, j + 1):
            ranks[order[k]] = (i + j) / 2 + 1
        i = j + 1
    return ranks


def signed_rank_p(differences):
    """Wilcoxon's signed-rank test, two-sided and exact: how often would signs at random give so one-sided a sum? Zeros say
    nothing and are left out; a sum between two integers (ties) counts as the one nearer to the middle."""
    values = [d for d in differences if d != 0]
    n = len(values)
    if n == 0:
        return 1.0
    ranks = ranked([abs(d) for d in values])
    positive = sum(rank for rank, d in zip(ranks, values) if d > 0)
    least = math.ceil(min(positive, n * (n + 1) / 2 - positive))
    return min(1.0, 2 * sum(signed_rank_counts(n)[:least + 1]) / 2 ** n)


def shift(differences, confidence):
    """(Hodges-Lehmann estimate, low, high) of the centre of differences: medians of the means of all pairs; the interval is
    the set of centres that the signed-rank test does not reject."""
    n = len(differences)
    means = sorted((differences[i] + differences[j]) / 2 for i in range(n) for j in range(i, n))
    total, counts, below = 2 ** n, signed_rank_counts(n), 0
    rank = 0
    while 2 * (below + counts[rank]) <= (1 - confidence) * total:
        below += counts[rank]
        rank += 1
    rank = max(rank, 1)
    return statistics.median(means), means[rank - 1], means[-rank]


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
    """Mann and Whitney's test of two samples that were not taken in pairs, two-sided and exact (ties as above)."""
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
    """How many differences a signed-rank test needs so that one real difference among that many tests can be seen."""
    return max(8, math.ceil(math.log2(2 * max(tests, 1) / rate)) + 1)
