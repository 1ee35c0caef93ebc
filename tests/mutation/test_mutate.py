"""test_mutate.py: the tool finds a planted bug, recognises one that changes no object, and matches explanations.

    python3 tests/mutation/test_mutate.py

On a tree of one room and one test, in a temporary folder: some seconds. Exit 77 if ninja is missing."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import plant   # noqa: E402

FILES = {
    'CMakeLists.txt': '''cmake_minimum_required(VERSION 3.21)
project(tiny LANGUAGES C)
enable_testing()
add_library(tiny STATIC kernels/tiny/tiny.c)
target_include_directories(tiny PUBLIC kernels)
add_executable(test_tiny_sum tests/test_tiny_sum.c)
target_link_libraries(test_tiny_sum tiny)
add_test(NAME test_tiny_sum COMMAND test_tiny_sum)
set_tests_properties(test_tiny_sum PROPERTIES WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
''',
    'kernels/tiny/tiny.h': '''#define TINY_MOST 4
int tiny_sum(const int *x, int n);
int tiny_untested(int x);
''',
    'kernels/tiny/tiny.c': '''#include "tiny/tiny.h"
int tiny_sum(const int *x, int n)
{
    int sum = 0; /* "a < b" in a comment is no code */
    if (n > TINY_MOST) return -1;
    while (n != 0) sum += x[--n];
    (void)(n + 1);
    return sum;
}
int tiny_untested(int x)
{
    return x * 3;
}
''',
    'tests/test_tiny_sum.c': '''#include "tiny/tiny.h"
int main(void)
{
    const int x[5] = {1, 2, 3, 4, 5};
    return tiny_sum(x, TINY_MOST) != 10 || tiny_sum(x, TINY_MOST + 1) != -1 || tiny_sum(x, 0) != 0;
}
''',
    'tests/mutation/survivors.md': '''# Why some bugs survive

## kernels/tiny/tiny.c

- `return x * 3;` -> `return x / 3;`: the test of the tool says so
'''}
# file, line, before, after, result
BUGS = [
    ('kernels/tiny/tiny.c', '6', 'sum += x', 'sum -= x', 'found'),
    ('kernels/tiny/tiny.c', '5', 'n > TINY', 'n >= TINY', 'found'),
    ('kernels/tiny/tiny.c', '6', 'x[--n]', 'x[n]', 'found'),         # never ends
    ('kernels/tiny/tiny.c', '7', 'n + 1', 'n - 1', 'equivalent'),
    ('kernels/tiny/tiny.c', '6', '(n != 0)', '(m != 0)', 'refused'),
    ('kernels/tiny/tiny.c', '12', '* 3', '/ 3', 'explained'),
    ('kernels/tiny/tiny.c', '12', '* 3', '* 4', 'survived'),
    ('kernels/tiny/tiny.h', '1', '4', '5', 'found')]                 # the test is compiled with the changed header too


def command(tree, *arguments):
    return subprocess.run([sys.executable, os.path.join(HERE, 'mutate.py'), '--tree', tree, '--work', tree + '-work',
                           '--jobs', '1', *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def main():
    if not shutil.which('ninja'):
        print('skipped: ninja is not installed')
        return 77
    failed = []

    def check(good, text):
        if not good:
            failed.append(text)
    code = FILES['kernels/tiny/tiny.c']
    drawn = list(plant.mutants('kernels/tiny/tiny.c', code))
    check(all(' < b' in plant.planted(code, mutant) for mutant in drawn), 'comments')
    check({'operator', 'constant', 'branch', 'early exit'} <= {mutant.kind for mutant in drawn}, 'kinds of bugs')
    check(plant.other_number('0x1.8p+3') == '0x1.9p+3' and plant.other_number('0x1p-52') == '0x1p-51', 'constants')
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, 'tiny')
        for name, text in FILES.items():
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            with open(os.path.join(tree, name), 'w', encoding='utf-8') as file:
                file.write(text)
        for bug in BUGS:
            done = command(tree, '--plant', *bug[:4])
            text = done.stdout.decode()
            check(f' {bug[4]} ' in text.split('\n')[0], f'{bug}: {text}')
            check((done.returncode == 0) == (bug[4] == 'found'), f'{bug}: exit {done.returncode}')
        first, second = (command(tree, '--count', '6', '--seed', '7').stdout.decode() for _ in range(2))
        places = [[line.split(' s  ')[1] for line in text.split('\n') if ' s  ' in line] for text in (first, second)]
        check(len(places[0]) == 6 and places[0] == places[1], f'the same seed, other bugs:\n{first}\n{second}')
        check('seed 7: ' in first, first)
        for name, text in FILES.items():
            with open(os.path.join(tree, name), encoding='utf-8') as file:
                check(file.read() == text, f'{name} of the tree has changed')
    for text in failed:
        print('FAILED:', text)
    print('the tool does as it says' if not failed else f'{len(failed)} failed')
    return len(failed) > 0


if __name__ == '__main__':
    sys.exit(main())
