"""The bytes that C gives, for every line of the list of kernels: kernel_bytes prints them, and here the same calls go
through the package. A line without a call here fails."""
import os
import subprocess
import unittest

import numpy
import simdp

N, CANDIDATES, STEPS = 1000, 100, 64
KEY = bytes(range(32))
_I = numpy.arange(N * CANDIDATES)
DOUBLES = (_I % 97) * 0.25 - 7
FLOATS = DOUBLES.astype("f")
INTEGERS = _I * 37 % 1009 - 300
INDICES = _I * 13 % CANDIDATES
VALUES = (_I % 19).astype("I")
BYTES = (_I * 7 % 5 % 2).astype("B")
MORE = [(_I % 5) * 0.5, (_I % 7) * 0.25, (_I % 3) + 0.5]
IDS = numpy.stack([(_I + 1).astype("Q") * numpy.uint64(0x9e3779b97f4a7c15), (_I // 3).astype("Q")], axis=1)
GRID = 2.0**-22
EPSILONS = [0.25, 0.5, 1.0]


def stream():
    rng = simdp.Rng(key=KEY, stream=5)
    rng.seek(3)
    return rng


def _noise():
    calls = {"simdp_rng_words": lambda r: r.words(N)}
    for law in ("laplace", "gaussian", "gumbel", "exponential", "uniform"):
        for form, dtype in (("f64", "d"), ("f32", "f")):
            calls[f"simdp_noise_{law}_{form}"] = lambda r, law=law, dtype=dtype: getattr(r, law)(N, dtype=dtype)
            if law in ("laplace", "gaussian", "gumbel"):
                calls[f"simdp_noise_{law}_{form}_add"] = (
                    lambda r, law=law, dtype=dtype: getattr(r, "add_" + law)(numpy.zeros(N, dtype), 1.0))
    calls["simdp_noise_discrete_laplace_i64"] = lambda r: r.discrete_laplace(N, 3.0)
    calls["simdp_noise_discrete_gaussian_i64"] = lambda r: r.discrete_gaussian(N, 3.0)
    calls["simdp_noise_discrete_gaussian_i64/wide"] = lambda r: r.discrete_gaussian(N, 100.0)
    return calls


def _release():
    release, typical = simdp.release, simdp.theory.concentration("subgaussian", 1.0)
    d, f, q, b = DOUBLES[:N], FLOATS[:N], INTEGERS[:N], BYTES[:N]
    return {
        "simdp_release_laplace": lambda r: release.laplace(d, scale=1.0, grid=GRID, rng=r),
        "simdp_release_gaussian": lambda r: release.gaussian(d, sigma=1.0, grid=GRID, rng=r),
        "simdp_release_laplace_f32": lambda r: release.laplace(f, scale=1.0, grid=GRID, rng=r),
        "simdp_release_gaussian_f32": lambda r: release.gaussian(f, sigma=1.0, grid=GRID, rng=r),
        "simdp_release_laplace_private": lambda r: release.laplace(d, sensitivity=1.0, epsilon=1.0, rng=r),
        "simdp_release_gaussian_private":
            lambda r: release.gaussian(d, sensitivity=1.0, epsilon=1.0, delta=1e-6, rng=r),
        "simdp_release_laplace_i64": lambda r: release.laplace(q, scale=100.0, rng=r),
        "simdp_release_gaussian_i64": lambda r: release.gaussian(q, sigma=700.0, rng=r),
        "simdp_release_discrete_laplace_i64": lambda r: release.discrete_laplace(q, scale=9.0, rng=r),
        "simdp_release_discrete_gaussian_i64": lambda r: release.discrete_gaussian(q, sigma=9.0, rng=r),
        "simdp_release_discrete_laplace_bounded_i64":
            lambda r: release.discrete_laplace_bounded(q, scale=9.0, lower=0, upper=500, rng=r),
        "simdp_release_discrete_gaussian_truncated_i64":
            lambda r: release.discrete_gaussian_truncated(q, sigma=9.0, bound=20, rng=r),
        "simdp_release_randomized_response": lambda r: release.randomized_response(b, epsilon=1.0, rng=r),
        "simdp_release_randomized_response_packed":
            lambda r: release.randomized_response_packed(BYTES[:N // 8], epsilon=1.0, count=N, rng=r),
        "simdp_release_unary":
            lambda r: release.unary(BYTES[:N // 8], log_odds_one=0.0, log_odds_zero=-1.0, count=N, rng=r),
        "simdp_release_k_response": lambda r: release.k_response(VALUES[:N], k=16, epsilon=1.0, rng=r),
        "simdp_theory_release_laplace": lambda r: simdp.theory.release_laplace(d, typical, eta=0.5, nu=0.01, rng=r),
        "simdp_theory_release_gaussian":
            lambda r: simdp.theory.release_gaussian(d, typical, eta=0.5, nu=0.01, tau=0.01, rng=r),
        "simdp_release_laplace_by_id": lambda r: release.laplace(d, scale=1.0, grid=GRID, rng=r, ids=IDS[:N]),
        "simdp_release_gaussian_by_id": lambda r: release.gaussian(d, sigma=1.0, grid=GRID, rng=r, ids=IDS[:N]),
        "simdp_release_laplace_i64_by_id": lambda r: release.laplace(q, scale=100.0, rng=r, ids=IDS[:N]),
        "simdp_release_gaussian_i64_by_id": lambda r: release.gaussian(q, sigma=100.0, rng=r, ids=IDS[:N]),
        "simdp_release_randomized_response_by_id":
            lambda r: release.randomized_response(b, epsilon=1.0, rng=r, ids=IDS[:N]),
        "simdp_release_laplace_threshold":
            lambda r: release.laplace_threshold(d, scale=1.0, grid=GRID, threshold=-1.0, rng=r)[0],
        "simdp_release_gaussian_threshold":
            lambda r: release.gaussian_threshold(d, sigma=1.0, grid=GRID, threshold=-1.0, rng=r)[0],
        "simdp_release_laplace_threshold_i64": lambda r: release.laplace_threshold(q, scale=100.0, threshold=30, rng=r)[0],
        "simdp_release_gaussian_threshold_i64": lambda r: release.gaussian_threshold(q, sigma=700.0, threshold=30, rng=r)[0],
        "simdp_release_clamped_sum": lambda r: simdp.release.clamped_sum(d, -1.0, 5.0, 2.0**-10),
        "simdp_release_clamped_sum_i64": lambda r: simdp.release.clamped_sum(q, -1000, 2**40),
    }


def _or(found, other):
    return other if found is None else found


def _select():
    select, calls = simdp.select, {}
    for end, scores in (("", DOUBLES), ("_f32", FLOATS)):
        one, rows = scores[:CANDIDATES], scores[:CANDIDATES * CANDIDATES].reshape(CANDIDATES, CANDIDATES)
        calls |= {
            "gumbel" + end: lambda r, s=one: select.gumbel(s, 1.0, rng=r),
            f"gumbel_vartime{end}": lambda r, s=one: select.gumbel(s, 1.0, rng=r, vartime=True),
            f"gumbel_many{end}": lambda r, s=one: select.gumbel_many(s, CANDIDATES, 1.0, rng=r),
            f"gumbel_many_vartime{end}": lambda r, s=one: select.gumbel_many(s, CANDIDATES, 1.0, rng=r, vartime=True),
            f"gumbel_rows{end}": lambda r, s=rows: select.gumbel_rows(s, 1.0, rng=r),
            f"gumbel_top_k{end}": lambda r, s=one: select.gumbel_top_k(s, CANDIDATES, 1.0, rng=r),
            f"permute_flip{end}": lambda r, s=one: select.permute_flip(s, 1.0, rng=r),
        }
    rows = DOUBLES[:CANDIDATES * CANDIDATES].reshape(CANDIDATES, CANDIDATES)
    ids = IDS[:CANDIDATES].copy().view(simdp.release.ids([1]).dtype).ravel()
    calls["gumbel_rows_by_id"] = lambda r: select.gumbel_rows(rows, 1.0, rng=r, ids=ids)
    q = INTEGERS[:N]
    calls["quantile_scores"] = lambda r: select.quantile_scores(DOUBLES[:N], [-7.5, 0.0, 1.25, 3.0, 1e6], 1, 4)
    calls["partitions"] = lambda r: select.partitions(q, 1.0, 1e-5, rng=r)
    calls["partitions_by_id"] = lambda r: select.partitions(
        q, 1.0, 1e-5, rng=r, ids=IDS[:N].copy().view(ids.dtype).ravel())
    calls["above_threshold"] = lambda r: _or(
        select.above_threshold(DOUBLES[:CANDIDATES], 40.0, 1.0, 2.0, rng=r), CANDIDATES)
    calls["threshold_open"] = lambda r: select.Threshold(40.0, 1.0, 2.0, rng=r)
    calls["threshold_ask"] = lambda r: numpy.array([select.Threshold(40.0, 1.0, 2.0, 2, rng=r).ask(40.0)])
    ready = select.Prepared(DOUBLES[:CANDIDATES], 1.0)
    calls["prepared"] = lambda r: ready.draw(CANDIDATES, rng=r)
    calls["prepared_vartime"] = lambda r: ready.draw(CANDIDATES, rng=r, vartime=True)
    calls["prepared_vartime/ascending"] = calls["prepared_vartime"]
    return {"simdp_select_" + name: call for name, call in calls.items()}


def _statistics(take):
    statistics = simdp.loss.Statistics(epsilon=EPSILONS)
    take(statistics)
    return statistics.summary(1e-6).mean.value


def _audit(mechanism, r, scale=0.7, **more):
    return simdp.audit.run(mechanism, EPSILONS, N, scale=scale, error=1e-6, rng=r, **more)


def _audit_in_pieces(r):
    audit = simdp.audit.Audit("gaussian", EPSILONS, scale=0.7, error=1e-6)
    audit.draw(N // 3, rng=r)
    audit.draw(N - N // 3, rng=r)
    return audit.rows()


def _loss():
    loss, d, f, b = simdp.loss, DOUBLES[:N], FLOATS[:N], BYTES[:N]
    m0, m1, m2 = (m[:N] for m in MORE)
    s0, s1, scores = MORE[0][:CANDIDATES], MORE[1][:CANDIDATES], DOUBLES[:CANDIDATES]
    steps = [loss.step("laplace", 0.0, 1.0, 0.7), loss.step("gaussian", 0.25, 0.75, 0.7),
             loss.step("laplace", 0.5, 0.125, 0.7)]
    laplace, gaussian = loss.step("laplace", 0.0, 1.0, 0.7), loss.step("gaussian", 0.0, 1.0, 0.7)
    return {
        "simdp_loss_laplace_f64": lambda r: loss.laplace(d, 0.0, 1.0, 0.7),
        "simdp_loss_gaussian_f64": lambda r: loss.gaussian(d, 0.0, 1.0, 0.7),
        "simdp_loss_laplace_f32": lambda r: loss.laplace(f, 0.0, 1.0, 0.7),
        "simdp_loss_gaussian_f32": lambda r: loss.gaussian(f, 0.0, 1.0, 0.7),
        "simdp_loss_laplace_f64_each": lambda r: loss.laplace_each(d, m0, m1, 0.7),
        "simdp_loss_laplace_f64_each.scales": lambda r: loss.laplace_each(d, m0, m1, m2),
        "simdp_loss_gaussian_f64_each": lambda r: loss.gaussian_each(d, m0, m1, 0.7),
        "simdp_loss_gaussian_f64_each.scales": lambda r: loss.gaussian_each(d, m0, m1, m2),
        "simdp_loss_randomized_response": lambda r: loss.randomized_response(b, 0, 1, 1.0),
        "simdp_loss_leaky_response": lambda r: loss.leaky_response(b, 0, 1, 1.0, 0.1),
        "simdp_loss_selection": lambda r: loss.selection(INDICES[:N], s0, s1, 0.7),
        "simdp_loss_sum": lambda r: loss.sum(d),
        "simdp_loss_sum.rows": lambda r: loss.sum(DOUBLES[:3 * N].reshape(N, 3)),
        "simdp_loss_sum_outputs.laplace": lambda r: loss.sum_outputs(d, laplace),
        "simdp_loss_sum_outputs.gaussian": lambda r: loss.sum_outputs(d, gaussian),
        "simdp_loss_transcripts": lambda r: loss.transcripts(DOUBLES[:3 * N].reshape(N, 3), steps),
        "simdp_loss_statistics_update": lambda r: _statistics(lambda s: s.update(d)),
        "simdp_loss_statistics_outputs.laplace": lambda r: _statistics(lambda s: s.outputs(d, laplace)),
        "simdp_loss_statistics_outputs.gaussian": lambda r: _statistics(lambda s: s.outputs(d, gaussian)),
        "simdp_delta_laplace": lambda r: _closed(loss.delta_laplace, 0.7),
        "simdp_delta_gaussian": lambda r: _closed(loss.delta_gaussian, 0.7),
        "simdp_loss_delta_each.laplace": lambda r: _closed(lambda x: loss.delta_each(x, "laplace", m0)),
        "simdp_loss_delta_each.gaussian": lambda r: _closed(lambda x: loss.delta_each(x, "gaussian", m0)),
        "simdp_loss_audit_run.laplace": lambda r: _audit("laplace", r),
        "simdp_loss_audit_run.gaussian": lambda r: _audit("gaussian", r),
        "simdp_loss_audit_run.response": lambda r: _audit("randomized_response", r),
        "simdp_loss_audit_run.selection": lambda r: _audit("selection", r, 1.0, scores0=scores, scores1=s0),
        "simdp_loss_audit_draw": _audit_in_pieces,
    }


def _closed(function, *more):
    """Of the inputs some are no epsilons: the package raises, and C writes NaN in their places."""
    x = DOUBLES[:N]
    try:
        function(x, *more)
    except ValueError:
        pass
    else:
        raise AssertionError("a negative epsilon did not raise")
    good = numpy.where(x >= 0, x, 0.0)
    return numpy.where(x >= 0, function(good, *more), numpy.full(1, 2**64 - 1, "Q").view("d"))


def _asked(first, kinds):
    names = ["laplace", "randomized_response", "leaky_response", "selection", "gaussian", "selection_monotone"][:kinds]

    def query(data, n):
        return [data + (i % 3) / 8 for i in range(n)] if n > 1 else data

    def analyst(steps):
        name = names[(first + len(steps)) % kinds]
        n = 10 if name.startswith("selection") else 1
        mechanism = simdp.theory.mechanism(name, sensitivity=0.5, scale=1, epsilon=1, delta=0.01)
        return simdp.theory.Request(mechanism, lambda data: query(data, n), 10)
    return analyst


def _outputs(run):
    return numpy.array([step.output for step in run.steps])


def _theory():
    theory = simdp.theory
    chosen = numpy.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.75, 0.25, 0], [0, 0.25, 0.75]])
    b = BYTES[:N]
    return {
        "simdp_theory_leaky_response": lambda r: theory.leaky_response(b, 1.0, 0.1, rng=r),
        "simdp_theory_name_and_shame": lambda r: theory.name_and_shame(N, 0.1, rng=r),
        "simdp_theory_select_column": lambda r: theory.select_column(DOUBLES[:CANDIDATES].reshape(1, -1), 0.5, rng=r),
        "simdp_theory_laplace_map": lambda r: theory.laplace_map(b, 0.0, 1.0, 1.0, rng=r),
        "simdp_theory_discrete_map_draw": lambda r: theory.discrete_map_draw(b, chosen, rng=r),
        "simdp_theory_polya_urn": lambda r: theory.polya_urn(N, 3, 5, rng=r),
        "simdp_theory_interact": lambda r: _outputs(
            theory.interact(_asked(0, 6), 0.0, neighbour=0.25, capacity=STEPS, candidates=10, rng=r)),
        "simdp_theory_transcript_map": lambda r: _outputs(
            theory.transcript_map(BYTES[:STEPS], _asked(0, 4), 0.0, 0.25, epsilon=2.0, delta=0.05, candidates=10, rng=r)),
    }


def recorded():
    """{line: (status, position, bytes)} of the C program."""
    text = subprocess.run([os.environ["KERNEL_BYTES"]], check=True, capture_output=True).stdout
    lines = {}
    while text:
        head, text = text.split(b"\n", 1)
        name, status, position, size = head.decode().split()
        lines[name], text = (int(status), int(position), text[:int(size)]), text[int(size):]
    return lines


def flat(result):
    """The bytes of a result: rows of an audit member by member, as they are no array."""
    if isinstance(result, (float, int)):
        result = numpy.array([result])
    return result.tobytes() if isinstance(result, numpy.ndarray) else None


class Kernels(unittest.TestCase):
    def test_every_line_gives_the_bytes_of_c(self):
        calls = {**_noise(), **_release(), **_select(), **_loss(), **_theory()}
        lines = recorded()
        self.assertEqual(sorted(set(lines) - set(calls)), [], "lines of the list that have no call here")
        self.assertEqual(sorted(set(calls) - set(lines)), [], "calls whose line is gone")
        for name, (_, position, wanted) in lines.items():
            with self.subTest(name):
                rng = stream()
                made = calls[name](rng)
                self.assertEqual(rng.position, position)
                if isinstance(made, simdp.select.Threshold):
                    continue   # its state is a secret, which Python does not show
                if isinstance(made, simdp.audit.Rows):
                    self.assert_rows(made, wanted)
                else:
                    self.assertEqual(flat(made), wanted)

    def assert_rows(self, rows, wanted):
        from simdp._forms import TYPES, record
        truth = record(simdp.audit.Rows, numpy.frombuffer(wanted, TYPES["loss_audit_row"]))
        for name in rows._fields:
            numpy.testing.assert_array_equal(getattr(rows, name), getattr(truth, name), err_msg=name)

    def test_control(self):
        self.assertNotEqual(flat(stream().laplace(N)), recorded()["simdp_noise_gaussian_f64"][2])


if __name__ == "__main__":
    unittest.main()
