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


def caches():
    """[{"type", "level", "size"}] that the first CPU sees."""
    found = []
    for index in range(8):
        folder = f"/sys/devices/system/cpu/cpu0/cache/index{index}"
        size = re.fullmatch(r"(\d+)K", read(f"{folder}/size").strip())
        level = read(f"{folder}/level").strip()
        if size and level.isdigit():
            found.append({"type": read(f"{folder}/type").strip(), "level": int(level), "size": 1024 * int(size.group(1))})
    return found


def cores():
    """Physical cores, as far as the system tells; a core with two threads is two CPUs."""
    found = {tuple(re.findall(r"^(?:physical id|core id)\s*: (\d+)", block, re.MULTILINE))
             for block in read("/proc/cpuinfo").split("\n\n") if block.strip()}
    return len(found) if all(len(place) == 2 for place in found) else os.cpu_count()


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
        "cores": cores(),
        "caches": caches(),
        "isa": " ".join(flag for flag in ISA_FLAGS if flag in flags),
        "virtual": "hypervisor" in flags,
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or "not visible",
        "system": f"{system.group(1) if system else 'unknown system'}, Linux {kernel}",
    }


# Microarchitectures by family, first and last model and, where several share a model number, last stepping.
MICROARCHITECTURES = (
    (6, 60, 60, None, "haswell"), (6, 63, 63, None, "haswell-x"), (6, 69, 70, None, "haswell"),
    (6, 61, 61, None, "broadwell"), (6, 71, 71, None, "broadwell"), (6, 79, 79, None, "broadwell-x"),
    (6, 86, 86, None, "broadwell-x"), (6, 78, 78, None, "skylake"), (6, 94, 94, None, "skylake"),
    (6, 85, 85, 4, "skylake-x"), (6, 85, 85, 9, "cascade-lake"), (6, 85, 85, None, "cooper-lake"),
    (6, 142, 142, None, "kaby-lake"), (6, 158, 158, None, "kaby-lake"), (6, 165, 166, None, "comet-lake"),
    (6, 102, 102, None, "cannon-lake"), (6, 106, 106, None, "ice-lake-server"), (6, 108, 108, None, "ice-lake-server"),
    (6, 125, 126, None, "ice-lake"), (6, 140, 141, None, "tiger-lake"), (6, 167, 167, None, "rocket-lake"),
    (6, 143, 143, None, "sapphire-rapids"), (6, 207, 207, None, "emerald-rapids"),
    (6, 173, 174, None, "granite-rapids"), (6, 175, 175, None, "sierra-forest"),
    (6, 221, 221, None, "clearwater-forest"), (6, 151, 151, None, "alder-lake"), (6, 154, 154, None, "alder-lake"),
    (6, 190, 190, None, "gracemont"), (6, 183, 183, None, "raptor-lake"), (6, 186, 186, None, "raptor-lake"),
    (6, 191, 191, None, "raptor-lake"), (6, 170, 170, None, "meteor-lake"), (6, 172, 172, None, "meteor-lake"),
    (6, 189, 189, None, "lunar-lake"), (6, 181, 181, None, "arrow-lake"), (6, 197, 198, None, "arrow-lake"),
    (6, 204, 204, None, "panther-lake"),
    (23, 0x00, 0x2f, None, "zen1"), (23, 0x50, 0x5f, None, "zen1"), (23, 0x30, 0x4f, None, "zen2"),
    (23, 0x60, 0x7f, None, "zen2"), (23, 0x90, 0xaf, None, "zen2"),
    (25, 0x00, 0x0f, None, "zen3"), (25, 0x20, 0x5f, None, "zen3"),
    (25, 0x10, 0x1f, None, "zen4"), (25, 0x60, 0xaf, None, "zen4"),
    (26, 0x00, 0x2f, None, "zen5"), (26, 0x40, 0x4f, None, "zen5"), (26, 0x60, 0x7f, None, "zen5"),
)


def microarchitecture(model):
    """From "family 25 model 1 stepping 1": zen3; a CPU that is not in the list keeps its numbers."""
    numbers = re.fullmatch(r"family (\d+) model (\d+) stepping (\d+)", model)
    if not numbers:
        return "unknown"
    family, number, stepping = map(int, numbers.groups())
    for row_family, first, last, last_stepping, name in MICROARCHITECTURES:
        if family == row_family and first <= number <= last and (last_stepping is None or stepping <= last_stepping):
            return name
    return f"family{family}-model{number}"


def folder_name(date, machine_facts, compiler):
    """One for each day, CPU, microarchitecture and compiler: virtual machines call a Zen 3 and a Zen 4 both AMD EPYC."""
    core = microarchitecture(machine_facts["model"])
    return f"{date[:10]}_{slug(machine_facts['cpu'])}-{core}_{slug(compiler)}"


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
