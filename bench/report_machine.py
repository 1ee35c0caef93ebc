"""The machine and the tree that a result comes from. Only what a reader of numbers needs: no host names, no paths."""
import os
import platform
import re
import subprocess

ISA_FLAGS = ("aes", "avx2", "fma", "vaes", "avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512ifma")


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def machine():
    first = read("/proc/cpuinfo").split("\n\n")[0]
    facts = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in first.splitlines())}
    flags = facts.get("flags", "").split()
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', read("/etc/os-release"), re.MULTILINE)
    kernel = ".".join(platform.release().split(".")[:2])   # what follows says who built it
    return {
        "cpu": facts.get("model name") or "unknown CPU",
        "model": " ".join(f"{key} {facts.get(name, '?')}" for key, name in
                          (("family", "cpu family"), ("model", "model"), ("stepping", "stepping"))),
        "cpus": os.cpu_count(),
        "isa": " ".join(flag for flag in ISA_FLAGS if flag in flags),
        "virtual": "hypervisor" in flags,
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or "not visible",
        "system": f"{system.group(1) if system else 'unknown system'}, Linux {kernel}",
    }


def git(root, *arguments):
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def commit(root):
    name = git(root, "rev-parse", "--short=12", "HEAD")
    if name is None:
        return "unknown"
    changes = git(root, "status", "--porcelain", "--", ".", ":!perf-results")
    return name + (" and uncommitted changes" if changes else "")


def slug(text):
    """A name for a folder: "Intel(R) Xeon(R) Gold 6430 CPU @ 2.10GHz" gives intel-xeon-gold-6430."""
    text = re.sub(r"\((r|tm|c)\)|@.*|\b(cpu|processor|\d+-core)\b", " ", text.lower())
    return re.sub(r"[^a-z0-9.]+", "-", text).strip("-.") or "unknown"
