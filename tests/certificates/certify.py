#!/usr/bin/env python3
"""certify.py: the radii of kernels/release/rounded/plan.c, checked from the constants in the source.

    python3 tests/certificates/certify.py [--quick]    needs gappa; exit 1 if a radius is too small, or a control finds nothing

Controls: each radius made a little smaller, and a coefficient of each polynomial changed a little, must make a check fail. (--quick:
two of them.)

What it shows. Doubles compute y' for y = r + F, r what an answer leaves over its cell, F the noise, everything in units of the grid,
S = scale / grid. It keeps the cell of y' if |y' - y| cannot reach the border of the cell. So a radius must bound |y' - y| for every
word, every completion of the word by further bits, and every S. The steps:

1. The error of a polynomial is its difference to the Taylor polynomial of its function, whose rest is below 1e-28: a polynomial,
   enclosed on 128 pieces of its interval by its Bernstein coefficients.
2. Gappa proves a bound for the roundings of each polynomial's evaluation, in the model where an operation has a relative error of
   u = 2^-53 (2^-24), which holds for all scales because nothing under- or overflows.
3. Tables (c_j, T_j) are compared with what they stand for, in decimal arithmetic of 80 digits.
4. The sums are taken octave by octave of |V| 2^63 = m: in 2^c <= m < 2^(c+1) the energy E is at most (63 - c) ln 2 and the help of the
   unseen bits' allowance at least its value at the upper end.

Numbers are decimals, and every bound is rounded up by one part in 10^12 where it leaves an exact computation. """
import re
import subprocess
import sys
from decimal import Decimal as D, getcontext
from math import comb
from pathlib import Path

getcontext().prec = 80
ROOT = Path(__file__).resolve().parents[2] / "kernels"
U, U32 = D(2) ** -53, D(2) ** -24
UP = 1 + D(10) ** -12
LN2 = D(2).ln()
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803")
failed = False
quiet = False
changed = {}   # by a control: a constant of plan.c, or "array[index]", and its factor
proved = {}    # by gappa: a script and what it bounds

CONTROLS = (
    ("LAPLACE_RADIUS", "0.98"), ("GAUSSIAN_RADIUS", "0.97"), ("NEAR_ZERO", "0.95"), ("UNSEEN", "0.75"), ("UNSEEN_LEAST", "0.75"),
    ("F64_SUMS", "0.49"), ("F32_LAPLACE", "0.86"), ("F32_LAPLACE_SLOPE", "0.98"), ("F32_GAUSSIAN", "0.96"),
    ("F32_NEAR_ZERO", "0.87"), ("F32_UNSEEN_LEAST", "0.99"), ("F32_SUMS", "0.99"), ("DD_RADIUS", "0.4"), ("DD_NEAR_ZERO", "0.3"),
    ("DD_SUMS", "0.1"), ("neg_log_c[5]", "1.00000000000001"), ("neg_log_q_absolute[4]", "1.0000001"),
    ("neg_log_q[4]", "1.0000001"), ("angle_cos[3]", "1.0000000001"), ("angle_sin[3]", "1.0000000001"),
    ("neg_log_f32_c[3]", "1.0000002"), ("neg_log_f32_t[4]", "1.000001"), ("neg_log_f32_q_fine[2]", "1.01"),
    ("angle_cos_f32[2]", "1.00001"), ("angle_sin_f32[2]", "1.0001"),
)


def say(text):
    if not quiet:
        print(text)


def exact(text):
    """A hexadecimal or decimal floating-point constant of C, exactly."""
    text = text.rstrip("f")
    return D(float.fromhex(text)) if "0x" in text else D(text)


def table(path, name):
    source = (ROOT / path).read_text()
    body = re.search(r"\b" + name + r"\[[^=]*=\s*\{(.*?)\};", source, re.S).group(1)
    numbers = re.findall(r"-?0x[0-9a-f.]+p[+-]?[0-9]+f?|-?[0-9]+\.[0-9]+f?", body)
    return [exact(x) * changed.get(f"{name}[{i}]", 1) for i, x in enumerate(numbers)]


