#!/usr/bin/env python3
"""canaille_setup.py configure PORT | populate: Canaille's configuration file, and its people and clients.

One process that makes them all: each `canaille create` would pay eight seconds of imports."""
import datetime
import os
import sys


def configure(port):
    from joserfc import jwk

    def table(key):
        key.ensure_kid()
        members = dict(key.as_dict(private=True))
        if members["kty"] == "RSA":
            members["alg"] = "RS256"
        return "{" + ", ".join(f'{name} = "{value}"' for name, value in members.items()) + "}"

    keys = [jwk.RSAKey.generate_key(2048), jwk.ECKey.generate_key("P-256")]
    print(f'''SECRET_KEY = "acceptance-tests-only"
SERVER_NAME = "127.0.0.1:{port}"
PREFERRED_URL_SCHEME = "http"
SESSION_COOKIE_SECURE = false
[CANAILLE]
DATABASE = "sql"
JAVASCRIPT = true
HTMX = false
CAPTCHA_ENABLED = false
[CANAILLE_SQL]
DATABASE_URI = "sqlite:///canaille.sqlite"
[CANAILLE_OIDC]
REQUIRE_NONCE = false
ACTIVE_JWKS = [{", ".join(table(key) for key in keys)}]''')


def populate():
    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend

    with create_app().app_context(), Backend.instance.session():
        for name in ("alice", "bob"):
            Backend.instance.save(models.User(
                user_name=name, password="password", given_name=name.title(), family_name="Example",
                formatted_name=name.title() + " Example", display_name=name, emails=[name + "@example.test"]))
        for identifier, secret, method in (("conf", "conf-secret-1234", "client_secret_basic"), ("cli", None, "none")):
            client = models.Client(
                client_id=identifier, client_name=identifier, client_secret=secret,
                client_id_issued_at=datetime.datetime.now(datetime.timezone.utc), token_endpoint_auth_method=method,
                redirect_uris=os.environ["CALLBACK_URIS"].split(), grant_types=["authorization_code", "refresh_token"],
                response_types=["code"], scope=["openid", "profile", "email", "offline_access"],
                id_token_signed_response_alg="RS256")
            client.audience = [client]
            Backend.instance.save(client)


if __name__ == "__main__":
    if sys.argv[1] == "configure":
        configure(sys.argv[2])
    else:
        populate()
