"""Hosts of files that record requests and fail on demand."""

from __future__ import annotations

import functools
import hashlib
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from generator.reader.location import FolderReader


class Asked(NamedTuple):
    """A request: its target, its headers, and the number of earlier requests for this target."""

    target: str
    headers: Mapping[str, str]
    before: int


class Given(NamedTuple):
    """An answer. `cut` omits bytes at its end; `drop` closes without an answer."""

    status: int = 200
    headers: Mapping[str, str] = {}
    body: bytes = b""
    cut: int = 0
    drop: bool = False


@functools.cache
def bomb() -> bytes:
    """400 MB of spaces, compressed by gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(b" " * (1 << 20)) for _ in range(400)) + packer.flush()


#: A test's answer in place of the file, or None for the file.
Wrong = Callable[[Asked], Given | None]


class FakeHost:
    """The files of a folder below `prefix`; queries are ignored, as by static hosts."""

    def __init__(self, folder: Path, prefix: str, server: ThreadingHTTPServer):
        self.folder, self.prefix = folder, prefix
        self.name = f"127.0.0.1:{server.server_address[1]}"
        self.base = f"http://{self.name}{prefix}"
        self.wrong: Wrong = lambda asked: None
        self.seen: list[tuple[Asked, int]] = []
        self.lock = threading.Lock()

    def statuses(self, end: str = "") -> list[int]:
        """The statuses of all answers to targets with this suffix, in order."""
        return [status for asked, status in self.seen if asked.target.endswith(end)]

    def file(self, target: str) -> bytes | None:
        path = target.partition("?")[0]
        if not path.startswith(f"{self.prefix}/"):
            return None
        file = self.folder / path.removeprefix(f"{self.prefix}/")
        return file.read_bytes() if file.is_file() else None

    def answer(self, target: str, headers: Mapping[str, str]) -> Given:
        with self.lock:
            asked = Asked(target, headers, sum(known.target == target for known, _ in self.seen))
            given = self.wrong(asked) or self.right(asked)
            self.seen.append((asked, given.status))
        return given

    def right(self, asked: Asked) -> Given:
        body = self.file(asked.target)
        if body is None:
            return Given(404, {"Content-Type": "text/html"}, b"<!doctype html>nothing")
        etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
        if asked.headers.get("If-None-Match") == etag:
            return Given(304, {"ETag": etag})
        return Given(200, {"ETag": etag}, body)


@contextmanager
def serving(folder: Path, prefix: str = "") -> Iterator[FakeHost]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            given = host.answer(self.path, dict(self.headers))
            if given.drop:
                self.close_connection = True
                return
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            if (
                given.status != 304
                and "Transfer-Encoding" not in given.headers
                and "Connection" not in given.headers
            ):
                self.send_header("Content-Length", str(len(given.body)))
            self.end_headers()
            self.wfile.write(given.body[: len(given.body) - given.cut])
            self.close_connection = bool(given.cut) or "Connection" in given.headers

        def log_message(self, *arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Clients disconnect in some tests."""
            if not isinstance(sys.exception(), ConnectionError):
                super().handle_error(request, client_address)  # type: ignore[arg-type]

    server = Server(("127.0.0.1", 0), Handler)
    host = FakeHost(folder, prefix, server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Host:
    """A folder read like a host; it records the paths, and `wrong` gives other bytes."""

    def __init__(self, folder: Path):
        self.folder, self.asked = folder, list[str]()
        self.wrong: Callable[[str, bytes | None], bytes | None] = lambda path, data: data

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.asked += paths
        contents = FolderReader(self.folder, stay=True)(paths)
        return [self.wrong(path, data) for path, data in zip(paths, contents, strict=True)]