def define(name):
    source = (ROOT / "release/rounded/plan.c").read_text()
    return exact(re.search(r"#define " + name + r"\s+(\S+)", source).group(1)) * changed.get(name, 1)


def text_of(x):
    return format(x, "f") if x == 0 or D("1e-9") < abs(x) < 100 else format(x, "e")


def largest(coefficients, low, high, pieces=128):
    """An upper bound of |c_0 + c_1 x + ...| on [low, high]: on each piece the coefficients in Bernstein's basis enclose it."""
    n = len(coefficients) - 1
    bound, width = D(0), (high - low) / pieces
    for k in range(pieces):
        powers, moved = [D(1)], []
        for i in range(n):
            powers.append(powers[-1] * (low + k * width))
        for i in range(n + 1):   # of t^i, x = low + (k + t) width
            moved.append(width ** i * sum(coefficients[m] * comb(m, i) * powers[m - i] for m in range(i, n + 1)))
        for b in range(n + 1):
            bound = max(bound, abs(sum(moved[i] * comb(b, i) / D(comb(n, i)) for i in range(b + 1))))
    return bound * UP


def difference(polynomial, series, low, high, rest):
    """An upper bound of |polynomial - function| on [low, high], the function given by its series but for `rest`."""
    longer = list(polynomial) + [D(0)] * (len(series) - len(polynomial))
    return largest([a - b for a, b in zip(longer, series)], low, high) + rest


def log_series(terms=28):
    """-ln(1 + x) / x, and what is left out for |x| <= 0.084"""
    return [D((-1) ** (i + 1)) / (i + 1) for i in range(terms)], D("0.084") ** terms


def cos_series(terms=14):
    """cos(x pi/4) / sqrt 2 in x^2; below 1e-30 is left out"""
    return [D((-1) ** i) * (PI / 4) ** (2 * i) / fact(2 * i) / D(2).sqrt() for i in range(terms)], D("1e-30")


def sin_series(terms=14):
    """sin(x pi/4) / (x sqrt 2) in x^2"""
    return [D((-1) ** i) * (PI / 4) ** (2 * i + 1) / fact(2 * i + 1) / D(2).sqrt() for i in range(terms)], D("1e-30")


def gappa(lines, goal, hypotheses):
    """The bound that gappa proves of an expression."""
    script = "\n".join(lines) + "\n{ " + " /\\ ".join(hypotheses) + f" -> |{goal}| in ? }}\n"
    if script in proved:
        return proved[script]
    out = subprocess.run(["gappa"], input=script, capture_output=True, text=True)
    found = re.search(r"in \[[^,]*,.*?\{([0-9.e+-]+), 2\^", out.stderr + out.stdout)
    if found is None:
        sys.exit("gappa proves nothing:\n" + script + out.stderr + out.stdout)
    proved[script] = D(found.group(1)) * (1 + D(10) ** -4)   # printed with few digits
    return proved[script]


def horner(coefficients, bits, variable, scaled):
    """Lines of gappa: the polynomial computed (h0) and exact (H0), coefficients with an error of their own where they are scaled."""
    lines, n = [], len(coefficients) - 1
    for i, c in enumerate(coefficients):
        lines.append(f"C{i} = {text_of(c)};")
        lines.append(f"c{i} = mul_rel<{bits}>(C{i}, 1);" if scaled else f"c{i} = C{i};")
    lines += [f"h{n} = c{n};", f"H{n} = C{n};"]
    for i in range(n - 1, -1, -1):
        lines.append(f"h{i} = fma_rel<{bits}>(h{i + 1}, {variable}, c{i});")
        lines.append(f"H{i} = H{i + 1} * {variable} + C{i};")
    return lines


def check(name, needed, given, places=2):
    global failed
    ok = needed <= given
    failed |= not ok
    say(f"{'ok    ' if ok else 'FAILED'} {name:44} needs {needed:.3e} = 2^{needed.ln() / LN2:.{places}f}, has {given:.3e}")


