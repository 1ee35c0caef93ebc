"""How far a row could go at most: the lowest of the ceilings that are known for it. Store bandwidth and the rounds of the
cipher were measured in the same run; port bounds are those that port_bound.py found in the object code of that run."""
import re

import report_machine

# cycles per sample on (core, instruction set), for records whose rows have no port_cycles: counted by hand
PORT_BOUNDS = {
    ("zen4", "avx512"): {"noise/laplace_f64": 2.50, "noise/gaussian_f64": 2.94, "noise/gumbel_f64": 3.88,
                         "noise/laplace_f32": 0.88, "noise/gumbel_f32": 1.19},
}
CIPHERED = re.compile(r"(rng|bits)/words|noise/[a-z]+_f(64|32)")   # one word, or half of one, for each output
ROUNDS_SAVED = 10 / 8     # words need eight rounds of ten: a table has the first two
LEVELS = ("l1", "l2", "l3", "dram")


class Ceilings:
    def __init__(self, result):
        self.core = report_machine.microarchitecture(result.machine["model"])
        self.ghz = sorted(g for row in result.every_row if row.skipped is None for g in row.ghz)
        self.roofs = {(row.what, row.who, row.n): row for row in result.rows if row.room == "roof" and row.skipped is None}
        self.sizes = {}   # level: bytes of the array that was walked there
        for (what, _, n), row in self.roofs.items():
            if what.startswith("roof/store."):
                self.sizes[what.rpartition(".")[2]] = n * row.bytes_per_item

    def stores(self, row):
        """(bytes a second, name) of plain stores to where the outputs of a row go, or None."""
        isa = "avx512" if row.who == "avx512" else "avx2"
        need = row.n * row.bytes_per_item
        level = next((name for name in LEVELS if need <= 2 * self.sizes.get(name, 0)), "dram")
        found = [r for (what, who, _), r in self.roofs.items() if what == f"roof/store.{level}" and who == isa]
        if found:
            return found[0].bytes_rate, f"stores, {level.upper()}"
        plain = self.roofs.get(("roof/store", "memset", row.n))
        return (plain.bytes_rate, "stores") if plain else None

    def cipher(self, row):
        """Words a second of the cipher's rounds alone, or None."""
        found = [r.rate for (what, who, _), r in self.roofs.items() if what == "roof/aes" and who == row.who]
        return ROUNDS_SAVED * max(found) if found else None

    def of(self, row):
        """(rate, name) of the lowest ceiling of one of our rows, or None if none is known."""
        if not row.is_ours or row.skipped is not None or row.who == "scalar" or row.room not in ("rng", "bits", "noise", "release"):
            return None
        known = []
        stores = self.stores(row)
        if stores:
            known.append((stores[0] / row.bytes_per_item, stores[1]))
        cipher = self.cipher(row) if CIPHERED.fullmatch(row.what) else None
        if cipher:
            known.append((cipher * 8 / row.bytes_per_item, "AES rounds"))
        cycles = row.port_cycles or not row.no_bound and PORT_BOUNDS.get((self.core, row.who), {}).get(row.what)
        if cycles:
            known.append((self.ghz[len(self.ghz) // 2] * 1e9 / cycles, "ports"))
        return min(known) if known else None

    def share(self, row):
        """Of its bound that a row reaches, or None."""
        bound = self.of(row)
        return row.rate / bound[0] if bound else None
