#!/usr/bin/env bash
# usage: private-postgres.sh [--tls] PORT [SETTING]…
#
# A PostgreSQL server on 127.0.0.1:PORT with data of its own, for tests and proofs: superuser 'test', whose password is
# drawn, and database 'test'. Prints 'address URL' and 'ready', then obeys the words that come on standard input, and
# answers each with 'done': stop, crash (as when the power fails, but for the disk), start. When the input ends, so do the
# server and its data. A SETTING is one of postgresql.conf: fsync=off.
#
# --tls: makes a certificate for 'localhost' and the authority that signs it, lets nobody in without TLS, and prints
# 'authority FILE' and 'stranger FILE' before 'ready': that authority, and another one that signed nothing.
#
# Installs Debian's postgresql, and openssl for --tls, when that is missing and it is root; ends with 69 and the reason
# where there is none.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

unavailable() {
    printf '%s\n' "$*" >&2
    exit 69
}

find_programs() {
    BIN=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1 || true)
    if [[ -z $BIN ]] && command -v initdb >/dev/null; then
        BIN=$(dirname "$(realpath "$(command -v initdb)")")
    fi
    [[ -n $BIN && -x $BIN/initdb && -x $BIN/postgres ]]
}

# install_package NAME: fails where that cannot be done.
install_package() {
    ((EUID == 0)) && command -v apt-get >/dev/null || return 1
    local options=(-y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$1")
    DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" >/dev/null 2>&1 </dev/null || {
        apt-get update -qq >/dev/null 2>&1 </dev/null
        DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" >/dev/null 2>&1 </dev/null
    }
}

install_server() {
    # Debian's package makes a cluster of its own and starts it, unless told not to.
    if ((EUID == 0)); then
        forbid_debian_cluster
    fi
    install_package postgresql
}

# make_authority NAME: a key and a certificate that may sign others.
make_authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1 of a test" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
        -keyout "$FOLDER/$1.key" -out "$FOLDER/$1.pem"
}

# The server's key and certificate, by an authority made for it.
make_certificate() {
    make_authority authority && make_authority stranger &&
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost \
            -keyout "$FOLDER/server.key" -out "$FOLDER/server.csr" &&
        openssl x509 -req -in "$FOLDER/server.csr" -CA "$FOLDER/authority.pem" -CAkey "$FOLDER/authority.key" -set_serial 1 \
            -days 2 -extfile <(echo subjectAltName=DNS:localhost) -out "$FOLDER/server.pem" &&
        chmod 600 "$FOLDER/server.key"
}

start_server() {
    # One simple command, so that the job is the server itself and no shell around it.
    "${AS_OWNER[@]}" "$BIN/postgres" -D "$FOLDER/data" "${ARGUMENTS[@]}" >>"$FOLDER/log" 2>&1 </dev/null &
    SERVER=$!
    for _ in {1..600}; do
        if "$BIN/pg_isready" -q -h 127.0.0.1 -p "$PORT"; then
            return
        fi
        kill -0 "$SERVER" 2>/dev/null || break
        sleep 0.1
    done
    unavailable "PostgreSQL did not start: $(tail -n 3 "$FOLDER/log")"
}

# stop_server SIGNAL: INT ends it in order, QUIT at once.
stop_server() {
    [[ -n $SERVER ]] || return 0
    kill -"$1" "$SERVER" 2>/dev/null || true
    wait "$SERVER" || true
    SERVER=
}

TLS=
if [[ ${1:-} == --tls ]]; then
    TLS=1
    shift
fi
[[ ${1:-} =~ ^[0-9]+$ ]] || { sed -n -e '1d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "$0"; exit 64; }
PORT=$1
shift
find_programs || { install_server && find_programs; } ||
    unavailable "PostgreSQL's server is missing; install the package postgresql."
if [[ -n $TLS ]] && ! command -v openssl >/dev/null; then
    install_package openssl || unavailable "There is no openssl to make a certificate with; install the package openssl."
fi
AS_OWNER=(env)
if ((EUID == 0)); then
    # The server refuses to run as root.
    id postgres >/dev/null 2>&1 || unavailable "PostgreSQL does not run as root and there is no user postgres."
    AS_OWNER=(setpriv --reuid=postgres --regid=postgres --init-groups)
fi
SERVER=
FOLDER=$(mktemp -d)
trap 'stop_server INT; rm -rf "$FOLDER"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
ARGUMENTS=(-c listen_addresses=127.0.0.1 -p "$PORT" -c unix_socket_directories= -c max_connections=200)
for setting in "$@"; do
    ARGUMENTS+=(-c "$setting")
done
if [[ -n $TLS ]]; then
    (umask 077 && make_certificate) >"$FOLDER/openssl.log" 2>&1 ||
        unavailable "openssl made no certificate: $(tail -n 3 "$FOLDER/openssl.log")"
    ARGUMENTS+=(-c ssl=on -c ssl_cert_file="$FOLDER/server.pem" -c ssl_key_file="$FOLDER/server.key")
fi
PASSWORD=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
(umask 077 && printf '%s\n' "$PASSWORD" >"$FOLDER/password")
if ((EUID == 0)); then
    chown -R postgres "$FOLDER"
fi
"${AS_OWNER[@]}" "$BIN/initdb" -D "$FOLDER/data" -U test --auth=scram-sha-256 --pwfile="$FOLDER/password" -E UTF8 --locale=C \
    --no-sync >"$FOLDER/initdb.log" 2>&1 || unavailable "initdb failed: $(tail -n 3 "$FOLDER/initdb.log")"
if [[ -n $TLS ]]; then
    # Whoever comes without finds no line that lets them in.
    sed -i 's/^host\b/hostssl/' "$FOLDER/data/pg_hba.conf"
fi
start_server
PGPASSWORD=$PASSWORD "$BIN/createdb" -h 127.0.0.1 -p "$PORT" -U test test
printf 'address postgres://test:%s@127.0.0.1:%d/test\n' "$PASSWORD" "$PORT"
if [[ -n $TLS ]]; then
    printf 'authority %s/authority.pem\nstranger %s/stranger.pem\n' "$FOLDER" "$FOLDER"
fi
echo ready
while read -r word; do
    case $word in
        stop) stop_server INT ;;
        crash) stop_server QUIT ;;
        start) start_server ;;
        *) unavailable "Unknown word '$word'." ;;
    esac
    echo 'done'
done
