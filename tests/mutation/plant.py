"""plant.py: bugs that a programmer could have made, one small change of a source file each.

mutants(path, text) finds them all, in the order of the text; mutate.py draws some. Comments, texts, includes and
asserts are left alone: they compute nothing."""
import re
from collections import namedtuple

# begin and end: the characters of the text that are replaced by `after`
Mutant = namedtuple('Mutant', 'path line begin end after kind')

# Each operator between spaces, as clang-format writes the binary ones, and what takes its place.
OPERATORS = {
    '<': ['<='], '<=': ['<'], '>': ['>='], '>=': ['>'], '==': ['!='], '!=': ['=='], '&&': ['||'], '||': ['&&'],
    '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['/'], '&': ['|'], '|': ['&'], '^': ['|'],
    '<<': ['>>'], '>>': ['<<'], '+=': ['-=', '='], '-=': ['+='], '|=': ['=', '&='], '&=': ['|='], '^=': ['|='],
    '*=': ['=']}

# Names that stand for the same operation in another direction, width or order.
PAIRS = [pair.split() for pair in '''
    ball_up ball_down, outward_up outward_down, outward_next outward_previous, add_up add_down, mul_up mul_down,
    div_up div_down, floor ceil, fmax fmin, upper lower, true false, SIMDP_PLD_UP SIMDP_PLD_DOWN,
    vd_add vd_sub, vd_min vd_max, vd_fma vd_fnma, vd_above vd_not_above, vf_add vf_sub, vf_min vf_max, vf_fma vf_fnma,
    vu_add vu_sub, vu_and vu_or, vu_xor vu_or, vu_shl vu_shr, vw_add vw_sub, vw_min vw_max, vw_low vw_high,
    vu_evens vu_odds, vu_pair_even vu_pair_odd, ball_add ball_subtract, ball_multiply ball_divide,
    memory_order_acquire memory_order_relaxed, isnan isinf, INFINITY NAN,
    UINT64_MAX INT64_MAX'''.split(',')]
OTHER = {**{a: b for a, b in PAIRS}, **{b: a for a, b in PAIRS if b != 'vu_or'}}

NUMBER = re.compile(r'(?<![\w.])(0x[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:p[+-]?\d+)?|\d+(?:\.\d*)?(?:e[+-]?\d+)?)'
                    r'[uUlLfF]*(?![\w.])')
NAME = re.compile(r'\b[A-Za-z_]\w*\b')
# a use of random bits, in uses.h: words of one use given to another are words used twice
USE = re.compile(r'\bBITS_[A-Z0-9_]+\b')
ERROR_TERM = re.compile(r' [+-] (?:\d \* )?\w*(?:error|slack|radius|unseen|doubt|rest|lost|tail)\w*'
                        r'(?:\(\w+\))?(?=[;,) ])')
SWAP = re.compile(r'\b(\w+)\(([\w.>\[\]-]+), ([\w.>\[\]-]+)\)')
EXIT = re.compile(r'^ *(?:\} else )?if \(.*\) (?:return\b[^;]*|break|continue);$')
ERASE = re.compile(r'^ *(?:if \(.*\) )?(?:\w*wipe|simdp_scrub|memset)\w*\(.*\);$')
STATEMENT = re.compile(r'^ *(?:[\w.>\[\]+*() -]+ [-+|&^]?= [^;{}]+|\*?\w+(?:->\w+|\.\w+|\[\w+\])*(?:\+\+|--)|'
                       r'\w+\([^;{}]*\));$')
DECLARED = re.compile(r'^ *(?:const |static |unsigned |struct )*\w+ [*\w]+(?:\[\w*\])? ?[=,;]')
FAILURE = re.compile(r'\bSIMDP_E[A-Z]+\b')
SPARED = re.compile(r'^ *(?:assert|_Static_assert)\b')


