#!/usr/bin/env python3
"""glewlwyd_setup.py BASE STATE: configures Glewlwyd through its admin REST API (stdlib only)."""
import json, os, sys, urllib.error, urllib.request, http.cookiejar, pathlib
base, state = sys.argv[1].rstrip("/"), pathlib.Path(sys.argv[2])
jar = http.cookiejar.CookieJar()
op = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

def call(method, path, body=None):
    req = urllib.request.Request(base + "/api" + path, method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    try:
        r = op.open(req)
        t = r.read()
        return r.status, json.loads(t) if t else None
    except urllib.error.HTTPError as e:
        sys.exit(f"{method} {path} -> {e.code} {e.read().decode()}")

call("POST", "/auth/", {"username": "admin", "password": "password"})

# Debian's sqlite seed knows only the old single-valued post_logout_redirect_uri: add the list-valued properties 2.7 reads
m = call("GET", "/mod/client/database")[1]
for k, mult in (("post_logout_redirect_uris", True), ("dpop_bound_access_tokens", False), ("refresh-token-one-use", False),
                ("grant_types", True), ("response_types", True), ("application_type", False)):
    m["parameters"]["data-format"][k] = {"multiple": mult, "read": True, "write": True}
call("PUT", "/mod/client/database", m)
call("PUT", "/mod/client/database/reset")

SCOPES = ["profile", "email", "phone", "offline_access", "read", "write", "register"]
for s in SCOPES:
    call("POST", "/scope/", {"name": s, "display_name": s, "description": s,
                             "password_required": False, "password_max_age": 0, "scheme": {}})

def plugin(name, **over):
    p = {
        "iss": f"{base}/api/{name}", "restrict-scope-client-property": "",
        "allowed-scope": ["openid"] + SCOPES,
        "jwt-type": "rsa", "jwt-key-size": "256",
        "key": (state / "key.pem").read_text(), "cert": (state / "pub.pem").read_text(),
        "jwks-show": True,
        "access-token-duration": int(os.environ.get("ACCESS_TTL", "3600")),
        "refresh-token-duration": int(os.environ.get("REFRESH_TTL", "1209600")), "code-duration": 600,
        # rolling: the refresh token's expiry slides; one-use 'always' = rotation
        "refresh-token-rolling": True, "refresh-token-one-use": os.environ.get("ONE_USE", "always"),
        "client-refresh-token-one-use-parameter": "refresh-token-one-use",
        "allow-non-oidc": True, "subject-type": "public",
        "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True,
        "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
        "auth-type-none-enabled": True, "auth-type-password-enabled": True,
        "auth-type-client-enabled": True, "auth-type-device-enabled": True,
        "auth-type-refresh-enabled": True,
        "device-authorization-expiration": 600, "device-authorization-interval": 1,
        "scope": [], "additional-parameters": [],
        "claims": [{"name": "preferred_username", "user-property": "username", "type": "string",
                    "mandatory": False, "on-demand": False, "scope": ["profile"]}],
        "name-claim": "mandatory", "name-claim-scope": ["profile"],
        "email-claim": "mandatory", "email-claim-scope": ["email"],
        "address-claim": {"type": "no", "formatted": "", "street_address": "", "locality": "",
                          "region": "", "postal_code": "", "country": "", "mandatory": False},
        "pkce-allowed": True, "pkce-method-plain-allowed": False,
        "pkce-required": False, "pkce-required-public-client": True,
        "pkce-scopes": [],
        "introspection-revocation-allowed": True,
        "introspection-revocation-allow-target-client": True,
        "introspection-revocation-auth-scope": [],
        "register-client-allowed": True, "register-client-auth-scope": [],
        "register-client-credentials-scope": ["read"], "register-client-management-allowed": True,
        "register-client-token-one-use": False, "register-default-properties": {},
        "session-management-allowed": True, "session-cookie-name": f"GLWD_{name}_SID",
        "session-cookie-expiration": 2419200,
        "front-channel-logout-allowed": True, "back-channel-logout-allowed": True,
        "request-parameter-allow": True, "request-uri-allow-https-non-secure": True,
        "client-pubkey-parameter": "pubkey", "client-jwks-parameter": "jwks",
        "client-jwks_uri-parameter": "jwks_uri", "request-maximum-exp": 3600,
        "encrypt-out-token-allow": False,
        "resource-allowed": True, "resource-client-property": "resource",
        "resource-scope-and-client-property": False, "resource-scope": {"read": ["https://api.example.test/"]},
        "oauth-rar-allowed": False,
        "oauth-par-allowed": True, "oauth-par-required": False,
        "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:", "oauth-par-duration": 90,
        "oauth-dpop-allowed": True, "oauth-dpop-iat-duration": 600, "oauth-dpop-iat-gap-duration": 60,
        "oauth-dpop-dpop_bound_access_tokens-property": "dpop_bound_access_tokens",
        "oauth-as-iss-id": True,
    }
    p.update(over)
    call("POST", "/mod/plugin/", {"module": "oidc", "name": name, "display_name": name,
                                  "enabled": True, "parameters": p})

plugin("oidc")
user = {"username": "alice", "name": "Alice Example", "email": "alice@example.test",
        "password": "password", "enabled": True, "scope": ["openid", "g_profile"] + SCOPES}
call("POST", "/user/", user)
call("POST", "/user/", {**user, "username": "bob", "name": "Bob Example", "email": "bob@example.test"})

redirs = os.environ["CALLBACK_URIS"].split()
grants = ["code", "refresh_token", "delete_token"]
common = {"enabled": True, "redirect_uri": redirs, "authorization_type": grants,
          "scope": ["read", "write"], "resource": ["https://api.example.test/"]}
call("POST", "/client/", {**common, "client_id": "conf", "name": "Confidential", "confidential": True,
                          "client_secret": "conf-secret-1234",
                          "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post", "client_secret_jwt"]})
call("POST", "/client/", {**common, "client_id": "cli", "name": "Public native CLI", "confidential": False,
                          "token_endpoint_auth_method": ["none"]})
