"""Refreshes that get no answer in time. All of them wait at once, in the group's preparation."""
import concurrent.futures
import time

from harness.dev_server import signed_in
from harness.runner import Group, expect, expect_equal

# What is asked for with --timeout, and how long an answer to a one-time token is waited for beyond that, so that it can be saved.
LIMIT, SAVING = 3, 15


class Wait:
    """One command that runs against an issuer with a fault at refresh: how it ended and after how many seconds."""

    def __init__(self, stack, pool, fault, *arguments, **options):
        self.server, self.home = signed_in(stack, fault, **options)
        self.before = self.home.run("token", "work", "--min-ttl", "1").needs(0).output.strip()
        self._future = pool.submit(self._run, arguments)

    def _run(self, arguments):
        began = time.monotonic()
        return self.home.run(*arguments), time.monotonic() - began

    @property
    def result(self):
        return self._future.result()[0]

    @property
    def seconds(self):
        return self._future.result()[1]

    def ended_in_time(self):
        self.result.needs(69)
        expect(self.seconds < LIMIT + SAVING + 2, f"it took {self.seconds:.1f} s")


class Waits:
    def __init__(self, stack):
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor())
        refresh = "refresh", "work", "--timeout", LIMIT
        self.rotated = Wait(stack, pool, "refresh:hang=60", *refresh)
        self.graceful = Wait(stack, pool, "refresh:hang=60", *refresh, grace=120)
        self.unheard = Wait(stack, pool, "refresh:stall", *refresh)
        self.late = Wait(stack, pool, f"refresh:hang={LIMIT + 3}", *refresh)
        # Its token lives shorter than the 60 s that `token` asks for: it is refreshed, and it serves when that fails.
        self.expiring = Wait(stack, pool, "refresh:stall", "token", "work", access_token_lifetime=50)


group = Group("Time-outs at refresh", Waits)


@group.case("after the issuer rotated: 69, the old token serves, then 77 says that the answer was lost", promise=2)
def _(waits):
    it = waits.rotated
    it.ended_in_time()
    expect_equal(it.server.refreshes(), 1, "refreshes that the issuer granted before the time-out")
    expect_equal(it.home.token("work"), it.before, "the token after the time-out")
    result = it.home.run("refresh", "work").needs(77)
    expect("answer was lost" in result.errors and "sign in again" in result.errors, f"the loss is not told: {result.errors.strip()}")
    expect_equal(it.home.run("--json", "status", "work").needs(0).json()["state"], "needs_sign_in", "the state")
    it.home.run("login", "work").needs(0)
    it.home.run("refresh", "work").needs(0)


@group.case("after the issuer rotated, with a grace period: 69, then the next refresh works", promise=2)
def _(waits):
    it = waits.graceful
    it.ended_in_time()
    expect_equal(it.home.token("work"), it.before, "the token after the time-out")
    it.home.run("refresh", "work").needs(0)
    expect(it.home.token("work") != it.before, "the token is the old one")
    expect_equal(it.server.is_unharmed()["grace_repeats"], 1, "times that the old refresh token was sent again")


@group.case("before the issuer acts: 69, the old token serves, the next refresh works", promise=4)
def _(waits):
    it = waits.unheard
    it.ended_in_time()
    expect_equal(it.home.token("work"), it.before, "the token after the time-out")
    it.home.run("refresh", "work").needs(0)
    expect_equal(it.server.is_unharmed()["refreshes_granted"], 1, "refreshes")


@group.case("an answer after --timeout is saved all the same", promise=2)
def _(waits):
    it = waits.late
    it.ended_in_time()
    expect(it.home.token("work") != it.before, "the answer was thrown away")
    it.home.run("refresh", "work").needs(0)
    expect_equal(it.server.is_unharmed()["refreshes_granted"], 2, "refreshes")


@group.case("token while the issuer is silent: the held one, with a warning", promise=4)
def _(waits):
    it = waits.expiring
    it.result.needs(0)
    expect_equal(it.result.output.strip(), it.before, "the token")
    expect(it.result.errors.strip(), "no warning was given")
    expect(it.seconds < LIMIT + SAVING + 2, f"it took {it.seconds:.1f} s")
