"""The NSDK's sample sign-in: one exchange at a time, nothing lost that could be kept, no stranger's callback."""
import contextlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import time

from harness.home import COMMAND
from harness.leaks import ArgumentSampler, Search
from harness.niantic import associations, callback, counts, desktop_entry, forged, is_unharmed, login, prepared, signed_in, waiting, \
    waiting_login
from harness.processes import wait_until
from harness.proof import claims
from harness.runner import Group, expect, expect_equal

group = Group("NSDK")

PROCESSES, ROUNDS = 8, 3
# Long enough for a sign-in's step 3 on a busy machine; after it, a refresh makes all three steps.
# The command has no clock but the system's: what is to have ended is waited for.
SHORT = 3
# As in the case of many processes: fresh for LIFETIME - ENOUGH seconds.
LIFETIME, ENOUGH = 8, 4


@group.case(f"{PROCESSES} processes × {ROUNDS} rounds of token at expiry: one exchange a round, none refused", seconds=120, promise=1)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, access_token_lifetime=LIFETIME)
        held = lambda: home.run("token", "nsdk", "--format", "json", "--min-ttl", "1").needs(0).json()
        previous = held()
        for number in range(1, ROUNDS + 1):
            # The command has no clock but the system's: the token's own life has to pass.
            time.sleep(max(0, previous["expires_in"] - ENOUGH) + 1.1)
            before = counts(server)["access_tokens_made"]
            running = [home.start("token", "nsdk", "--min-ttl", ENOUGH) for _ in range(PROCESSES)]
            tokens = {home.finish(each).needs(0).output for each in running}
            expect_equal(counts(server)["access_tokens_made"] - before, 1, f"exchanges in round {number}")
            expect_equal(len(tokens), 1, f"different tokens in round {number}")
            expect(tokens != {previous["access_token"] + "\n"}, f"round {number} printed the token that was expiring")
            previous = held()
        is_unharmed(server)


@group.case("8 processes when all three steps are due: one of each", seconds=60, promise=1)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, access_token_lifetime=12, refresh_token_lifetime=3)
        before = counts(server)
        # As above: until the refresh token has ended, and the access token is too old for --min-ttl.
        time.sleep(7)
        for each in [home.start("token", "nsdk", "--min-ttl", 6) for _ in range(PROCESSES)]:
            home.finish(each).needs(0)
        after = is_unharmed(server)
        for step in ("sessions_rotated", "refresh_tokens_made", "access_tokens_made"):
            expect_equal(after[step] - before[step], 1, step)


@group.case("SIGKILL between the refresh token's rotation and the save: the session token makes another, nobody notices", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "niantic-access:hang-after-commit")
        process = home.start("refresh", "nsdk")
        wait_until(lambda: counts(server)["access_tokens_made"] == 2, "step 3 reached the service")
        process.kill()
        home.finish(process)
        home.run("refresh", "nsdk").needs(0)
        # The token in doubt was not sent again: that would have ended everything.
        expect_equal(is_unharmed(server)["sessions_rotated"], 2, "rotations of the session token")


@group.case("SIGKILL between the session token's rotation and the save: one more try, then the loss is told", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "niantic-rotate:hang-after-commit", refresh_token_lifetime=SHORT)
        time.sleep(SHORT + 0.2)
        held = home.token("nsdk")
        process = home.start("refresh", "nsdk")
        wait_until(lambda: counts(server)["sessions_rotated"] == 2, "step 1 reached the service")
        process.kill()
        home.finish(process)
        expect_equal(home.token("nsdk"), held, "the token that still lives")
        result = home.run("refresh", "nsdk").needs(77)
        expect("sign in" in result.errors.lower(), f"the message does not say what to do: {result.errors.strip()}")
        expect_equal(counts(server)["reuse_detections"], 1, "times that the old session token was sent again")
        expect_equal(home.run("--json", "status", "nsdk").needs(0).json()["state"], "needs_sign_in", "the state")
        login(server, home).needs(0)
        home.run("refresh", "nsdk").needs(0)


@group.case("SIGKILL after the session token was saved and before step 2 is answered: the rotated one was kept", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "niantic-refresh:hang-after-commit", refresh_token_lifetime=SHORT)
        time.sleep(SHORT + 0.2)
        process = home.start("refresh", "nsdk")
        wait_until(lambda: counts(server)["refresh_tokens_made"] == 2, "step 2 reached the service")
        process.kill()
        home.finish(process)
        home.run("refresh", "nsdk").needs(0)
        is_unharmed(server)


