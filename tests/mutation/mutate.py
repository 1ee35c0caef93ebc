"""mutate.py: how many planted bugs the tests find.

    sh tests/mutate [--room R] [--file F] [--count N] [--seed S] [--jobs J]
    sh tests/mutate --plant FILE LINE BEFORE AFTER     one bug: BEFORE becomes AFTER in that line
    sh tests/mutate --planted                          the bugs of planted.md, which all must be found

Draws bugs (plant.py) from kernels/ and bench/command/ (room: command), the same for the same seed, builds each in a copy
of the tree (workshop.py) and runs the tests of its room until one fails, quick ones first. A bug is found if a test
fails, crashes or takes ten times as long as it should. Not counted: what does not compile, and what compiles to the same
objects. Survivors that nothing can observe are explained in survivors.md."""
import argparse
import json
import os
import random
import re
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from plant import Mutant, lines, mutants, planted   # noqa: E402
from workshop import Changed, Failure, Workshop, run   # noqa: E402

# Tests of all rooms; then, for a room, those of the rooms that are built on it.
COMMON = (r'test_(isa_identity|golden|kernel_list|state_machine|fuzz_\w+|fp_modes|stack\w*|bits_owners|bits_splits|'
          r'forms_\w+)$')
# what beside test_<room>_* and COMMON can see a bug of a room
ALSO = {
    'vec': r'test_(math|noise|release|select|fft|loss)_',
    'math': r'test_(property|loss|account|theory|noise|release|select)_',
    'call': r'test_(call|huge|stack|noise|release_closed|loss|account|bits)',
    'bits': r'test_(noise_closed|release_(closed|shared|by_id)|noise_threads|huge_counts|select_by_id|mkl)|example_',
    'noise': r'test_property_(laws|distributions)|test_account_discrete',
    'release': r'test_(noise_closed|huge_counts|property_(reports|discrete))|example_',
    'select': r'test_(huge_counts|property_(loss|reports|system))|example_private_selection',
    'fft': r'test_account_pld|test_dispatch_forced',
    'loss': r'test_(property_|account_|release_audit)|example_local_reports',
    'account': r'test_(property_|theory_)|example_|test_loss_(math|sampled|curves)',
    'theory': r'test_property_(theory|system|compose|loss)|example_',
    'dispatch': r'test_(vec|call)_',
    'command': r'test_command|test_curves'}
# Files that no test here can run: code of other CPUs and libraries.
NOT_BUILT = re.compile(r'vec_avx512\.h$|aes_portable\.h$|bits_mkl\.c$|float_rules\.h$')
# Limits of a test: CPU seconds, and how long it may take by the clock. A busy machine is slow, and may even stand still:
# a test that ends by the clock runs once more.
TIMES_AS_LONG, AT_LEAST, WAITING, STILL = 10, 5, 20, 240
REASON = re.compile(r'^- `(.+?)`(?: -> `(.*?)`)?: (.+)$')


def reasons(path):
    """survivors.md as (file, line before, line after or None for any, reason)."""
    found, file = [], ''
    if os.path.exists(path):
        with open(path, encoding='utf-8') as text:
            for line in text:
                if line.startswith('## '):
                    file = line[3:].strip()
                entry = REASON.match(line.rstrip('\n'))
                if entry and file:
                    found.append((file, *entry.groups()))
    return found


def explanation(known, path, before, after):
    return next((why for file, was, becomes, why in known
                 if file == path and was == before and becomes in (None, after)), None)


