"""Where a simdp-bench comes from: this tree, a commit, a baseline that was kept, with one compiler or another."""
import os
import shutil
import subprocess
import sys

import report_data

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BASELINES = os.path.join(ROOT, "build", "baselines")


class NoProgram(Exception):
    """A simdp-bench that cannot be had: str() says why."""


def say(text):
    print(f"simdp: {text}", file=sys.stderr, flush=True)


def is_of(folder):
    """Does a build folder belong to where it lies? One that was copied along with its tree is refused by cmake."""
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as file:
            made_for = next((line.partition("=")[2].strip() for line in file if line.startswith("CMAKE_CACHEFILE_DIR:")), "")
    except OSError:
        return True
    return os.path.exists(made_for) and os.path.samefile(made_for, folder)


def make(source, folder, target, compiler, mkl):
    """Configures and builds one target of a source tree."""
    if not is_of(folder):
        shutil.rmtree(folder)
    os.makedirs(folder, exist_ok=True)
    environment = {**os.environ, **({"CC": compiler} if compiler else {})}
    log_path = os.path.join(folder, "log.txt")
    configure = ["cmake", "-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DSIMDP_BUILD_TESTS=OFF",
                 "-DSIMDP_BUILD_COMMAND=OFF", "-DSIMDP_INSTALL=OFF", f"-DSIMDP_WITH_MKL={'ON' if mkl else 'OFF'}",
                 f"-DSIMDP_MKL_VENV={os.environ.get('SIMDP_MKL_VENV', '')}"]
    made = ["cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", target]
    say(f"building in {os.path.relpath(folder)}")
    with open(log_path, "w", encoding="utf-8") as log:
        for command in (configure, made):
            try:
                done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environment, check=False)
            except OSError as error:
                raise NoProgram(f"{command[0]}: {error.strerror}") from None
            if done.returncode != 0:
                log.flush()
                with open(log_path, encoding="utf-8") as file:
                    tail = "".join(file.readlines()[-20:])
                raise NoProgram(f"{tail}the build failed; all of its output is in {os.path.relpath(log_path)}")


def build(source, folder, compiler=None, mkl=True):
    """The simdp-bench of a source tree."""
    make(source, folder, "simdp-bench", compiler, mkl)
    program = os.path.join(folder, "bench", "simdp-bench")
    if not os.access(program, os.X_OK):
        raise NoProgram("there is no simdp-bench to run (Debian: libbenchmark-dev)")
    return program


def folder_of(compiler):
    """Where this tree is built by a compiler."""
    name = compiler or os.environ.get("CC")
    return os.path.join(ROOT, "build", "bench" + (f"-{os.path.basename(name)}" if name else ""))


def build_libraries(compilers):
    """What every simdp-bench of this tree is linked with, and needs no MKL."""
    for compiler in compilers if not os.environ.get("SIMDP_BENCH") else []:
        make(ROOT, folder_of(compiler), "simdp", compiler, False)


def build_all(compilers, mkl):
    """[(compiler, program)] of this tree."""
    if os.environ.get("SIMDP_BENCH"):
        if not os.access(os.environ["SIMDP_BENCH"], os.X_OK):
            raise NoProgram("there is no simdp-bench to run")
        return [(None, os.environ["SIMDP_BENCH"])]
    return [(compiler, build(ROOT, folder_of(compiler), compiler, mkl)) for compiler in compilers]


def commit_of(text):
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def of_commit(commit):
    """Builds a commit beside this tree, in build/compare, from its files alone."""
    folder = os.path.join(ROOT, "build", "compare", commit[:12])
    source, made = os.path.join(folder, "source"), os.path.join(folder, "build")
    if not os.path.isdir(source):
        os.makedirs(source + ".new", exist_ok=True)
        archive = subprocess.Popen(["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE)
        done = subprocess.run(["tar", "-xf", "-", "-C", source + ".new"], stdin=archive.stdout, check=False)
        if archive.wait() != 0 or done.returncode != 0:
            raise NoProgram(f"git archive {commit} failed")
        os.rename(source + ".new", source)
    return build(source, made)


def keep_baseline(name, raw, compiler, mkl):
    """Numbers, and the program that made them, under a name."""
    folder = os.path.join(BASELINES, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    report_data.write_raw(os.path.join(folder, "raw.json"), raw)
    shutil.copy2(build_all([compiler], mkl)[0][1], os.path.join(folder, "simdp-bench"))
    return folder


def find(text):
    """What a word of --compare means: ("program", path), ("recorded", folder), ("tree", None) or ("commit", its name)."""
    if text == ".":
        return "tree", None
    for folder in (os.path.join(BASELINES, text), text, os.path.join(ROOT, "perf-results", text),
                   os.path.join(ROOT, "build", "results", text)):
        if os.access(os.path.join(folder, "simdp-bench"), os.X_OK):
            return "program", os.path.join(folder, "simdp-bench")
        if os.path.isfile(os.path.join(folder, "raw.json")):
            return "recorded", folder
    if os.path.isfile(text) and os.access(text, os.X_OK):
        return "program", os.path.abspath(text)
    commit = commit_of(text)
    if commit is None:
        raise NoProgram(f"{text}: neither a baseline, a folder with a raw.json, a simdp-bench nor a commit")
    return "commit", commit


def program(kind, what):
    """The path of a simdp-bench that find() found, built if there is none yet."""
    if kind == "tree":
        return build_all([None], True)[0][1]
    return of_commit(what) if kind == "commit" else what
