"""What an answer costs in Python, by kind of request: `python benchmarks/answers.py BUILD ...`.

The engine answers in this process, each kind after one request that is not counted.  Milliseconds
are of the processor, the median and the 99th percentile; `first` are those of the very first
request for a word.  `trips` are the reads of files, one after the other, with which a new client
of a remote registry gets its first answer of that kind.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import orjson

from generator.engine.context import Request
from generator.grammar.refusals import QueryError
from generator.reader.client import Client, ListedCollection

DRAWN = 200


class Kinds:
    """Draws requests to the largest collection of a registry; each method is a kind."""

    def __init__(self, client: Client):
        self.random = random.Random(2026)
        self.of = max(client.collections.values(), key=lambda of: _total(client, of))
        self.values = {
            name: found for name in self.of.filters if (found := _values(client, self.of, name))
        }
        self.rows = _page(client, self.of)["data"]

    def page_by_a_filter(self) -> Request:
        return self._list("page", *self._filters(1))

    def page_by_two_filters(self) -> Request:
        return self._list("page", *self._filters(2))

    def page_for_a_word(self) -> Request:
        return self._list("page", self._word())

    def page_for_a_word_and_a_filter(self) -> Request:
        return self._list("page", self._word(), *self._filters(1))

    def count_by_a_filter(self) -> Request:
        by = self.random.choice([*self.values])
        return self._list("count", ("by", by), *self._filters(1))

    def rows_by_a_filter(self) -> Request:
        return self._list("rows", ("fields", "name"), ("limit", "50"), *self._filters(1))

    def search_over_everything(self) -> Request:
        return Request(f"/api/search?{urlencode([self._word()])}")

    def one_record(self) -> Request:
        return Request(f"{self.of.root}/{self.random.choice(self.rows)['slug']}")

    def ten_names_matched(self) -> Request:
        names = {f"q{n}": {"query": self._name()} for n in range(10)}
        form = urlencode({"queries": orjson.dumps(names).decode()}).encode()
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return Request(f"/api/reconcile/{self.of.name}", "POST", headers, form)

    def _list(self, mode: str, *parameters: tuple[str, str]) -> Request:
        return Request(f"{self.of.root}?{urlencode([('mode', mode), *parameters])}")

    def _filters(self, number: int) -> list[tuple[str, str]]:
        names = self.random.sample([*self.values], number)
        return [(name, self.random.choice(self.values[name])) for name in names]

    def _name(self) -> str:
        name: str = self.random.choice(self.rows)["name"]
        return name

    def _word(self) -> tuple[str, str]:
        return "q", max(self._name().split(), key=len)


def _page(client: Client, of: ListedCollection) -> dict[str, Any]:
    document: dict[str, Any] = orjson.loads(client.ask(of.root, [("mode", "page")]))
    return document


def _total(client: Client, of: ListedCollection) -> int:
    return int(_page(client, of)["page"]["total_items"])


def _values(client: Client, of: ListedCollection, name: str) -> list[str]:
    """The values of a filter; none if it cannot be counted."""
    try:
        counted = client.ask(of.root, [("mode", "count"), ("by", name)])
    except QueryError:
        return []
    return [each["value"] for each in orjson.loads(counted)["counts"][name]["values"]]


def _seconds(client: Client, request: Request) -> float:
    began = time.process_time()
    response = client.respond(request)
    assert response.status in (200, 308), (request, response.body)
    return time.process_time() - began


def _trips(where: str, request: Request) -> int:
    """Reads of a new client, whose table was made as that of a remote registry."""
    client, reads = Client.open(where), list[Sequence[str]]()
    table = orjson.dumps(client.table).decode()

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        reads.append(paths)
        return client.read(paths)

    Client(where, read, lambda: table).respond(request)
    return len(reads)


def measure(where: str) -> None:
    client = Client.open(where)
    kinds = Kinds(client)
    first = _seconds(Client.open(where), kinds.page_for_a_word())
    number = _total(client, kinds.of)
    print(f"\n{where}: {number} {kinds.of.name}, first {first * 1000:.0f} ms")
    print("| request | median, ms | 99 %, ms | trips |\n|---|--:|--:|--:|")
    draw: Callable[[], Request]
    for name, draw in [(n, getattr(kinds, n)) for n in vars(Kinds) if not n.startswith("_")]:
        _seconds(client, draw())
        taken = sorted(_seconds(client, draw()) * 1000 for _ in range(DRAWN))
        median, late, trips = taken[DRAWN // 2], taken[DRAWN * 99 // 100], _trips(where, draw())
        print(f"| {name.replace('_', ' ')} | {median:.1f} | {late:.1f} | {trips} |")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{memory:.0f} MB were the most memory of this process.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    for where in parser.parse_args().builds:
        measure(where)


if __name__ == "__main__":
    main()
