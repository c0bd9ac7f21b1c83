"""What happens around the browser: none, closed, a stranger's page, busy ports."""
import base64
import contextlib
import json
import re
import secrets
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from harness.dev_server import DevServer, signed_in
from harness.home import COMMAND, Home
from harness.leaks import Search
from harness.processes import end_child, free_ports
from harness.runner import Failure, Group, expect, expect_equal

group = Group("Browser")

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def fetch(url, **headers):
    """The status of a GET, redirects followed."""
    try:
        return _OPENER.open(urllib.request.Request(url, headers=headers), timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code


def printed_url(process):
    """The authorization URL that a login printed on standard error."""
    text = ""
    while line := process.stderr.readline():
        text += line
        if found := re.search(r"https?://\S+/authorize\?\S+", line):
            return found.group(0)
    raise Failure(f"no URL was printed: {text!r}")


@group.case("closed browser: the deadline ends the login with 77 and the old sign-in stays", promise=7)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        held = home.token("work")
        began = time.monotonic()
        home.run("login", "work", "--timeout", "2", BROWSER="/bin/true").needs(77)
        expect(1.5 < time.monotonic() - began < 8, "the deadline was not kept")
        expect_equal(home.token("work"), held, "the token")
        home.run("refresh", "work").needs(0)


@group.case("no browser at all: the URL is printed and the login goes on")
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        del home.environment["BROWSER"]
        process = home.start("login", "work", DRIVER_FAIL="1")
        expect_equal(fetch(printed_url(process)), 200, "the status of the page at the end")
        home.finish(process).needs(0)


@group.case("a stranger's page calls the callback address: refused, the login goes on", promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        process = home.start("login", "work", BROWSER="/bin/true")
        url = printed_url(process)
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        callback = query["redirect_uri"]
        expect_equal(fetch(callback + "?code=stolen&state=guessed"), 400, "the status for another state")
        expect_equal(fetch(callback + "?error=access_denied"), 400, "the status without a state")
        expect_equal(fetch(callback + f"?code=x&state={query['state']}", Host="stranger.example"), 421, "the status for another Host")
        expect_equal(fetch(callback.replace("/callback", "/other")), 404, "the status of another path")
        expect(process.poll() is None, "the login ended")
        expect_equal(fetch(url), 200, "the status of the right answer")
        home.finish(process).needs(0)


@group.case("a busy port: the next of the list is taken; when all are busy, 75 and the port is named")
def _():
    with contextlib.ExitStack() as stack:
        first, second = free_ports(2)
        redirects = f"http://127.0.0.1:{first}/callback,http://127.0.0.1:{second}/callback"
        server, home = signed_in(stack, redirects=redirects)
        stack.enter_context(socket.create_server(("127.0.0.1", first)))
        home.run("login", "work").needs(0)
        stack.enter_context(socket.create_server(("127.0.0.1", second)))
        result = home.run("login", "work", "--timeout", "5").needs(75)
        expect(str(first) in result.errors or str(second) in result.errors, f"the port is not named: {result.errors.strip()}")
        home.run("token", "work").needs(0)


@group.case("the person refuses: 77, the old sign-in stays")
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        held = home.token("work")
        server.add_fault("authorize:error=access_denied")
        home.run("login", "work").needs(77)
        expect_equal(home.token("work"), held, "the token")


@group.case("--json login tells its URL on one line and the result on another")
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        process = home.start("--json", "login", "work", "--no-browser")
        event = json.loads(process.stdout.readline())
        expect_equal(event["event"], "authorization_url", "the first event")
        expect_equal(fetch(event["url"]), 200, "the status of the page at the end")
        last = json.loads(home.finish(process).needs(0).output.strip().splitlines()[-1])
        expect_equal((last["event"], last["profile"]), ("signed_in", "work"), "the last event")


@group.case("the final URL comes on standard input")
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        login = subprocess.Popen([COMMAND, "login", "work", "--callback-url", "-"], env=home.environment, text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        stack.callback(end_child, login)
        # What a person does: opens the page elsewhere, copies the last address from the browser, pastes it.
        page = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{redirect_url}", printed_url(login)], text=True,
                              stdout=subprocess.PIPE, timeout=20, check=True)
        _, errors = login.communicate(page.stdout + "\n", timeout=20)
        expect_equal(login.returncode, 0, f"the exit code ({errors.strip()[-300:]})")


@group.case("the browser is not given the store's key, and no file holds it", promise=6)
def _():
    with contextlib.ExitStack() as stack:
        server, home = DevServer(stack), Home(stack)
        key = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
        seen = home.scratch / "environment"
        home.environment |= {
            "STORE_KEY": key, "AUTHKIT_KEY_SOURCE": "env:STORE_KEY",
            "BROWSER": home.script("browser", f'env > {seen}\nexec curl -sL -o /dev/null "$1"\n'),
        }
        home.run("profile", "add", "work", "--provider", "oidc", "--issuer", server.issuer, "--client-id", "dev").needs(0)
        home.run("login", "work").needs(0)
        search = Search({key: "the key"})
        expect("HOME=" in seen.read_text(), "the browser's environment was not seen")
        search.bytes(seen.read_bytes(), "the browser's environment")
        expect(search.folder(home.path) >= 2, "there are no files")
        expect_equal(home.token("work"), home.token("work"), "the token")
        home.run("token", "work", STORE_KEY=key[:-2] + "AA").needs(78)
