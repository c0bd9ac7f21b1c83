#!/usr/bin/env bash
# usage: start-canaille.sh PORT
#
# Starts Canaille 0.3.6 (Flask, Authlib) on 127.0.0.1 with an empty database and prints KEY=VALUE lines.
# BIND_PORT=N: listens there, while its addresses name PORT, for something in between.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PORT=$1
BIND_PORT=${BIND_PORT:-$PORT}
fresh_state canaille "$PORT"
BIN=$CACHE/canaille/bin

export CANAILLE_CONFIG=$STATE/config.toml AUTHLIB_INSECURE_TRANSPORT=1 CALLBACK_URIS
cd "$STATE"
"$BIN/python" "$HERE/canaille_setup.py" configure "$PORT" >"$CANAILLE_CONFIG"
{ "$BIN/canaille" install && "$BIN/python" "$HERE/canaille_setup.py" populate; } >"$STATE/install.log" 2>&1 || {
    tail -n 20 "$STATE/install.log" >&2
    exit 1
}
nohup "$BIN/canaille" run --bind "127.0.0.1:$BIND_PORT" >"$STATE/stdout.log" 2>&1 </dev/null &
PID=$!
tell_pid "$PID"
await_answer "http://127.0.0.1:$PORT/.well-known/openid-configuration" "$PID" "$STATE/stdout.log"
echo "ISSUER=http://127.0.0.1:$PORT"
echo "DRIVER=$HERE/drive-canaille.py"
