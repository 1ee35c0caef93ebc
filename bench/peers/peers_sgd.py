"""What other accountants say about published DP-SGD settings: writes tests/account/sgd_peers.h, which
test_account_sampled reads.

    python3 -m venv VENV && VENV/bin/pip install dp-accounting prv-accountant
    VENV/bin/pip install --no-deps opacus           # its Renyi accountant alone needs no torch
    VENV/bin/python bench/peers/peers_sgd.py > tests/account/sgd_peers.h

A peer that is not installed is skipped with a message, and has NaN in its place; so has an answer that is an error.
"""
import datetime
import importlib.metadata
import importlib.util
import math
import pathlib
import sys
import time
import warnings

warnings.filterwarnings('ignore')

SETTINGS = [  # name, noise, rate, steps, delta
    ('MNIST, 60 epochs of 256', 1.1, 256 / 60000, 14062, 1e-5),
    ('CIFAR-10, 100 epochs of 512', 1.5, 512 / 50000, 9766, 1e-5),
    ('ImageNet-like, 90 epochs of 16384', 2.5, 16384 / 1281167, 7037, 8e-7),
    ('much noise', 8.0, 0.05, 2000, 1e-6),
    ('few steps', 1.0, 0.1, 10, 1e-5),
    ('little noise', 0.7, 0.001, 5000, 1e-6),
    ('delta below 1e-15', 1.1, 0.004, 10000, 1e-20),
]


def dp_accounting(noise, rate, steps, delta):
    from dp_accounting.pld import privacy_loss_distribution as pld
    one = pld.from_gaussian_mechanism(noise, sampling_prob=rate, value_discretization_interval=1e-4)
    return math.nan, one.self_compose(steps).get_epsilon_for_delta(delta)


def prv_accountant(noise, rate, steps, delta):
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant
    mechanism = PoissonSubsampledGaussianMechanism(noise_multiplier=noise, sampling_probability=rate)
    accountant = PRVAccountant(prvs=mechanism, max_self_compositions=steps, eps_error=0.02, delta_error=delta / 1000)
    low, _, high = accountant.compute_epsilon(delta, [steps])
    return low, high


def opacus(noise, rate, steps, delta):
    root = pathlib.Path(importlib.metadata.distribution('opacus').locate_file('opacus'))
    spec = importlib.util.spec_from_file_location('rdp', root / 'accountants/analysis/rdp.py')
    rdp = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rdp)
    orders = [1 + x / 10 for x in range(1, 100)] + list(range(11, 257))
    curve = rdp.compute_rdp(q=rate, noise_multiplier=noise, steps=steps, orders=orders)
    return math.nan, rdp.get_privacy_spent(orders=orders, rdp=curve, delta=delta)[0]


PEERS = [('dp-accounting', dp_accounting), ('prv-accountant', prv_accountant), ('opacus', opacus)]


def number(x):
    if isinstance(x, float) and math.isnan(x):
        return 'NAN'
    return ('-' if x < 0 else '') + 'INFINITY' if math.isinf(x) else f'{x:.12g}'


def main():
    versions, rows = [], []
    for name, _ in PEERS:
        try:
            versions.append(f'{name} {importlib.metadata.version(name)}')
        except importlib.metadata.PackageNotFoundError:
            print(f'{name} is not installed: skipped', file=sys.stderr)
    for title, *setting in SETTINGS:
        cells = []
        for name, peer in PEERS:
            begin = time.time()
            try:
                low, high = peer(*setting)
            except Exception as error:  # a peer's failure is a row too
                print(f'{title}: {name}: {type(error).__name__}: {error}', file=sys.stderr)
                low, high = math.nan, math.nan
            print(f'{title}: {name}: [{low}, {high}] in {time.time() - begin:.2f} s', file=sys.stderr)
            cells += [number(float(low)), number(float(high))]
        noise, rate, steps, delta = setting
        rows.append(f'    {{"{title}", {{{noise!r}, {rate!r}, {steps}}}, {delta!r}, '
                    f'{cells[1]}, {cells[2]}, {cells[3]}, {cells[5]}}},')
    print(f'''/* sgd_peers.h: made by bench/peers/peers_sgd.py, {datetime.date.today()}: {', '.join(versions)}.
 * epsilon by dp_accounting (connect the dots, grid 1e-4), by prv_accountant (a bracket, epsilon to 0.02) and by the
 * Renyi divergences of Opacus. NaN: no answer. */
static const struct {{
    const char *name;
    simdp_account_sgd_run run;
    double delta, dp_accounting, prv_low, prv_high, opacus;
}} sgd_peers[] = {{''')
    print('\n'.join(rows))
    print('};')


if __name__ == '__main__':
    main()
