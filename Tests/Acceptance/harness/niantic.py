"""The NSDK's sample sign-in at the development server, and the person at its page."""
import configparser
import urllib.error
import urllib.request

from harness.dev_server import DevServer
from harness.home import Home
from harness.processes import wait_until
from harness.runner import Failure


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing: the answer's address is what counts."""

    def redirect_request(self, *_):
        return None


_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay())


def callback(server, user="alice", kind="nsdk-samples"):
    """Where the sign-in page sends this person's browser: an address with a session token."""
    try:
        _OPENER.open(f"{server.ready['sign_in_url']}?redirectType={kind}&user={user}", timeout=10).close()
    except urllib.error.HTTPError as answer:
        answer.close()
        if answer.code == 303:
            return answer.headers["Location"]
    raise Failure("the sign-in page did not send the browser back")


def counts(server):
    return server.statistics()["niantic"]


def is_unharmed(server):
    """Fails when a token came twice or a family ended."""
    statistics = counts(server)
    if statistics["reuse_detections"] or statistics["families_killed"]:
        raise Failure(f"the service saw a token twice or ended a family: {statistics}")
    return statistics


def prepared(stack, *faults, **niantic):
    """A dev server with these faults and niantic options, and a home with the profile `nsdk`."""
    server = DevServer(stack, faults, alg="ES256", key_for_each_alg=False, niantic=niantic)
    home = Home(stack)
    home.run("profile", "add", "nsdk", "--provider", "niantic", "--identity-url", server.ready["identity_url"],
             "--sign-in-url", server.ready["sign_in_url"], "--sign-out-url", server.ready["sign_out_url"]).needs(0)
    return server, home


def login(server, home, *arguments, user="alice"):
    """Signs in by a pasted address; nobody is asked."""
    return home.run("login", "nsdk", "--non-interactive", "--callback-url", "-", *arguments, input=callback(server, user) + "\n")


def signed_in(stack, *faults, **niantic):
    """The same with the profile signed in; the faults come after that."""
    server, home = prepared(stack, **niantic)
    login(server, home).needs(0)
    server.add_fault(*faults)
    return server, home


def forged(server):
    """A callback with a token that says what the service's says, and has another's signature."""
    return callback(server).rpartition(".")[0] + "." + callback(server).rpartition(".")[2]


def waiting(home):
    """The sockets of the logins that wait."""
    return list(home.folder.rglob("login-*.sock"))


def waiting_login(home, *arguments, profile="nsdk"):
    """A login that waits for its callback."""
    others = len(waiting(home))
    process = home.start("login", profile, "--non-interactive", "--no-browser", *([] if "--timeout" in arguments else ["--timeout", "60"]), *arguments)
    wait_until(lambda: len(waiting(home)) > others, "the login waits")
    return process


def desktop_entry(home, scheme="nsdk-samples"):
    """What the desktop knows of a registered scheme, by key; None where nothing is registered."""
    path = home.folder / "person/.local/share/applications" / f"authkit-{scheme}.desktop"
    if not path.exists():
        return None
    reader = configparser.RawConfigParser(delimiters=("=",))
    reader.optionxform = str
    reader.read_string(path.read_text())
    return dict(reader["Desktop Entry"])


def associations(home):
    """The lines of the desktop's list of which program opens what."""
    path = home.folder / "person/.config/mimeapps.list"
    return path.read_text().splitlines() if path.exists() else []
