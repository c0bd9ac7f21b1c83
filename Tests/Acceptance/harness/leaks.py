"""Looks for secrets where none may be: files, output, the arguments of processes."""
import base64
import contextlib
import pathlib
import threading
import time
import urllib.parse

from harness.runner import Failure


def forms(secret):
    """The byte strings by which a secret would be found: itself, parts of it, and its usual encodings."""
    pieces = {secret.encode()}
    segments = secret.split(".")
    if len(segments) == 3 and secret.startswith("eyJ"):
        # A JWT's header is no secret; its payload and signature are, decoded too.
        for segment in segments[1:]:
            pieces.add(segment.encode())
            with contextlib.suppress(ValueError):
                pieces.add(base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)))
    elif len(secret) >= 40:
        pieces |= {secret[:20].encode(), secret[-20:].encode()}
    found = set()
    for piece in pieces:
        if len(piece) < 8:
            continue
        found |= {piece, piece.hex().encode(), piece.hex().upper().encode(), urllib.parse.quote_from_bytes(piece, safe="").encode()}
        for shift in range(3):
            # Base64 of a text that holds the piece: the characters at its edges depend on what stands beside it.
            whole = base64.b64encode(bytes(shift) + piece).rstrip(b"=")
            core = whole[(0, 2, 3)[shift]:len(whole) - 1]
            found |= {core, core.translate(bytes.maketrans(b"+/", b"-_"))}
    return {each for each in found if len(each) >= 8}


class Search:
    """Secrets to look for, and places to look in."""

    def __init__(self, secrets):
        self._needles = [(kind, form) for secret, kind in secrets.items() for form in forms(secret)]

    def bytes(self, data, where):
        for kind, form in self._needles:
            if form in data:
                raise Failure(f"{where} holds {kind} (as {form[:6].decode('latin-1')}…, {len(form)} bytes)")

    def text(self, text, where):
        self.bytes(text.encode("utf-8", "surrogateescape"), where)

    def folder(self, folder):
        """Every file below a folder; how many there were."""
        count = 0
        for path in pathlib.Path(folder).rglob("*"):
            self.bytes(str(path).encode(), "a file's name")
            if path.is_file():
                count += 1
                self.bytes(path.read_bytes(), path.name)
        return count


class ArgumentSampler:
    """Reads the arguments of every process of the machine, again and again, while it is entered."""

    def __init__(self):
        self.seen, self._stop = set(), threading.Event()

    def __enter__(self):
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _sample(self):
        while not self._stop.is_set():
            for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    self.seen.add(path.read_bytes())
            time.sleep(0.002)

    def names(self, word):
        """Whether a process with this word among its arguments was seen: the sampler was quick enough."""
        return any(word.encode() in each for each in self.seen)