class Campaign:
    def __init__(self, shop, root, most, only):
        self.shop, self.known, self.most = shop, reasons(os.path.join(root, 'tests', 'mutation', 'survivors.md')), most
        self.only = re.compile(only)
        self.times_file = os.path.join(shop.folder, 'times.json')
        self.times, self.kills, self.lock = {}, {}, threading.Lock()
        if os.path.exists(self.times_file):
            with open(self.times_file, encoding='utf-8') as file:
                self.times = json.load(file)
        self.environment = dict(os.environ, SIMDP_TEST_SHORT='1', SIMDP_TEST_LIMIT='20')
        for name in 'SIMDP_ISA', 'SIMDP_TEST_FULL', 'SIMDP_TEST_TIMING', 'SIMDP_EXPECT_ISAS':
            self.environment.pop(name, None)
        self.counts = dict.fromkeys(('found', 'survived', 'explained', 'equivalent', 'refused'), 0)
        self.by_room, self.survivors = {}, []

    def sources(self, room, file):
        folders = [entry for top in ('kernels', 'bench/command') for entry in os.walk(os.path.join(self.shop.tree, top))]
        for at, _, names in sorted(folders):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(at, name), self.shop.tree)
                if name.endswith(('.c', '.h', '.inc')) and not NOT_BUILT.search(path) and path in self.shop.made_of:
                    if room in (None, path.split('/')[1]) and file in (None, path):
                        yield path

    def text(self, path):
        with open(os.path.join(self.shop.tree, path), encoding='utf-8') as file:
            return file.read()

    def draw(self, room, file, kind_wanted, count, seed):
        """count bugs, the same for the same seed: of rooms in turn, of a room's kinds of bugs each as often."""
        dice, uses, all_of = random.Random(seed), set(), {}
        if os.path.exists(os.path.join(self.shop.tree, 'kernels/bits/uses.h')):
            uses = {'BITS_' + name for name in re.findall(r'X\((\w+), \d', self.text('kernels/bits/uses.h'))}
        for path in self.sources(room, file):
            for mutant in mutants(path, self.text(path), uses):
                if kind_wanted in (None, mutant.kind):
                    all_of.setdefault(path.split('/')[1], {}).setdefault(mutant.kind, []).append(mutant)
        while len(all_of) > 0 and count > 0:
            for name in sorted(all_of):
                kinds = all_of[name]
                kind = dice.choice(sorted(kinds))
                mutant = kinds[kind].pop(dice.randrange(len(kinds[kind])))
                if not kinds[kind]:
                    del kinds[kind]
                if count > 0:
                    yield mutant
                count -= 1
            all_of = {name: kinds for name, kinds in all_of.items() if kinds}

    def tests_of(self, room):
        """The names of the tests that may see a bug of a room, quick and successful ones first."""
        wanted = re.compile(f'test_{room}_|{COMMON}|{ALSO.get(room, "^$")}')
        names = [name for name in self.shop.tests if wanted.match(name) and self.only.search(name)]
        names = [name for name in names if self.times.get(name, 0) <= self.most]
        own = re.compile(f'test_{room}_')
        return sorted(names, key=lambda name: (0.2 + self.times.get(name, 3)) * (1 if own.match(name) else 4) /
                      (1 + self.kills.get((room, name), 0)))

    def time_of(self, name):
        """CPU seconds of a test without any bug; endless if it fails or takes longer than it may."""
        if name not in self.times:
            command, _ = self.shop.tests[name]
            code, _, used = run(command, os.path.join(self.shop.base, 'tests'), 1800, self.environment, self.most)
            self.keep_time(name, used if code == 0 else float('inf'))
        return self.times[name]

    def keep_time(self, name, seconds):
        with self.lock:
            if name in self.times:
                return
            self.times[name] = seconds
            part = f'{self.times_file}.{os.getpid()}'
            with open(part, 'w', encoding='utf-8') as file:
                json.dump(self.times, file, indent=0, sort_keys=True)
            os.replace(part, self.times_file)

    def fails(self, changed, name):
        """Whether a test that passes without the bug fails with it, and how."""
        known = self.times.get(name)
        cpu = TIMES_AS_LONG * known + AT_LEAST if known is not None else self.most
        for _ in range(2):
            code, used = changed.test(name, WAITING * cpu + STILL, cpu, self.environment)
            if code != -signal.SIGKILL:
                break
        if code == 0:
            self.keep_time(name, used)
            return ''
        if self.time_of(name) > self.most:
            return ''   # it fails without the bug too, or takes too long
        if known is None and code == -signal.SIGXCPU:   # as slow as it may be, and now it is known how long it should take
            return self.fails(changed, name)
        if code not in (-signal.SIGKILL, -signal.SIGXCPU):
            return name + (f' (signal {-code})' if code < 0 else '')
        # by its time alone: neither a busy machine nor threads that wait must have made it
        code, _ = changed.test(name, 4 * WAITING * cpu + STILL, 4 * cpu, self.environment)
        if code == 0:
            return ''
        command, _ = self.shop.tests[name]
        good = run(command, os.path.join(self.shop.base, 'tests'), WAITING * cpu + STILL, self.environment, cpu)[0] == 0
        return f'{name} (time)' if good else ''

    def judge(self, number, mutant):
        """('found' and so on, the test that found it)"""
        path, text = mutant.path, self.text(mutant.path)
        folder = os.path.join(self.shop.folder, 'work', f'{os.getpid()}-{number}')
        room = path.split('/')[1]
        try:
            changed = Changed(self.shop, folder, path, planted(text, mutant))
            if changed.same and not changed.others:
                return 'equivalent', ''
            for name in self.tests_of(room):
                by = self.fails(changed, name)
                if by:
                    with self.lock:
                        self.kills[room, name] = self.kills.get((room, name), 0) + 1
                    return 'found', by
            if changed.same:
                return 'equivalent', ''
        except Failure:
            return 'refused', ''
        finally:
            Changed.remove(folder)
        return 'survived', ''

    def take(self, number, mutant):
        begin = time.time()
        before, after = lines(self.text(mutant.path), mutant)
        result, by = self.judge(number, mutant)
        why = explanation(self.known, mutant.path, before, after) if result == 'survived' else None
        if why:
            result, by = 'explained', why
        with self.lock:
            self.counts[result] += 1
            room = self.by_room.setdefault(mutant.path.split('/')[1], dict.fromkeys(self.counts, 0))
            room[result] += 1
            if result == 'survived':
                self.survivors.append((mutant.path, mutant.line, before, after))
            place = f'{mutant.path}:{mutant.line} ({mutant.kind})'
            print(f'{number:4d} {result:10s} {time.time() - begin:5.0f} s  {place} {by}')
            if result != 'refused':
                print(f'       - {before}\n       + {after}')
            sys.stdout.flush()
        return result

    def report(self, seed):
        found, survived, explained = (self.counts[name] for name in ('found', 'survived', 'explained'))
        print('\n| room | found | explained | survived |\n|---|---|---|---|')
        for room, counts in sorted(self.by_room.items()):
            print(f'| {room} | {counts["found"]} | {counts["explained"]} | {counts["survived"]} |')
        for path, line, before, after in sorted(self.survivors):
            print(f'survived: {path}:{line}\n       - {before}\n       + {after}')
        left_out = sorted(name for name, seconds in self.times.items() if seconds > self.most)
        if left_out:
            print(f'not run, longer than {self.most} s or failing without a bug: ' + ' '.join(left_out))
        all_of = found + survived + explained
        print(f'seed {seed}: {found} of {all_of} found' + (f', {100 * found / all_of:.1f} %' if all_of else '') +
              f'; {explained} explained, {survived} survived; not counted: {self.counts["equivalent"]} equivalent, '
              f'{self.counts["refused"]} that do not compile')


