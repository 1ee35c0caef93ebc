"""workshop.py: a copy of the tree, built once, and programs in which one source file is another one.

A changed file lies in a folder of its own that the compiler searches first, so only what includes it is compiled again;
the new objects are linked before the library of the copy, whose own members then stay out. The copy itself never
changes.

Kernels are compiled once for each instruction set from one source. Where a change concerns them, the scalar unit and one
for AVX2 are built, both with the bug, and the others leave the list of dispatch.c: else a comparison of units with and
without the bug would find every bug. To build them within seconds, the copy differs from the tree in this: all is
compiled at -O1 (unless optimized), and a unit in parts, one for the kernels of each room, of which a change touches few."""
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import threading

UNIT = re.compile(r'kernels/dispatch/(?:unit|part)_(\w+?)(?:_of_\w+)?\.c$')
UNITS = 'avx2_vaes avx2_aesni avx512 scalar'.split()   # the first of them that a change concerns is built, and scalar
DISPATCH, UNIT_INC = 'kernels/dispatch/dispatch.c', 'kernels/dispatch/unit.inc'
FLAGS, LISTS = 'cmake/isa_flags.cmake', 'CMakeLists.txt'
ROOM = re.compile(r'^#include "(\w+)/\1_unit\.inc"\n', re.M)   # in unit.inc
LIMIT = 3600   # seconds of any one compilation, on a machine that may stand still


class Failure(Exception):
    """The compiler or the linker refused."""


def run(command, folder, limit=LIMIT, environment=None, seconds_of_cpu=None):
    """(exit code, output, CPU seconds) of a command and of all it started, which is stopped when its time is over."""
    def child():
        os.setsid()
        if seconds_of_cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds_of_cpu) + 1, int(seconds_of_cpu) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, preexec_fn=child) as process:
        timer = threading.Timer(limit, lambda: os.killpg(process.pid, signal.SIGKILL))
        timer.start()
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(process.pid, signal.SIGKILL)   # what it left behind
        except ProcessLookupError:
            pass
    return process.returncode, output.decode(errors='replace'), used.ru_utime + used.ru_stime


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