def blanked(text):
    """The text with comments, strings and characters as spaces: what is left is code, at the same places."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return pattern.sub(lambda found: re.sub(r'[^\n]', ' ', found.group()), text)


def other_number(number):
    """Another value of a constant: one more for integers, the last place or twice as much for the others."""
    if re.fullmatch(r'\d+', number):
        return str(int(number) + 1)
    if 'p' in number:   # a hexadecimal float: its last digit, or its exponent if it is a power of two
        mantissa, exponent = number.split('p')
        if '.' not in mantissa:
            return f'{mantissa}p{int(exponent) + 1:+d}'
        return mantissa[:-1] + '%x' % (int(mantissa[-1], 16) ^ 1) + 'p' + exponent
    if number.startswith('0x'):
        return hex(int(number, 16) ^ 1)
    value = float(number)
    return '1.0' if value == 0 else repr(2 * value)


def statements(line):
    """What can be left out of a line that is a whole statement."""
    if EXIT.match(line):
        return 'early exit'
    if ERASE.match(line):
        return 'wipe'
    if STATEMENT.match(line) and not DECLARED.match(line) and 'return' not in line:
        return 'statement'
    return ''


def of_line(code, use_names):
    """Each change of one line of code as (begin, end, what comes there, kind)."""
    kind = statements(code.rstrip())
    if kind:
        begin = len(code) - len(code.lstrip())
        yield begin, len(code.rstrip()), ';', kind
    for found in re.finditer(r'(?<= )[-<>=!&|+*/%^]+(?= )', code):
        for after in OPERATORS.get(found.group(), ()):
            yield found.start(), found.end(), after, 'operator'
    for found in NUMBER.finditer(code):
        yield found.start(1), found.end(1), other_number(found.group(1)), 'constant'
    for found in NAME.finditer(code):
        if found.group() in OTHER:
            yield found.start(), found.end(), OTHER[found.group()], 'direction'
    for found in USE.finditer(code):
        if found.group() in use_names:
            for other in ('BITS_WORDS', 'BITS_LAPLACE_F64'):
                if found.group() != other:
                    yield found.start(), found.end(), other, 'use of bits'
    for found in ERROR_TERM.finditer(code):
        yield found.start(), found.end(), '', 'error term'
    for found in SWAP.finditer(code):
        if found.group(2) != found.group(3) and found.group(1) not in ('sizeof', 'if', 'while', 'for', 'return'):
            yield found.start(2), found.end(3), f'{found.group(3)}, {found.group(2)}', 'swapped arguments'
    for found in re.finditer(r'(?<=[ (])!(?=[\w(])', code):
        yield found.start(), found.end(), '', 'negation'
    for found in FAILURE.finditer(code):
        if 'return' in code or '=' in code or '?' in code:
            yield found.start(), found.end(), 'SIMDP_OK', 'status'
    for found in re.finditer(r'(?<=\bif \()(?=[^;]*\))', code):
        yield found.start(), found.end(), '1 || ', 'branch'
        yield found.start(), found.end(), '0 && ', 'branch'


def mutants(path, text, use_names=()):
    code, at, spared = blanked(text), 0, False
    for number, line in enumerate(code.splitlines(keepends=True), 1):
        spared = spared or bool(SPARED.match(line))
        directive = line.lstrip().startswith('#')
        constant = re.match(r'# *define \w+ +(?=[\d(])', line.lstrip())
        prototype = re.match(r'^\w.*[,)] *$', line) and not line.startswith(('#', '}'))   # the head of a function
        if not spared and not prototype and (not directive or constant):
            for begin, end, after, kind in of_line(line.rstrip('\n'), use_names):
                if not constant or kind in ('constant', 'operator', 'direction'):
                    yield Mutant(path, number, at + begin, at + end, after, kind)
        spared = spared and ';' not in line
        at += len(line)


def planted(text, mutant):
    return text[:mutant.begin] + mutant.after + text[mutant.end:]


def lines(text, mutant):
    """The line before and after, for reports."""
    begin = text.rfind('\n', 0, mutant.begin) + 1
    end = text.find('\n', mutant.end)
    before = text[begin:end if end >= 0 else len(text)]
    return before.strip(), (text[begin:mutant.begin] + mutant.after + text[mutant.end:begin + len(before)]).strip()
