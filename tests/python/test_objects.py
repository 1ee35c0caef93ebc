"""The bytes that C gives, for distributions, DP-SGD, intervals, statistics, audits, filters and ids: object_bytes prints
them, and here the same calls go through the package."""
import os
import re
import struct
import subprocess
import unittest

import numpy
import simdp

account, loss, theory, audit = simdp.account, simdp.loss, simdp.theory, simdp.audit
KEY = bytes([1, 2, 3]) + bytes(29)
RIGHT = "account_sgd loss_audit loss_count loss_interval loss_statistics pld rng_id theory_filter theory_mechanism"
# what only prepares, or asks, inside of a line of another name
INSIDE = {"loss_audit_draw", "loss_audit_init", "loss_audit_outputs", "loss_audit_rows", "loss_statistics_init",
          "loss_statistics_outputs", "loss_statistics_update", "pld_compose", "pld_composed_masses", "pld_create",
          "pld_delta", "pld_epsilon", "pld_log_delta", "pld_masses", "pld_points", "theory_filter_admit",
          "theory_filter_open", "pld_grid"}   # the last is a closed form


def words(*values):
    """Bits of doubles and whole numbers, in order, as object_bytes prints them."""
    made = []
    for value in values:
        if isinstance(value, tuple):
            made += words(*value)
        elif isinstance(value, numpy.ndarray):
            made += words(*value.ravel().tolist())
        elif isinstance(value, float):
            made.append(struct.pack(">d", value).hex())
        else:
            made.append(f"{int(value):016x}")
    return made


def _pld_rows():
    laws = {
        "laplace": (0.5, 3), "gaussian": (2, 3), "randomized_response": (0.5, 1e-3, 3), "discrete_laplace": (3, 2, 3),
        "discrete_gaussian": (3, 2, 3), "gaussian_sampled": (1, 0.25, 3), "laplace_sampled": (1, 0.25, 3),
        "gaussian_mixture": ([0, 1, 2], [0.7, 0.2, 0.1], 2, 3), "bounded_range": (0.5, 3),
        "pair": ([0.5, 0.3, 0.2], [0.2, 0.3, 0.5], 3), "histogram": ([0.25, 0.5, 0.25], -1, 0, 3)}
    for law, arguments in laws.items():
        pld = account.Pld(2.0**-9)
        getattr(pld, f"add_{law}")(*arguments)
        masses = pld.masses(50, -25)
        pld.compose(1e-9, 1)
        epsilons, deltas = [0, 0.5, 1], [1e-6, 1e-2]
        yield f"pld_add_{law}", words(masses, pld.points, pld.delta(epsilons), pld.log_delta(epsilons), pld.epsilon(deltas),
                                      pld.composed_masses(50, -25))


def _loss_rows():
    yield "account_sgd_epsilon", words(account.sgd_epsilon(1.1, 0.01, 500, 1e-5, 0.01))
    yield "account_sgd_noise", words(account.sgd_noise(1, 1e-5, 0.01, 500, 0.05))
    yield "loss_interval_proportion", words(loss.interval_proportion(7, 50, 1e-3))
    yield "loss_interval_mean", words(loss.interval_mean(0.3, 50, 2, 1e-3))
    for name, made in (("k_response", loss.count_k_response([0, 30, 100], 100, 5, 0.7, 0.01)),
                       ("unary", loss.count_unary([0, 30, 100], 100, 0.7, -0.3, 0.01))):
        yield f"loss_count_{name}", words(numpy.column_stack(made))


def _statistics_rows():
    s = loss.Statistics(epsilon=[0.25, 1], deltas=True, bound=3, order=[2, 5.5], bins=10, low=-2, high=2)
    s.update([(i % 37) * 0.05 - 0.7 for i in range(200)])
    s.outputs([(i % 41) * 0.1 - 1.5 for i in range(200)], loss.step("laplace", 0, 1, 1.5))
    made = s.summary(1e-3)
    yield "loss_statistics_summary", words(made.finite, made.undefined, made.mean, made.variance, made.least, made.most,
                                           made.beyond)
    yield "loss_statistics_estimates", sum((words(numpy.column_stack(e)) for e in (s.tails(1e-3), s.deltas(1e-3),
                                                                                   s.renyi(1e-3))), [])
    yield "loss_statistics_quantiles", words(numpy.column_stack(s.quantiles([0.1, 0.5], 1e-3)), s.counts)


