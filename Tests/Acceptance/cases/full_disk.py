"""A store that can be written to no longer when the issuer's answer comes."""
import concurrent.futures
import os
import resource
import subprocess
import time

from harness import proof
from harness.dev_server import signed_in
from harness.processes import wait_until
from harness.runner import Group, expect, expect_equal

# How long the issuer holds its answer back after it rotated the token, and how long the command tries to store it.
HELD, TRIED = 2, 10


class Save:
    """One `token` that refreshes and may write to no file any more when its answer comes.

    A limit on the size of files stands for the full disk: room that was reserved does not help against it. With
    `room_after` it goes so many seconds after the answer."""

    def __init__(self, stack, pool, kind, room_after=None):
        self.server, self.home = signed_in(stack, f"refresh:hang={HELD}", store=kind)
        self.before = self.home.token("work")
        process = self.home.start("token", "work", "--min-ttl", "5000")
        wait_until(lambda: self.server.refreshes() == 1, "the refresh reached the issuer")
        self._answered = time.monotonic() + HELD
        self._limit(process, 0)
        self._future = pool.submit(self._wait, process, room_after)

    @staticmethod
    def _limit(process, size):
        _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, most))

    def _wait(self, process, room_after):
        if room_after is not None:
            # The command tries by its own clock, in a process of its own: the room has to return by that.
            time.sleep(max(0, self._answered + room_after - time.monotonic()))
            self._limit(process, resource.prlimit(process.pid, resource.RLIMIT_FSIZE)[1])
        result = self.home.finish(process)
        return result, time.monotonic() - self._answered

    @property
    def result(self):
        return self._future.result()[0]

    @property
    def seconds(self):
        """From the answer to the end of the command."""
        return self._future.result()[1]


class Saves:
    def __init__(self, stack):
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor())
        self.hopeless = {kind: Save(stack, pool, kind) for kind in proof.STORES}
        self.mended = {kind: Save(stack, pool, kind, room_after=TRIED / 2) for kind in proof.STORES}


group = Group("Full disk", Saves)

for kind in proof.STORES:
    @group.case(f"no room for the answer over {kind}: tried for {TRIED} s, then 74 in words and no token, nothing is damaged", promise=2)
    def _(saves, kind=kind):
        it = saves.hopeless[kind]
        it.result.needs(74)
        expect_equal(it.result.output, "", "what was printed on standard output")
        expect("could not be stored" in it.result.errors and "make room" in it.result.errors,
               f"the message does not say what happened and what to do: {it.result.errors.strip()}")
        expect(TRIED - 0.5 < it.seconds < TRIED + 5, f"it ended {it.seconds:.1f} s after the answer")
        it.home.run("store", "check").needs(0)
        # The stored token still lives; that the answer to the refresh was lost is told by the next one.
        expect_equal(it.home.token("work"), it.before, "the stored token")
        result = it.home.run("refresh", "work").needs(77)
        expect("lost" in result.errors and "sign in" in result.errors.lower(), f"the loss is not told: {result.errors.strip()}")
        it.home.run("login", "work").needs(0)
        it.home.run("refresh", "work").needs(0)

    @group.case(f"room again within the {TRIED} s over {kind}: the token is stored, then printed", promise=2)
    def _(saves, kind=kind):
        it = saves.mended[kind]
        it.result.needs(0)
        expect(TRIED / 2 - 0.5 < it.seconds < TRIED, f"it ended {it.seconds:.1f} s after the answer")
        printed = it.result.output.strip()
        expect(printed and printed != it.before, "the new token was not printed")
        expect_equal(it.home.token("work"), printed, "the stored token")
        it.home.run("refresh", "work").needs(0)
        it.home.run("store", "check").needs(0)
        expect_equal(it.server.is_unharmed()["refreshes_granted"], 2, "refreshes")

    @group.case(f"a disk that fills up while the answer is on its way, over {kind}: the reserved room takes it", promise=2)
    def _(saves, kind=kind):
        it = saves.hopeless[kind]
        disk = it.home.folder / "disk"
        disk.mkdir(mode=0o700)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", disk], capture_output=True)
        if mounted.returncode != 0:
            print("     not tried: only root may mount a small disk, and not everywhere", flush=True)
            return
        try:
            store = {"AUTHKIT_STORE": {"sqlite": f"sqlite:{disk}/store.db", "file": f"file:{disk}/store"}[kind]}
            it.home.run("login", "work", **store).needs(0)
            it.server.add_fault(f"refresh:hang={HELD}")
            granted = it.server.refreshes()
            process = it.home.start("token", "work", "--min-ttl", "5000", **store)
            wait_until(lambda: it.server.refreshes() == granted + 1, "the refresh reached the issuer")
            fill(disk / "rest")
            result = it.home.finish(process).needs(0)
            expect_equal(it.home.run("token", "work", **store).needs(0).output, result.output, "the stored token")
            os.remove(disk / "rest")
            it.home.run("refresh", "work", **store).needs(0)
            it.home.run("store", "check", **store).needs(0)
        finally:
            subprocess.run(["umount", "-l", disk], check=True)


def fill(path):
    """Writes a file until there is no room for one byte more."""
    with open(path, "wb", buffering=0) as rest:
        for size in (1 << 16, 1):
            try:
                while rest.write(bytes(size)):
                    pass
            except OSError:
                pass
