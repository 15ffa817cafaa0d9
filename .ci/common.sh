# Shared by .ci/app and .ci/test: finds Python, makes the environment, asks for system packages.
# POSIX sh; sourced from the root of the project.

venv=.venv

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

# Runs a command as root: directly, or through sudo. Fails when neither is possible.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        sudo "$@"
    else
        return 1
    fi
}

# apt_install WHY PACKAGE...: installs Debian packages. Silent when all is well; otherwise the end
# of what apt-get said is shown.
apt_install() {
    why=$1
    shift
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1 || return 1
    say "Installing $* with apt-get: $why."
    apt_log=$(mktemp)
    # The lists may be missing (a bare system) or old (a file is gone): refresh them, try once more.
    if apt_get install "$@" >"$apt_log" 2>&1 ||
        { apt_get update >"$apt_log" 2>&1 && apt_get install "$@" >"$apt_log" 2>&1; }; then
        rm -f "$apt_log"
        return 0
    fi
    tail -n 5 "$apt_log" >&2
    rm -f "$apt_log"
    return 1
}

apt_get() {
    action=$1
    shift
    [ "$action" = install ] && set -- --no-install-recommends "$@"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$action" "$@" </dev/null
}

# Sets $python to the first Python that is new enough. TOKENARIUM_PYTHON names one to prefer.
find_python() {
    for python in ${TOKENARIUM_PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        command -v "$python" >/dev/null 2>&1 || continue
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && return 0
    done
    die "Python 3.11 or newer is needed and was not found. On Debian: apt-get install python3"
}

# Debian keeps what `python3 -m venv` needs in a package of its own.
need_venv_module() {
    has_venv_module && return 0
    apt_install "Python's venv module is missing" python3-venv && has_venv_module && return 0
    die "Python's venv module is missing and could not be installed here." \
        "As root, run: apt-get install python3-venv"
}

has_venv_module() { "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# One line that changes with a requirements file, the Python, or the place of the environment.
stamp_of() {
    "$python" -c '
import hashlib, os, sys
with open(sys.argv[1], "rb") as file:
    print(hashlib.sha256(file.read()).hexdigest(), sys.version.split()[0], os.getcwd())' "$1"
}

installed() {
    [ -x "$venv/bin/python" ] && [ "$(cat "$2" 2>/dev/null)" = "$(stamp_of "$1")" ]
}

# need_packages FILE...: an environment with these requirements. Made once; made anew when the
# first file changes; a stamp is written only after pip has ended well.
need_packages() {
    find_python
    installed "$1" "$venv/stamp-1" || {
        need_venv_module
        rm -rf "$venv"
        "$python" -m venv "$venv" || die "The environment $venv could not be made."
    }
    number=0
    for requirements in "$@"; do
        number=$((number + 1))
        installed "$requirements" "$venv/stamp-$number" && continue
        say "Installing $requirements into $venv (a minute or two, this time only)."
        "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input \
            -r "$requirements" || die "$requirements could not be installed; pip said why above."
        stamp_of "$requirements" >"$venv/stamp-$number"
    done
}
