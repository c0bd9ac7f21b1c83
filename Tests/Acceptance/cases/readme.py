"""The README's program, as compiled from Snippets/ReadMe.swift."""
import contextlib
import os
import re
import subprocess
import urllib.request

from harness.dev_server import DevServer
from harness.home import Home
from harness.processes import end_child
from harness.runner import Group, expect, expect_equal

group = Group("README's program")

LAST_LINE = "Signed in as user-alice, with a Bearer token for a minute or more\n"


@group.case("signs in the first time and needs nobody the second time")
def _():
    program = os.environ["README_PROGRAM"]
    expect(program, "no compiled program was named with --readme")
    with contextlib.ExitStack() as stack:
        server, home = DevServer(stack), Home(stack)
        command = ["stdbuf", "-oL", program, server.issuer]
        process = subprocess.Popen(command, cwd=home.scratch, env=home.environment, text=True, stdout=subprocess.PIPE)
        stack.callback(end_child, process)
        first = process.stdout.readline()
        url = re.fullmatch(r"Open (\S+)\n", first)
        expect(url, f"the first line is {first!r}")
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url.group(1), timeout=10).close()
        expect_equal(process.communicate(timeout=20)[0], LAST_LINE, "the last line")
        again = subprocess.run(command, cwd=home.scratch, env=home.environment, text=True, capture_output=True, timeout=20)
        expect_equal((again.stdout, again.returncode), (LAST_LINE, 0), "the second run")