def octaves_hold(name, bits, constant, growth, unseen, given, least):
    """constant + growth(c) + unseen / (m - 1) <= given + UNSEEN / m  for least <= m < 2^(bits+1), 2^c <= m < 2^(c+1)"""
    worst = D(0)
    for c in range(bits + 1):
        low, high = max(D(2) ** c, D(least)), D(2) ** (c + 1)
        if low < high:
            help_of_unseen = (define("UNSEEN") - unseen * low / (low - 1)) / high
            worst = max(worst, constant + growth(c) - help_of_unseen)
    check(name, worst, given)


def log_table_error(c, u):
    """Largest |r' - r| over all m in [1, 2): r = m 2^(-(j+1)/8) - 1, r' = its rounded value with the table's c_j; and the range of r."""
    worst, low, high = D(0), D(0), D(0)
    for j, cj in enumerate(c):
        ideal = D(2) ** (D(-(j + 1)) / 8)
        for m in (1 + D(j) / 8, 1 + D(j + 1) / 8):
            r = m * ideal - 1
            worst = max(worst, m * abs(cj - ideal) + abs(m * cj - 1) * u)
            low, high = min(low, r), max(high, r)
    return worst * UP, low * UP - D(10) ** -9, high * UP + D(10) ** -9


def log_roundings(coefficients, bits, low, high, scaled):
    """Error of r q(r) by roundings of q's coefficients and of its evaluation, the product included."""
    lines = horner(coefficients, bits, "r", scaled) + [f"p = mul_rel<{bits}>(r, h0);", "P = r * H0;"]
    return gappa(lines, "p - P", [f"r in [{text_of(low)},{text_of(high)}]"])


def energy_bounds(u, bits, word_bits, c, q, scaled):
    """Absolute error of E in parts of the scale but for what grows with E, and what grows with E; without the polynomial's own."""
    table_error, low, high = log_table_error(c, u)
    roundings = log_roundings(q, bits, low, high, scaled)
    slope = 1 / (1 + low)   # of ln(1 + r)
    absolute = u * (1 + u) + slope * table_error + roundings
    # k unit with a relative error of 1.02 u and k ln2/8 <= E + ln(1 + high); the sum: u E; and both errors of their errors
    absolute += D("1.02") * u * (1 + high).ln() * 2
    relative = D("2.02") * u * (1 + D(2) ** -20)
    return absolute, relative, low, high


def near(series_and_rest):
    series, rest = series_and_rest
    return series, D(0), D(1), rest


