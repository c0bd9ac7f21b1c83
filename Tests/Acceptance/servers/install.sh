#!/usr/bin/env bash
# usage: install.sh glewlwyd|canaille|django-oauth-toolkit
#
# Installs one server where it is missing. Glewlwyd comes from Debian; the others get a Python environment of
# their own from PyPI, every version pinned in requirements-NAME.txt.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$REPOSITORY/scripts/lib/common.sh"
source "$REPOSITORY/scripts/lib/packages.sh"

install_environment() {
    local name=$1 folder=$CACHE/$1 pins=$HERE/requirements-$1.txt
    if cmp -s "$pins" "$folder/installed.txt"; then
        return
    fi
    say "Installing $name into $folder"
    rm -rf "$folder"
    mkdir -p "$CACHE"
    /usr/bin/python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --no-deps --disable-pip-version-check --requirement "$pins" >&2
    cp "$pins" "$folder/installed.txt"
}

case ${1:-} in
    glewlwyd)
        if [[ -n $(missing_packages glewlwyd) ]]; then
            # Otherwise its installation sets up a database for the whole machine.
            read_lists_if_absent
            install_packages debconf
            as_root debconf-set-selections <<<"glewlwyd glewlwyd/config_type select No configuration"
        fi
        install_packages glewlwyd glewlwyd-common sqlite3 openssl curl
        ;;
    canaille | django-oauth-toolkit) install_environment "$1" ;;
    *) fail "Name a server: see install.sh --help." 64 ;;
esac
