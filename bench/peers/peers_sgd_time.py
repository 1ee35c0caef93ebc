#!/usr/bin/env python3
"""The epsilon of DP-SGD at a relative error of 1e-3, timed: simdp through its shared library against dp_accounting and
prv_accountant, each on the coarsest setting that keeps the error.

    VENV/bin/python bench/peers/peers_sgd_time.py --library build/bench/libsimdp.so [--output FILE.json]

VENV as for peers_sgd.py. The truth is the middle of simdp's bracket at 1e-5. simdp and prv_accountant keep the error by
their own brackets. dp_accounting has only an upper bound that converges this fast: its grid is halved until that lies
within 1e-3 of the truth, which its user cannot know. Times are the best of three calls."""
import argparse
import ctypes
import datetime
import importlib.metadata
import json
import math
import platform
import time
import warnings

from peers_sgd import SETTINGS

ERROR = 1e-3


class Run(ctypes.Structure):
    """simdp_account_sgd_run"""
    _fields_ = [('noise', ctypes.c_double), ('rate', ctypes.c_double), ('steps', ctypes.c_uint64)]


class Privacy(ctypes.Structure):
    """simdp_privacy"""
    _fields_ = [('epsilon', ctypes.c_double), ('delta', ctypes.c_double)]


class Simdp:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        real, pointer = ctypes.c_double, ctypes.c_void_p
        self.lib.simdp_account_sgd_epsilon.argtypes = [pointer, pointer, Run, real, real, pointer, pointer]
        self.lib.simdp_account_sgd_noise.argtypes = [pointer, Privacy, real, ctypes.c_uint64, real, pointer, pointer]
        self.lib.simdp_version.restype = ctypes.c_char_p

    def epsilon(self, setting, error):
        noise, rate, steps, delta = setting
        low, high = ctypes.c_double(), ctypes.c_double()
        status = self.lib.simdp_account_sgd_epsilon(ctypes.byref(low), ctypes.byref(high), Run(noise, rate, steps),
                                                    delta, error, None, None)
        assert status == 0
        return low.value, high.value

    def noise(self, setting, epsilon):
        _, rate, steps, delta = setting
        noise = ctypes.c_double()
        status = self.lib.simdp_account_sgd_noise(ctypes.byref(noise), Privacy(epsilon, delta), rate, steps, ERROR, None,
                                                  None)
        assert status == 0
        return noise.value


def timed(call, tries=3):
    best = math.inf
    for _ in range(tries):
        begin = time.perf_counter()
        answer = call()
        best = min(best, time.perf_counter() - begin)
    return best, answer


def dp_accounting(setting, truth):
    from dp_accounting.pld import privacy_loss_distribution as pld
    noise, rate, steps, delta = setting

    def upper(grid):
        one = pld.from_gaussian_mechanism(noise, sampling_prob=rate, value_discretization_interval=grid)
        return one.self_compose(steps).get_epsilon_for_delta(delta)

    grid = 1e-2
    while not upper(grid) <= truth * (1 + ERROR):
        grid /= 2
        if grid < 1e-5:
            raise ValueError('no grid above 1e-5 keeps the error')
    seconds, high = timed(lambda: upper(grid))
    return {'seconds': seconds, 'grid': grid, 'epsilon': high}


def prv_accountant(setting, truth):
    from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant
    noise, rate, steps, delta = setting

    def bracket():
        mechanism = PoissonSubsampledGaussianMechanism(noise_multiplier=noise, sampling_probability=rate)
        accountant = PRVAccountant(prvs=mechanism, max_self_compositions=steps, eps_error=ERROR * truth / 2,
                                   delta_error=delta / 1000)
        low, _, high = accountant.compute_epsilon(delta, [steps])
        return float(low), float(high)

    seconds, answer = timed(bracket, 1)
    return {'seconds': seconds, 'bracket': answer}


def main():
    warnings.filterwarnings('ignore')
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0])
    parser.add_argument('--library', required=True)
    parser.add_argument('--output')
    parser.add_argument('--peers', default='dp_accounting,prv_accountant', help='which ones, with commas between')
    options = parser.parse_args()
    ours, rows = Simdp(options.library), []
    for name, *setting in SETTINGS + [('10,000 steps', 1.1, 0.004, 10000, 1e-5)]:
        truth = sum(ours.epsilon(setting, 1e-5)) / 2
        seconds, bracket = timed(lambda: ours.epsilon(setting, ERROR), 9)
        row = {'setting': name, 'simdp': {'seconds': seconds, 'bracket': bracket}}
        row['simdp noise'] = {'seconds': timed(lambda: ours.noise(setting, bracket[1]))[0]}
        for peer, call in (('dp_accounting', dp_accounting), ('prv_accountant', prv_accountant)):
            if peer not in options.peers.split(','):
                continue
            try:
                row[peer] = call(setting, truth)
                row[peer]['ratio'] = row[peer]['seconds'] / seconds
            except Exception as error:  # a peer's failure is a row too
                row[peer] = {'failed': f'{type(error).__name__}: {error}'[:100]}
        rows.append(row)
        print(row, flush=True)
    if options.output:
        context = {'date': str(datetime.date.today()), 'simdp': ours.lib.simdp_version().decode(),
                   'python': platform.python_version(),
                   'peers': {p: importlib.metadata.version(p) for p in ('dp-accounting', 'prv-accountant')}}
        with open(options.output, 'w', encoding='utf-8') as file:
            json.dump({'context': context, 'rows': rows}, file, indent=1)
            file.write('\n')


if __name__ == '__main__':
    main()
