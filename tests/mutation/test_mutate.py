"""test_mutate.py: the tool finds a planted bug, recognises one that changes no object, matches explanations, plants a bug
of a kernel in all units that it leaves in the list, and goes on from a log.

    python3 tests/mutation/test_mutate.py

On a tree of a few lines, in a temporary folder: some seconds. Exit 77 if ninja is missing."""
import os
import re
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
include(cmake/isa_flags.cmake)
add_library(tiny STATIC kernels/tiny/tiny.c kernels/dispatch/dispatch.c)
simdp_unit(tiny kernels/dispatch/unit_scalar.c ${simdp_isa_scalar})
simdp_unit(tiny kernels/dispatch/unit_avx2_vaes.c -DSIMDP_VEC_VAES)
simdp_unit(tiny kernels/dispatch/unit_avx512.c -DSIMDP_VEC_AVX512)
target_include_directories(tiny PUBLIC kernels)
foreach(test test_tiny_sum test_isa_identity)
  add_executable(${test} tests/${test}.c)
  target_link_libraries(${test} tiny)
  add_test(NAME ${test} COMMAND ${test})
  set_tests_properties(${test} PROPERTIES WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
endforeach()
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
    'cmake/isa_flags.cmake': '''set(simdp_isa_scalar -O2)
function(simdp_unit target file)
  target_sources(${target} PRIVATE ${file})
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${ARGN}")
endfunction()
''',
    'kernels/call/kernels.h': '''struct simdp_tiny_kernels {
    int (*twice)(int);
};
typedef struct {
    const struct simdp_tiny_kernels *tiny;
} simdp_kernels;
''',
    'kernels/vec/vec.h': '''#include "call/kernels.h"
#ifdef SIMDP_VEC_VAES
#include "vec/vec_vaes.h"
#else
static inline int vec_add(int a, int b) { return a + b; }
#endif
''',
    'kernels/vec/vec_vaes.h': '''static inline int vec_add(int a, int b) { return b + a; }
''',
    'kernels/tiny/tiny_unit.inc': '''#include "vec/vec.h"
static int twice(int x) { return vec_add(x, x) + 0; }
static const struct simdp_tiny_kernels tiny_kernels = {twice};
''',
    'kernels/dispatch/unit.inc': '''#include "tiny/tiny_unit.inc"

extern const simdp_kernels UNIT_TABLE;
const simdp_kernels UNIT_TABLE = {.tiny = &tiny_kernels};
''',
    **{f'kernels/dispatch/unit_{unit}.c': f'''#define UNIT_TABLE simdp_kernels_{unit}
#include "dispatch/unit.inc"
''' for unit in ('scalar', 'avx2_vaes', 'avx512')},
    'kernels/dispatch/dispatch.c': '''#include "call/kernels.h"
extern const simdp_kernels simdp_kernels_avx512, simdp_kernels_avx2_vaes, simdp_kernels_scalar;
static const struct {
    const simdp_kernels *table;
} ranked[] = {
    {&simdp_kernels_avx512,},
    {&simdp_kernels_avx2_vaes,},
    {&simdp_kernels_scalar,},
};
const simdp_kernels *tiny_row(unsigned i);
const simdp_kernels *tiny_row(unsigned i)
{
    return i < sizeof ranked / sizeof ranked[0] ? ranked[i].table : 0;
}
''',
    'tests/test_isa_identity.c': '''#include "call/kernels.h"
const simdp_kernels *tiny_row(unsigned i);
int main(void) /* units agree, whatever they say */
{
    for (unsigned i = 1; tiny_row(i) != 0; i++) {
        if (tiny_row(i)->tiny->twice(5) != tiny_row(0)->tiny->twice(5)) return 1;
    }
    return tiny_row(0)->tiny->twice(0) > 5;
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
    ('kernels/tiny/tiny_unit.inc', '2', '+ 0', '+ 1', 'survived'),   # in both units, and the third is not compared
    ('kernels/tiny/tiny_unit.inc', '2', '+ 0', '+ 9', 'found'),
    ('kernels/vec/vec_vaes.h', '1', 'b + a', 'b - a', 'found'),      # units differ
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
        log = os.path.join(folder, 'log')
        of_run = [command(tree, '--count', '6', '--seed', '7', '--room', 'tiny,vec', '--jobs', '2', *more).stdout.decode()
                  for more in ((), ('--log', log), ('--log', log))]
        places = [sorted(line.split(' s  ')[1] for line in text.split('\n') if ' s  ' in line) for text in of_run]
        check(places[0] == places[1] == places[2] != [], 'the same seed, other bugs:\n' + '\n'.join(of_run))
        check(all(re.search(r'seed 7: \d of 6 found', text) for text in of_run), of_run[0])
        with open(log, encoding='utf-8') as file:
            check(len(file.readlines()) == len(places[0]), 'what the log says is judged again')
        for name, text in FILES.items():
            with open(os.path.join(tree, name), encoding='utf-8') as file:
                check(file.read() == text, f'{name} of the tree has changed')
    for text in failed:
        print('FAILED:', text)
    print('the tool does as it says' if not failed else f'{len(failed)} failed')
    return len(failed) > 0


if __name__ == '__main__':
    sys.exit(main())
