# Shared by the start scripts; sourced, never run.
# shellcheck shell=bash

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPOSITORY=$(cd "$HERE/../../.." && pwd)

# Where Python environments are kept between runs, and where a server's files of this run go.
CACHE=${ACCEPTANCE_CACHE:-$REPOSITORY/.build/acceptance}
RUN=${ACCEPTANCE_RUN:-$CACHE/run}

# The redirect URIs that the clients register, separated by spaces.
CALLBACK_URIS=${CALLBACK_URIS:-http://127.0.0.1:8765/callback}

# fresh_state NAME PORT: sets STATE to an empty private folder.
fresh_state() {
    STATE=$RUN/$1-$2
    rm -rf "$STATE"
    mkdir -p "$STATE"
    chmod 700 "$STATE"
}

# await_answer URL PID LOG: waits until the server answers, 60 s at most; fails when it ends before.
await_answer() {
    local url=$1 pid=$2 log=$3 attempt
    for ((attempt = 0; attempt < 600; attempt++)); do
        if curl -fsS --max-time 5 ${CURL_OPTIONS[@]+"${CURL_OPTIONS[@]}"} -o /dev/null "$url" 2>/dev/null; then
            return
        fi
        if ! kill -0 "$pid" 2>/dev/null; then
            break
        fi
        sleep 0.1
    done
    echo "no answer from $url:" >&2
    tail -n 20 "$log" >&2
    return 1
}

# tell_pid PID: prints the server's process id and writes it down, for whoever has to end it.
tell_pid() {
    echo "$1" >"$STATE/pid"
    echo "PID=$1"
}
