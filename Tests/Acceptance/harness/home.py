"""A private AUTHKIT_HOME and the command run in it."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from harness.processes import end_child
from harness.runner import Failure

BROWSERS = pathlib.Path(__file__).resolve().parent.parent / "servers" / "bin"
COMMAND = os.environ.get("AUTHKIT", "authkit")


class Result:
    """How one run of the command ended."""

    def __init__(self, arguments, code, output, errors):
        self.arguments, self.code, self.output, self.errors = arguments, code, output, errors

    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            raise Failure(f"'{self.line}' printed no JSON: {self.output[:200]!r}") from None

    @property
    def line(self):
        return "authkit " + " ".join(self.arguments)

    def needs(self, *codes):
        """Fails unless the exit code is one of these."""
        if self.code not in codes:
            wanted = " or ".join(map(str, codes))
            raise Failure(f"'{self.line}' ended with {self.code}, expected {wanted}: {self.errors.strip()[-600:]}")
        return self


class Home:
    """A folder with mode 0700 for everything that the command keeps; removed at the end."""

    def __init__(self, stack, **environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="authkit-acceptance-"))
        stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.path = self._make("home")
        self.scratch = self._make("scratch")
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("AUTHKIT", "XDG_", "DRIVER")) and name not in ("BROWSER", "DISPLAY", "SSL_CERT_FILE")}
        self.environment = {
            **kept, "AUTHKIT_HOME": str(self.path), "HOME": str(self._make("person")),
            "XDG_RUNTIME_DIR": str(self._make("runtime")), "PATH": f"{BROWSERS}:{os.environ['PATH']}",
            "DRIVER_LOG": str(self.scratch / "driver.log"), **environment,
        }
        self._children = stack

    def _make(self, name):
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        return folder

    def write(self, name, text):
        """A private file outside of AUTHKIT_HOME; its path."""
        path = self.scratch / name
        path.touch(mode=0o600)
        path.write_text(text)
        return str(path)

    def script(self, name, text):
        """A program outside of AUTHKIT_HOME; its path."""
        path = self.write(name, "#!/bin/sh\n" + text)
        os.chmod(path, 0o700)
        return path

    def run(self, *arguments, seconds=45, input=None, **environment):
        arguments = [str(each) for each in arguments]
        try:
            done = subprocess.run([COMMAND, *arguments], env={**self.environment, **environment}, text=True, timeout=seconds,
                                  input=input if input is not None else "", capture_output=True)
        except subprocess.TimeoutExpired:
            raise Failure(f"'authkit {' '.join(arguments)}' did not end within {seconds} s") from None
        return Result(arguments, done.returncode, done.stdout, done.stderr)

    def start(self, *arguments, **environment):
        """Starts the command and goes on; it is ended with the case's stack at the latest."""
        process = subprocess.Popen([COMMAND, *map(str, arguments)], env={**self.environment, **environment}, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._children.callback(end_child, process)
        return process

    def finish(self, process, seconds=45):
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"'{' '.join(process.args)}' did not end within {seconds} s") from None
        return Result(process.args[1:], process.returncode, output, errors)

    def token(self, *arguments):
        """The access token, as text."""
        return self.run("token", *arguments).needs(0).output.strip()
