"""The MCP server over standard input and output: a message in each line (the stdio transport of the
protocol).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

from generator.agent.endpoint import answer_line
from generator.agent.protocol import MAX_REQUEST
from generator.reader.client import Client

#: Calls that wait for a host at the same time; further ones wait for these.
_MAX_CALLS = 64


def serve_lines(client: Client, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer all lines of `source`, each as soon as its answer is there, and end with them or when
    nobody reads `sink` any more.

    Only one call at a time computes its answer, to bound memory. Others run while it waits for a
    read.
    """
    computing, writing, gone = threading.Lock(), threading.Lock(), threading.Event()

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        computing.release()
        try:
            return client.read(paths)
        finally:
            computing.acquire()

    reader = Client(client.where, client.grammar, read)

    def answer(line: bytes) -> None:
        with computing:
            answered = answer_line(line, reader)
        if not answered or gone.is_set():
            return
        try:
            with writing:
                _write_all(answered + b"\n", sink)
        except (BrokenPipeError, ConnectionResetError):
            gone.set()

    with ThreadPoolExecutor(_MAX_CALLS, "answer") as calls:
        for line in _lines(source):
            if gone.is_set():
                break
            calls.submit(answer, line)


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines that are not empty; of one that is too long, only as much as shows that it is."""
    while line := source.readline(MAX_REQUEST + 1):
        rest = line
        while len(rest) > MAX_REQUEST and not rest.endswith(b"\n"):
            rest = source.readline(MAX_REQUEST + 1)
        if line.strip():
            yield line.rstrip(b"\r\n")


def _write_all(content: bytes, sink: BinaryIO) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[sink.write(rest) or 0 :]
