"""The search for secrets itself: it must find what it is there to find."""
import base64
import secrets
import subprocess
import sys
import tempfile
import pathlib

from harness.leaks import ArgumentSampler, Search
from harness.runner import Failure, Group, expect

group = Group("The search for secrets")


def finds(secret, data):
    try:
        Search({secret: "it"}).bytes(data, "here")
    except Failure:
        return True
    return False


@group.case("finds a token in every encoding, wherever it stands, and nothing else")
def _():
    opaque = secrets.token_urlsafe(48)
    part = lambda: base64.urlsafe_b64encode(secrets.token_bytes(60)).rstrip(b"=").decode()
    jwt = f"eyJhbGciOiJSUzI1NiJ9.{part()}.{part()}"
    for secret in (opaque, jwt, "conf-secret-1234"):
        raw = secret.encode()
        for before in (b"", b"x", b"xy", b"cli:"):
            text = before + raw + b" and more"
            for data in (text, text.hex().encode(), text.hex().upper().encode(), base64.b64encode(text), base64.urlsafe_b64encode(text)):
                expect(finds(secret, data), f"not found: {data[:60]!r}")
        expect(not finds(secret, secrets.token_bytes(50_000)), "found in noise")
    expect(finds(opaque, opaque[:24].encode()), "the beginning of an opaque token is not found")
    expect(finds(jwt, base64.urlsafe_b64decode(jwt.split(".")[2] + "==")), "a decoded signature is not found")
    expect(not finds(jwt, b"eyJhbGciOiJSUzI1NiJ9"), "the header of a JWT is no secret")


@group.case("reads the names and bytes of files, and the arguments of short-lived processes")
def _():
    secret = secrets.token_urlsafe(32)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "deep").mkdir()
        (pathlib.Path(folder) / "deep" / "file").write_bytes(b"\0" * 5000 + secret.encode())
        try:
            Search({secret: "it"}).folder(folder)
            raise Failure("a secret in a file is not found")
        except Failure as failure:
            expect("file holds it" in str(failure), str(failure))
    with ArgumentSampler() as sampler:
        subprocess.run([sys.executable, "-c", "import time; time.sleep(0.1)", secret], check=True)
    expect(sampler.names(secret), "a process of a tenth of a second was not seen")
