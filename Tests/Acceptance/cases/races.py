"""Many processes for a long time, at an issuer that ends a login when a refresh token comes twice."""
import contextlib
import threading
import time

from harness import proof
from harness.dev_server import signed_in
from harness.runner import Group, expect

group = Group("Races")

PROCESSES = 24
SECONDS = 60 if proof.WHOLE else 8
# Each token lives two seconds and is asked for with one second to go, so that there is a refresh each second.
LIFETIME, ENOUGH = 2, 1
# A process that was kept from the processor for longer than that says nothing about the token it printed.
PUNCTUAL = 0.9


class Client(threading.Thread):
    """Runs `token` again and again and judges what is printed."""

    def __init__(self, home, until):
        super().__init__()
        self.home, self.until = home, until
        self.printed, self.late, self.faults = 0, 0, []

    def run(self):
        while time.monotonic() < self.until and not self.faults:
            began = time.monotonic()
            result = self.home.run("token", "work", "--min-ttl", ENOUGH, seconds=60)
            ended, took = time.time(), time.monotonic() - began
            if result.code != 0:
                self.faults.append(f"token ended with {result.code}: {result.errors.strip()[-300:]}")
            elif took > PUNCTUAL:
                self.late += 1
            elif proof.claims(result.output.strip())["exp"] <= ended:
                self.faults.append(f"a token was printed {ended - proof.claims(result.output.strip())['exp']:.2f} s after its end")
            else:
                self.printed += 1


for kind in proof.STORES:
    @group.case(f"{PROCESSES} processes × {SECONDS} s over {kind}: no token reused, nobody signed out, every token valid when printed",
                seconds=SECONDS + 120, promise=1)
    def _(kind=kind):
        with contextlib.ExitStack() as stack:
            server, home = signed_in(stack, store=kind, access_token_lifetime=LIFETIME)
            until = time.monotonic() + SECONDS
            clients = [Client(home, until) for _ in range(PROCESSES)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            faults = [fault for client in clients for fault in client.faults]
            expect(not faults, f"{len(faults)} faults, the first: {faults[:1]}")
            statistics = server.is_unharmed()
            printed, late = sum(client.printed for client in clients), sum(client.late for client in clients)
            print(f"     {printed} tokens printed in time, {late} too late to judge, {statistics['refreshes_granted']} refreshes", flush=True)
            expect(statistics["refreshes_granted"] >= SECONDS / LIFETIME / 2, f"only {statistics['refreshes_granted']} refreshes: nothing was proved")
            expect(printed > late, f"{late} of {printed + late} runs were too slow to judge: the machine is too busy")
