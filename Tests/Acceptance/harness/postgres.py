"""A PostgreSQL of the case's own, by the script that the Swift tests use."""
import contextlib
import pathlib
import subprocess

from harness.processes import free_ports
from harness.runner import Failure, expect_equal

_SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "lib" / "private-postgres.sh"


class PostgresServer:
    """A server on a free port that asks for TLS, with an empty database; it ends with the stack, and so do its data.

    `address` is the one to use; `authority` and `stranger` are files: who signed its certificate, and who signed nothing."""

    def __init__(self, stack):
        self._process = subprocess.Popen([_SCRIPT, "--tls", str(free_ports(1)[0]), "fsync=off"], text=True, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        stack.callback(self._end)
        said = dict(line.split(" ", 1) for line in iter(self._line, "ready"))
        place = said["address"].replace("@127.0.0.1:", "@localhost:")
        self.password = place.split(":")[2].split("@")[0]
        self.authority, self.stranger = said["authority"], said["stranger"]
        self.address = self._trusting(place, self.authority)
        self.other_trust = self._trusting(place, self.stranger)
        self.other_name = self.address.replace("@localhost:", "@127.0.0.1:")
        # What the command may tell of it.
        self.place = "postgres://" + place.split("@")[1]

    @staticmethod
    def _trusting(place, authority):
        return f"{place}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={authority}"

    def obey(self, word):
        """`stop`, `crash` or `start`."""
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        expect_equal(self._line(), "done", f"PostgreSQL, told to {word}")

    def _line(self):
        line = self._process.stdout.readline()
        if not line:
            raise Failure(f"there is no PostgreSQL: {self._process.stderr.read().strip()[-600:]}")
        return line.rstrip("\n")

    def _end(self):
        # The end of its input ends it.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait(20)
        self._process.stdout.close()
        self._process.stderr.close()