def check_all():
    c64 = table("math/neg_log.inc", "neg_log_c")

    # ---- Laplace, doubles ----
    q = table("math/neg_log.inc", "neg_log_q_absolute")
    absolute, relative, low, high = energy_bounds(U, 53, 63, c64, q, True)
    series, rest = log_series()
    fit = difference([D(0)] + q, [D(0)] + series, low, high, rest)
    say(f"       logarithm, degree 8: r in [{low:.6f}, {high:.6f}], polynomial {fit:.3e}, all but growth {absolute + fit:.3e}")
    growth = relative + U * (1 + D(2) ** -20)   # and adding r
    octaves_hold("Laplace f64: LAPLACE_RADIUS", 62, absolute + fit, lambda c: growth * (63 - c) * LN2, D(1),
                 define("LAPLACE_RADIUS"), 2 ** 20)
    check("Laplace f64: small |V| is always open", D("0.25"), define("UNSEEN") * define("UNSEEN_LEAST") / 2 ** 20)
    check("sums: half an ulp of 1/2, of 1/4 twice", U / 2 + U / 4 + U / 4, define("F64_SUMS"))

    # ---- Gaussian, doubles ----
    q = table("math/neg_log.inc", "neg_log_q")
    absolute, relative, low, high = energy_bounds(U, 53, 63, c64, q, False)   # 2 q_i is exact
    # E is at least |r| for r in [-1/16, 0], 0.0645 above it and 0.55 below it
    fit = difference(q, series, D(-1) / 16, D(0), rest)
    for a, b, least in ((low, D(-1) / 16, D("0.55")), (D(0), high, D("0.0645"))):
        fit = max(fit, difference([D(0)] + q, [D(0)] + series, a, b, rest) / least)
    say(f"       logarithm, degree 9: polynomial {fit:.3e} E")
    cos, sin = table("noise/gaussian.inc", "angle_cos"), table("noise/gaussian.inc", "angle_sin")
    cos_fit, sin_fit = difference(cos, *near(cos_series())), difference(sin, *near(sin_series()))
    rounding = gaussian_roundings(cos, sin, U, 53)
    check_gaussian("f64", U, absolute, relative + fit, cos_fit, sin_fit, rounding, D(2) ** -51, 62, 2 ** 20, define("GAUSSIAN_RADIUS"),
                   None, define("NEAR_ZERO"))

    # ---- integers, first pass in floats ----
    c32, t32 = table("math/neg_log_f32.inc", "neg_log_f32_c"), table("math/neg_log_f32.inc", "neg_log_f32_t")
    q = table("math/neg_log_f32.inc", "neg_log_f32_q_fine")
    low, high, table_error = D(0), D(0), D(0)
    for j, (cj, tj) in enumerate(zip(c32, t32)):
        ends = [m * cj - 1 for m in (1 + D(j) / 8, 1 + D(j + 1) / 8)]
        low, high = min(low, *ends), max(high, *ends)
        table_error = max(table_error, abs(tj - (2 * cj).ln()))
    low, high = low - D("1e-9"), high + D("1e-9")
    roundings = log_roundings(q, 24, low, high, True)
    fit = difference(q, series, low, high, rest)
    most_r = max(-low, high)
    # conversion; table; rounding of r; S T_j; and ln(1 + r) where the polynomial's relative error is of more than E
    absolute = U32 * (1 + U32) + table_error + most_r * U32 / (1 + low) + roundings + U32 * max(t32) + 2 * fit * most_r
    # octaves times unit: ln 2 as a float and two products; two sums
    ln2_error = abs(exact(re.search(r"b \* (0x\S+f) \* VEC_OCTAVE", (ROOT / "math/neg_log_f32.inc").read_text()).group(1)) / LN2 - 1)
    relative = (2 * U32 + ln2_error + 2 * U32 + fit) * (1 + D(2) ** -15)
    say(f"       logarithm in floats, degree 4: polynomial {fit:.3e}, absolute {absolute:.3e}, relative {relative:.3e}")
    # what grows with E is a slope times the computed E', which is at least (1 - relative) E - absolute
    slope = define("F32_LAPLACE_SLOPE") * (1 - 4 * U32)
    check("Laplace f32: F32_LAPLACE_SLOPE", relative / (1 - relative), slope)
    check("Laplace f32: F32_LAPLACE", absolute * (1 + 2 * slope), define("F32_LAPLACE"))
    check("Laplace f32: unseen bits, m >= 80", D(80) / 79, define("UNSEEN"))
    check("Laplace f32: small |V| is always open", D("0.25"), define("UNSEEN") * define("F32_UNSEEN_LEAST") / 80)
    check("sums in floats: ulps of 1/4", 4 * U32 / 4, define("F32_SUMS"))
    cos, sin = table("noise/gaussian.inc", "angle_cos_f32"), table("noise/gaussian.inc", "angle_sin_f32")
    cos_fit, sin_fit = difference(cos, *near(cos_series())), difference(sin, *near(sin_series()))
    rounding = gaussian_roundings(cos, sin, U32, 24)
    check_gaussian("f32", U32, absolute, relative, cos_fit, sin_fit, rounding, D(2) ** -22, 30, 80, None,
                   define("F32_GAUSSIAN"), define("F32_NEAR_ZERO"))

    double_doubles()


def main():
    global failed, quiet
    check_all()
    good, quiet = not failed, True
    for name, factor in CONTROLS if "--quick" not in sys.argv else (CONTROLS[0], CONTROLS[-1]):
        changed.clear()
        changed[name] = D(factor)
        failed = False
        check_all()
        good &= failed
        print(f"control {name} times {factor} fails, as it must" if failed else f"FAILED control {name} times {factor}")
    return 0 if good else 1


