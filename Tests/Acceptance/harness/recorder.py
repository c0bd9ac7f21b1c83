"""A loopback forwarder that keeps what passes: how the tests learn the secrets that the command never prints."""
import contextlib
import re
import socket
import threading
import urllib.parse


class Recorder:
    """Forwards one port to another and keeps every byte, both ways."""

    def __init__(self, port, target):
        self._target, self._streams, self._lock = target, [], threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def text(self):
        with self._lock:
            return "\n".join(bytes(each).decode("latin-1") for each in self._streams)

    def secrets(self):
        """Every token, code, verifier and client secret that passed, by what it is."""
        found = {}
        text = self.text()
        for name, value in re.findall(r'"(access_token|refresh_token|id_token)"\s*:\s*"([^"\\\s]{8,})"', text):
            found.setdefault(value, name)
        for name, value in re.findall(r"[?&\r\n](code|code_verifier|refresh_token|token|client_secret)=([^&\s\"']{8,})", text):
            found.setdefault(urllib.parse.unquote_plus(value), name)
        return found

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target), 10)
                server.settimeout(None)
            except OSError:
                # Not listening yet, or no longer.
                client.close()
                continue
            for source, sink, is_request in ((client, server, True), (server, client, False)):
                kept = bytearray()
                with self._lock:
                    self._streams.append(kept)
                threading.Thread(target=self._copy, args=(source, sink, kept, is_request), daemon=True).start()

    def _copy(self, source, sink, kept, is_request):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_request:
                    # Answers have to be readable here: no compression. The length stays the same.
                    data = re.sub(rb"(?i)\r\nAccept-Encoding:", b"\r\nX-Was-Encoding-:", data)
                with self._lock:
                    kept += data
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
