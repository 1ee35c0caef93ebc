"""The package as a reader meets it: every function of the C headers is there or is excused, docstrings run, stubs say what
there is, the command works."""
import doctest
import glob
import inspect
import os
import re
import subprocess
import sys
import unittest

import numpy
import simdp
from simdp import _simdp

ROOT = os.environ["SIMDP_ROOT"]
MODULES = [simdp.account, simdp.audit, simdp.loss, simdp.noise, simdp.release, simdp.select, simdp.theory]

# Functions of C that Python does not have under their own names, and why.
ELSEWHERE = {
    "simdp_status_text": "the text of exceptions", "simdp_version": "version()",
    "simdp_isa_select": "isa_select()", "simdp_isa_name": "isa_name()", "simdp_isa_variant": "isa_variant()",
    "simdp_rng_init": "Rng()", "simdp_rng_init_deterministic": "Rng(key=)", "simdp_rng_seek": "Rng.seek",
    "simdp_rng_position": "Rng.position", "simdp_rng_wipe": "Rng.close", "simdp_rng_words": "Rng.words", "simdp_rng_id": "release.ids",
    "simdp_rng_ids": "release.ids and simdp.spark",
    "simdp_pld_create": "account.Pld", "simdp_pld_destroy": "the end of an account.Pld",
    "simdp_select_workspace": "select.Prepared", "simdp_select_prepare": "select.Prepared",
    "simdp_select_prepare_f32": "select.Prepared", "simdp_account_bound_name": "account.bounds",
    "simdp_theory_filter_open": "theory.Filter", "simdp_select_threshold_wipe": "the end of a select.Threshold",
    "simdp_rng_init_vsl": "MKL is not part of the package", "simdp_vsl_brng": "MKL is not part of the package",
}
# where functions with a prefix of their own are, and names that changed with the shape of a call
MOVED = [(r"^simdp_noise_(discrete_\w+)_i64$", r"Rng.\1"), (r"^simdp_noise_(\w+)_f(?:64|32)_add$", r"Rng.add_\1"),
         (r"^simdp_noise_(\w+)_f(?:64|32)$", r"Rng.\1"), (r"^simdp_release_(\w+?)(?:_private|_f32|_i64)?(?:_by_id)?$", r"release.\1"),
         (r"^simdp_select_threshold_open$", r"select.Threshold"), (r"^simdp_select_threshold_ask$", r"select.Threshold.ask"),
         (r"^simdp_release_(\w+_threshold)_i64$", r"release.\1"), (r"^simdp_select_prepared(?:_vartime)?$", r"select.Prepared.draw"),
         (r"^simdp_select_(\w+?)(?:_vartime)?(?:_f32)?(?:_by_id)?$", r"select.\1"),
         (r"^simdp_(renyi_\w+)$", r"loss.\1"), (r"^simdp_loss_statistics_estimates$", r"loss.Statistics.tails"),
         (r"^simdp_loss_statistics_init$", r"loss.Statistics"), (r"^simdp_loss_statistics_(\w+)$", r"loss.Statistics.\1"),
         (r"^simdp_loss_audit_run$", r"audit.run"), (r"^simdp_loss_audit_init$", r"audit.Audit"),
         (r"^simdp_loss_audit_(\w+)$", r"audit.Audit.\1"), (r"^simdp_loss_(\w+)_f(?:64|32)$", r"loss.\1"),
         (r"^simdp_loss_(\w+)_f64_each$", r"loss.\1_each"), (r"^simdp_(delta_\w+)$", r"loss.\1"),
         (r"^simdp_pld_grid$", r"account.pld_grid"), (r"^simdp_pld_(\w+)$", r"account.Pld.\1"),
         (r"^simdp_theory_filter_(\w+)$", r"theory.Filter.\1"), (r"^simdp_([a-z]+)_(\w+)$", r"\1.\2")]


