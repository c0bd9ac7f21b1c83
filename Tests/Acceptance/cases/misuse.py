"""Answers that must not be believed, and places that must not be used: each one sentence, one exit code, nothing lost."""
import os
import shutil

from harness.dev_server import signed_in
from harness.home import Home
from harness.runner import Group, expect, expect_equal


class Held:
    """A sign-in that every case must leave as it was."""

    def __init__(self, stack):
        self.stack = stack
        self.server, self.home = signed_in(stack)
        self.token = self.home.token("work")

    def refuses(self, fault, code, seconds="10"):
        self.server.clear_faults()
        self.server.add_fault(fault)
        result = self.home.run("login", "work", "--timeout", seconds).needs(code)
        expect(result.errors.strip(), "nothing was said")
        expect("Traceback" not in result.errors and "Fatal error" not in result.errors, f"not one clear sentence: {result.errors}")
        self.server.clear_faults()
        expect_equal(self.home.token("work"), self.token, "the token after a failed login")


answers = Group("Answers of the issuer", Held)

for fault, code in [
    ("discovery:wrong-issuer", 76),
    ("token:wrong-issuer", 76), ("token:wrong-aud", 76), ("token:wrong-nonce", 76), ("token:missing-nonce", 76),
    ("token:bad-signature", 76), ("token:unknown-kid", 76), ("token:alg-none", 76), ("token:expired", 76),
    ("token:missing-sub", 76), ("token:wrong-at-hash", 76), ("token:no-id-token", 76),
    ("authorize:wrong-iss", 76), ("authorize:missing-iss", 76), ("token:html", 69), ("token:empty-body", 76),
    ("token:503", 69), ("token:503;retry-after=7", 75), ("token:429;retry-after=7", 75), ("token:close", 69), ("jwks:503*", 69),
]:
    @answers.case(f"{fault} at login: {code}, the old sign-in stays", seconds=30, promise=5 if code == 76 else 4)
    def _(held, fault=fault, code=code):
        held.refuses(fault, code)


for fault in ("authorize:wrong-state", "authorize:missing-state"):
    @answers.case(f"{fault} at login: not taken, the deadline ends the wait with 77", seconds=30, promise=5)
    def _(held, fault=fault):
        held.refuses(fault, 77, seconds="2")


def refreshing_anew(held, fault, code=76):
    """Signs in again and has this fault answer a refresh; the token from before, which it must leave."""
    held.server.clear_faults()
    held.home.run("login", "work").needs(0)
    before = held.home.token("work")
    held.server.add_fault(fault)
    held.home.run("refresh", "work").needs(code)
    return before


for fault, code in [
    # A page instead of JSON comes from something in between: it is an outage, not the issuer's word.
    ("refresh:wrong-issuer", 76), ("refresh:bad-signature", 76), ("refresh:expired", 76), ("refresh:html", 69),
]:
    @answers.case(f"{fault}: {code}, no token of it is given out, and the login is not lost", seconds=30, promise=5)
    def _(held, fault=fault, code=code):
        before = refreshing_anew(held, fault, code)
        expect_equal(held.home.token("work", "--non-interactive"), before, "the token after the refused answer")
        # The refresh token that the refused answer rotated to was kept, so the next refresh works.
        held.home.run("refresh", "work").needs(0)
        held.server.is_unharmed()


@answers.case("refresh:wrong-sub: 76, then 77 until somebody signs in: the login has become somebody else's", seconds=30, promise=5)
def _(held):
    refreshing_anew(held, "refresh:wrong-sub")
    expect_equal(held.home.run("token", "work", "--non-interactive").needs(77).output, "", "what is printed")
    held.home.run("refresh", "work").needs(77)
    held.home.run("login", "work").needs(0)
    held.home.run("refresh", "work").needs(0)


places = Group("Places", Held)


@places.case("the store or key readable by others: 78, with the command that mends it")
def _(held):
    for name in ("store.db", "store.key"):
        path = next(held.home.path.rglob(name))
        os.chmod(path, 0o644)
        result = held.home.run("token", "work").needs(78)
        expect("chmod" in result.errors, f"the message names no command: {result.errors.strip()}")
        os.chmod(path, 0o600)
    expect_equal(held.home.token("work"), held.token, "the token")


@places.case("another key: 78, nothing is lost")
def _(held):
    path = next(held.home.path.rglob("store.key"))
    kept = held.home.scratch / "kept.key"
    shutil.copy2(path, kept)
    other = Home(held.stack)
    other.environment["BROWSER"] = held.home.browser
    other.run("profile", "add", "work", "--provider", "oidc", "--issuer", held.server.issuer, "--client-id", "dev").needs(0)
    other.run("login", "work").needs(0)
    shutil.copy2(next(other.path.rglob("store.key")), path)
    held.home.run("token", "work").needs(78)
    shutil.copy2(kept, path)
    expect_equal(held.home.token("work"), held.token, "the token")


@places.case("a configuration with an unknown key: 78, and the key is named")
def _(held):
    path = held.home.path / "config.json"
    text = path.read_text()
    path.write_text(text.replace("{", '{"colour":"red",', 1))
    result = held.home.run("token", "work").needs(78)
    expect("colour" in result.errors, f"the key is not named: {result.errors.strip()}")
    path.write_text(text)
    expect_equal(held.home.token("work"), held.token, "the token")


@places.case("a store that is no database: 65, and it is left as it is")
def _(held):
    broken = Home(held.stack)
    shutil.copytree(held.home.path, broken.path, dirs_exist_ok=True)
    path = broken.path / "store.db"
    for extra in broken.path.glob("store.db-*"):
        extra.unlink()
    path.write_bytes(b"not a database, but longer than its header would be" * 50)
    broken.run("token", "work").needs(65)
    expect(path.read_bytes().startswith(b"not a database"), "the file was replaced")
