"""usage: port_bound.py PROGRAM CORE [ROW...]
Cycles per output below which the ports of a core forbid the main loop of a kernel, from the object code of a simdp-bench.

From a row to its loop: the name of the row gives the symbol, its instruction set the unit that has it; of the innermost
loops of that function the main one is, among those that store and call nothing, the one with most rounds of the cipher and,
if that does not decide, with most vector instructions: words of the next step are made beside the work on this one. The
bytes that a turn stores, the stack left out, say how many outputs it makes. What a turn costs at least says a table of ports
that was measured, for the cores of AMD that are in it, else llvm-mca, if it is there and knows the core. (Its model of Zen 3 charges
multiply-adds of 256 bits twice.) Latencies are left out: it is a bound."""
import itertools
import os
import re
import shutil
import subprocess
import sys
import typing

UNITS = {"avx512": "unit_avx512.c", "avx2_vaes": "unit_avx2_vaes.c", "avx2_aesni": "unit_avx2_aesni.c"}
MODELS = {"zen2": "znver2", "zen3": "znver3", "zen4": "znver4", "zen5": "znver5", "haswell-x": "haswell",
          "broadwell-x": "broadwell", "skylake-x": "skylake-avx512", "cascade-lake": "cascadelake",
          "ice-lake-server": "icelake-server", "sapphire-rapids": "sapphirerapids", "emerald-rapids": "emeraldrapids"}
# Zen 3 and 4: what takes which of four ports, and for how many cycles at 256 bits; first match counts. 512 bits take twice
# as long. Others, logic, whole numbers, least and most, take any port. Quotients and roots take the divider, too. On Zen 3
# permutes across lanes hold both ports of multiply-adds for a cycle, and shifts share those of shuffles.
ZEN = ((r"vdiv", (0, 1), 1.5), (r"vsqrt", (0, 1), 1.0), (r"v(fn?m|mul|aes|p?cmp|blendv|pblendv|pmul)", (0, 1), 1.0),
       (r"v(add|sub|cvt)[a-z0-9]*|vps[lr][la]|vpro[lr]", (2, 3), 1.0),
       (r"v(perm|pshuf|shuf|punpck|unpck|palign|align|insert|extract|pexpand|pcompress)", (1, 2), 1.0),
       (r"v", (0, 1, 2, 3), 1.0))
ZEN3 = ((r"vperm(d|ps|q|pd|2)", (0, 1), 2.0), (r"vps[lr][la]", (1, 2), 1.0), *ZEN)
# Zen 5: every port does 512 bits in the time of 256; quotients and roots take as long for either. Comparisons to a mask
# share the ports of permutes, those of doubles and their least and most the ports of sums; shuffles within quarters of a
# vector by a constant take any port.
ZEN5 = ((r"v(div|sqrt)", (1,), 1.0), (r"v(fn?m|mul|aes|blendvp|pmul|pro[lr]|fixup)", (0, 1), 1.0),
        (r"v(p?cmp|ptest)\S* .*%k|vpmov[bwdq]2m", (1, 2), 1.0), (r"vpcmp(eq|gt)q|vpabs|vplzcnt|vpopcnt|vpmaxsq", (0, 3), 1.0),
        (r"v(reduce|scalef)", (2, 3), 2.0),
        (r"v(add|sub|cvt|cmp|max|min|get|round|rndscale|range)[a-z0-9]*|vps[lr][la]", (2, 3), 1.0),
        (r"v(pexpand|pcompress)", (1, 2), 2.0), (r"v(perm|pshufb|palign|align|insert|extract|pblendvb|rcp|rsqrt)", (1, 2), 1.0),
        (r"v", (0, 1, 2, 3), 1.0))


class Core(typing.NamedTuple):
    """What was measured of a core: its ports, what 512 bits cost there beside 256, cycles of the divider at 256 bits and
    what 512 cost it, bytes that a cycle stores, instructions that a cycle begins."""
    ports: tuple
    wide: float
    divider: tuple
    wide_divider: float
    stored: float
    begun: int


DIVIDER = ((r"vdiv", 4.5), (r"vsqrt", 8.0))
DIVIDER5 = ((r"vdivpd", 4.0), (r"vdivps", 2.5), (r"vsqrtpd", 7.0), (r"vsqrtps", 4.5))
CORES = {"zen3": Core(ZEN3, 2.0, DIVIDER, 2.0, 32.0, 6), "zen4": Core(ZEN, 2.0, DIVIDER, 2.0, 32.0, 6),
         "zen5": Core(ZEN5, 1.0, DIVIDER5, 1.0, 64.0, 8)}
ELSEWHERE = ("_run_f", "_walk_f")   # who has the loop of a function that leaves it to another one, the first that is there
SYMBOL = re.compile(r"noise/((?:uniform|exponential|laplace|gaussian|gumbel)_f(?:64|32))")


class NoBound(Exception):
    """str() says why."""