def public_functions():
    found = []
    for path in glob.glob(os.path.join(ROOT, "include", "simdp", "*.h")):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
        found += re.findall(r"^SIMDP_API\b[^;(]*?\b(\w+)\(", text, re.M)
    return found


def is_there(name):
    for pattern, place in MOVED:
        if re.match(pattern, name):
            thing = simdp
            for part in re.sub(pattern, place, name).split("."):
                thing = getattr(thing, part, None)
            return thing is not None
    return False


class Package(unittest.TestCase):
    def test_every_function_of_the_headers(self):
        functions = public_functions()
        self.assertGreater(len(functions), 150)
        self.assertEqual([f for f in functions if f not in ELSEWHERE and not is_there(f)], [])
        self.assertEqual([f for f in ELSEWHERE if f not in functions], [], "excuses for functions that are gone")
        self.assertFalse(is_there("simdp_release_unheard_of"))

    def test_docstrings(self):
        words = {"simdp": simdp, "numpy": numpy}
        for module in MODULES:
            self.assertEqual(doctest.testmod(module, extraglobs=words).failed, 0, module.__name__)
        runner, parser = doctest.DocTestRunner(), doctest.DocTestParser()
        for holder in (simdp, _simdp, _simdp.Rng, _simdp.BitGenerator):
            for name, thing in [("itself", holder), *vars(holder).items()]:
                text = getattr(thing, "__doc__", None) or ""
                if ">>>" in text:
                    runner.run(parser.get_doctest(text, dict(words), name, None, 0))
        self.assertGreater(runner.tries, 20)
        self.assertEqual(runner.failures, 0)

    def test_every_public_function_has_a_docstring(self):
        for module in MODULES:
            for name in module.__all__:
                thing = getattr(module, name)
                self.assertTrue(thing.__doc__, f"{module.__name__}.{name}")
                if inspect.isfunction(thing):
                    self.assertIn(">>>", thing.__doc__, f"{module.__name__}.{name}")

    def test_stub_names_what_there_is(self):
        with open(os.path.join(os.path.dirname(simdp.__file__), "_simdp.pyi"), encoding="utf-8") as file:
            stub = file.read()
        named = set(re.findall(r"^(?:def|class) (\w+)", stub, re.M)) | set(re.findall(r"^(\w+):", stub, re.M))
        there = {name for name in vars(_simdp) if not name.startswith("__")}
        self.assertEqual(sorted(there - named), [])
        self.assertEqual(sorted(named - there), [])
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(simdp.__file__), "py.typed")))

    def test_records_have_the_members_of_c(self):
        from simdp._forms import TYPES
        for module in MODULES:
            for name, thing in vars(module).items():
                if isinstance(thing, type) and issubclass(thing, tuple) and thing.__module__ == module.__name__:
                    fields = set(thing._fields)
                    python_only = {"Request", "Step", "Interaction", "Bounds"}
                    self.assertTrue(name in python_only or any(fields == set(t.names) for t in TYPES.values()), name)

    def test_seams_and_pages_are_short(self):
        folder = os.path.join(ROOT, "include", "python")
        for pattern, screen in (("simdp/seams/*.py", 50), ("docs/*.md", 100)):
            paths = glob.glob(os.path.join(folder, pattern))
            self.assertGreater(len(paths), 5)
            for path in paths:
                with open(path, encoding="utf-8") as file:
                    self.assertLessEqual(len(file.readlines()), screen, path)

    def test_command(self):
        def run(*words):
            return subprocess.run([sys.executable, "-m", "simdp", *words], capture_output=True, text=True, check=False)
        self.assertIn("simdp help COMMAND", run("help").stdout)
        self.assertEqual(run("unheard-of").returncode, 2)
        drawn = run("words", "--help")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)

    def test_readme_examples(self):
        with open(os.path.join(ROOT, "include", "python", "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreater(len(blocks), 0)
        for block in blocks:
            exec(compile(block, "README.md", "exec"), {})   # pylint: disable=exec-used


if __name__ == "__main__":
    unittest.main()
