# Shared by the scripts beside this folder; sourced, never run.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly ROOT
readonly MINIMUM_SWIFT=6.3
readonly REQUIRED_PACKAGES=(libssl-dev libsqlite3-dev libcurl4-openssl-dev libmicrohttpd-dev libpq-dev)

# Prints the comment at the top of the calling script: what --help shows.
show_help() {
    sed -n -e '1d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "$0"
}

# Shows the help and ends when it is asked for.
help_if_asked() {
    case ${1:-} in
        -h | --help)
            show_help
            exit 0
            ;;
    esac
}

# Refuses arguments to a script that takes none.
refuse_arguments() {
    if (($# > 0)); then
        fail "Unknown argument '$1': see $(basename "$0") --help." 64
    fi
}

# say TEXT…: one line for the person, on standard error.
say() {
    printf '%s\n' "$*" >&2
}

# step TEXT…: starts a part of the work, with the time since the script began.
step() {
    printf '\n==> [%d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2
}

# fail TEXT [CODE]: says what to do and ends.
fail() {
    say "$(basename "$0"): $1"
    exit "${2:-1}"
}

# Runs a command as root, through sudo when needed.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "This needs root and there is no sudo. Run as root: $*"
    fi
}

# Ends one process that this script started and waits for it: 5 s to end by itself, then it is killed.
end_process() {
    local pid=$1 attempt
    kill "$pid" 2>/dev/null || return 0
    for ((attempt = 0; attempt < 50; attempt++)); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}
