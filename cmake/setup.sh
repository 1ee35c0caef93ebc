# setup.sh: what the run scripts need and a fresh Debian machine may lack. Sourced, POSIX sh; never ends the caller's
# script: what cannot be had is named on stderr and done without. Quiet when everything is there. With SIMDP_NO_INSTALL set
# nothing is installed.

# awk writes numbers as the user's language does, with a comma for one, which neither benchmarks nor tests read.
LC_ALL=C
export LC_ALL

simdp_say() { printf 'simdp: %s\n' "$*" >&2; }

# simdp_own_folder FOLDER: removes a build folder that came along when the tree was copied or moved, which cmake would
# refuse
simdp_own_folder() {
    [ -e "$1/CMakeCache.txt" ] || return 0
    simdp_made_for=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$1/CMakeCache.txt")
    [ "$simdp_made_for" -ef "$1" ] || rm -rf "$1"
}

# a package counts as there if dpkg says so, or if a program of its name is found (cmake from elsewhere is as good)
simdp_has_package() {
    command -v "$1" >/dev/null 2>&1 && return 0
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

simdp_apt() { DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=600 --no-install-recommends "$@"; }

simdp_may_install() {
    [ -z "${SIMDP_NO_INSTALL:-}" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1
}

# simdp_update_packages: fetches the lists of packages, once in a script
simdp_update_packages() {
    [ -z "${simdp_updated:-}" ] || return 0
    simdp_updated=yes
    simdp_apt update >/dev/null 2>&1 || simdp_say "apt-get update failed, trying with the old package lists"
}

# simdp_need_packages PACKAGE...: install the missing ones if we are root and may
simdp_need_packages() {
    simdp_missing=
    for simdp_package in "$@"; do
        simdp_has_package "$simdp_package" || simdp_missing="$simdp_missing $simdp_package"
    done
    [ -n "$simdp_missing" ] || return 0
    if ! simdp_may_install; then
        simdp_say "not installed:$simdp_missing; going on without (Debian, as root: apt-get install$simdp_missing)"
        return 0
    fi
    simdp_say "installing$simdp_missing"
    simdp_log=$(mktemp)
    simdp_update_packages
    # one by one if not all at once, so that one unknown name does not keep the others away
    if ! simdp_apt install $simdp_missing >"$simdp_log" 2>&1; then
        for simdp_package in $simdp_missing; do
            simdp_apt install "$simdp_package" >>"$simdp_log" 2>&1 ||
                simdp_say "could not install $simdp_package; going on without"
        done
        simdp_say "apt-get said: $(grep -E '^(E|Err)' "$simdp_log" | sort -u | head -n 3 | tr '\n' ' ')"
    fi
    rm -f "$simdp_log"
    return 0
}

# simdp_clangs: the commands of the system's default clang and of the newest clang that is there, one a line, once if they
# are the same version
simdp_clangs() {
    simdp_newest=$(IFS=:; for simdp_folder in $PATH; do ls "$simdp_folder" 2>/dev/null; done |
        grep -x 'clang-[0-9][0-9]*' | sort -u -t - -k 2n | tail -n 1)
    if ! command -v clang >/dev/null 2>&1; then
        [ -z "$simdp_newest" ] || echo "$simdp_newest"
        return 0
    fi
    echo clang
    [ -z "$simdp_newest" ] || [ "$(clang -dumpversion)" = "$($simdp_newest -dumpversion)" ] || echo "$simdp_newest"
}

simdp_newest_clang_package() {
    apt-cache search --names-only '^clang-[0-9]+$' 2>/dev/null | cut -d ' ' -f 1 | sort -t - -k 2n | tail -n 1
}

# simdp_need_clangs: installs the default clang and the newest one that the package lists know
simdp_need_clangs() {
    simdp_newest=
    if simdp_may_install; then
        simdp_newest=$(simdp_newest_clang_package)
        if [ -z "$simdp_newest" ]; then   # a fresh machine has no lists yet
            simdp_update_packages
            simdp_newest=$(simdp_newest_clang_package)
        fi
    fi
    simdp_need_packages clang $simdp_newest
}

simdp_make_mkl() {
    mkdir -p "$(dirname "$1")" && python3 -m venv "$1" &&
        "$1/bin/python" -m pip install --quiet --disable-pip-version-check mkl-devel mkl-include
}

# simdp_find_mkl: sets SIMDP_MKL_VENV to the private venv with MKL; empty if MKL is installed elsewhere
# (mkl_library.cmake sees it) or has no place. A value from the environment is kept. Fails if it is still to be installed.
simdp_find_mkl() {
    [ -z "${SIMDP_MKL_VENV:-}" ] || return 0
    SIMDP_MKL_VENV=
    if [ -n "${MKLROOT:-}" ] || [ -d /opt/intel/oneapi/mkl/latest ]; then return 0; fi
    if [ -z "${XDG_CACHE_HOME:-}${HOME:-}" ]; then
        simdp_say "neither XDG_CACHE_HOME nor HOME is set: no place for MKL, going on without"
        return 0
    fi
    simdp_cache=${XDG_CACHE_HOME:-$HOME/.cache}/simdp
    [ -d "$simdp_cache/mkl" ] || return 1
    SIMDP_MKL_VENV=$simdp_cache/mkl
}

# simdp_need_mkl: the same, and makes the venv at the first call
simdp_need_mkl() {
    ! simdp_find_mkl || return 0
    if [ -n "${SIMDP_NO_INSTALL:-}" ]; then
        simdp_say "not installed: MKL; going on without"
        return 0
    fi
    # made under another name and renamed when whole, so that an interrupted download is not taken for an installation
    simdp_say "installing MKL in $simdp_cache/mkl (pip: mkl-devel mkl-include; some minutes, about 1 GB)"
    simdp_new=$simdp_cache/mkl.new.$$
    simdp_log=$(mktemp)
    if simdp_make_mkl "$simdp_new" >"$simdp_log" 2>&1; then
        # another script may have been faster: then its copy stays
        mv -T "$simdp_new" "$simdp_cache/mkl" 2>/dev/null || true
        SIMDP_MKL_VENV=$simdp_cache/mkl
    else
        # the first complaint is the cause; the last one, that there is no such package, often only its consequence
        simdp_reason=$(grep -i -E 'error|cannot' "$simdp_log" | head -n 1 | cut -c 1-300)
        simdp_say "could not install MKL, going on without: $simdp_reason"
    fi
    rm -rf "$simdp_new" "$simdp_log"
    return 0
}

# simdp_python_with MODULE: a python3 that has the module, else any python3
simdp_python_with() {
    for simdp_python in python3 /usr/bin/python3; do
        "$simdp_python" -c "import $1" >/dev/null 2>&1 && break
        simdp_python=python3
    done
    echo "$simdp_python"
}
