"""mutate.py: how many planted bugs the tests find.

    sh tests/mutate [--room R,...] [--file F] [--count N] [--seed S] [--jobs J] [--log FILE]
    sh tests/mutate --plant FILE LINE BEFORE AFTER     one bug: BEFORE becomes AFTER in that line
    sh tests/mutate --planted                          the bugs of planted.md, which all must be found

Draws bugs (plant.py) from kernels/ and bench/command/ (room: command), the same for the same seed, builds each in a copy
of the tree (workshop.py) and runs the tests of its room until one fails: first those that have found bugs of the same
file and room, and quick ones. A bug is found if a test fails, crashes or takes ten times as long as it should. Not
counted: what does not compile, and what compiles to the same objects. Survivors that nothing can observe are explained in
survivors.md.

Bugs are drawn until N are counted. Each result is a line of the log at once; a later run with that log judges only bugs
that are not in it; with --again also its survivors. With --spend S a bug that no test has found in S CPU seconds is put
off: it counts as not found until a later run with the same log, more to spend and the tests that are left judges it."""
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
COMMON = (r'test_(isa_identity|in_bounds|golden|kernel_list|state_machine|fuzz_\w+|fp_modes|stack\w*|bits_owners|bits_splits|'
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
NOT_BUILT = re.compile(r'dispatch/(unit|part)_\w+\.c$|vec_avx512\.h$|aes_portable\.h$|bits_mkl\.c$|float_rules\.h$')
# Limits of a test: CPU seconds, and how long it may take by the clock. A busy machine is slow, and may even stand still:
# a test that ends by the clock runs once more.
TIMES_AS_LONG, AT_LEAST, WAITING, STILL = 10, 5, 20, 240
LINKING = 0.2     # seconds
COMPILING = 2.0   # seconds of a test that has kernels inside
COUNTED = 'found', 'survived', 'explained', 'put off'
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


def room_of(path):
    return path.split('/')[1]


def explanation(known, path, before, after):
    return next((why for file, was, becomes, why in known
                 if file == path and was == before and becomes in (None, after)), None)


class Campaign:
    def __init__(self, shop, root, most, only, log=None, again=False, spend=None):
        self.shop, self.known, self.most = shop, reasons(os.path.join(root, 'tests', 'mutation', 'survivors.md')), most
        self.only = re.compile(only)
        self.times_file = os.path.join(shop.folder, 'times.json')
        self.times, self.kills, self.lock = {}, {}, threading.Lock()
        if os.path.exists(self.times_file):
            with open(self.times_file, encoding='utf-8') as file:
                self.times = json.load(file)
            made = os.path.getmtime(self.times_file)
            for name in [name for name in self.times if name not in shop.tests or shop.newest(name) > made]:
                del self.times[name]   # its program is another one now
        self.environment = dict(os.environ, SIMDP_TEST_SHORT='1', SIMDP_TEST_LIMIT='20')
        for name in 'SIMDP_ISA', 'SIMDP_TEST_FULL', 'SIMDP_TEST_TIMING', 'SIMDP_EXPECT_ISAS':
            self.environment.pop(name, None)
        self.counts = dict.fromkeys(COUNTED + ('equivalent', 'refused'), 0)
        self.by_room, self.survivors = {}, []
        self.log, self.again, self.spend, self.judged = log, again, spend or float('inf'), {}
        if log and os.path.exists(log):
            with open(log, encoding='utf-8') as file:
                for line in file:
                    entry = json.loads(line)
                    self.judged[tuple(entry['bug'])] = entry
                    if entry['result'] == 'found':
                        self.remember(entry['bug'][0], entry['by'].split()[0])

    def remember(self, path, name):
        """A test has found a bug of this file."""
        for place in path, room_of(path):
            self.kills[place, name] = self.kills.get((place, name), 0) + 1

    def sources(self, room, file):
        folders = [entry for top in ('kernels', 'bench/command') for entry in os.walk(os.path.join(self.shop.tree, top))]
        for at, _, names in sorted(folders):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(at, name), self.shop.tree)
                if name.endswith(('.c', '.h', '.inc')) and not NOT_BUILT.search(path) and path in self.shop.made_of:
                    if (room is None or room_of(path) in room.split(',')) and file in (None, path):
                        yield path

    def text(self, path):
        return self.shop.text(path)

    def draw(self, room, file, kind_wanted, seed):
        """Bugs, the same for the same seed: of rooms in turn, of a room's kinds of bugs each as often."""
        dice, uses, all_of = random.Random(seed), set(), {}
        if os.path.exists(os.path.join(self.shop.tree, 'kernels/bits/uses.h')):
            uses = {'BITS_' + name for name in re.findall(r'X\((\w+), \d', self.text('kernels/bits/uses.h'))}
        for path in self.sources(room, file):
            for mutant in mutants(path, self.text(path), uses):
                if kind_wanted in (None, mutant.kind):
                    all_of.setdefault(room_of(path), {}).setdefault(mutant.kind, []).append(mutant)
        while all_of:
            for name in sorted(all_of):
                kinds = all_of[name]
                kind = dice.choice(sorted(kinds))
                mutant = kinds[kind].pop(dice.randrange(len(kinds[kind])))
                if not kinds[kind]:
                    del kinds[kind]
                yield mutant
            all_of = {name: kinds for name, kinds in all_of.items() if kinds}

    def tests_of(self, path):
        """The names of the tests that may see a bug of a file, quick and successful ones first."""
        room = room_of(path)
        wanted = re.compile(f'test_{room}_|{COMMON}|{ALSO.get(room, "^$")}')
        names = [name for name in self.shop.tests if wanted.match(name) and self.only.search(name)]
        names = [name for name in names if self.times.get(name, 0) <= self.most]
        own = re.compile(f'test_{room}_')

        def cost(name):
            seconds = self.times.get(name, 3) + LINKING + COMPILING * self.shop.inside(name, path)
            kills = 3 * self.kills.get((path, name), 0) + self.kills.get((room, name), 0)
            return seconds * (1 if own.match(name) else 2) / (1 + kills)
        return sorted(names, key=cost)

    def holds(self, name):
        """Whether a test passes without any bug, now: one that passes only sometimes would find every bug."""
        command, _ = self.shop.tests[name]
        code, _, used = run(command, os.path.join(self.shop.base, 'tests'), 1800, self.environment, self.most)
        self.keep_time(name, used if code == 0 else float('inf'))
        return self.times[name] <= self.most

    def keep_time(self, name, seconds):
        """The least that a test took; endless once it has failed without a bug."""
        with self.lock:
            known = self.times.get(name)
            if known is not None and known <= seconds < float('inf') or known == float('inf'):
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
            changed.spent += used
            if code != -signal.SIGKILL:
                break
        if code == 0:
            self.keep_time(name, used)
            return ''
        if not self.holds(name):
            return ''   # it fails without the bug too, or takes too long
        if code not in (-signal.SIGKILL, -signal.SIGXCPU):
            return name + (f' (signal {-code})' if code < 0 else '')
        if known is None:   # as slow as it may be, and now it is known how long it should take
            return self.fails(changed, name)
        if code == -signal.SIGXCPU:
            return f'{name} (time)'
        # by the clock alone: neither a busy machine nor threads that wait must have made it
        code, _ = changed.test(name, 4 * WAITING * cpu + STILL, 4 * cpu, self.environment)
        return f'{name} (time)' if code != 0 else ''

    def judge(self, number, mutant, passed):
        """('found' and so on, the test that found it); passed: names of tests that do not see it, which grows."""
        path, text = mutant.path, self.text(mutant.path)
        folder = os.path.join(self.shop.folder, 'work', f'{os.getpid()}-{number}')
        try:
            changed = Changed(self.shop, folder, path, planted(text, mutant))
            if changed.is_same():
                return 'equivalent', ''
            for name in self.tests_of(path):
                if name in passed or not changed.reaches(name):
                    continue
                if changed.spent + self.times.get(name, 0) > self.spend:
                    return 'put off', ''
                by = self.fails(changed, name)
                if by:
                    with self.lock:
                        self.remember(path, name)
                    return 'found', by
                if self.times.get(name, self.most) < self.most:
                    passed.append(name)
        except Failure:
            return 'refused', ''
        finally:
            Changed.remove(folder)
        return 'survived', ''

    def take(self, number, mutant):
        begin = time.time()
        before, after = lines(self.text(mutant.path), mutant)
        bug = mutant.path, before, after, mutant.line
        known, why = self.judged.get(bug), explanation(self.known, mutant.path, before, after)
        passed = [] if known is None or self.again else known.get('passed', [])
        if known and (why or known['result'] != 'put off') and not (self.again and known['result'] == 'survived'):
            result, by, seconds = known['result'], known['by'], known['seconds']
        else:
            result, by = self.judge(number, mutant, passed)
            seconds = round(time.time() - begin) + (known['seconds'] if known else 0)
        if result in ('survived', 'explained', 'put off'):
            by = why or ''
            result = 'explained' if why else result.replace('explained', 'survived')
        with self.lock:
            entry = {'bug': bug, 'kind': mutant.kind, 'result': result, 'by': by, 'seconds': seconds}
            if result in ('survived', 'put off'):
                entry['passed'] = passed
            if self.log and not (known and known['seconds'] == seconds and known['result'] == result):
                with open(self.log, 'a', encoding='utf-8') as file:
                    file.write(json.dumps(entry) + '\n')
            self.counts[result] += 1
            room = self.by_room.setdefault(room_of(mutant.path), dict.fromkeys(self.counts, 0))
            room[result] += 1
            if result in ('survived', 'put off'):
                self.survivors.append((result, mutant.path, mutant.line, before, after))
            place = f'{mutant.path}:{mutant.line} ({mutant.kind})'
            print(f'{number:4d} {result:10s} {seconds:5.0f} s  {place} {by}')
            if result != 'refused':
                print(f'       - {before}\n       + {after}')
            sys.stdout.flush()
        return result

    def take_all(self, drawn, count, jobs):
        """Bugs in the order in which they are drawn, until count of them have been found or not."""
        numbered, taking = enumerate(drawn, 1), threading.Lock()

        def work():
            busy = False
            while True:
                with taking:
                    self.under_way -= busy
                    counted = sum(self.counts[name] for name in COUNTED)
                    if counted + self.under_way >= count:
                        if self.under_way == 0:
                            return
                        pair = None
                    else:
                        pair = next(numbered, None)
                        if pair is None:
                            return
                        self.under_way += 1
                    busy = pair is not None
                if pair is None:
                    time.sleep(0.1)   # another bug may turn out not to count
                else:
                    self.take(*pair)
        self.under_way = 0
        with ThreadPoolExecutor(jobs) as pool:
            for done in [pool.submit(work) for _ in range(jobs)]:
                done.result()

    def report(self, seed):
        print(f'\n| room | {" | ".join(COUNTED)} |\n|---|---|---|---|---|')
        for room, counts in sorted(self.by_room.items()):
            print(f'| {room} | {" | ".join(str(counts[name]) for name in COUNTED)} |')
        for result, path, line, before, after in sorted(self.survivors):
            print(f'{result}: {path}:{line}\n       - {before}\n       + {after}')
        left_out = sorted(name for name, seconds in self.times.items() if seconds > self.most)
        if left_out:
            print(f'not run, longer than {self.most} s or failing without a bug: ' + ' '.join(left_out))
        found, all_of = self.counts['found'], sum(self.counts[name] for name in COUNTED)
        print(f'seed {seed}: {found} of {all_of} found' + (f', {100 * found / all_of:.1f} %' if all_of else '') + '; ' +
              ', '.join(f'{self.counts[name]} {name}' for name in COUNTED[1:]) +
              f'; not counted: {self.counts["equivalent"]} equivalent, {self.counts["refused"]} that do not compile')


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