@group.case("SIGKILL of another account's login before its first token, which is refused later: the login from before stands", promise=2)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "niantic-refresh:hang-after-commit")
        held = home.token("nsdk")
        process = waiting_login(home, "--switch-account")
        home.run("callback", "-", input=callback(server, "bob")).needs(0)
        wait_until(lambda: counts(server)["refresh_tokens_made"] == 2, "step 2 reached the service")
        process.kill()
        home.finish(process)
        server.add_fault("niantic-refresh:401")
        home.run("token", "nsdk", "--non-interactive").needs(77)
        expect_equal(home.token("nsdk"), held, "the token after the refusal")
        home.run("refresh", "nsdk").needs(0)
        expect_equal(claims(home.token("nsdk"))["sub"], "user-alice", "who is signed in")


@group.case("logout during step 2: it wins at once, and nothing of the exchange is kept", promise=3)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack, "niantic-refresh:hang=3", refresh_token_lifetime=SHORT)
        time.sleep(SHORT + 0.2)
        process = home.start("refresh", "nsdk")
        wait_until(lambda: counts(server)["refresh_tokens_made"] == 2, "step 2 reached the service")
        began = time.monotonic()
        home.run("logout", "nsdk", "--local").needs(0)
        expect(time.monotonic() - began < 2, "logout waited for the exchange")
        home.finish(process, seconds=20).needs(77)
        home.run("token", "nsdk", "--non-interactive").needs(77)
        expect_equal(counts(server)["access_tokens_made"], 1, "access tokens made after the logout")


