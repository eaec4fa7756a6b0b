"""A published registry, and what every question to its index reads, with nothing kept."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import corpus
from corpus import spread

from generator.contract.files import ReadFiles
from generator.engine.bundles import make_table
from generator.engine.context import Engine, Request
from generator.reader.deployment import Deployment

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}


class Cost(NamedTuple):
    """What an answer took: files, their bytes as they lie there and as a host sends them, and how
    often files were asked for of which the earlier ones told.
    """

    reads: int
    raw: int
    sent: int
    rounds: int


def spreads(costs: Sequence[Cost]) -> list[str]:
    """Reads, rounds, KB and KB sent, as tables have them."""
    return [
        spread([cost.reads for cost in costs]),
        spread([cost.rounds for cost in costs]),
        spread([cost.raw / 1000 for cost in costs]),
        spread([cost.sent / 1000 for cost in costs]),
    ]


@dataclass
class Answer:
    """`document` is None where the question was refused, which `refused` tells."""

    document: dict[str, Any] | None
    cost: Cost
    paths: list[str]
    refused: str = ""


class Published:
    """A build's folder."""

    def __init__(self, out: Path):
        self.out, self.grammar = out, Deployment.open(out).grammar
        self.sizes = cache(self._sizes)
        self._table = make_table(self.grammar)
        self._kept = self._engine()

    def ask(self, target: str) -> Answer:
        """The answer of an engine that has answered nothing before."""
        paths: list[str] = []
        rounds = 0

        def read(wanted: Sequence[str]) -> list[bytes | None]:
            nonlocal rounds
            rounds += 1
            paths.extend(wanted)
            return self._read(wanted)

        document, refused = self._answer(self._engine(), target, read)
        raw, sent = map(sum, zip(*map(self.sizes, paths), strict=True))
        return Answer(document, Cost(len(paths), raw, sent, rounds), paths, refused)

    def again(self, target: str) -> dict[str, Any]:
        """The document, from an engine that keeps what it reads.  Raises ValueError where the
        question is refused.
        """
        document, refused = self._answer(self._kept, target, self._read)
        if document is None:
            raise ValueError(f"{target}: {refused}")
        return document

    def rows(self, collection: str = "projects") -> Iterator[dict[str, Any]]:
        """The summaries of all records, in the default order."""
        number, more = 1, True
        while more:
            path = self.out / "api" / collection / "page" / f"{number}.json"
            document = json.loads(path.read_bytes())
            yield from document["data"]
            number, more = number + 1, document["links"]["next"] is not None

    def record(self, slug: str, collection: str = "projects") -> dict[str, Any]:
        path = self.out / "api" / collection / "slug" / f"{slug}.json"
        data: dict[str, Any] = json.loads(path.read_bytes())["data"]
        return data

    def filter(self, name: str, collection: str = "projects") -> list[dict[str, Any]]:
        """All values of a filter."""
        path = self.out / "api" / collection / "filters" / f"{name}.json"
        values: list[dict[str, Any]] = json.loads(path.read_bytes())["data"]["values"]
        return values

    def _engine(self) -> Engine:
        return Engine(lambda: self._table)

    def _answer(
        self, engine: Engine, target: str, read: ReadFiles
    ) -> tuple[dict[str, Any] | None, str]:
        response = engine.respond(Request(target), read)
        document: dict[str, Any] = json.loads(response.body)
        return (document, "") if response.status == 200 else (None, document["detail"])

    def _read(self, wanted: Sequence[str]) -> list[bytes | None]:
        return list(map(self._file, wanted))

    def _file(self, path: str) -> bytes | None:
        file = self.out / path.removeprefix("/")
        return file.read_bytes() if file.is_file() else None

    def _sizes(self, path: str) -> tuple[int, int]:
        data = self._file(path) or b""
        return len(data), len(gzip.compress(data, 6))


def build(content: Path) -> Path:
    """A build of a content folder, beside it.  Raises SystemExit where that fails."""
    out = content.parent / "out"
    command = [sys.executable, "-m", "generator", "build", "--content", content, "--out", out]
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    if done.returncode:
        raise SystemExit(done.stderr.decode()[-2000:])
    return out


@contextmanager
def published(registry: int | Path) -> Iterator[Published]:
    """A build of a content folder, or of one with so many generated projects."""
    with corpus.folder(registry) as content:
        yield Published(build(content))
