#!/usr/bin/env bash
# usage: start-glewlwyd.sh PORT
#
# Starts Glewlwyd 2.7 (Debian's) on 127.0.0.1 with an empty database and prints KEY=VALUE lines.
# BIND_PORT=N: listens there, while its addresses name PORT, for something in between.
# TLS=1: https under a private authority made here (CA_FILE). ACCESS_TTL=SECONDS.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
PORT=$1
BIND_PORT=${BIND_PORT:-$PORT}
fresh_state glewlwyd "$PORT"

# The package's scripts and styles are relative links, and its config.json is a folder: copy what they stand for.
mkdir "$STATE/webapp"
cp -rL /usr/share/glewlwyd/webapp/. "$STATE/webapp/"
rm -rf "$STATE/webapp/config.json"
for file in /etc/glewlwyd/config-2.7.json/config.json /usr/share/glewlwyd/templates/config.json; do
    if [[ -f $file ]]; then
        cp -L "$file" "$STATE/webapp/config.json"
        break
    fi
done
sqlite3 "$STATE/db.sqlite" </usr/share/dbconfig-common/data/glewlwyd/install/sqlite3 >/dev/null
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$STATE/key.pem" 2>/dev/null
openssl pkey -in "$STATE/key.pem" -pubout -out "$STATE/pub.pem" 2>/dev/null

SCHEME=http
SECURE=
CURL_OPTIONS=()
if [[ ${TLS:-} == 1 ]]; then
    SCHEME=https
    CURL_OPTIONS=(--cacert "$STATE/ca.pem")
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=Acceptance test CA" \
        -keyout "$STATE/ca.key" -out "$STATE/ca.pem" \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
    openssl req -newkey rsa:2048 -nodes -subj "/CN=localhost" -keyout "$STATE/tls.key" -out "$STATE/tls.csr" 2>/dev/null
    openssl x509 -req -in "$STATE/tls.csr" -CA "$STATE/ca.pem" -CAkey "$STATE/ca.key" -CAcreateserial -days 30 \
        -out "$STATE/tls.pem" -extfile <(printf '%s\n' "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1" \
            "basicConstraints=CA:FALSE" "extendedKeyUsage=serverAuth") 2>/dev/null
    SECURE="use_secure_connection=true
secure_connection_key_file=\"$STATE/tls.key\"
secure_connection_pem_file=\"$STATE/tls.pem\""
    export SSL_CERT_FILE="$STATE/ca.pem"
fi

mkdir "$STATE/user_middleware"
cat >"$STATE/glewlwyd.conf" <<CONF
$SECURE
port=$BIND_PORT
bind_address="127.0.0.1"
external_url="$SCHEME://127.0.0.1:$PORT"
login_url="login.html"
api_prefix="api"
static_files_path="$STATE/webapp/"
allow_origin="*"
allow_methods="GET, POST, PUT, DELETE, OPTIONS"
allow_headers="Origin, X-Requested-With, Content-Type, Accept, Bearer, Authorization, DPoP"
expose_headers="Content-Encoding, Authorization"
log_mode="file"
log_level="INFO"
log_file="$STATE/glewlwyd.log"
cookie_secure=0
cookie_same_site="empty"
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
allow_multiple_user_per_session=true
login_api_enabled=true
add_x_frame_option_header_deny=true
max_post_size=16778240
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="$STATE/user_middleware"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3" path = "$STATE/db.sqlite" };
static_files_mime_types = (
 { extension=".html" mime_type="text/html" }, { extension=".css" mime_type="text/css" },
 { extension=".js" mime_type="application/javascript" }, { extension=".json" mime_type="application/json" } )
CONF

nohup glewlwyd -c "$STATE/glewlwyd.conf" >"$STATE/stdout.log" 2>&1 </dev/null &
PID=$!
tell_pid "$PID"
await_answer "$SCHEME://127.0.0.1:$PORT/config/" "$PID" "$STATE/stdout.log"
CALLBACK_URIS=$CALLBACK_URIS python3 "$HERE/glewlwyd_setup.py" "$SCHEME://127.0.0.1:$PORT" "$STATE" || {
    kill "$PID"
    exit 1
}
echo "ISSUER=$SCHEME://127.0.0.1:$PORT/api/oidc"
echo "DRIVER=$HERE/drive-glewlwyd.py"
if [[ -n $SECURE ]]; then
    echo "CA_FILE=$STATE/ca.pem"
fi