@group.case("callbacks of strangers: from another application, malformed, twice, late: refused, and the login goes on", promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        good = callback(server)
        token = good.split("=", 1)[1]
        home.run("callback", "-", input=good).needs(1)
        process = waiting_login(home)
        for url in (callback(server, kind="nsdk-external"), f"nsdk-samples://other/redirect?refreshToken={token}",
                    f"{good}&refreshToken={token}", "nsdk-samples://signin/redirect?refreshToken=abc",
                    "nsdk-samples://signin/redirect", "nsdk-samples://signin/redirect?error=access_denied"):
            home.run("callback", "-", input=url).needs(76)
        home.run("callback", "-", input="not an address").needs(65)
        expect(process.poll() is None, "a stranger's callback ended the login")
        home.run("callback", "-", input=good).needs(0)
        home.finish(process).needs(0)
        home.run("callback", "-", input=good).needs(1)
        expect_equal(is_unharmed(server)["sessions_rotated"], 1, "session tokens taken")


@group.case("a callback with a fragment: refused, and the login goes on until the address comes without", promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        process = waiting_login(home)
        good = callback(server)
        for url in (f"{good}#fragment", f"{good}#", good.replace("?", "#?")):
            home.run("callback", "-", input=url).needs(76)
        expect(process.poll() is None, "a callback with a fragment ended the login")
        expect_equal(counts(server)["sessions_rotated"], 0, "session tokens taken from callbacks with a fragment")
        home.run("callback", "-", input=good).needs(0)
        home.finish(process).needs(0)
        expect_equal(claims(home.token("nsdk"))["sub"], "user-alice", "who is signed in")
        expect_equal(is_unharmed(server)["sessions_rotated"], 1, "session tokens taken")


@group.case("forged tokens that the service refuses: told at once, the login goes on, and Ctrl-C ends it without a trace", seconds=60, promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        process = waiting_login(home)
        for _ in range(3):
            stranger = forged(server)
            home.run("callback", "-", input=stranger).needs(0)
            home.run("callback", "-", input=stranger).needs(76)
        home.run("callback", "-", input=callback(server)).needs(0)
        result = home.finish(process).needs(0)
        expect_equal(result.errors.count("refused the session token"), 3, "refusals that were told")
        expect_equal(is_unharmed(server)["sessions_rotated"], 1, "session tokens taken")
        held = home.token("nsdk")

        process = waiting_login(home)
        stranger = forged(server)
        home.run("callback", "-", input=stranger).needs(0)
        # Once it is refused the login waits again, and only then says no to its like.
        home.run("callback", "-", input=stranger).needs(76)
        process.send_signal(signal.SIGINT)
        expect(home.finish(process).code != 0, "an interrupted login succeeded")
        home.run("callback", "-", input=callback(server)).needs(1)
        expect_equal(home.token("nsdk"), held, "the token after the interrupted login")


@group.case("a second login joins one that waits again after a refusal; a wait that ends during a try leaves nothing behind", seconds=60, promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        first = waiting_login(home)
        home.run("callback", "-", input=forged(server)).needs(0)
        second = home.start("login", "nsdk", "--non-interactive", "--no-browser", "--timeout", "60")
        home.run("callback", "-", input=callback(server)).needs(0)
        home.finish(first).needs(0)
        home.finish(second).needs(0)
        expect_equal(is_unharmed(server)["sessions_rotated"], 1, "session tokens taken by both")
        held = home.token("nsdk")

        server.add_fault("niantic-rotate:hang=4")
        third = waiting_login(home, "--timeout", "2")
        home.run("callback", "-", input=forged(server)).needs(0)
        # The service did not say in time whether the token is good.
        home.finish(third, seconds=20).needs(69)
        expect_equal(waiting(home), [], "sockets of logins")
        home.run("callback", "-", input=callback(server)).needs(1)
        expect_equal(home.token("nsdk"), held, "the token after a wait that ended")


@group.case("a callback while the newest login tries a slow answer: turned away, and taken by no other login", seconds=90, promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        home.run("profile", "add", "other", "--provider", "niantic", "--identity-url", server.ready["identity_url"],
                 "--sign-in-url", server.ready["sign_in_url"]).needs(0)
        other = waiting_login(home, profile="other")
        newest = waiting_login(home)
        server.add_fault("niantic-rotate:hang=8")
        home.run("callback", "-", input=forged(server)).needs(0)
        # As the desktop hands it over, while the process lasts.
        address = callback(server)
        process = home.start("callback", address)
        arguments = lambda: pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes()
        wait_until(lambda: b"callback" in arguments() and address.split("=", 1)[1].encode() not in arguments(),
                   "the callback overwrote the token in its arguments", seconds=3)
        expect(process.poll() is None, "the callback did not wait while another answer is tried")
        result = home.finish(process).needs(76)
        expect("another answer" in result.errors, f"it is not said why: {result.errors.strip()}")
        wait_until(lambda: counts(server)["sessions_rotated"] == 0 and len(waiting(home)) == 2, "both logins wait still")
        # The forged token is refused when the service has answered; until then each callback waits for seconds.
        wait_until(lambda: home.run("callback", "-", input=callback(server)).code == 0, "the newest login waits again", seconds=30)
        home.finish(newest).needs(0)
        expect(other.poll() is None, "the other login took the callback")
        expect_equal(is_unharmed(server)["sessions_rotated"], 1, "session tokens taken")


@group.case("a registered scheme: the desktop's own command completes the login that waits, until it is unregistered")
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        home.run("login", "nsdk", "--register-scheme").needs(0)
        entry = desktop_entry(home)
        expect(entry, "there is no desktop entry for nsdk-samples")
        expect_equal(entry["MimeType"], "x-scheme-handler/nsdk-samples;", "what the entry is for")
        association = "x-scheme-handler/nsdk-samples=authkit-nsdk-samples.desktop"
        expect(association in associations(home), f"the scheme is not associated: {associations(home)}")
        # The folders' names need none of the quoting in which Exec lines differ from a shell's.
        command = shlex.split(entry["Exec"])
        expect_equal(command[:2] + command[3:], ["env", f"AUTHKIT_HOME={home.path}", "callback", "%u"], "the command around its program")
        expect(os.path.samefile(command[2], shutil.which(COMMAND)), f"the entry runs another program: {command[2]}")

        # The desktop does not know the shell's variables; the entry itself brings the home.
        desktop = {name: value for name, value in home.environment.items() if name != "AUTHKIT_HOME"}
        opens = lambda url: subprocess.run([url if word == "%u" else word for word in command], env=desktop, text=True,
                                           stdin=subprocess.DEVNULL, capture_output=True, timeout=20).returncode
        good = callback(server)
        expect_equal(opens(good), 1, "the exit code while no login waits")
        process = waiting_login(home)
        expect_equal(opens("nsdk-samples://signin/redirect?refreshToken=abc"), 76, "the exit code for a stranger's address")
        expect(process.poll() is None, "a stranger's address ended the login")
        expect_equal(opens(good), 0, "the exit code for the right address")
        home.finish(process).needs(0)
        expect_equal(claims(home.token("nsdk"))["sub"], "user-alice", "who is signed in")
        expect_equal(is_unharmed(server)["sessions_rotated"], 1, "session tokens taken")

        for _ in range(2):
            home.run("login", "nsdk", "--unregister-scheme").needs(0)
            expect_equal(desktop_entry(home), None, "the entry after --unregister-scheme")
            expect(association not in associations(home), "the scheme is still associated after --unregister-scheme")


@group.case("a callback with somebody else's token: not taken for the one who is signed in, unless that is said", promise=5)
def _():
    with contextlib.ExitStack() as stack:
        server, home = signed_in(stack)
        held = home.token("nsdk")
        process = waiting_login(home)
        home.run("callback", "-", input=callback(server, "bob")).needs(76)
        expect(process.poll() is None, "somebody else's callback ended the login")
        expect_equal(home.token("nsdk"), held, "the token after a forged callback")
        # A login that waits keeps nobody from what is stored.
        home.run("refresh", "nsdk").needs(0)
        home.run("callback", "-", input=callback(server)).needs(0)
        home.finish(process).needs(0)
        expect_equal(claims(home.token("nsdk"))["sub"], "user-alice", "who is signed in after both callbacks")
        result = login(server, home, user="bob").needs(76)
        expect("bob" in result.errors and "alice" in result.errors, f"nobody is named: {result.errors.strip()}")
        result = login(server, home, "--switch-account", user="bob").needs(0)
        expect("bob@example.org" in result.errors, "the account was not shown")
        expect_equal(claims(home.token("nsdk"))["sub"], "user-bob", "who is signed in")


@group.case("no token in any file, trace or process's arguments, from sign-in to the browser's sign-out", seconds=60, promise=6)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        home.browser = home.script("browser", 'sleep 0.1\nexec curl -sL -o /dev/null "$1"\n')
        address = callback(server)
        secrets = {address.split("=", 1)[1]: "the callback's session token"}
        traces = []
        with ArgumentSampler() as sampler:
            result = home.run("login", "nsdk", "--non-interactive", "--callback-url", "-", "--trace", input=address + "\n").needs(0)
            traces.append(result.errors)
            secrets[home.token("nsdk")] = "the access token"
            traces.append(home.run("refresh", "nsdk", "--trace").needs(0).errors)
            secrets[home.token("nsdk")] = "the access token"
            search = Search(secrets)
            expect(search.folder(home.path) >= 3, "there are hardly any files: was another home used?")
            traces.append(home.run("logout", "nsdk", "--trace", BROWSER=home.browser).needs(0).errors)
            wait_until(lambda: counts(server)["sign_outs"] == 1, "the browser came to the sign-out page")
        for step in ("Step 1 of 3", "Step 2 of 3", "Step 3 of 3"):
            expect(step in traces[0], f"the trace does not draw {step}")
        # All of the service's tokens have one header: none of them may be anywhere, those that nobody printed included.
        header = next(iter(secrets)).split(".")[0]
        for trace in traces:
            search.text(trace, "a trace")
            expect(header not in trace, "a trace holds a token")
        expect(sampler.names(pathlib.Path(home.browser).name), "the sampler never saw the browser: it was too slow to prove anything")
        for arguments in sampler.seen:
            search.bytes(arguments, "the arguments of a process")
            expect(header.encode() not in arguments, "the arguments of a process hold a token")
        for path in home.path.rglob("*"):
            expect(not path.is_file() or header.encode() not in path.read_bytes(), f"{path.name} holds a token")


for fault, code in [
    ("niantic-access:503", 69), ("niantic-access:429;retry-after=7", 75), ("niantic-access:429;retry-date=7", 75),
    ("niantic-access:html", 69), ("niantic-access:close", 69), ("niantic-access:malformed", 76), ("niantic-access:error-in-success", 76),
    ("niantic-access:404", 78), ("niantic-access:401", 0), ("niantic-access:same-token", 0), ("niantic-access:text-expiry", 0),
]:
    @group.case(f"{fault} at refresh: {code}, and the next refresh works", seconds=30, promise=4)
    def _(fault=fault, code=code):
        with contextlib.ExitStack() as stack:
            server, home = signed_in(stack, fault)
            home.run("refresh", "nsdk").needs(code)
            home.run("token", "nsdk", "--non-interactive").needs(0)
            home.run("refresh", "nsdk").needs(0)
            is_unharmed(server)


@group.case("a service account: 8 processes without a token make one exchange, and the key is nowhere", seconds=60, promise=1)
def _():
    with contextlib.ExitStack() as stack:
        server, home = prepared(stack)
        key = home.write("api.key", "dev-api-key\n")
        home.run("profile", "add", "build", "--provider", "niantic", "--flow", "service-account", "--identity-url",
                 server.ready["identity_url"], "--api-key-file", key).needs(0)
        tokens = {home.finish(each).needs(0).output for each in [home.start("token", "build") for _ in range(PROCESSES)]}
        expect_equal(len(tokens), 1, "different tokens")
        expect_equal(counts(server)["keys_exchanged"], 1, "exchanges")
        Search({"dev-api-key": "the key"}).folder(home.path)
        home.run("logout", "build").needs(0)
        home.run("token", "build").needs(77)
        home.run("login", "build").needs(0)
        home.run("token", "build").needs(0)