def _audit_row(rows):
    made = []
    for i in range(2):
        tails = [tuple(field[i][side].item() for field in rows.tail) for side in (0, 1)]
        made += words(float(rows.epsilon[i]), rows.outputs[i], rows.above[i], tails[0], tails[1],
                      tuple(field[i].item() for field in rows.delta), rows.exact_tail[i], float(rows.exact_delta[i]),
                      int(rows.agrees[i]))
    return made


def _audit_rows():
    rng, epsilon = simdp.Rng(KEY, 5), [0.2, 0.7]
    yield "loss_audit_run", _audit_row(audit.run("laplace", epsilon, 5000, scale=1.5, rng=rng))
    a, b = (audit.Audit("gaussian", epsilon, scale=1.5) for _ in range(2))
    a.draw(3000, rng=rng)
    b.outputs([(i % 41) * 0.1 - 1.5 for i in range(100)], 1)
    a.add(b)
    yield "loss_audit_add", _audit_row(a.rows())
    a = audit.Audit("randomized_response", epsilon, scale=0.9)
    a.bits(numpy.array([0, 1, 1, 0, 1], "B"), 0)
    a.bits(numpy.array([0, 1, 1], "B"), 1)
    yield "loss_audit_bits", _audit_row(a.rows())
    a = audit.Audit("selection", epsilon, scale=1, scores0=[0, 1, 2], scores1=[1, 0, 2])
    a.choices([0, 1, 2, 2], 0)
    a.choices([0, 1], 1)
    yield "loss_audit_choices", _audit_row(a.rows())


def _theory_rows():
    use = theory.mechanism("gaussian", sensitivity=1, scale=4, delta=1e-7)
    for kind, more in (("basic", {}), ("strong", {"slack": 1e-6}), ("zcdp", {"slack": 1e-6}),
                       ("renyi", {"slack": 1e-6, "orders": [2, 4, 16]})):
        budget = theory.Filter(kind, epsilon=4, delta=1e-5, **more)
        yield "theory_filter_spent", sum((words(budget.admit(use), budget.spent()) for _ in range(8)), [])
    yield "theory_mechanism_cost", words(theory.mechanism_cost(use))
    rng = simdp.Rng(KEY, 5)
    made = simdp.release.ids(["north", "", "souths"], rng)
    yield "rng_id", words(*(int(x) for x in made[0]))
    simdp._simdp.rng_ids(rng, made, numpy.frombuffer(b"northsouths", "B"), numpy.array([0, 5, 5, 11], "uint64"))
    yield "rng_ids", words(*(int(x) for row in made for x in row))


def all_rows():
    parts = _pld_rows(), _loss_rows(), _statistics_rows(), _audit_rows(), _theory_rows()
    return [row for rows in parts for row in rows]


@unittest.skipUnless("OBJECT_BYTES" in os.environ, "no program that prints what C gives")
class Objects(unittest.TestCase):
    def test_bytes(self):
        lines = subprocess.run([os.environ["OBJECT_BYTES"]], check=True, capture_output=True, text=True).stdout.split("\n")
        wanted = [(line.split()[0], line.split()[1:]) for line in lines if line]
        made = all_rows()
        self.assertEqual([name for name, _ in made], [name for name, _ in wanted])
        for (name, ours), (_, theirs) in zip(made, wanted):
            self.assertEqual(ours, theirs, name)

    def test_list_is_whole(self):
        """Every function of these kinds has a line, or stands inside of one."""
        stubs = os.path.join(os.environ["SIMDP_ROOT"], "include", "python", "simdp", "_simdp.pyi")
        with open(stubs, encoding="utf-8") as file:
            public = set(re.findall(r"^def (\w+)\(", file.read(), re.M))
        kinds = {name for name in public if name.startswith(tuple(RIGHT.split()))}
        self.assertEqual(kinds - INSIDE, {name for name, _ in all_rows()})
        self.assertLessEqual(INSIDE, public)


if __name__ == "__main__":
    unittest.main()
