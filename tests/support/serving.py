"""`registry serve` in its own process: its output, its answers over raw sockets, and its files."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from support import commands, registries

SECONDS = 60.0  # before a test fails


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Server:
    """A running server of `content` in a folder."""

    def __init__(self, folder: Path, *options: str, program: Iterable[str] = commands.REGISTRY):
        self.folder, self.content = folder, folder / "content"
        port = () if "--port" in options else ("--port", "0")
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            self.process = subprocess.Popen(
                [*program, "serve", *options, *port],
                cwd=folder,
                env=commands.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                process_group=0,
            )

    def started(self) -> Server:
        """Wait for the addresses, and for what the server tells of its first read after them."""
        told = r" in \d+\.\d\d s|could not be read"
        self.until(
            lambda: (
                ("Ctrl-C" in self.said and re.search(told, self.told))
                or self.process.poll() is not None
            )
        )
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.said)
        assert found is not None, self.told
        self.port = int(found[1])
        return self

    @contextlib.contextmanager
    def running(self) -> Iterator[Server]:
        """Wait for the addresses; the server is killed at the end."""
        try:
            yield self.started()
        finally:
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def said(self) -> str:
        return (self.folder / "stdout").read_text("utf-8")

    @property
    def told(self) -> str:
        return (self.folder / "stderr").read_text("utf-8")

    @property
    def reads(self) -> list[str]:
        """What was read after each save, without times."""
        return re.findall(r"^\S+  (.* read again) in \S+ s(?:, .*)?\.$", self.told, re.M)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, f"waited in vain; the server said:\n{self.told}"
            time.sleep(0.01)

    def get(self, target: str) -> Response:
        return next(ask(self.port, [("GET", target)]))

    def names(self) -> list[str]:
        """The names of the projects."""
        return [p["name"] for p in json.loads(self.get("/api/projects?mode=page").body)["data"]]

    def save(self, path: str, text: str) -> None:
        """Save a file of the content in one step: no read ever sees half of it."""
        draft = self.folder / "draft"
        draft.write_text(text)
        draft.replace(self.content / path)

    def write(self, name: str, **fields: Any) -> None:
        """Save a project."""
        self.save(f"projects/{name}.yaml", registries.as_yaml({"name": name, **fields}))

    @contextlib.contextmanager
    def still(self) -> Iterator[None]:
        """Stop the server process: it sees all files saved meanwhile at once, on a busy machine
        too."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.process.pid, signal.SIGCONT)

    @contextlib.contextmanager
    def held(self) -> Iterator[Callable[[], None]]:
        """Let reads wait at their end, in a server of programs/held.py; gives a function that waits
        until a read does."""
        (self.folder / "hold").touch()
        waiting = self.folder / "waiting"
        try:
            yield lambda: self.until(waiting.exists)
        finally:
            (self.folder / "hold").unlink()
            self.until(lambda: not waiting.exists())

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def hang_up(self, number: int) -> int:
        """Send a signal to all processes of the server at once, as a terminal does."""
        os.killpg(self.process.pid, number)
        return self.process.wait(SECONDS)


def ask(
    port: int, requests: Iterable[tuple[str, str]], *headers: str, host: str = "localhost"
) -> Iterator[Response]:
    """The answers to requests on one connection; every byte of a target is sent unchanged."""
    sent = "".join(f"{line}\r\n" for line in (f"Host: {host}", *headers))
    with (
        socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection,
        connection.makefile("rb") as stream,
    ):
        for method, target in requests:
            connection.sendall(f"{method} {target} HTTP/1.1\r\n{sent}\r\n".encode("latin-1"))
            version, status, *_ = stream.readline().decode("latin-1").split(" ", 2)
            assert version == "HTTP/1.1"
            fields = {}
            while (line := stream.readline().decode("latin-1").rstrip("\r\n")) != "":
                name, _, value = line.partition(": ")
                assert name not in fields, f"{name} is sent twice"
                fields[name] = value
            empty = method == "HEAD" or status in ("204", "304")
            length = 0 if empty else int(fields["Content-Length"])
            yield Response(int(status), fields, stream.read(length))


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[str]:
    """The address that serves `folder/content`, without watching it."""
    with Server(folder, "--no-reload", *options).running() as server:
        yield f"http://127.0.0.1:{server.port}"


def fetch(url: str) -> tuple[int, bytes]:
    """Status and body of an address; redirects are followed."""
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


class Published:
    """A registry at the origin `base`."""

    def __init__(self, base: str):
        self.base = base

    def get(self, address: str) -> bytes:
        status, body = fetch(self.base + address)
        assert status == 200, f"{address}: {status}"
        return body

    def json(self, address: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.get(address))
        return document
