"""How long the proofs run: short beside everything else, whole where `scripts/prove` asks for it."""
import base64
import json
import os

WHOLE = os.environ.get("AUTHKIT_PROOF") == "whole"

# The stores that are kept in files; a proof runs with each.
STORES = ("sqlite", "file")


def store_address(home, kind):
    """The address of a store of this kind below the home's folder."""
    return {"sqlite": f"sqlite:{home.path}/store.db", "file": f"file:{home.path}/store"}[kind]


def claims(token):
    """The claims of a JWT, unverified: the issuer is our own."""
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
