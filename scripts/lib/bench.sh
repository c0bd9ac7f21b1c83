# What the benchmarks need beside their program: a command that is signed in, and the peers. Sourced after common.sh,
# packages.sh and swift.sh; uses FOLDER, and adds to ARGUMENTS.
# shellcheck shell=bash

# A profile 'bench' with a token that stays fresh, from an issuer on this machine; and the program that only prints.
prepare_command() {
    local issuer
    install_packages curl
    "$(dirname "$SWIFT")/swiftc" -O -o "$FOLDER/print-only" "$ROOT/Benchmarks/PrintOnly/main.swift"
    unset "${!AUTHKIT_@}"
    export AUTHKIT_HOME="$FOLDER/home" XDG_RUNTIME_DIR="$FOLDER/runtime" BROWSER="$FOLDER/browser"
    mkdir -m 700 "$AUTHKIT_HOME" "$XDG_RUNTIME_DIR"
    # What stands in for a person's browser: it opens the page and goes where the issuer sends it.
    printf '#!/bin/sh\nexec curl -sSL -o /dev/null "$1"\n' >"$BROWSER"
    chmod 700 "$BROWSER"
    "$AUTHKIT" dev-server --port 0 >"$FOLDER/ready" 2>"$FOLDER/issuer.log" </dev/null &
    ISSUER_PID=$!
    for _ in {1..100}; do
        [[ ! -s $FOLDER/ready ]] || break
        sleep 0.1
    done
    issuer=$(sed -n 's/.*"issuer" *: *"\([^"]*\)".*/\1/p' "$FOLDER/ready" | head -n 1)
    [[ -n $issuer ]] || fail "The issuer did not start: $(cat "$FOLDER/issuer.log")"
    "$AUTHKIT" profile add bench --provider oidc --issuer "$issuer" --client-id dev >&2
    "$AUTHKIT" login bench >&2
}

# add_peer NAME: the program of that name in FOLDER/peers is one.
add_peer() {
    ARGUMENTS+=(--peer "$1=$FOLDER/peers/$1")
}

# Makes the folders that peers and what they read go to, once.
make_peer_folders() {
    mkdir -p "$FOLDER/peers" "$FOLDER/tokens"
}

# Makes the program of Go's timers, if Go is installed; one line says if not.
prepare_timer_peer() {
    make_peer_folders
    if command -v go >/dev/null && (cd "$ROOT/Benchmarks/Peers/go-timers" &&
        GO111MODULE=off GOFLAGS='' GOCACHE="$FOLDER/go" go build -o "$FOLDER/peers/go-timers" main.go) 2>"$FOLDER/go.log"; then
        add_peer go-timers
    else
        say "Not installed and left out: Go's timers (Debian: golang-go)."
    fi
}

# Builds the program that runs workers over a PostgreSQL of its own, if one is installed; one line says if not.
prepare_workers() {
    if compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; then
        build_product release PostgresProof
        ARGUMENTS+=(--postgres "$(dirname "$PROGRAM")/PostgresProof")
    else
        say "Not installed and left out: PostgreSQL (Debian: postgresql)."
    fi
}

# Makes a program of each peer that verifies tokens and is installed; one line says which are not.
prepare_peers() {
    local python name missing=()
    make_peer_folders
    ARGUMENTS+=(--peer-folder "$FOLDER/tokens")
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import cryptography, jwt; jwt.PyJWT' 2>/dev/null; then
            printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$python" "$ROOT/Benchmarks/Peers/pyjwt.py" >"$FOLDER/peers/PyJWT"
            chmod 755 "$FOLDER/peers/PyJWT"
            break
        fi
    done
    # Debian keeps Go's libraries as sources below /usr/share/gocode.
    if command -v go >/dev/null && ! (cd "$ROOT/Benchmarks/Peers/golang-jwt" &&
        GO111MODULE=off GOFLAGS='' GOPATH="${GOPATH:+$GOPATH:}/usr/share/gocode" GOCACHE="$FOLDER/go" \
            go build -o "$FOLDER/peers/golang-jwt" main.go) 2>"$FOLDER/go.log"; then
        rm -f "$FOLDER/peers/golang-jwt"
    fi
    cc -O2 -o "$FOLDER/peers/cjose" "$ROOT/Benchmarks/Peers/cjose.c" -lcjose -ljansson 2>/dev/null ||
        rm -f "$FOLDER/peers/cjose"
    for name in PyJWT golang-jwt cjose; do
        if [[ -x $FOLDER/peers/$name ]]; then
            add_peer "$name"
        else
            missing+=("$name")
        fi
    done
    if ((${#missing[@]} > 0)); then
        say "Not installed and left out: ${missing[*]} (Debian: python3-jwt python3-cryptography, golang-go golang-github-golang-jwt-jwt-dev, libcjose-dev libjansson-dev)."
    fi
}
