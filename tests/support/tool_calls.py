"""Calls of the MCP tools, drawn by a seed: valid and invalid, of all tools."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from generator.agent.tools import Tool, tools
from generator.reader.client import Client

WORDS = (
    "open", "health", "ai", "solar energy", "kenya", "zzzz", "opne source", "nigeria", "é", "漢字",
    "\x00x", "a", "'", "20", "fintech platform", "norway climate", "page", "ren", "project 1",
)  # fmt: skip
JUNK = (
    1, 1.0, 1e3, True, None, "1", [], {}, "é\x07\u2028\xa0x", -1, 10**10, 10**25, "x" * 300, [1],
    {"a": 1, "9": 2, "1": 3}, ["name", "name"], {"7": "x", "status": "active"},
)  # fmt: skip
SECTIONS = ("counts", "tags", "upcoming", "top_programs", "statuses", "nope", "2024")
FIELDS = (
    "name", "summary", "slug", "tags", "locations", "year", "href", "status", "nope", "starts_at",
    "description", "founders", "links", "sources", "2024", "__proto__", "location", "program",
    "tag_topic", "team_size", "website", "organization_category", "field_score", "kind",
)  # fmt: skip
UNKNOWN = ("colection", "Q", "limt", "page", "1", "constructor", "__proto__", "\u200b\u00e9")


class Calls:
    """Draws calls about the records and values of a registry."""

    def __init__(self, client: Client, seed: int):
        self.random, self.client = random.Random(seed), client
        self.tools = tools(client.grammar)
        self.values: dict[str, dict[str, list[str]]] = {}
        self.slugs: dict[str, list[str]] = {}
        for c in client.grammar.collections.values():
            filters = json.loads(client.read([c.filters_path])[0] or b"")["data"]
            self.values[c.name] = {
                name: [value["value"] for value in f["values"]] for name, f in filters.items()
            }
            rows = json.loads(client.read([f"{c.root}/page/1.json"])[0] or b"")["data"]
            self.slugs[c.name] = [row["slug"] for row in rows] + ["old-name", "old-org", "x"]

    def messages(self, number: int) -> Iterator[dict[str, Any]]:
        for n in range(number):
            tool = self.random.choice(self.tools)
            params = {"name": tool.name, "arguments": self._arguments(tool)}
            yield {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params}

    def _arguments(self, tool: Tool) -> dict[str, Any]:
        draw, properties = self.random, list(tool.input["properties"])
        names = tool.input["properties"].get("collection", {}).get("enum", ["events"])
        collection, required = draw.choice(names), tool.input.get("required", ())
        chosen = [name for name in properties if name in required or draw.random() < 0.4]
        if "start" in chosen and draw.random() < 0.5:
            chosen.remove("start")
        for name, others in tool.input.get("dependentRequired", {}).items():
            if name in chosen and draw.random() < 0.9:
                chosen += [other for other in others if other not in chosen]
        found = {name: self._argument(name, collection) for name in chosen}
        kind = draw.random()
        if kind < 0.05 and properties:
            found[draw.choice(properties)] = draw.choice(JUNK)
        elif kind < 0.08:
            found[draw.choice(UNKNOWN)] = draw.choice(JUNK)
        elif kind < 0.1 and found:
            found.pop(draw.choice(list(found)))
        return found

    def _argument(self, name: str, collection: str) -> Any:
        draw, slug = self.random, self.random.choice(self.slugs[collection])
        filters = list(self.client.grammar.collections[collection].query_filters)
        given = {
            "collection": collection,
            "filters": self._filters(collection, filters),
            "q": draw.choice((*WORDS, slug.split("-")[0])),
            "like": draw.choice((*WORDS, slug.split("-")[0])),
            "filter": draw.choice((*filters, "zzz")),
            "by": draw.choices(filters, k=draw.choice((1, 1, 2, 3))),
            "per": draw.choice((*filters, "zzz")),
            "sort": draw.choice(("relevance", "name", "-year", "year", "-projects", "nope")),
            "limit": draw.choice((0, 1, 5, 10, 20, 50)),
            "fields": draw.sample(FIELDS, draw.choice((1, 2, 3))),
            "start": draw.choice((1, 1, 2, 11, 51, 1000)),
            "slug": draw.choice((slug, slug, slug, f"{slug}x", slug[:-1] or "a", "no-such", "X Y")),
            "names": [
                draw.choice((slug.replace("-", " "), *WORDS))
                for _ in range(draw.choice((1, 2, 12)))
            ],
            "place": draw.choice(("kenya", "US", "zz", "San Francisco")),
            "section": draw.choice(SECTIONS),
            "field": draw.choice(FIELDS),
        }
        # Compressed bytes depend on the engine: proofs have a test of their own.
        return given.get(name, False)

    def _filters(self, collection: str, names: list[str]) -> dict[str, str]:
        draw = self.random
        chosen = draw.choices((*names, "yaer"), k=draw.choice((0, 1, 1, 1, 2, 2, 3)))
        return {name: self._value(collection, name) for name in chosen}

    def _value(self, collection: str, name: str) -> str:
        known = self.values[collection]
        tags = [value for of, found in known.items() if of.startswith("tag_") for value in found]
        values = (tags if name == "tag" else known.get(name)) or ["x"]
        one, other = self.random.choice(values), self.random.choice(values)
        ranges = ("2019..2024", "2020..", "..2010", "2024..2019")
        wrong = ("nope", "Nope X", f"{one}x", one[:-1], "50%", "", f"{one},", "old-org", "1.5")
        right = (one, one, one, f"{one},{other}", f"all:{one},{other}", f"not:{one}", "true")
        return self.random.choice((*right, *right, *ranges, *wrong))
