#!/usr/bin/env bash
# usage: start-django-oauth-toolkit.sh PORT
#
# Starts django-oauth-toolkit 3.4 on 127.0.0.1 with an empty database and prints KEY=VALUE lines.
# BIND_PORT=N: listens there, while its addresses name PORT, for something in between.
# oauthlib stays below 4: with 4.0.1 the toolkit answers 500 at device authorization.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PORT=$1
BIND_PORT=${BIND_PORT:-$PORT}
fresh_state django-oauth-toolkit "$PORT"
PYTHON=$CACHE/django-oauth-toolkit/bin/python

mkdir "$STATE/templates"
cat >"$STATE/templates/login.html" <<'HTML'
<!doctype html><title>Log in</title><form method="post" id="login">{% csrf_token %}{{ form.as_p }}
<input type="hidden" name="next" value="{{ next }}"><button type="submit">Log in</button></form>
HTML
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$STATE/key.pem" 2>/dev/null
export SITE_STATE=$STATE SITE_PORT=$PORT SITE_BIND_PORT=$BIND_PORT CALLBACK_URIS
"$PYTHON" "$HERE/toolkit_site.py" setup >"$STATE/setup.log" 2>&1 || {
    tail -n 20 "$STATE/setup.log" >&2
    exit 1
}
nohup "$PYTHON" "$HERE/toolkit_site.py" serve >"$STATE/stdout.log" 2>&1 </dev/null &
PID=$!
tell_pid "$PID"
await_answer "http://127.0.0.1:$PORT/o/.well-known/openid-configuration" "$PID" "$STATE/stdout.log"
echo "ISSUER=http://127.0.0.1:$PORT/o"
echo "DRIVER=$HERE/drive-django-oauth-toolkit.py"