def gaussian_roundings(cos, sin, u, bits):
    """Error of (c +- x d) R by roundings, in parts of R: c and d polynomials in the rounded y = x^2."""
    def derivative_times_y(a):
        return largest([i * b for i, b in enumerate(a)], D(0), D(1), 32)

    evaluation = sum(gappa(horner(a, bits, "y", True), "h0 - H0", ["y in [0,1]"]) for a in (cos, sin))
    c, d = largest(cos, D(0), D(1), 32), largest(sin, D(0), D(1), 32)
    return evaluation + u * (derivative_times_y(cos) + derivative_times_y(sin) + c + d + 1) * (1 + D(2) ** -15)   # R c, R x, their sum


def check_gaussian(name, u, absolute, relative, cos_fit, sin_fit, rounding, angle, bits, least, constant, slope, near_zero):
    """2E off by 2 absolute + relative 2E. Where 2E is small, and where m >= 2^bits the unseen bits too, that is an error over R."""
    unseen_here = D(2) ** -(bits - 1) * (1 + D(2) ** -(bits - 1)) * 2
    check(f"Gaussian {name}: NEAR_ZERO", (2 * absolute + unseen_here) * (1 + D(2) ** -10), near_zero)
    # in parts of R: half of 2E's relative error, the root, cos and sin and roundings, unseen bits of the angle, adding r
    per_r = (relative / 2 * (1 + D(2) ** -8) + u + cos_fit + sin_fit + rounding + angle * D("0.7853982")) * (1 + D(2) ** -15)
    if slope is not None:
        check(f"Gaussian {name}: F32_GAUSSIAN", per_r * (1 + 4 * u) * (1 + D(2) ** -15), slope)
        return
    per_r += u
    # unseen bits of V: E off by 1/(m-1), R >= sqrt(2 ln 2) for m < 2^bits
    unseen = 1 / (2 * LN2).sqrt()
    octaves_hold(f"Gaussian {name}: GAUSSIAN_RADIUS", bits - 1, D(0), lambda c: per_r * (2 * (bits + 1 - c) * LN2).sqrt(), unseen,
                 constant, least)


def double_doubles():
    """Series with a few terms in double-doubles and the rest in doubles: laplace_law.inc, gaussian_law.inc."""
    source = "".join((ROOT / "release/rounded" / law).read_text() for law in ("laplace_law.inc", "gaussian_law.inc"))
    pairs, terms = (int(re.search(r"#define OPEN_" + x + r"\s+(\d+)", source).group(1)) for x in ("ENERGY_PAIRS", "ENERGY_TERMS"))
    z = D("0.02944")
    tail = sum(z ** i / (2 * i + 1) for i in range(pairs, terms)) * 2 * (terms + 2) * U   # fused operations, z and c_i rounded
    cut = z ** terms / (2 * terms + 1) / (1 - z)
    doubles = 60 * U * U                                            # dd.inc: below 41 u^2 with all terms
    energy = D("0.3466") * (tail + cut) + 90 * doubles
    pairs, terms = (int(re.search(r"#define OPEN_" + x + r"\s+(\d+)", source).group(1)) for x in ("ANGLE_PAIRS", "ANGLE_TERMS"))
    tail = sum((PI / 4) ** (2 * i) / fact(2 * i) for i in range(pairs, terms)) * 2 * (terms + 2) * U
    cut = (PI / 4) ** (2 * terms) / fact(2 * terms) * 2
    part = 2 * (tail + cut) + 60 * doubles                          # cos +- sin
    # V as a double-double is off by 3.01 u^2; E <= 88, R / sqrt 2 <= 9.4
    check("double-doubles: Laplace", (energy + 4 * U * U) * UP, define("DD_RADIUS"))
    check("double-doubles: Gaussian, all but near R = 0", D("9.4") * (part + 60 * doubles), define("DD_RADIUS"))
    check("double-doubles: Gaussian, near R = 0", D("0.7072") * (energy + 4 * U * U), define("DD_NEAR_ZERO"))
    check("double-doubles: sums", 8 * U * U, define("DD_SUMS"))


def fact(n):
    product = D(1)
    for i in range(2, n + 1):
        product *= i
    return product


if __name__ == "__main__":
    sys.exit(main())
