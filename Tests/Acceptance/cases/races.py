"""Many processes for a long time, at an issuer that ends a login when a refresh token comes twice."""
import contextlib
import os
import subprocess
import threading
import time
import urllib.error
import urllib.request

from harness import proof
from harness.dev_server import signed_in
from harness.home import COMMAND
from harness.runner import Group, expect

group = Group("Races")

PROCESSES = 24
SECONDS = 60 if proof.WHOLE else 8
# Each token lives two seconds and is asked for with one second to go, so that there is a refresh each second.
LIFETIME, ENOUGH = 2, 1
# A token that was printed after its end by a run that took longer than that in all says nothing: its process may have
# been kept from the processor between its look at the clock and its print for as long as the token had to live.
PUNCTUAL = 0.9
# Of a hundred runs, how many may end so.
MOST_LATE = 2
# One run of so many has the issuer asked about its token.
ASKED = 5

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Client(threading.Thread):
    """Runs `token` again and again and judges what is printed, each token by the moment at which it was printed.

    It is printed into a file: the kernel notes the time of the write there, however late this thread comes to look."""

    def __init__(self, server, home, number, until):
        super().__init__()
        self.server, self.home, self.until = server, home, until
        self.path = home.scratch / f"printed-{number}"
        self.valid, self.late, self.accepted, self.unsure, self.faults = 0, 0, 0, 0, []
        self.least = LIFETIME

    def run(self):
        try:
            while time.monotonic() < self.until and not self.faults:
                self.once()
        except Exception as error:
            self.faults.append(f"{type(error).__name__}: {error}")

    def once(self):
        began = time.time()
        with open(self.path, "wb") as output:
            done = subprocess.run([COMMAND, "token", "work", "--min-ttl", str(ENOUGH)], env=self.home.environment, timeout=60,
                                  text=True, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE)
        if done.returncode != 0:
            self.faults.append(f"token ended with {done.returncode}: {done.stderr.strip()[-300:]}")
            return
        printed, token = os.stat(self.path).st_mtime, self.path.read_text().strip()
        end = proof.claims(token)["exp"]
        if printed < end:
            self.valid += 1
            self.least = min(self.least, end - printed)
        elif printed - began > PUNCTUAL:
            self.late += 1
        else:
            self.faults.append(f"a token was printed {printed - end:.3f} s after its end, {printed - began:.3f} s after it was asked for")
        if (self.valid + self.late) % ASKED == 0:
            self.ask(token, end)

    def ask(self, token, end):
        """Has the issuer say whether it takes the token; a refusal counts when it came before the token's end."""
        request = urllib.request.Request(self.server.issuer + "/userinfo", headers={"Authorization": f"Bearer {token}"})
        try:
            _OPENER.open(request, timeout=30).close()
            self.accepted += 1
        except urllib.error.HTTPError as error:
            error.close()
            if time.time() < end:
                self.faults.append(f"the issuer refused a printed token before its end: {error.code}")
            else:
                self.unsure += 1


for kind in proof.STORES:
    @group.case(f"{PROCESSES} processes × {SECONDS} s over {kind}: no token reused, nobody signed out, every token valid when printed",
                seconds=SECONDS + 120, promise=1)
    def _(kind=kind):
        with contextlib.ExitStack() as stack:
            server, home = signed_in(stack, store=kind, access_token_lifetime=LIFETIME)
            until = time.monotonic() + SECONDS
            clients = [Client(server, home, number, until) for number in range(PROCESSES)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            faults = [fault for client in clients for fault in client.faults]
            expect(not faults, f"{len(faults)} faults, the first: {faults[:1]}")
            statistics = server.is_unharmed()
            valid, late, accepted, unsure = (sum(getattr(client, name) for client in clients)
                                             for name in ("valid", "late", "accepted", "unsure"))
            print(f"     {valid} tokens valid when printed, at least {min(client.least for client in clients):.2f} s before their end; "
                  f"{late} of {valid + late} not judged; the issuer took {accepted} of {accepted + unsure} that it was asked about, "
                  f"the others had ended by then; {statistics['refreshes_granted']} refreshes", flush=True)
            expect(statistics["refreshes_granted"] >= SECONDS / LIFETIME / 2, f"only {statistics['refreshes_granted']} refreshes: nothing was proved")
            expect(late * 100 <= MOST_LATE * (valid + late), f"{late} of {valid + late} runs were too slow to judge: the machine is too busy")
            expect(accepted > 0, "the issuer was asked about no token that still lived")
