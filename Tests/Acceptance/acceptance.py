#!/usr/bin/env python3
"""Runs the command as people do: real processes, real servers, a scripted browser.

Needs Python 3.11 and nothing else; `scripts/acceptance` builds the command and runs this."""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--authkit", required=True, help="the command to test")
    parser.add_argument("--readme", metavar="PATH", help="the README's program, compiled")
    parser.add_argument("--only", metavar="REGEX", help="the cases to run, by 'group: name'")
    parser.add_argument("--list", action="store_true", help="name the cases and end")
    options = parser.parse_args()
    os.environ["AUTHKIT"] = str(pathlib.Path(options.authkit).resolve())
    os.environ["README_PROGRAM"] = str(pathlib.Path(options.readme).resolve()) if options.readme else ""

    from harness.runner import Runner
    # The order of the imports is the order of the cases.
    from cases import search, readme, browsers, misuse, interruption, timeouts, full_disk, contention, races, kills, postgres, niantic, real_servers  # noqa: F401, E401
    runner = Runner(re.compile(options.only) if options.only else None)
    if options.list:
        print("\n".join(runner.names()))
        return 0
    subprocess.run([os.environ["AUTHKIT"], "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=20, check=True)
    # Whoever starts this with SIGHUP ignored (nohup) would have the command ignore it too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # SIGTERM ends the servers too: as an exception, it passes through what stops them.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    from harness.real_server import stop_all
    try:
        return runner.run()
    finally:
        stop_all()


if __name__ == "__main__":
    sys.exit(main())
