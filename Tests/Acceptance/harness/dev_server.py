"""The command's own issuer, in a process of its own."""
import json
import select
import subprocess
import urllib.request

from harness.home import COMMAND, Home
from harness.processes import end_child
from harness.proof import store_address
from harness.runner import Failure, expect

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class DevServer:
    """`authkit dev-server` on a free port, ended with the stack. Its public client is `dev`.

    `options` are the keys of the script that `dev-server --script` reads."""

    def __init__(self, stack, faults=(), **options):
        home = Home(stack)
        script = home.write("dev-server.json", json.dumps({"faults": list(faults), **options}))
        self._process = subprocess.Popen([COMMAND, "dev-server", "--port", "0", "--script", script], env=home.environment, text=True,
                                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        stack.callback(end_child, self._process)
        ready, _, _ = select.select([self._process.stdout], [], [], 20)
        line = self._process.stdout.readline() if ready else ""
        try:
            self.ready = json.loads(line)
        except ValueError:
            raise Failure(f"dev-server printed {line!r} instead of one JSON line when ready") from None
        self.issuer = self.ready["issuer"]

    def statistics(self):
        return json.loads(_OPENER.open(self.issuer + "/dev/stats", timeout=10).read())

    def add_fault(self, *faults):
        """Makes the issuer misbehave from now on, in this order."""
        request = urllib.request.Request(self.issuer + "/dev/faults", json.dumps(faults).encode(),
                                         {"Content-Type": "application/json"})
        _OPENER.open(request, timeout=10).close()

    def clear_faults(self):
        _OPENER.open(urllib.request.Request(self.issuer + "/dev/faults", method="DELETE"), timeout=10).close()

    def refreshes(self):
        return self.statistics()["refreshes_granted"]

    def is_unharmed(self):
        """Fails when a refresh token came twice or a family ended."""
        statistics = self.statistics()
        expect(statistics["reuse_detections"] == 0, f"the issuer saw a refresh token twice: {statistics}")
        expect(statistics["families_killed"] == 0, f"the issuer ended a family: {statistics}")
        return statistics


def signed_in(stack, *faults, redirects="http://127.0.0.1:0/callback", store=None, **options):
    """A dev server with these faults and options, and a home where the profile `work` is signed in at it.

    `store` is a kind of `harness.proof`; without one the command takes the store that it takes by itself."""
    server = DevServer(stack, faults, **options)
    home = Home(stack)
    if store:
        home.environment["AUTHKIT_STORE"] = store_address(home, store)
    home.browser = home.script("browser", 'exec curl -sL -o /dev/null "$1"\n')
    home.environment["BROWSER"] = home.browser
    home.run("profile", "add", "work", "--provider", "oidc", "--issuer", server.issuer, "--client-id", "dev",
             "--redirect-uri", redirects).needs(0)
    home.run("login", "work").needs(0)
    return server, home
