"""Kills, signals, lost answers and sign-outs while a refresh is under way."""
import contextlib
import signal
import time

from harness.dev_server import signed_in
from harness.processes import wait_until
from harness.runner import Group, expect, expect_equal

group = Group("Interruption")


def refresh_on_the_wire(server, home):
    """Starts a refresh; returns when the issuer has rotated the token and holds the answer back."""
    process = home.start("refresh", "work")
    wait_until(lambda: server.refreshes() == 1, "the refresh reached the issuer")
    return process


for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    @group.case(f"{number.name} between send and save: the answer is stored, then the process ends by the signal", promise=2)
    def _(number=number):
        with contextlib.ExitStack() as stack:
            server, home = signed_in(stack, "refresh:hang=2")
            old = home.token("work")
            process = refresh_on_the_wire(server, home)
            process.send_signal(number)
            result = home.finish(process, seconds=20)
            expect_equal(result.code, -number, f"how the process ended ({result.errors.strip()})")
            expect(home.token("work") != old, "the new token was not stored")
            home.run("refresh", "work").needs(0)
            expect_equal(server.is_unharmed()["refreshes_granted"], 2, "refreshes")


@group.case("SIGKILL between send and save: one more try, then the loss is told and nothing else is lost", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:hang=30")
        process = refresh_on_the_wire(server, home)
        process.kill()
        home.finish(process)
        # The stored token still lives: nobody is sent to a browser for it.
        home.run("token", "work").needs(0)
        # The rotated token is sent once more, as the answer may have been lost before the issuer acted; this issuer had.
        result = home.run("refresh", "work").needs(77)
        expect("lost" in result.errors and "sign in" in result.errors.lower(), f"the message does not say what to do: {result.errors.strip()}")
        expect_equal(server.statistics()["reuse_detections"], 1, "times that the old refresh token was sent again")
        # It is not sent a third time.
        home.run("refresh", "work").needs(77)
        expect_equal(server.statistics()["reuse_detections"], 1, "times that the old refresh token was sent again")
        expect_equal(home.run("--json", "status", "work").needs(0).json()["state"], "needs_sign_in", "the state")
        home.run("login", "work").needs(0)
        home.run("refresh", "work").needs(0)


@group.case("SIGKILL between send and save, at an issuer with a grace period: nobody notices", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:hang=30", grace=60)
        old = home.token("work")
        process = refresh_on_the_wire(server, home)
        process.kill()
        home.finish(process)
        home.run("refresh", "work").needs(0)
        expect(home.token("work") != old, "the token is the old one")
        server.is_unharmed()


@group.case("SIGKILL before the issuer acts: the next refresh works", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:stall")
        process = home.start("refresh", "work")
        wait_until(lambda: server.statistics()["faults"].get("refresh:stall"), "the refresh reached the issuer")
        process.kill()
        home.finish(process)
        home.run("refresh", "work").needs(0)
        server.is_unharmed()


@group.case("the connection breaks after the issuer rotated: the old token serves, then the loss is told", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:close-after-commit")
        old = home.token("work")
        home.run("refresh", "work").needs(69)
        expect_equal(home.token("work"), old, "the token")
        home.run("refresh", "work").needs(77)


@group.case("503 at refresh: 69, nobody is signed out, the next refresh works", promise=4)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:503*2")
        home.run("refresh", "work").needs(69)
        home.run("token", "work").needs(0)
        home.run("refresh", "work").needs(69)
        home.run("refresh", "work").needs(0)
        server.is_unharmed()


@group.case("logout while a refresh hangs: it wins, at once", promise=3)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:hang=3")
        process = refresh_on_the_wire(server, home)
        began = time.monotonic()
        home.run("logout", "work", "--local").needs(0)
        expect(time.monotonic() - began < 2, "logout waited for the refresh")
        home.finish(process, seconds=20).needs(77)
        home.run("token", "work", "--non-interactive").needs(77)


@group.case("a new login while a refresh hangs: it wins, the refresh ends with 75", promise=3)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "refresh:hang=3")
        process = refresh_on_the_wire(server, home)
        home.run("login", "work").needs(0)
        fresh = home.token("work")
        home.finish(process, seconds=20).needs(75)
        expect_equal(home.token("work"), fresh, "the token after the old refresh ended")
        home.run("refresh", "work").needs(0)