def listed(campaign, path):
    """The bugs of planted.md: under a file's name, lines that begin with - and what takes their place, with +."""
    file, old, new = '', [], []
    with open(path, encoding='utf-8') as text:
        for line in text.read().split('\n') + ['']:
            if line.startswith('## '):
                file = line[3:].strip()
            elif line.startswith('    - '):
                old.append(line[6:].strip())
            elif line.startswith('    +'):
                new.append(line[6:].strip())
            elif old:
                yield of_lines(campaign, file, old, new)
                old, new = [], []


def of_lines(campaign, path, old, new):
    text = campaign.text(path)
    there, at = text.split('\n'), [0]
    for line in there:
        at.append(at[-1] + len(line) + 1)
    places = [i for i in range(len(there)) if [line.strip() for line in there[i:i + len(old)]] == old]
    if len(places) != 1:
        raise SystemExit(f'planted.md: {path} has {len(places)} times:\n' + '\n'.join(old))
    return Mutant(path, places[0] + 1, at[places[0]], at[places[0] + len(old)] - 1, '\n'.join(new), 'planted')


def by_hand(campaign, path, line, before, after):
    text = campaign.text(path)
    begin = sum(len(part) for part in text.splitlines(keepends=True)[:line - 1])
    at = text.find(before, begin)
    if at < 0 or text.count('\n', begin, at) > 0:
        raise SystemExit(f'{path}:{line} does not contain {before}')
    return Mutant(path, line, at, at + len(before), after, 'by hand')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--room', help='bugs of this room only')
    arguments.add_argument('--file', help='bugs of this file only, for example kernels/bits/rng.c')
    arguments.add_argument('--count', type=int, default=50, help='how many bugs are drawn')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--jobs', type=int, default=os.cpu_count())
    arguments.add_argument('--longest', type=float, default=60, help='CPU seconds: longer tests do not run')
    arguments.add_argument('--tests', default='', help='of the tests of a room only those whose names match')
    arguments.add_argument('--tree', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
    arguments.add_argument('--work', help='folder of the copy and its build; build/mutate in the tree')
    arguments.add_argument('--option', action='append', default=[], help='of cmake')
    arguments.add_argument('--plant', nargs=4, metavar=('FILE', 'LINE', 'BEFORE', 'AFTER'), help='one bug by hand')
    arguments.add_argument('--kind', help='bugs of one kind only, for example wipe or "early exit"')
    arguments.add_argument('--as-built', action='store_true', help='the copy as it is, without a look at the tree')
    arguments.add_argument('--planted', action='store_true', help='the bugs of planted.md')
    chosen = arguments.parse_args()
    tree = os.path.realpath(chosen.tree)
    options = ['-DSIMDP_BUILD_BENCH=OFF', '-DSIMDP_INSTALL=OFF', '-DSIMDP_WITH_MKL=OFF', *chosen.option]
    shop = Workshop(tree, os.path.realpath(chosen.work or os.path.join(tree, 'build', 'mutate')), chosen.jobs,
                    None if chosen.as_built else options)
    campaign = Campaign(shop, tree, chosen.longest, chosen.tests)
    if chosen.plant:
        path, line, before, after = chosen.plant
        return campaign.take(1, by_hand(campaign, path, int(line), before, after)) != 'found'
    if chosen.planted:
        drawn = list(listed(campaign, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'planted.md')))
        drawn = [mutant for mutant in drawn if chosen.file in (None, mutant.path)]
    else:
        drawn = list(campaign.draw(chosen.room, chosen.file, chosen.kind, chosen.count, chosen.seed))
    with ThreadPoolExecutor(chosen.jobs) as pool:
        list(pool.map(lambda pair: campaign.take(*pair), enumerate(drawn, 1)))
    campaign.report(chosen.seed)
    return bool(campaign.survivors)


if __name__ == '__main__':
    sys.exit(main())
