"""The command over a store in PostgreSQL, which it is told of by a connection string with TLS."""
from harness.dev_server import DevServer
from harness.home import Home
from harness.leaks import Search
from harness.postgres import PostgresServer
from harness.runner import Group, expect, expect_equal


class Machine:
    """A home whose store is a database, and the profile `work` signed in there."""

    def __init__(self, stack):
        self.database = PostgresServer(stack)
        self.server = DevServer(stack)
        self.home = Home(stack)
        self.home.environment["AUTHKIT_STORE"] = self.database.address
        self.home.environment["BROWSER"] = self.home.script("browser", 'exec curl -sL -o /dev/null "$1"\n')
        self.made = self.run("store", "init", "--json").needs(0).json()
        self.run("profile", "add", "work", "--provider", "oidc", "--issuer", self.server.issuer, "--client-id", "dev").needs(0)
        self.run("login", "work").needs(0)

    def run(self, *arguments, **environment):
        """Runs the command; nothing that it prints may hold the database's password."""
        result = self.home.run(*arguments, **environment)
        Search({self.database.password: "the password"}).text(result.output + result.errors, f"'{result.line}'")
        return result

    def token(self, *arguments):
        return self.run("token", "work", *arguments).needs(0).output.strip()

    def has_no_store_of_its_own(self):
        """Nothing of the store lies in the home."""
        names = sorted(path.name for path in self.home.path.iterdir() if path.name.startswith("store"))
        expect_equal(names, ["store.key"], "what lies in the home of the store")


group = Group("PostgreSQL", Machine)


@group.case("store init, login, token, refresh, list, status and store check work by its address, whose password is not shown", promise=6)
def _(machine):
    expect_equal(machine.made["store"], machine.database.place, "the store as 'store init' tells it")
    first = machine.token()
    expect_equal(machine.token(), first, "the token, asked for again")
    machine.run("refresh", "work").needs(0)
    expect(machine.token() != first, "the token after a refresh is the one before")
    listed = machine.run("list", "--json").needs(0).json()
    expect_equal([(each["profile"], each["state"]) for each in listed], [("work", "signed_in")], "what is listed")
    status = machine.run("status", "work", "--json").needs(0).json()
    expect_equal((status["profile"], status["state"]), ("work", "signed_in"), "the status")
    expect_equal(machine.run("store", "check", "--json").needs(0).json()["intact"], 1, "records that 'store check' opened")
    expect_equal(machine.run("store", "init", "--json").needs(78).json()["error"]["code"], "store_exists", "a second 'store init'")
    machine.has_no_store_of_its_own()
    machine.server.is_unharmed()


@group.case("8 forced refreshes at once share what they can and lose nothing", promise=1)
def _(machine):
    before = machine.server.refreshes()
    for result in [machine.home.finish(each) for each in [machine.home.start("refresh", "work") for _ in range(8)]]:
        result.needs(0)
    granted = machine.server.is_unharmed()["refreshes_granted"] - before
    expect(1 <= granted <= 8, f"{granted} refreshes")
    machine.run("refresh", "work").needs(0)


@group.case("store migrate to a file store, to SQLite, and back: the sign-in comes along, and what is emptied has none")
def _(machine):
    token = machine.token()
    places = [f"file:{machine.home.path}/moved", f"sqlite:{machine.home.path}/moved.db", machine.database.address]
    source = places[-1]
    for target in places:
        copied = machine.run("store", "migrate", "--store", source, "--to", target, "--json").needs(0).json()
        expect_equal((copied["copied"], copied["purged"]), (1, 0), f"copied and purged on the way to {target.split(':')[0]}")
        for each in (source, target):
            expect_equal(machine.token("--store", each), token, "the token of both stores once it is copied")
        moved = machine.run("store", "migrate", "--store", source, "--to", target, "--purge-source", "--json").needs(0).json()
        expect_equal((moved["present"], moved["purged"]), (1, 1), "present and purged")
        machine.run("token", "work", "--non-interactive", "--store", source).needs(77)
        source = target
    expect_equal(machine.token(), token, "the token at the end")
    machine.run("refresh", "work").needs(0)
    machine.server.is_unharmed()


@group.case("a server whose certificate is another authority's, or for another name: 76 and what to set, and nothing is made elsewhere",
            promise=5)
def _(machine):
    for address, word in [(machine.database.other_trust, "sslrootcert"),
                          (machine.database.other_name, "does not match host name")]:
        for arguments in (["token", "work"], ["login", "work"], ["store", "check"]):
            result = machine.run(*arguments, "--json", AUTHKIT_STORE=address).needs(76)
            error = result.json()["error"]
            expect_equal((error["code"], error["remedy"]), ("untrusted", "fix_configuration"), "the error's code and remedy")
            expect(word in error["message"], f"the message does not say '{word}': {error['message']}")
    machine.has_no_store_of_its_own()


@group.case("a wrong password, user or database, and a schema that is not there: 78 and what to correct", promise=6)
def _(machine):
    address, password = machine.database.address, machine.database.password
    for wrong, word in [(address.replace(f":{password}@", ":open-sesame@"), "user or password"),
                        (address.replace(f":{password}@", "@"), "asks for a password"),
                        (address.replace("?", "nothing?", 1), "no such database"),
                        (address + "&options=-csearch_path%3Dnowhere", "CREATE SCHEMA"),
                        (address.replace("sslmode=verify-full", "sslmode=open-sesame"), "libpq does not take")]:
        result = machine.run("list", "--json", AUTHKIT_STORE=wrong).needs(78)
        error = result.json()["error"]
        expect_equal((error["code"], error["remedy"]), ("invalid_configuration", "fix_configuration"), f"the error ({word})")
        expect(word in error["message"], f"the message does not say '{word}': {error['message']}")
        Search({"open-sesame": "what was typed as a secret"}).text(result.output + result.errors, "the message")


@group.case("a server that is away: 69 and a sentence that says so; the sign-in is there when it is back", promise=2)
def _(machine):
    token = machine.token()
    for word in ("stop", "crash"):
        machine.database.obey(word)
        error = machine.run("token", "work", "--json").needs(69).json()["error"]
        expect("cannot be reached; start it" in error["message"], error["message"])
        expect_equal(error["remedy"], "retry", "the remedy")
        machine.database.obey("start")
        expect_equal(machine.token(), token, "the token when it is back")
    machine.run("refresh", "work").needs(0)
    machine.server.is_unharmed()