def output_of(*command, text=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoBound(f"{os.path.basename(command[0])}: {error}") from None
    if done.returncode != 0:
        raise NoBound(f"{os.path.basename(command[0])} failed")
    return done.stdout


def places(program):
    """{(unit, function): (address, bytes)}: local symbols follow the name of their file."""
    found, unit = {}, None
    for line in output_of("readelf", "-sW", program).splitlines():
        part = line.split()
        if len(part) == 8 and part[3] == "FILE":
            unit = part[7]
        elif len(part) == 8 and part[3] == "FUNC":
            found[unit, part[7]] = (int(part[1], 16), int(part[2], 0))
    return found


def instructions(listing):
    """[(address, text)] of what objdump prints."""
    return [(int(match[1], 16), match[2].split("#")[0].strip())
            for match in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", listing, re.MULTILINE)]


def stored_bytes(text):
    """What an instruction of vectors stores outside the stack."""
    match = re.match(r"v\S+ +%([xyz])mm\d+,\S*\((?!%rsp|%rbp)", text)
    return {"x": 16, "y": 32, "z": 64}[match[1]] if match else 0


def main_loop(code):
    """Its instructions; code: [(address, text)] of a function."""
    first, loops = code[0][0], []
    for address, text in code:
        jump = re.match(r"j\w+ +([0-9a-f]+)\b", text)
        if jump and first <= int(jump[1], 16) <= address:
            loops.append((int(jump[1], 16), address))
    inner = [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    bodies = [[text for address, text in code if low <= address <= high] for low, high in inner]
    bodies = [body for body in bodies if sum(map(stored_bytes, body)) > 0 and not any(t.startswith("call") for t in body)]
    if not bodies:
        raise NoBound("no loop that stores vectors")
    return max(bodies, key=lambda body: (sum("aesenc" in text for text in body), sum("mm" in text for text in body)))


def cycles_by_table(body, core):
    """The least time of a turn on a Core: no set of ports has more work than it can do."""
    work, stores, divider = {}, 0.0, 0.0
    for text in body:
        name, is_wide = text.split()[0], "%zmm" in text
        if name.startswith("vmov") or not name.startswith("v"):
            stores += (2.0 if is_wide else 1.0) * 32.0 / core.stored if stored_bytes(text) else 0.0
            continue   # loads have ports of their own; moves need none
        ports, cycles = next((ports, cycles) for form, ports, cycles in core.ports if re.match(form, text))
        divider += (core.wide_divider if is_wide else 1.0) * sum(cost for form, cost in core.divider if re.match(form, name))
        work[ports] = work.get(ports, 0.0) + (core.wide if is_wide else 1.0) * cycles
    sets = [group for count in range(1, 5) for group in itertools.combinations(range(4), count)]
    busiest = max(sum(w for ports, w in work.items() if set(ports) <= set(group)) / len(group) for group in sets)
    return max(busiest, stores, divider, len(body) / core.begun)


def cycles_by_model(body, tool, model):
    """The same by llvm-mca; None if it does not know the core or an instruction."""
    text = "\n".join("nop" if line.startswith("j") else line.split("<")[0] for line in body)
    try:
        found = re.search(r"Block RThroughput: +([0-9.]+)", output_of(tool, f"-mcpu={model}", "-iterations=1", text=text))
    except NoBound:
        return None
    return float(found[1]) if found else None


def models_tool():
    newest = [f"llvm-mca-{version}" for version in range(30, 13, -1)]
    return next(filter(None, map(shutil.which, newest + ["llvm-mca"])), None)


def cycles(body, core, tool):
    if core in CORES:
        return cycles_by_table(body, CORES[core])
    by_model = cycles_by_model(body, tool, MODELS[core]) if tool and core in MODELS else None
    if by_model is None:
        raise NoBound(f"no model of {core}")
    return by_model


class Program:
    """The object code of a simdp-bench on a core."""

    def __init__(self, program, core):
        self.program, self.core, self.known, self.tool = program, core, {}, models_tool()
        try:
            self.places, self.broken = places(program), None
        except NoBound as error:
            self.broken = str(error)

    def turn(self, unit, symbol):
        """(cycles, bytes stored) of a turn of the main loop."""
        if self.broken:
            raise NoBound(self.broken)
        if (unit, symbol) not in self.places:
            raise NoBound(f"{unit} has no {symbol}")
        address, size = self.places[unit, symbol]
        body = main_loop(instructions(output_of("objdump", "-d", "--no-show-raw-insn", f"--start-address={address}",
                                                f"--stop-address={address + size}", self.program)))
        return cycles(body, self.core, self.tool), sum(map(stored_bytes, body))

    def of(self, row, bytes_per_item):
        """Cycles per output of a row by its name; NoBound if there is no way from it to a loop."""
        what, who = row.rsplit("/", 2)[:2]
        symbol = SYMBOL.fullmatch(what)
        if who not in UNITS or not symbol:
            raise NoBound("no vector code" if who not in UNITS else "its time is not that of one loop")
        unit, names = UNITS[who], [symbol[1].replace("_f", infix) for infix in ELSEWHERE]
        key = unit, next((name for name in names if (unit, name) in getattr(self, "places", ())), symbol[1])
        if key not in self.known:
            try:
                self.known[key] = self.turn(*key)
            except NoBound as error:
                self.known[key] = error
        if isinstance(self.known[key], NoBound):
            raise self.known[key]
        turn, stored = self.known[key]
        return turn * bytes_per_item / stored


def annotate(rows, program, core):
    """Gives rows of raw.json that are ours port_cycles, or no_bound with the reason."""
    code = Program(program, core)
    for row in rows:
        if row["name"].split("/")[2] not in (*UNITS, "scalar") or "skipped" in row:
            continue
        try:
            row["port_cycles"] = float(f"{code.of(row['name'], row['bytes_per_item']):.4g}")
        except NoBound as error:
            row["no_bound"] = str(error)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    code = Program(sys.argv[1], sys.argv[2])
    for row in sys.argv[3:]:
        try:
            print(f"{row}: {code.of(row, 8 if '_f64' in row else 4):.3f} cycles")
        except NoBound as error:
            print(f"{row}: - ({error})")


if __name__ == "__main__":
    main()
