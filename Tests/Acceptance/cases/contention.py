"""Many processes at once: one refresh, one login."""
import contextlib
import subprocess
import time

from harness.dev_server import signed_in
from harness.home import COMMAND
from harness.runner import Group, expect, expect_equal

group = Group("Many processes")

PROCESSES, ROUNDS = 16, 20
# A token counts as fresh for LIFETIME - ENOUGH seconds: long enough for all processes of a round to start and read it.
LIFETIME, ENOUGH = 8, 4


@group.case(f"{PROCESSES} processes × {ROUNDS} rounds of token at expiry: one refresh a round, none refused", seconds=300, promise=1)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, access_token_lifetime=LIFETIME)
        held = lambda: home.run("token", "work", "--format", "json", "--min-ttl", "1").needs(0).json()
        previous = held()
        for number in range(1, ROUNDS + 1):
            time.sleep(max(0, previous["expires_in"] - ENOUGH) + 1.1)
            before = server.refreshes()
            running = [subprocess.Popen([COMMAND, "token", "work", "--min-ttl", str(ENOUGH)], env=home.environment, text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                       for _ in range(PROCESSES)]
            ended = [home.finish(each).needs(0) for each in running]
            tokens = {each.output for each in ended}
            expect_equal(server.refreshes() - before, 1, f"refreshes in round {number}")
            expect_equal(len(tokens), 1, f"different tokens in round {number}")
            expect(tokens != {previous["access_token"] + "\n"}, f"round {number} printed the token that was expiring")
            previous = held()
        server.is_unharmed()
        expect_equal(server.refreshes(), ROUNDS, "refreshes in all")


@group.case("8 forced refreshes at once share what they can and lose nothing", seconds=60, promise=1)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        for result in [home.finish(each) for each in [home.start("refresh", "work") for _ in range(8)]]:
            result.needs(0)
        granted = server.is_unharmed()["refreshes_granted"]
        expect(1 <= granted <= 8, f"{granted} refreshes")
        home.run("refresh", "work").needs(0)


@group.case("two logins at once: one sign-in, both end well", seconds=60, promise=1)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        before = server.statistics()["codes_redeemed"]
        slow = home.script("slow-browser", 'sleep 1.5\nexec curl -sL -o /dev/null "$1"\n')
        first = home.start("login", "work", BROWSER=slow)
        time.sleep(0.5)
        second = home.start("login", "work", BROWSER=slow)
        home.finish(first).needs(0)
        home.finish(second).needs(0)
        expect_equal(server.statistics()["codes_redeemed"] - before, 1, "codes redeemed")


@group.case("token while a login waits for its person: not held up", seconds=60)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        waiting = home.start("login", "work", "--timeout", "20", BROWSER="/bin/true")
        time.sleep(0.5)
        began = time.monotonic()
        home.run("refresh", "work").needs(0)
        expect(time.monotonic() - began < 5, "refresh waited for the person")
        expect(waiting.poll() is None, "the login did not wait")
        server.is_unharmed()
