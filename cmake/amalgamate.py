#!/usr/bin/env python3
"""Writes the library as simdp.c and simdp.h into a folder: python3 cmake/amalgamate.py FOLDER

simdp.h is simdp.h and the parts it includes. simdp.c is, in this order: internal headers, each once; then every source
that CMakeLists.txt names. Sources keep their text but for these changes:

  - An include of a file of the tree is replaced by that file or, where it was there before, by nothing.
  - The vector vocabulary and the .inc files depend on a unit, so each unit has a copy of its own: names at file scope
    in them get the unit's name in front. So do names at file scope in a source that another file has as well. Members
    of structs keep theirs. Names that are pasted together by ## are not seen: they must be unique in the library.
  - Macros of a source are undefined at its end.
  - A unit stands between pragmas that allow its instruction sets (those of cmake/isa_flags.cmake)."""
import sys

sys.dont_write_bytecode = True   # no __pycache__ in the tree

import os  # noqa: E402
import re  # noqa: E402

from c_names import defined_macros, file_scope_names, identifiers, rename  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^#include "([^"]+)".*\n', re.M)
FEATURE_MACRO = re.compile(r'^#define _(GNU|DEFAULT)_SOURCE\b.*\n', re.M)

HEAD = '''\
/* simdp.c: simdp %(version)s, SIMD kernels for differential privacy, all of the library in one file. Made by
 * cmake/amalgamate from the sources of simdp, where it is to be changed. Apache-2.0.
 *
 *     cc -O3 -c simdp.c          gcc 12, clang 14 or later; link with -lm; simdp.h is the API
 *
 * Every instruction set is inside, and chosen when the program runs: no -m flag is needed. Results have the same bits
 * as those of the library built by CMake. -ffast-math and -Ofast are refused. Older gcc needs -std=c11. clang may be
 * faster on AVX2 with -mllvm -enable-misched=false, which a source cannot ask for (cmake/isa_flags.cmake). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* A product and a sum must not become one operation; clang is told so in float_rules.h. The second scheduler is off for
 * the AVX-512 unit, which it slows down (cmake/isa_flags.cmake), and so for all: gcc does not inline from one set of
 * options into another. */
#if !defined(__clang__) && defined(__GNUC__)
#if __GNUC__ >= 12
#pragma GCC optimize("fp-contract=off,no-schedule-insns2")
#define SIMDP_CONTRACTION_OFF
#elif !defined(__STRICT_ANSI__)
#error "simdp must be compiled with -std=c11: in its GNU modes this gcc contracts a * b + c"
#else
#pragma GCC optimize("no-dse")   /* gcc 11.3 drops stores that are read later (cmake/house_flags.cmake) */
#endif
#endif
'''
SYSTEM_INCLUDE = re.compile(r'^#include <([^>]+)>.*\n', re.M)
SYSTEM_HEADERS = '''
%(general)s#if defined(__x86_64__)
%(x86)s#endif
#include "simdp.h"
#pragma GCC visibility push(hidden)   /* behind the headers of the system, whose functions are elsewhere */
#pragma GCC diagnostic ignored "-Wunused-function"   /* of internal headers */
'''

VOCABULARIES = {'SIMDP_VEC_AVX512': 'vec/vec_avx512.h', 'SIMDP_VEC_AVX2': 'vec/vec_avx2.h', '': 'vec/vec_scalar.h'}

# what isa_flags.cmake gives each unit
TARGETS = {'unit_avx2_aesni': 'avx2,fma,aes', 'unit_avx2_vaes': 'avx2,fma,aes,vaes,bmi2'}
TARGETS['unit_avx512'] = TARGETS['unit_avx2_vaes'] + ',avx512f,avx512dq,avx512bw,avx512vl'


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


def text_of(include):
    return read('kernels/' + include)


def is_per_unit(include):
    """An .inc, the vocabulary, or a header that includes one of them: it has to be compiled for each unit."""
    if include.startswith('simdp/'):
        return False
    return include.endswith('.inc') or include.startswith('vec/vec') or include == 'vec/aes_portable.h' or any(
        is_per_unit(inner) for inner in INCLUDE.findall(text_of(include)))


def banner(path):
    return f'\n/* ---- {path} {"-" * max(4, 106 - len(path))} */\n'


def expand(text, seen, wanted):
    """The text with each wanted include replaced by the file at its first place, and others left out."""
    def replaced(match):
        include = match[1]
        if include in seen or not wanted(include):
            return ''
        seen.add(include)
        return banner(include) + expand(text_of(include), seen, wanted)
    return INCLUDE.sub(replaced, text)


