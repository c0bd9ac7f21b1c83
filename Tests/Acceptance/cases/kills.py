"""SIGKILL at random instants of a refresh: what is lost is what no client could have kept, and it is told in words."""
import contextlib
import random
import time

from harness import proof
from harness.dev_server import signed_in
from harness.processes import wait_until
from harness.runner import Group, expect, expect_equal

group = Group("Kills")

KILLS = 500 if proof.WHOLE else 10


def kill_one(home, generator, longest):
    """Starts a refresh and kills it at a random instant; whether it was still running."""
    process = home.start("refresh", "work")
    # The instant is what is drawn here: another process dies wherever it has come to by then.
    time.sleep(generator.random() * longest)
    process.kill()
    return home.finish(process).code == -9


def settle(server):
    """Waits until the issuer has ended what it was asked by a process that is dead now; the refreshes granted."""
    last = [server.refreshes()]

    def is_steady():
        before, last[0] = last[0], server.refreshes()
        return before == last[0]

    time.sleep(0.02)
    wait_until(is_steady, "the issuer came to rest")
    return last[0]


def killing(stack, kind, **options):
    seed = random.randrange(1 << 30)
    print(f"     seed {seed}", flush=True)
    server, home = signed_in(stack, store=kind, access_token_lifetime=3600, **options)
    return server, home, random.Random(seed), 1.2 * max(refresh_time(home) for _ in range(3))


def refresh_time(home):
    """How long a refresh takes on this machine now: kills beyond that come too late."""
    began = time.monotonic()
    home.run("refresh", "work").needs(0)
    return time.monotonic() - began


for kind in proof.STORES:
    @group.case(f"{KILLS} kills over {kind}, the last token may be retried for 10 s: nobody is signed out", seconds=60 + KILLS * 2, promise=2)
    def _(kind=kind):
        with contextlib.ExitStack() as stack:
            server, home, generator, longest = killing(stack, kind, grace=10)
            hits = 0
            for number in range(KILLS):
                hits += kill_one(home, generator, longest)
                result = home.run("refresh", "work")
                expect(result.code == 0, f"after kill {number} refresh ended with {result.code}: {result.errors.strip()[-300:]}")
            statistics = server.is_unharmed()
            print(f"     {hits} of {KILLS} were killed on the way, {statistics['grace_repeats']} answers were asked for again", flush=True)
            expect(hits >= KILLS / 10, f"only {hits} of {KILLS} kills came in time")
            home.run("store", "check").needs(0)

    @group.case(f"{KILLS} kills over {kind}, no retry: just those between the issuer's commit and the save lose the login, and say so",
                seconds=60 + KILLS * 3, promise=2)
    def _(kind=kind):
        with contextlib.ExitStack() as stack:
            server, home, generator, longest = killing(stack, kind)
            hits = losses = 0
            for number in range(KILLS):
                before = server.refreshes()
                killed = kill_one(home, generator, longest)
                hits += killed
                granted = settle(server) - before
                status = home.run("--json", "status", "work").needs(0).json()
                # The intent is open until the answer is saved.
                was_cut_short = "cut short" in home.run("status", "work").needs(0).output
                must_be_lost = killed and granted == 1 and was_cut_short
                result = home.run("refresh", "work")
                if not must_be_lost:
                    expect(result.code == 0, f"kill {number} (granted {granted}, {status['state']}) lost a login that could be kept: "
                                             f"{result.code}, {result.errors.strip()[-300:]}")
                    continue
                losses += 1
                expect_equal(result.code, 77, f"the exit code after kill {number}, between commit and save")
                words = home.run("status", "work").needs(0).output
                expect("lost" in words and "sign" in words, f"status does not say that the answer was lost: {words}")
                home.run("login", "work").needs(0)
            print(f"     {hits} of {KILLS} were killed on the way, {losses} between commit and save", flush=True)
            expect(losses > 0 or not proof.WHOLE, "no kill fell between the issuer's commit and the save")
            expect(hits >= KILLS / 10, f"only {hits} of {KILLS} kills came in time")
            home.run("store", "check").needs(0)