class Workshop:
    def __init__(self, tree, folder, jobs, options=(), optimized=False):
        self.tree, self.base, self.jobs = os.path.join(folder, 'tree'), os.path.join(folder, 'base'), jobs
        self.optimized = optimized
        self.folder, self.lock, self.known, self.member_of = folder, threading.Lock(), {}, {}
        if options is not None:
            self.copy(tree)
            self.build(options)
        self.read_commands()
        self.read_tests()

    # ---- the copy ----

    def copy(self, tree):
        """Brings the copy up to date; files that are the same stay, so that nothing is built again for them."""
        listed = subprocess.run(['git', '-C', tree, 'ls-files', '-co', '--exclude-standard', '-z'],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if listed.returncode == 0 and listed.stdout:
            names = listed.stdout.decode().split('\0')
        else:
            names = [os.path.relpath(os.path.join(at, name), tree) for at, _, files in os.walk(tree) for name in files]
        written = self.in_parts(tree)
        for name in filter(None, names):
            here, there = os.path.join(tree, name), os.path.join(self.tree, name)
            if name in written or not os.path.isfile(here) or os.path.isfile(there) and digest(here) == digest(there):
                continue
            os.makedirs(os.path.dirname(there), exist_ok=True)
            shutil.copy(here, there)
        for name, text in written.items():
            there = os.path.join(self.tree, name)
            if not os.path.isfile(there) or self.text(name) != text:
                os.makedirs(os.path.dirname(there), exist_ok=True)
                with open(there, 'w', encoding='utf-8') as file:
                    file.write(text)
        there = {os.path.relpath(os.path.join(at, name), self.tree)
                 for at, _, files in os.walk(self.tree) for name in files}
        for name in there - set(names) - set(written):
            os.remove(os.path.join(self.tree, name))

    def text(self, name):
        with open(os.path.join(self.tree, name), encoding='utf-8') as file:
            return file.read()

    def in_parts(self, tree):
        """Files of the copy that differ from the tree's, {name: text}: units in parts, and the flags of units."""
        def text(name):
            path = os.path.join(tree, name)
            if not os.path.exists(path):
                return ''
            with open(path, encoding='utf-8') as file:
                return file.read()
        inside, lists, flags, written = text(UNIT_INC), text(LISTS), text(FLAGS), {}
        rooms = ROOM.findall(inside)
        for line in re.findall(r'^ *simdp_unit\(\w+ kernels/dispatch/unit_.*\n', lists, re.M):
            name = re.search(UNIT.pattern[:-1], line).group()
            unit, whole = UNIT.search(name).group(1), text(name)
            head = ''.join(re.findall(r'^#define .*\n', whole, re.M))
            table, parts = ROOM.sub('', inside), ''
            for room in rooms:
                kernels = f'extern const struct simdp_{room}_kernels {room}_kernels_of_{unit}'
                part = f'kernels/dispatch/part_{unit}_of_{room}.c'
                written[part] = (f'{head}#include "{room}/{room}_unit.inc"\n'
                                 f'{kernels} __attribute__((alias("{room}_kernels")));\n')
                table = kernels + ';\n' + re.sub(rf'&{room}_kernels\b', f'&{room}_kernels_of_{unit}', table)
                parts += line.replace(name, part)
            written[name] = f'{head}#include "vec/vec.h"\n{table}'
            lists = lists.replace(line, line + parts)
        if written:
            written[LISTS] = lists
            if not self.optimized:
                written[FLAGS] = re.sub(r'-O[23]\b', '-O1', flags)
        return written

    def build(self, options):
        configure = ['cmake', '-G', 'Ninja', '-S', self.tree, '-B', self.base, '-DCMAKE_BUILD_TYPE=Release',
                     f'-DCMAKE_C_FLAGS_RELEASE=-O{3 if self.optimized else 1} -DNDEBUG',
                     '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', *options]
        for command in configure, ['ninja', '-C', self.base, '-j', str(self.jobs)]:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if done.returncode != 0:
                raise SystemExit(done.stdout.decode()[-4000:])

    def ninja(self, *arguments):
        done = subprocess.run(['ninja', '-C', self.base, *arguments], stdout=subprocess.PIPE, check=True)
        return done.stdout.decode()

    def read_commands(self):
        """How each object is compiled, and which files of the tree it is made of."""
        with open(os.path.join(self.base, 'compile_commands.json'), encoding='utf-8') as file:
            commands = json.load(file)
        self.compile, self.source = {}, {}
        for entry in commands:
            words = shlex.split(entry['command'])
            if os.path.basename(words[0]) == 'ccache':
                words = words[1:]
            output = words[words.index('-o') + 1]
            self.compile[output], self.source[output] = words, os.path.relpath(entry['file'], self.tree)
        self.made_of, target = {}, None
        for line in self.ninja('-t', 'deps').splitlines():
            if line and not line.startswith((' ', 'ninja:')):
                target = line.split(':')[0]
            elif line.startswith(' ') and target in self.compile:
                path = os.path.normpath(os.path.join(self.base, line.strip()))
                if path.startswith(self.tree + os.sep):
                    self.made_of.setdefault(os.path.relpath(path, self.tree), set()).add(target)

    def read_tests(self):
        """Each test that runs a program of the build: its command, and how those programs are linked."""
        shown = subprocess.run(['ctest', '--show-only=json-v1'], cwd=self.base, stdout=subprocess.PIPE, check=True)
        self.tests, self.link = {}, {}
        targets = self.ninja('-t', 'targets', 'all').splitlines()
        targets = {line.split(':')[0] for line in targets if '_EXECUTABLE_LINKER' in line}
        for test in json.loads(shown.stdout)['tests']:
            programs = [os.path.relpath(word, self.base) for word in test.get('command', ())]
            programs = [program for program in programs if program in targets]
            if programs and not test['name'].endswith('_list'):   # those compare lists of names
                self.tests[test['name']] = (test['command'], programs)
        for program in sorted({program for _, programs in self.tests.values() for program in programs}):
            line = self.ninja('-t', 'commands', '-s', program).strip()
            words = [word for word in shlex.split(line) if word not in (':', '&&', 'ccache')]
            self.link[program] = words

    # ---- a changed file ----

    def objects_of(self, path):
        """(choices, other objects) that a change of path concerns. A choice: the units that stay in the list, None for all,
        and the objects of the library."""
        touched = self.made_of.get(path, set())
        library = {name for name in touched if self.source[name].startswith('kernels/')}
        unit_of = {name: UNIT.search(self.source[name]).group(1) for name in library if UNIT.search(self.source[name])}
        concerned = [unit for unit in UNITS if unit in unit_of.values()]
        if not concerned:
            return [(None, library)], touched - library
        choices = [{unit, 'scalar'} for unit in concerned if unit != 'scalar'] or [{UNITS[0], 'scalar'}]
        of = [{name for name in library if unit_of.get(name, 'scalar') in kept} for kept in choices]
        return list(zip(choices, of)), touched - library

    def newest(self, test):
        """When the last of a test's programs was built."""
        return max(os.path.getmtime(os.path.join(self.base, program)) for program in self.tests[test][1])

    def inside(self, test, path):
        """Whether a test's programs have objects of their own that a change of path concerns."""
        own = {name for name in self.made_of.get(path, ()) if not self.source[name].startswith('kernels/')}
        return any(word in own for program in self.tests[test][1] for word in self.link[program])

    def members(self, program):
        """The objects of archives that the linker takes for a program of the copy, by their last names; empty if its map
        does not say so."""
        if program not in self.member_of:
            output = os.path.join(self.folder, 'linked', os.path.basename(program))
            os.makedirs(os.path.dirname(output), exist_ok=True)
            words = list(self.link[program])
            words[words.index('-o') + 1] = output
            run(words + [f'-Wl,-Map={output}.map'], self.base)
            found = set()
            if os.path.exists(output + '.map'):
                with open(output + '.map', encoding='utf-8', errors='replace') as text:
                    found = set(re.findall(r'^\S+\.a\((\S+\.o)\)', text.read().split('Memory Configuration')[0], re.M))
            self.member_of[program] = found
        return self.member_of[program]

    def compiled(self, name, overlay, output):
        """Compiles an object with the files of the overlay in place of those of the tree."""
        words = list(self.compile[name])
        source = os.path.join(overlay, self.source[name])
        folders = ['-I' + os.path.join(overlay, part) for part in ('kernels', 'bench/command')]
        words = words[:1] + folders + words[1:]
        words[words.index('-o') + 1] = output
        if os.path.exists(source):   # headers beside it are found where it was
            words = words[:-1] + ['-iquote', os.path.dirname(words[-1]), source]
        os.makedirs(os.path.dirname(output), exist_ok=True)
        code, text, _ = run(words + ['-w'], self.base)
        if code != 0:
            raise Failure(text)

    def digest_unchanged(self, name):
        """The digest of an object of the copy itself, which compiled() makes the same way."""
        with self.lock:
            if name not in self.known:
                self.known[name] = digest(os.path.join(self.base, name))
            return self.known[name]

    def without_units(self, kept):
        """dispatch.c without the rows of other units than those kept."""
        lines = self.text(DISPATCH).split('\n')
        row = re.compile(r'^ *\{&simdp_kernels_(\w+),')
        return '\n'.join(line for line in lines if not row.match(line) or row.match(line).group(1) in kept)


class Changed:
    """The programs with one file changed, in a folder of their own."""

    def __init__(self, shop, folder, path, text):
        self.shop, self.folder, self.path = shop, folder, path
        self.overlay = os.path.join(folder, 'overlay')
        shutil.rmtree(folder, ignore_errors=True)
        self.write(path, text)
        choices, self.others = shop.objects_of(path)
        self.same, self.spent = True, 0.0
        for kept, library in choices:
            self.objects = []
            for name in sorted(library):
                output = os.path.join(folder, 'objects', name)
                shop.compiled(name, self.overlay, output)
                self.same = self.same and digest(output) == shop.digest_unchanged(name)
                self.objects.append(output)
            if not self.same:
                break   # else what is changed may be for another unit
        if kept is not None and not self.same:
            self.write(DISPATCH, shop.without_units(kept))
            for name in shop.compile:
                if shop.source[name] == DISPATCH:
                    output = os.path.join(folder, 'objects', name)
                    shop.compiled(name, self.overlay, output)
                    self.objects = [other for other in self.objects if other != output] + [output]
        if not library and not self.others:
            raise Failure(f'{path} is part of no object')

    def write(self, path, text):
        name = os.path.join(self.overlay, path)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)

    def is_same(self):
        """Whether all that the change concerns, of tests too, compiles to the same objects as without it."""
        for name in sorted(self.others):
            if self.same:
                self.other(name)
        return self.same

    def other(self, name):
        """An object that is not of the library, with the change."""
        made = os.path.join(self.folder, 'objects', name)
        if not os.path.exists(made):
            self.shop.compiled(name, self.overlay, made)
            self.same = self.same and digest(made) == self.shop.digest_unchanged(name)
        return made

    def linked(self, program):
        """The program with the changed objects: those of the library, and its own that include the changed file."""
        output = os.path.join(self.folder, 'bin', os.path.basename(program))
        if os.path.exists(output):
            return output
        words, own = list(self.shop.link[program]), []
        # lib<name>.a is made of the objects in <name>.dir
        archives = [word for word in words if word.endswith('.a') and not os.path.isabs(word)]
        archives = {os.path.basename(word)[3:-2] + '.dir' for word in archives}
        for name in sorted(self.others):
            if name not in words and not archives & set(name.split('/')):
                continue
            made = self.other(name)
            if name in words:
                words[words.index(name)] = made
            else:
                own.append(made)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        at = words.index('-o')
        words = words[:at] + own + self.objects + ['-o', output] + words[at + 2:]
        code, text, _ = run(words, self.shop.base)
        if code != 0:
            raise Failure(text)
        return output

    def reaches(self, name):
        """Whether a program of a test has any object that the change concerns."""
        changed = {os.path.basename(output) for output in self.objects} | {os.path.basename(name) for name in self.others}
        for program in self.shop.tests[name][1]:
            members = self.shop.members(program)
            if not members or members & changed or self.others & set(self.shop.link[program]):
                return True
        return False

    def test(self, name, limit, seconds_of_cpu, environment):
        """(exit code, CPU seconds) of a test with the programs of this change."""
        command, programs = self.shop.tests[name]
        for program in programs:
            new = self.linked(program)
            old = os.path.join(self.shop.base, program)
            command = [new if os.path.normpath(word) == old else word for word in command]
        code, _, used = run(command, os.path.join(self.shop.base, 'tests'), limit, environment, seconds_of_cpu)
        return code, used

    @staticmethod
    def remove(folder):
        shutil.rmtree(folder, ignore_errors=True)