def with_unit_files(text):
    """A source with its .inc files and, of the vocabularies, the one that it chooses as vec/vec.h would."""
    chosen = next(include for macro, include in VOCABULARIES.items() if f'#define {macro}\n' in text or not macro)
    return expand(text, set(), lambda include: is_per_unit(include) and (
        include == chosen or include not in VOCABULARIES.values()))


def sources():
    """The .c files of the library, as CMakeLists.txt has them."""
    lists = read('CMakeLists.txt')
    start, end = lists.index('add_library(simdp_objects'), lists.index('set_target_properties(simdp_objects')
    return list(dict.fromkeys(re.findall(r'kernels/(\S+\.c)\b', lists[start:end])))


def public_header():
    seen = {'simdp.h'}

    def replaced(match):
        if match[1] in seen:
            return ''
        seen.add(match[1])
        return '\n' + INCLUDE.sub(replaced, read('include/simdp/' + match[1]))
    return INCLUDE.sub(replaced, read('include/simdp/simdp.h'))


def shared_headers(bodies):
    """All headers that do not depend on a unit, in an order in which each finds what it needs."""
    seen = set()

    def collect(text):
        out = ''
        for include in INCLUDE.findall(text):
            if include in seen or include.startswith('simdp/'):
                continue
            seen.add(include)
            inner = collect(text_of(include))
            out += inner if is_per_unit(include) else inner + banner(include) + INCLUDE.sub('', text_of(include))
        return out
    return ''.join(collect(text) for text in bodies)


def system_headers(text):
    """Includes of all headers of the system that are in the text."""
    names = sorted(set(SYSTEM_INCLUDE.findall(text)))
    x86 = [name for name in names if name.endswith('intrin.h') or name == 'cpuid.h']
    lines = {'x86': x86, 'general': [name for name in names if name not in x86]}
    return SYSTEM_HEADERS % {key: ''.join(f'#include <{name}>\n' for name in found) for key, found in lines.items()}


def guarded(stem, text):
    """A unit between the pragmas for its instruction sets, for x86-64 alone."""
    if stem not in TARGETS:
        return text
    target = TARGETS[stem]
    return (f'\n#if defined(__x86_64__)\n#if defined(__clang__)\n'
            f'#pragma clang attribute push(__attribute__((target("{target}"))), apply_to = function)\n'
            f'#else\n#pragma GCC push_options\n#pragma GCC target("{target}")\n#endif\n'
            f'{text}\n'
            f'#if defined(__clang__)\n#pragma clang attribute pop\n#else\n#pragma GCC pop_options\n#endif\n#endif\n')


def implementation():
    paths = sources()
    raw = {path: FEATURE_MACRO.sub('', read('kernels/' + path)) for path in paths}
    headers = shared_headers(raw.values())
    bodies = {path: with_unit_files(text) for path, text in raw.items()}

    owners = {}
    names = {path: file_scope_names(text) for path, text in bodies.items()}
    for path, found in [('', file_scope_names(headers + public_header())), *names.items()]:
        for name in found:
            owners.setdefault(name, []).append(path)
    shared_macros = defined_macros(headers + public_header())
    taken = set().union(identifiers(headers), *(identifiers(text) for text in bodies.values()))

    version = '.'.join(re.findall(r'SIMDP_VERSION_[A-Z]+ (\d+)', public_header()))
    rules = banner('vec/float_rules.h') + text_of('vec/float_rules.h')   # before all else, for its pragma
    out = [HEAD % {'version': version}, rules, system_headers(headers + ''.join(bodies.values())),
           SYSTEM_INCLUDE.sub('', headers.replace(rules, ''))]
    for path, text in bodies.items():
        stem = os.path.basename(path)[:-2]
        owner = path[:-2].replace('/', '_').removeprefix('dispatch_unit_')
        fresh = {name: f'{owner}__{name}' for name in names[path] if len(owners[name]) > 1 or stem.startswith('unit_')}
        clashes = taken.intersection(fresh.values()) | shared_macros.intersection(defined_macros(text))
        if clashes:
            sys.exit(f'amalgamate: {path}: names that exist elsewhere: {" ".join(sorted(clashes))}')
        undefined = ''.join(f'#undef {macro}\n' for macro in sorted(defined_macros(text)))
        out.append(banner(path) + guarded(stem, rename(SYSTEM_INCLUDE.sub('', text), fresh) + undefined))
    out.append('\n#pragma GCC visibility pop\n')
    return ''.join(out)


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(re.sub(r'\n{3,}', '\n\n', text))


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    write(os.path.join(folder, 'simdp.h'), public_header())
    write(os.path.join(folder, 'simdp.c'), implementation())


main()
