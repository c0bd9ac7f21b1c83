"""Sign in, use, refresh and sign out at servers that others wrote."""
import base64
import json
import pathlib
import ssl
import time
import urllib.error
import urllib.request

from harness.home import Home
from harness.leaks import ArgumentSampler, Search
from harness.real_server import running_server
from harness.runner import Group, expect, expect_equal

CLIENT_SECRET = "conf-secret-1234"


def claims(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


class SignedInHome:
    """What the cases of one server and client share."""

    def __init__(self, stack, server, client, scope):
        self.server, self.client, self.scope, self.output = server, client, scope, []
        arguments = f"--cafile {server.ca_file}" if server.ca_file else ""
        self.home = Home(stack, DRIVER=server.driver, DRIVER_ARGS=arguments)
        self.access = self.identity = self.answer_before_logout = None

    def command(self, *arguments, **options):
        """Runs the command with --trace; what it says there is searched for secrets at the end."""
        result = self.home.run("--trace", *arguments, **options)
        self.output.append((result.line, result.errors))
        return result

    def needs_sign_in(self):
        expect(self.access and self.identity, "there is no sign-in to go on with")

    def add_profile(self):
        arguments = ["profile", "add", "work", "--provider", "oidc", "--issuer", self.server.issuer, "--client-id", self.client,
                     "--scope", self.scope, "--redirect-uri", ",".join(self.server.callbacks)]
        if self.client == "conf":
            arguments += ["--client-secret-file", self.home.write("client-secret", CLIENT_SECRET + "\n"),
                          "--client-auth", "client_secret_basic"]
        if self.server.ca_file:
            arguments += ["--ca-file", self.server.ca_file]
        self.command(*arguments).needs(0)

    def ask_userinfo(self):
        """The status that the server gives to anybody who has a copy of the access token."""
        context = ssl.create_default_context(cafile=self.server.ca_file)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
        metadata = json.loads(opener.open(self.server.issuer + "/.well-known/openid-configuration", timeout=10).read())
        request = urllib.request.Request(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {self.access}"})
        try:
            return opener.open(request, timeout=10).status
        except urllib.error.HTTPError as error:
            return error.code

    def secrets(self):
        found = {CLIENT_SECRET: "the client secret"} if self.client == "conf" else {}
        if self.server.recorder:
            found.update(self.server.recorder.secrets())
            expect(self.access in found, "the recorder did not see the access token: nothing was really searched for")
            kinds = set(found.values())
            expect({"code", "code_verifier", "refresh_token"} <= kinds, f"the recorder saw only {sorted(kinds)}")
        else:
            found.update({self.access: "the access token", self.identity: "the ID token"})
        return found


def server_cases(title, name, client, scope, tls=False, can_revoke=True, pace=0):
    """Adds the cases of one server and client.

    `pace`: seconds between two token requests, where a server fails on two within a second."""

    def prepare(stack):
        return SignedInHome(stack, running_server(name, tls), client, scope)

    group = Group(title, prepare)

    @group.case("login through the scripted browser, nothing secret in any process's arguments", promise=6)
    def _(it):
        it.add_profile()
        with ArgumentSampler() as sampler:
            it.command("login", "work").needs(0)
        it.access = it.home.token("work")
        it.identity = it.home.token("work", "--id-token")
        expect(sampler.names(pathlib.Path(it.server.driver).name), "the sampler never saw the browser: it was too slow to prove anything")
        search = Search(it.secrets())
        for arguments in sampler.seen:
            search.bytes(arguments, "the arguments of a process: " + arguments[:80].replace(b"\0", b" ").decode("latin-1"))

    @group.case("token prints it raw, as a header and as JSON")
    def _(it):
        it.needs_sign_in()
        answer = it.home.run("token", "work", "--format", "json").needs(0).json()
        expect_equal(answer["access_token"], it.access, "the token in JSON")
        expect_equal(answer["profile"], "work", "the profile in JSON")
        expect_equal(answer["token_type"].lower(), "bearer", "the type in JSON")
        expect_equal(answer["refreshed"], False, "'refreshed' for a fresh token")
        expect(answer["expires_in"] > 60, f"expires_in is {answer['expires_in']}")
        header = it.home.run("token", "work", "--format", "header").needs(0).output.strip()
        expect(header.endswith(f"Bearer {it.access}"), f"the header form is {header[:30]!r}…")

    @group.case("userinfo tells of the same person as the ID token and status")
    def _(it):
        it.needs_sign_in()
        subject = it.command("userinfo", "work").needs(0).json()["sub"]
        expect_equal(subject, claims(it.identity)["sub"], "the sub of userinfo")
        status = it.home.run("--json", "status", "work").needs(0).json()
        expect_equal(status["subject"], subject, "the subject of status")
        expect_equal(status["state"], "signed_in", "the state")

    @group.case("refresh brings another token, and the server takes it")
    def _(it):
        it.needs_sign_in()
        time.sleep(pace)
        it.command("refresh", "work").needs(0)
        renewed = it.home.token("work")
        expect(renewed != it.access, "the access token is the same after refresh")
        it.access = renewed
        it.command("userinfo", "work").needs(0)
        time.sleep(pace)
        it.command("refresh", "work").needs(0)
        it.access = it.home.token("work")

    @group.case("no token, secret or code in any file or in --trace", promise=6)
    def _(it):
        it.needs_sign_in()
        search = Search(it.secrets())
        expect(search.folder(it.home.path) >= 3, "there are hardly any files: was another home used?")
        for line, errors in it.output:
            search.text(errors, f"--trace of '{line}'")
        expect(any("token" in errors for _, errors in it.output), "--trace printed nothing about the token request")

    @group.case("logout removes what is here and says what the server did not do")
    def _(it):
        it.needs_sign_in()
        it.answer_before_logout = it.ask_userinfo()
        result = it.command("logout", "work", "--non-interactive").needs(0 if can_revoke else 69)
        if not can_revoke:
            expect("revo" in result.errors.lower(), f"what is left undone is not named: {result.errors.strip()[-300:]}")
        it.home.run("token", "work", "--non-interactive").needs(77)
        expect_equal(it.home.run("--json", "status", "work").needs(0).json()["state"], "signed_out", "the state")
        Search(it.secrets()).folder(it.home.path)
        it.home.run("logout", "work", "--non-interactive").needs(0)

    if can_revoke:
        @group.case("the revoked token is refused by the server")
        def _(it):
            it.needs_sign_in()
            expect_equal(it.answer_before_logout, 200, "the status of userinfo before logout")
            answer = it.ask_userinfo()
            expect(answer in (401, 403), f"userinfo answered {answer} to the token of a signed-out person")

    @group.case("a login that is broken off leaves nothing behind")
    def _(it):
        it.home.run("login", "work", "--timeout", "2", BROWSER="/bin/true").needs(77)
        it.home.run("token", "work", "--non-interactive").needs(77)


# A public client cannot revoke at Glewlwyd and Canaille (401): named by logout, exit 69.
server_cases("Glewlwyd, public client", "glewlwyd", "cli", "openid profile email offline_access", can_revoke=False)
server_cases("Glewlwyd, confidential client", "glewlwyd", "conf", "openid profile email offline_access")
server_cases("Glewlwyd, https with a private authority", "glewlwyd", "cli", "openid profile", tls=True, can_revoke=False)
# Canaille answers 500 to two token requests of one person and client within a second.
server_cases("Canaille, public client", "canaille", "cli", "openid profile email", can_revoke=False, pace=1.2)
server_cases("Canaille, confidential client", "canaille", "conf", "openid profile email", pace=1.2)
server_cases("django-oauth-toolkit, public client", "django-oauth-toolkit", "cli", "openid profile email")
server_cases("django-oauth-toolkit, confidential client", "django-oauth-toolkit", "conf", "openid profile email")
