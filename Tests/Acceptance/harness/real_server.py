"""The real servers: starting and stopping."""
import contextlib
import os
import pathlib
import subprocess

from harness.processes import end, free_ports
from harness.recorder import Recorder
from harness.runner import Failure

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "servers"
CACHE = pathlib.Path(os.environ.get("ACCEPTANCE_CACHE") or FOLDER.parents[2] / ".build" / "acceptance")
RUN = pathlib.Path(os.environ.get("ACCEPTANCE_RUN") or CACHE / "run")


_running = {}


def running_server(name, tls=False):
    """The server of that name, started at first use and shared by all cases."""
    return _running.get((name, tls)) or RealServer(name, tls)


def stop_all():
    while _running:
        _running.popitem()[1].stop()


class RealServer:
    """One server of its own, with an empty database, on a free port. `stop` ends it."""

    def __init__(self, name, tls=False):
        self.name, self.recorder, self._pid = name, None, None
        port, inner, *callbacks = free_ports(4)
        self.callbacks = [f"http://127.0.0.1:{each}/callback" for each in callbacks]
        environment = {**os.environ, "CALLBACK_URIS": " ".join(self.callbacks), "TLS": "1" if tls else ""}
        if not tls:
            # What passes is recorded: clients see `port`, the server listens on `inner`.
            environment["BIND_PORT"] = str(inner)
            self.recorder = Recorder(port, inner)
        try:
            done = subprocess.run([FOLDER / f"start-{name}.sh", str(port)], env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100)
        except subprocess.TimeoutExpired as expired:
            done = subprocess.CompletedProcess(expired.args, 1, "", "it did not answer in time")
        except BaseException:
            self._read_pid(port)
            self.stop()
            raise
        values = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        self._read_pid(port)
        if done.returncode != 0:
            self.stop()
            raise Failure(f"{name} did not start: {done.stderr.strip()[-600:]}")
        self.issuer, self.driver, self.ca_file = values["ISSUER"], values["DRIVER"], values.get("CA_FILE")

        _running[name, tls] = self

    def _read_pid(self, port):
        """What the start script wrote down, however it ended."""
        with contextlib.suppress(OSError, ValueError):
            self._pid = int((RUN / f"{self.name}-{port}" / "pid").read_text())

    def stop(self):
        if self._pid:
            end(self._pid)
        if self.recorder:
            self.recorder.close()