def of_log(campaign):
    """The bugs of the log, wherever their lines are now: tests and sources may have changed since."""
    for (path, before, after, line), entry in campaign.judged.items():
        text = campaign.text(path)
        there, at = text.split('\n'), [0]
        for part in there:
            at.append(at[-1] + len(part) + 1)
        places = [i for i, part in enumerate(there) if part.strip() == before]
        if not places:
            print(f'no longer there: {path}:{line}\n       - {before}')
            continue
        place = min(places, key=lambda i: abs(i + 1 - line))
        begin = at[place] + there[place].index(before)
        yield Mutant(path, line, begin, begin + len(before), after, entry['kind'])


def by_hand(campaign, path, line, before, after):
    text = campaign.text(path)
    begin = sum(len(part) for part in text.splitlines(keepends=True)[:line - 1])
    at = text.find(before, begin)
    if at < 0 or text.count('\n', begin, at) > 0:
        raise SystemExit(f'{path}:{line} does not contain {before}')
    return Mutant(path, line, at, at + len(before), after, 'by hand')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--room', help='bugs of this room, or of these, only')
    arguments.add_argument('--file', help='bugs of this file only, for example kernels/bits/rng.c')
    arguments.add_argument('--count', type=int, default=50, help='how many bugs are judged')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--jobs', type=int, default=os.cpu_count())
    arguments.add_argument('--longest', type=float, default=60, help='CPU seconds: longer tests do not run')
    arguments.add_argument('--tests', default='', help='of the tests of a room only those whose names match')
    arguments.add_argument('--tree', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
    arguments.add_argument('--work', help='folder of the copy and its build; build/mutate in the tree')
    arguments.add_argument('--option', action='append', default=[], help='of cmake')
    arguments.add_argument('--plant', nargs=4, metavar=('FILE', 'LINE', 'BEFORE', 'AFTER'), help='one bug by hand')
    arguments.add_argument('--kind', help='bugs of one kind only, for example wipe or "early exit"')
    arguments.add_argument('--log', help='results, one JSON object a line: what is in it is not judged again')
    arguments.add_argument('--again', action='store_true', help='but survivors of the log are')
    arguments.add_argument('--of-log', action='store_true', help='the bugs of the log, in the tree as it is now')
    arguments.add_argument('--spend', type=float, help='CPU seconds of tests, after which a bug is put off')
    arguments.add_argument('--as-built', action='store_true', help='the copy as it is, without a look at the tree')
    arguments.add_argument('--optimized', action='store_true', help='at -O3, not -O1: what is left on the stack shows '
                           'only there; give it a --work of its own')
    arguments.add_argument('--planted', action='store_true', help='the bugs of planted.md')
    chosen = arguments.parse_args()
    tree = os.path.realpath(chosen.tree)
    options = ['-DSIMDP_BUILD_BENCH=OFF', '-DSIMDP_INSTALL=OFF', '-DSIMDP_WITH_MKL=OFF', *chosen.option]
    shop = Workshop(tree, os.path.realpath(chosen.work or os.path.join(tree, 'build', 'mutate')), chosen.jobs,
                    None if chosen.as_built else options, chosen.optimized)
    campaign = Campaign(shop, tree, chosen.longest, chosen.tests, chosen.log, chosen.again, chosen.spend)
    if chosen.plant:
        path, line, before, after = chosen.plant
        return campaign.take(1, by_hand(campaign, path, int(line), before, after)) != 'found'
    if chosen.planted:
        drawn = list(listed(campaign, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'planted.md')))
        drawn = [mutant for mutant in drawn if chosen.file in (None, mutant.path)]
        chosen.count = len(drawn)
    elif chosen.of_log:
        drawn = [mutant for mutant in of_log(campaign) if chosen.file in (None, mutant.path)]
        chosen.count = len(drawn)
    else:
        drawn = campaign.draw(chosen.room, chosen.file, chosen.kind, chosen.seed)
    campaign.take_all(drawn, chosen.count, chosen.jobs)
    campaign.report(chosen.seed)
    return bool(campaign.survivors)


if __name__ == '__main__':
    sys.exit(main())
