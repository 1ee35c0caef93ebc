"""Other libraries, from Python, for sh bench/run --peers: a venv of their own, made at first, and the programs of bench/peers
that call them beside ours."""
import os
import shutil
import subprocess
import sys

import programs
from programs import say

PACKAGES = ("numpy", "opendp", "python-dp", "dp-accounting", "prv-accountant", "autodp")
SCRIPTS = {"peers_release.py": "--out", "peers_select.py": "--output", "peers_account.py": "--output"}   # and where results go


def venv():
    """Where the libraries are kept, or None."""
    home = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("HOME") and os.path.join(os.environ["HOME"], ".cache"))
    return os.path.join(home, "simdp", "peers") if home else None


def python():
    """A Python that has what could be had of them."""
    folder = venv()
    if folder is None or (os.environ.get("SIMDP_NO_INSTALL") and not os.path.isdir(folder)):
        say(f"other libraries are not installed; of {', '.join(PACKAGES)} this Python has what it has")
        return sys.executable
    if not os.path.isdir(folder):
        made = f"{folder}.new.{os.getpid()}"   # renamed when whole
        say(f"installing other libraries in {folder}: {', '.join(PACKAGES)}")
        commands = [[sys.executable, "-m", "venv", made]]
        commands += [[os.path.join(made, "bin", "python"), "-m", "pip", "install", "--quiet", name] for name in PACKAGES]
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        for command in commands:   # one by one: one that cannot be had does not keep the others away
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                say(f"could not install {command[-1]}, going on without: {done.stderr.strip().splitlines()[-1:]}")
        if not os.path.exists(os.path.join(made, "bin", "python")):
            shutil.rmtree(made, ignore_errors=True)
            return sys.executable
        os.rename(made, folder)
    return os.path.join(folder, "bin", "python")


def run(folder, compiler):
    """Each program by itself; what they print goes to the terminal, and their numbers to the folder."""
    programs.make(programs.ROOT, programs.folder_of(compiler), "simdp-shared", compiler, False)
    library = os.path.join(programs.folder_of(compiler), "libsimdp.so")
    interpreter = python()
    os.makedirs(folder, exist_ok=True)
    for name, option in SCRIPTS.items():
        file = os.path.join(folder, name.removeprefix("peers_").removesuffix(".py") + ".json")
        script = os.path.join(programs.ROOT, "bench", "peers", name)
        done = subprocess.run([interpreter, script, "--library", library, option, file], check=False)
        if done.returncode != 0:
            say(f"{name} ended with status {done.returncode}")
    say(f"numbers of other libraries are in {os.path.relpath(folder)}")
