"""Ports, and processes that are ended by the id under which they were started."""
import os
import signal
import socket
import subprocess
import time


def free_ports(count):
    """Ports that nothing listens on now; all are held until all are chosen."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def end(pid, patience=5):
    """Ends one process that is not a child of this one: asks, waits, then kills."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        limit = time.monotonic() + patience
        while is_alive(pid) and time.monotonic() < limit:
            time.sleep(0.05)


def end_child(process, patience=5):
    """Ends a child and collects it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(patience)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()


def wait_until(condition, what, seconds=10):
    """Polls a condition; fails with `what` after so many seconds."""
    limit = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > limit:
            from harness.runner import Failure
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.02)
