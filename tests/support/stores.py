"""Stores with a published build, and their expected content."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from generator.contract import files
from generator.contract.files import POINTER, Pointer
from generator.contract.manifest import is_listed
from generator.features.buckets.store import Store
from generator.grammar.paths import BUILD
from support import commands

MOST = 1 << 24


def pointed(store: Store) -> Pointer:
    raw = store.read(POINTER, MOST)
    assert raw is not None
    now = files.parse_pointer(raw)
    assert now is not None
    return now


def should(build: Path) -> dict[str, bytes]:
    """The files of a published tree: the build's files without those that only hosts read."""
    files = {f"/{path}": data for path, data in commands.files(build).items()}
    return {
        path: data
        for path, data in files.items()
        if is_listed(path) or path in (BUILD, "/404.html") or path.startswith("/api/manifest/")
    }


def holds(store: Store, build: Path, *, strays: bool = False) -> bool:
    """Whether the pointer's tree is exactly this build, byte for byte."""
    place = pointed(store).tree_path
    found = {path.removeprefix(place): digest for path, digest in _digests(store, place).items()}
    wanted = {path: _digest(data) for path, data in should(build).items()}
    return wanted.items() <= found.items() if strays else wanted == found


def _digests(store: Store, below: str) -> dict[str, str]:
    """path -> the MD5 of each object below a path; S3 lists it with the names."""
    if store.shown.startswith("s3:"):
        every = store._fs.find(store._base + below, detail=True).items()
        return {name.removeprefix(store._base): held["ETag"].strip('"') for name, held in every}
    names = store.names(below)
    return dict(zip(names, store.map_parallel(lambda path: _held(store, path), names), strict=True))


def _held(store: Store, path: str) -> str:
    data = store.read(path, MOST)
    assert data is not None
    return _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


_ADDRESS = re.compile(r"http://127\.0\.0\.1:[1-9][0-9]*")


@contextlib.contextmanager
def moto_server(log: Path) -> Iterator[str]:
    """The base URL of an S3 server, which writes its log to a file."""
    for package in ("moto", "flask", "s3fs"):
        try:
            __import__(package)
        except ImportError:
            commands.lacking(f"{package} is not installed")
    with log.open("wb") as stream:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + 60
        while (running := _ADDRESS.search(log.read_text("utf-8"))) is None:
            assert server.poll() is None and time.monotonic() < until, log.read_text("utf-8")
            time.sleep(0.05)
        yield running[0]
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def s3_settings(address: str, folder: Path) -> dict[str, str]:
    """Environment variables for clients of the server; `folder` has no file called none."""
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "of-a-test",
        "AWS_SECRET_ACCESS_KEY": "very-secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(folder / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(folder / "none"),
    }


class S3:
    """An S3 server with a separate, publicly readable bucket for each test."""

    def __init__(self, base: str):
        self.base, self.bucket = base, f"bucket-{uuid.uuid4().hex[:12]}"
        self.url = f"s3://{self.bucket}/registry"
        self.public = f"{base}/{self.bucket}/registry"
        readable = {
            "Effect": "Allow", "Principal": "*", "Action": ["s3:GetObject", "s3:HeadObject"],
            "Resource": f"arn:aws:s3:::{self.bucket}/*",
        }  # fmt: skip
        policy = {"Version": "2012-10-17", "Statement": [readable]}
        for query, body in (("", None), ("?policy", json.dumps(policy).encode())):
            asked = urllib.request.Request(
                f"{base}/{self.bucket}{query}", body, {"Content-Type": "text/plain"}, method="PUT"
            )
            urllib.request.urlopen(asked).close()

    def head(self, path: str) -> dict[str, str]:
        asked = urllib.request.Request(self.public + path, method="HEAD")
        with urllib.request.urlopen(asked) as answer:
            return {name.lower(): value for name, value in answer.headers.items()}


#: The action of a proxy for a request (method, path, number of requests so far): a delay in
#: seconds, a status to answer with, "drop" to close the connection, "lose" to discard the server's
#: answer, or None to pass the request on.
Disturbance = Callable[[str, str, int], float | int | str | None]
_ERROR = b"<Error><Code>%s</Code><Message>Reduce your rate.</Message></Error>"


@contextlib.contextmanager
def disturbed(server: str, disturb: Disturbance) -> Iterator[str]:
    """The address of a proxy in front of an S3 server that delays, refuses and drops requests."""
    address, lock, seen = urlsplit(server).netloc, threading.Lock(), [0]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle_one_request(self) -> None:
            with contextlib.suppress(OSError):
                self.raw_requestline = self.rfile.readline(65537)
                if not self.raw_requestline or not self.parse_request():
                    self.close_connection = True
                    return
                self._pass_on()
                return
            self.close_connection = True

        def _pass_on(self) -> None:
            if self.headers.get("Expect") == "100-continue":
                self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with lock:
                seen[0] += 1
                action = disturb(self.command, self.path, seen[0])
            if isinstance(action, float):
                time.sleep(action)
            elif isinstance(action, int):
                code = b"AccessDenied" if action == 403 else b"ServiceUnavailable"
                self._answer(action, {"Content-Type": "application/xml"}, _ERROR % code)
                return
            elif action == "drop":
                self.close_connection = True
                return
            upstream = http.client.HTTPConnection(address, timeout=60)
            try:
                upstream.request(self.command, self.path, body, dict(self.headers))
                answer = upstream.getresponse()
                data, status, said = answer.read(), answer.status, dict(answer.headers)
            finally:
                upstream.close()
            if action == "lose":
                self.close_connection = True
                return
            self._answer(status, said, data)

        def _answer(self, status: int, said: dict[str, str], data: bytes) -> None:
            self.send_response_only(status)
            lost = ("connection", "transfer-encoding", "keep-alive")
            for name, value in said.items():
                if name.lower() not in (*lost, "content-length"):
                    self.send_header(name, value)
            length = str(len(data))
            if self.command == "HEAD":
                length = said.get("Content-Length", "0")
            self.send_header("Content-Length", length)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy.daemon_threads = True
    thread = threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}"
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
