"""The answer to any query by looking at every record of a build: no index, and no code of the
package.

Orders and the members of filters are those of the prepared pages, which tests/build holds against
the content; words are those of the records' own documents.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from support.relevance import Found, Scores

ROOTS = {"/api/projects": "project", "/api/programs": "program",
         "/api/organizations": "organization",
         "/api/calendar/events": "event"}  # fmt: skip
DEFAULTS = {root: "starts" if kind == "event" else "name" for root, kind in ROOTS.items()}


class Collection:
    """The records of one list."""

    def __init__(self, out: Path, root: str, labels: dict[tuple[str, str], str]):
        self.folder, self.root, self.labels = out / root[1:], root, labels
        self._members: dict[str, set[str]] = {}
        self._orders: dict[str, dict[str, int]] = {}
        self._found: dict[Any, list[str]] = {}

    def pages(self, folder: str) -> Iterator[dict[str, Any]]:
        page, more = 1, True
        while more:
            document = json.loads((self.folder / folder / "page" / f"{page}.json").read_bytes())
            yield document
            page, more = page + 1, document["links"]["next"] is not None

    @cached_property
    def first(self) -> dict[str, Any]:
        return next(self.pages(""))

    @cached_property
    def rows(self) -> dict[str, Any]:
        return {row["slug"]: row for document in self.pages("") for row in document["data"]}

    def order(self, sort: str) -> dict[str, int]:
        """slug -> its place."""
        if sort not in self._orders:
            folder = "" if sort == DEFAULTS[self.root] else f"sort/{sort}"
            slugs = [row["slug"] for document in self.pages(folder) for row in document["data"]]
            self._orders[sort] = {slug: place for place, slug in enumerate(slugs)}
        return self._orders[sort]

    def members(self, name: str, value: str) -> set[str]:
        folder = "upcoming" if name == "upcoming" else f"by/{name}/{value}"
        if folder not in self._members:
            self._members[folder] = {
                row["slug"] for document in self.pages(folder) for row in document["data"]
            }
        return self._members[folder]

    @cached_property
    def records(self) -> dict[str, Found]:
        """slug -> what the record is found by."""
        return {
            slug: Found(
                json.loads((self.folder / "slug" / f"{slug}.json").read_bytes())["data"],
                self.labels,
            )
            for slug in self.rows
        }

    @cached_property
    def scores(self) -> Scores:
        return Scores(self.records)

    def found(self, filters: Mapping[str, str], q: str, order: str) -> list[str]:
        """The slugs of all records that match, in order."""
        asked = (*filters.items(), q, order)
        if asked not in self._found:
            sets = [self.members(*pair) for pair in filters.items()]
            scores = self.scores.of(q) if q else {}
            sets += [set(scores)] if q else []
            places = self.order(DEFAULTS[self.root] if order == "relevance" else order)
            matches = sorted(set(places).intersection(*sets), key=places.__getitem__)
            if order == "relevance":
                matches.sort(key=scores.__getitem__, reverse=True)
            self._found[asked] = matches
        return self._found[asked]


class Brute:
    """One build."""

    def __init__(self, out: Path):
        labels = {
            (file.stem[len("tag_") :], value["value"]): value["label"]
            for root in ROOTS
            for file in (out / root[1:] / "filters").glob("tag_*.json")
            for value in json.loads(file.read_bytes())["data"]["values"]
        }
        self.lists = {root: Collection(out, root, labels) for root in ROOTS}
        self.parameters = {
            root: ["mode", "q", *json.loads((c.folder / "filters.json").read_bytes())["data"],
                   *(["upcoming"] if ROOTS[root] == "event" else []), "sort", "page"]
            for root, c in self.lists.items()
        }  # fmt: skip
        self.prefix = (
            self.lists["/api/projects"]
            .first["links"]["self"]
            .removesuffix("/api/projects/page/1.json")
        )

    def answer(self, target: str) -> dict[str, Any]:
        """The list document that a query of the query tier has to get; the target has no prefix,
        and is allowed.
        """
        root, _, raw = target.partition("?")
        asked, part = dict(parse_qsl(raw)), self.lists[root]
        filters = {name: asked[name] for name in self.parameters[root][2:-2] if name in asked}
        order = asked.get("sort") or ("relevance" if "q" in asked else DEFAULTS[root])
        found = part.found(filters, asked.get("q", ""), order)
        size, page = part.first["page"]["size"], int(asked.get("page", 1))
        pages = max(1, -(-len(found) // size))
        rows = [part.rows[slug] for slug in found[(page - 1) * size : page * size]]

        def at(n: int) -> str:
            pairs = {**{k: asked[k] for k in ("mode", "q") if k in asked}, **filters}
            pairs |= {"sort": asked["sort"]} if "sort" in asked else {}
            pairs |= {"page": str(n)} if n > 1 else {}
            return f"{self.prefix}{root}?" + "&".join(
                f"{key}={quote(value, safe='')}" for key, value in pairs.items()
            )

        links = {"self": at(page), "first": at(1), "prev": at(page - 1) if page > 1 else None,
                 "next": at(page + 1) if page < pages else None, "last": at(pages),
                 "filters": f"{self.prefix}{root}/filters.json"}  # fmt: skip
        head: Mapping[str, Any] = {
            k: part.first[k] for k in ("schema_version", "kind", "as_of") if k in part.first
        }
        query = {
            "mode": "page",
            "page": page,
            "sort": order,
            "q": asked.get("q"),
            "filters": filters,
        }
        shape = {
            "number": page,
            "size": size,
            "count": len(rows),
            "total_items": len(found),
            "total_pages": pages,
        }
        return {**head, "query": query, "page": shape, "links": links, "data": rows}
