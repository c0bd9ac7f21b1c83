"""Registers cases, runs them one after another, prints a line for each."""
import contextlib
import signal
import sys
import time
import traceback

_groups = []


class Failure(AssertionError):
    """A case's own finding, told without a stack."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


def expect_equal(actual, expected, what):
    if actual != expected:
        raise Failure(f"{what}: {actual!r}, expected {expected!r}")


class Group:
    """Cases that share what `prepare` makes; they run in the order in which they were added.

    `prepare(stack)` is a case of its own: where it fails, the others of the group fail too."""

    def __init__(self, name, prepare=None):
        self.name, self._prepare, self.cases = name, prepare, []
        _groups.append(self)

    def case(self, name, seconds=60, promise=None):
        """`promise` is the number in SECURITY.md of the promise that the case tries to break; it ends the case's name."""
        def add(function):
            self.cases.append((f"{name} [promise {promise}]" if promise else name, seconds, function))
            return function
        return add

    def prepare(self, stack):
        return self._prepare(stack) if self._prepare else None


class _Expired(Exception):
    pass


@contextlib.contextmanager
def _limited(seconds):
    def expire(*_):
        raise _Expired()

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


class Runner:
    def __init__(self, pattern=None):
        self.pattern, self.passed, self.failed = pattern, 0, 0

    def names(self):
        return [f"{group.name}: {name}" for group in _groups for name, _, _ in group.cases]

    def run(self):
        for group in _groups:
            chosen = [case for case in group.cases if self._is_chosen(group, case)]
            if chosen:
                self._run_group(group, chosen)
        print(f"\n{self.passed} passed, {self.failed} failed", flush=True)
        return 0 if self.passed and not self.failed else 1

    def _is_chosen(self, group, case):
        return self.pattern is None or self.pattern.search(f"{group.name}: {case[0]}")

    def _run_group(self, group, cases):
        with contextlib.ExitStack() as stack:
            context, reason = None, None
            try:
                with _limited(120):
                    context = group.prepare(stack)
            except Exception as error:
                reason = f"its preparation failed: {self._tell(error)}"
            for name, seconds, function in cases:
                self._run_case(f"{group.name}: {name}", seconds, function, context, reason)

    def _run_case(self, name, seconds, function, context, reason):
        began = time.monotonic()
        if reason is None:
            try:
                with _limited(seconds):
                    function(context) if context is not None else function()
            except _Expired:
                reason = f"not finished after {seconds} s"
            except Exception as error:
                reason = self._tell(error)
        took = time.monotonic() - began
        if reason is None:
            self.passed += 1
            print(f"PASS {name} ({took:.1f} s)", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {name} ({took:.1f} s): {reason}", flush=True)

    @staticmethod
    def _tell(error):
        if isinstance(error, Failure):
            return str(error)
        traceback.print_exc(file=sys.stderr)
        return f"{type(error).__name__}: {error}"
