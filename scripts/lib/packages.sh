# Debian packages: what is missing, and installing it. Sourced after common.sh, except by private-postgres.sh.
# shellcheck shell=bash

# Prints those of the named packages that are not installed.
missing_packages() {
    local name
    for name in "$@"; do
        if ! dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^ii'; then
            printf '%s\n' "$name"
        fi
    done
}

# Reads the lists of the archive when there are none.
read_lists_if_absent() {
    if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
        as_root apt-get update -qq
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

# Lets Debian's PostgreSQL make no cluster of its own, which it would start. As root.
forbid_debian_cluster() {
    mkdir -p /etc/postgresql-common
    grep -qs create_main_cluster /etc/postgresql-common/createcluster.conf ||
        echo 'create_main_cluster = false' >>/etc/postgresql-common/createcluster.conf
}

# What tests start beside themselves. Without it they are skipped; in CI (CI=true) they fail.
readonly TEST_PACKAGES=(postgresql openssl dbus-daemon dbus-bin gnome-keyring libsecret-1-0)

install_test_packages() {
    if [[ -n $(missing_packages postgresql) ]]; then
        as_root bash -c "$(declare -f forbid_debian_cluster); forbid_debian_cluster"
    fi
    install_packages "${TEST_PACKAGES[@]}"
}

# install_packages NAME…: installs what is missing; lists that turn out to be stale are read again once.
install_packages() {
    local missing
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        fail "This is not a Debian system. Install what these Debian packages hold, then build with
'swift build' and test with 'swift test': $*"
    fi
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        return
    fi
    say "Installing: ${missing[*]}"
    read_lists_if_absent
    apt_install "${missing[@]}" && return
    as_root apt-get update -qq
    apt_install "${missing[@]}" || fail "apt-get could not install ${missing[*]}: see its message above."
}
