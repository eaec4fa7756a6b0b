"""Answers to any query by a scan over all records of a build, with no index and no code of the
package.

Orders, and the members of filters with prepared pages, come from the pages, which tests/build
compares with the content; members of other filters, numbers, dates and words come from the records'
own documents.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from support.relevance import Found, Scores
from support.tokens import words

ROOTS = {"/api/projects": "project", "/api/programs": "program",
         "/api/organizations": "organization",
         "/api/calendar/events": "event"}  # fmt: skip
SEARCH = "/api/search"
#: The records of each collection in a search.
BEST = 5
DEFAULTS = {root: "starts" if kind == "event" else "name" for root, kind in ROOTS.items()}
#: Filters with ranges over prepared values, and the key that compares the values.
_RANGED: dict[str, Callable[[str], Any]] = {"year": int, "month": str}
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ð": "d", "þ": "th",
                          "æ": "ae", "œ": "oe", "ß": "ss"})  # fmt: skip
#: Filters of events without pages.
_QUERIED = ("tag_", "location", "organization_category", "status", "stage")
MOST = 50  # values of a filter in a count


class Collection:
    """The records of one list."""

    def __init__(self, out: Path, root: str, filters: Mapping[str, str],
                 sorts: list[str]):  # fmt: skip
        """`filters` has the label of each filter, in the order of the grammar."""
        self.folder, self.root = out / root[1:], root
        self.filters, self.sorts = filters, sorts
        self.tags = _Tags()
        self._members: dict[str, set[str]] = {}
        self._orders: dict[str, dict[str, int]] = {}
        self._numbers: dict[str, dict[str, Any]] = {}
        self._values: dict[str, dict[str, list[str]]] = {}
        self._slugs: dict[tuple[str, str], set[str]] = {}
        self._known: dict[str, list[str]] = {}
        self._matching: dict[Any, dict[str, tuple[int, int]]] = {}

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

    @cached_property
    def records(self) -> dict[str, Any]:
        return {
            slug: json.loads((self.folder / "slug" / f"{slug}.json").read_bytes())["data"]
            for slug in self.rows
        }

    # --- orders ---

    def order(self, sort: str) -> dict[str, int]:
        """slug -> position."""
        if sort not in self._orders:
            default, folder = DEFAULTS[self.root], f"sort/{sort}"
            if sort == default or (self.folder / folder).is_dir():
                pages = self.pages("" if sort == default else folder)
                slugs = [row["slug"] for document in pages for row in document["data"]]
            else:
                numbers = self.numbers(sort.removeprefix("-"))
                slugs = [slug for slug in self.rows if numbers[slug] is not None]
                slugs.sort(key=numbers.__getitem__, reverse=sort[0] == "-")
                if sort[0] == "-":  # ties stay in the default order
                    places = self.order(default)
                    slugs.sort(key=places.__getitem__)
                    slugs.sort(key=numbers.__getitem__, reverse=True)
                slugs += [slug for slug in self.rows if numbers[slug] is None]
            self._orders[sort] = {slug: place for place, slug in enumerate(slugs)}
        return self._orders[sort]

    def numbers(self, name: str) -> dict[str, Any]:
        """slug -> the value that ranges and sorts of a filter compare, or None."""
        if name not in self._numbers:
            if name in _RANGED and name in self.filters:
                as_number = _RANGED[name]
                found = {slug: as_number(held[0]) if held else None
                         for slug, held in self.values(name).items()}  # fmt: skip
            else:
                key = name.removeprefix("field_")
                found = {
                    slug: (data["fields"] if key != name else data).get(key)
                    for slug, data in self.records.items()
                }
            self._numbers[name] = found
        return self._numbers[name]

    # --- filters ---

    def listed(self, name: str) -> bool:
        """Whether a document lists the values."""
        return name == "upcoming" or (self.folder / "filters" / f"{name}.json").is_file()

    def prepared(self, name: str) -> bool:
        """Whether each value has a page."""
        queried = self.root.endswith("events") and name.startswith(_QUERIED)
        return self.listed(name) and not queried

    @cached_property
    def labels(self) -> dict[tuple[str, str], str]:
        """filter and value -> label, of filters with pages."""
        return {
            (file.stem, value["value"]): value["label"]
            for file in (self.folder / "filters").glob("*.json")
            for value in json.loads(file.read_bytes())["data"]["values"]
        }

    def members(self, name: str, value: str) -> set[str]:
        """The records with a value of a listed filter."""
        if not self.prepared(name):
            return self.slugs(name, value)
        folder = "upcoming" if name == "upcoming" else f"by/{name}/{value}"
        if folder not in self._members:
            self._members[folder] = {
                row["slug"] for document in self.pages(folder) for row in document["data"]
            }
        return self._members[folder]

    def values(self, name: str) -> dict[str, list[str]]:
        """slug -> the record's values of a filter."""
        if name not in self._values:
            found: dict[str, list[str]] = {slug: [] for slug in self.rows}
            if self.prepared(name):
                for of, value in sorted(self.labels):
                    for slug in self.members(name, value) if of == name else ():
                        found[slug].append(value)
            elif self.listed(name):
                found = {slug: sorted(self._queried(name, data))
                         for slug, data in self.records.items()}  # fmt: skip
            else:
                for slug, number in self.numbers(name).items():
                    found[slug] = [] if number is None else [shortest(number)]
            self._values[name] = found
        return self._values[name]

    def _queried(self, name: str, event: dict[str, Any]) -> set[str]:
        """The values of an event in a filter without pages."""
        program: dict[str, Any] = {}
        api = self.folder.parents[1]
        if event["program"] is not None:
            file = api / "programs" / "slug" / f"{event['program']['slug']}.json"
            program = json.loads(file.read_bytes())["data"]
        if name.startswith("tag_"):
            of_both = (event["tags"], program.get("tags", {}))
            return {tag for tags in of_both for tag in tags.get(name.removeprefix("tag_"), ())}
        if name == "location":
            own, online = event["locations"], {"online"} if event["online"] else set()
            placed = own or ([] if online else program.get("locations", []))
            return online | {slug for place in placed for slug in _places(place)}
        if name == "organization_category":
            owners = {owner["slug"] for owner in (event["organization"],
                      program.get("organization")) if owner}  # fmt: skip
            files = [api / "organizations" / "slug" / f"{slug}.json" for slug in owners]
            return {json.loads(file.read_bytes())["data"]["category"] for file in files}
        return {event[name]} - {None}

    def slugs(self, name: str, value: str) -> set[str]:
        """The records with a value of a filter."""
        if (name, value) not in self._slugs:
            held = self.values(name).items()
            self._slugs[name, value] = {slug for slug, values in held if value in values}
        return self._slugs[name, value]

    def known(self, name: str) -> list[str]:
        """All values of a filter in the records."""
        if name not in self._known:
            self._known[name] = sorted({v for held in self.values(name).values() for v in held})
        return self._known[name]

    def is_range(self, name: str) -> bool:
        return name in _RANGED or not self.listed(name)

    def key(self, name: str) -> Callable[[str], Any]:
        """The sort key of a filter with ranges."""
        if name in _RANGED:
            return _RANGED[name]
        some = (n for n in self.numbers(name).values() if n is not None)
        return str if isinstance(next(some, ""), str) else float

    def holding(self, name: str, asked: str) -> set[str]:
        """The records that match a filter's constraint."""
        if ".." in asked:
            low, high = asked.split("..")
            end = self.key(name)
            return {
                slug
                for slug, number in self.numbers(name).items()
                if number is not None
                and (not low or end(low) <= number)
                and (not high or number <= end(high))
            }
        how, _, rest = asked.rpartition(":")
        if name == "upcoming":
            return self.members(name, rest)
        has = {value: self.slugs(name, value) for value in rest.split(",")}
        if how == "all":
            return set.intersection(*has.values())
        some = set().union(*has.values())
        return set(self.rows) - some if how == "not" else some

    # --- words ---

    @cached_property
    def found(self) -> dict[str, Found]:
        """slug -> the words and levels that the record is found by."""
        return {slug: Found(data, self.tags) for slug, data in self.records.items()}

    @cached_property
    def scores(self) -> Scores:
        return Scores(self.found)

    def matching(self, filters: Mapping[str, str], q: str) -> dict[str, tuple[int, int]]:
        """The records that match, with their scores."""
        asked = (*filters.items(), q)
        if asked not in self._matching:
            scores = self.scores.of(q) if q else dict.fromkeys(self.rows, (0, 0))
            sets = [self.holding(*pair) for pair in filters.items()]
            slugs = set(scores).intersection(*sets)
            self._matching[asked] = {slug: scores[slug] for slug in slugs}
        return self._matching[asked]


def _places(place: Mapping[str, Any]) -> Iterator[str]:
    """The slugs of a country, a region and a city, from those of a whole place."""
    parts = [place["country"].lower()]
    yield parts[0]
    for part in filter(None, (place["region"], place["city"])):
        parts.append("-".join(re.findall("[a-z0-9]+", _ascii(part))))
        yield "-".join(parts)
    assert "-".join(parts) == place["slug"]


def _ascii(text: str) -> str:
    """Letters without marks, in lower case; `ø` and others are one letter each."""
    plain = unicodedata.normalize("NFKD", text.lower()).translate(_LETTERS)
    return plain.encode("ascii", "ignore").decode()


class _Tags(dict[tuple[str, str], str]):
    """family and tag -> label; a tag without a filter gets its own words as label."""

    def __missing__(self, key: tuple[str, str]) -> str:
        return key[1].replace("-", " ")


def shortest(number: Any) -> str:
    """A number as short text; dates stay."""
    whole = isinstance(number, float) and number.is_integer()
    return str(int(number) if whole else number)


class Brute:
    """One build."""

    def __init__(self, out: Path):
        paths = json.loads((out / "api" / "openapi.json").read_bytes())["paths"]
        #: list -> its parameters in canonical order.
        self.parameters = {
            root: [one["name"] for one in paths[root]["get"]["parameters"]] for root in ROOTS
        }
        self.lists = {}
        for root in ROOTS:
            first, last = (self.parameters[root].index(name) for name in ("q", "by"))
            every = paths[root]["get"]["parameters"]
            labels = {
                one["name"]: one["description"].partition(":")[0] for one in every[first + 1 : last]
            }
            (sorts,) = (one["schema"]["enum"] for one in every if one["name"] == "sort")
            sorts = [sort for sort in sorts if sort != "relevance"]
            self.lists[root] = Collection(out, root, labels, sorts)
        for known in [part.labels for part in self.lists.values()]:
            for (name, value), label in known.items():
                for part in self.lists.values() if name.startswith("tag_") else ():
                    part.tags[name.removeprefix("tag_"), value] = label
        self.prefix = (
            self.lists["/api/projects"]
            .first["links"]["self"]
            .removesuffix("/api/projects/page/1.json")
        )

    def asked(self, target: str) -> tuple[Collection, dict[str, str], dict[str, str]]:
        """The list, all parameters of an allowed query, and the filters among them."""
        root, _, raw = target.partition("?")
        asked, part = dict(parse_qsl(raw)), self.lists[root]
        return part, asked, {name: asked[name] for name in part.filters if name in asked}

    def matching(self, target: str) -> set[str]:
        """The records that an allowed query matches, on all pages."""
        part, asked, filters = self.asked(target)
        return set(part.matching(filters, asked.get("q", "")))

    def answer(self, target: str) -> dict[str, Any]:
        """The document that the query tier must return.  The target has no prefix, is allowed, and
        spells its constraints canonically.
        """
        part, asked, filters = self.asked(target)
        if asked["mode"] == "count":
            return self._count(part, asked, filters)
        order = asked.get("sort") or ("relevance" if "q" in asked else DEFAULTS[part.root])
        places = part.order(DEFAULTS[part.root] if order == "relevance" else order)
        matches = part.matching(filters, asked.get("q", ""))
        found = sorted(matches, key=places.__getitem__)
        if order == "relevance":
            found.sort(key=matches.__getitem__, reverse=True)
        size, page = part.first["page"]["size"], int(asked.get("page", 1))
        pages = max(1, -(-len(found) // size))
        rows = [part.rows[slug] for slug in found[(page - 1) * size : page * size]]

        first = {name: text for name, text in asked.items() if name != "page"}

        def at(n: int) -> str:
            return self._url(part.root, first | ({"page": str(n)} if n > 1 else {}))

        links = {"self": at(page), "first": at(1), "prev": at(page - 1) if page > 1 else None,
                 "next": at(page + 1) if page < pages else None, "last": at(pages),
                 "filters": f"{self.prefix}{part.root}/filters.json"}  # fmt: skip
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
        return {**_head(part), "query": query, "page": shape, "links": links, "data": rows}

    def search(self, q: str) -> dict[str, Any]:
        """The document of a search over all collections, with empty suggestions."""
        data = {}
        for root, part in self.lists.items():
            matches, places = part.matching({}, q), part.order(DEFAULTS[root])
            found = sorted(matches, key=places.__getitem__)
            found.sort(key=matches.__getitem__, reverse=True)
            data[root.rpartition("/")[2]] = {
                "total_items": len(found),
                "links": {"list": self._url(root, {"mode": "page", "q": q})},
                "data": [part.rows[slug] for slug in found[:BEST]],
            }
        return {
            "schema_version": part.first["schema_version"],
            "kind": "search",
            "query": {"q": q},
            "links": {"self": f"{self.prefix}{SEARCH}?q={quote(q, safe='')}"},
            "total_items": sum(found["total_items"] for found in data.values()),
            "data": data,
            "suggestions": [],
        }

    def assert_right_search(self, target: str, document: dict[str, Any]) -> None:
        """The document equals the search; suggestions lead to records, if nothing else is found."""
        wanted = self.search(dict(parse_qsl(target.partition("?")[2]))["q"])
        said, document["suggestions"] = document["suggestions"], []
        assert len(said) <= BEST and (said == [] or not wanted["total_items"]), target
        assert all(self.search(q)["total_items"] for q in said), target
        assert json.dumps(document) == json.dumps(wanted), target

    def assert_right(self, target: str, document: dict[str, Any]) -> None:
        """The document equals the answer, with its keys in the same order.

        Suggestions and alternatives after an empty result must lead to records; other tests check
        which there are.
        """
        if target.startswith(SEARCH):
            self.assert_right_search(target, document)
            return
        wanted = self.answer(target)
        part, asked, filters = self.asked(target)
        assert list(document)[-2] == "alternatives", target
        alternatives = document.pop("alternatives")
        total = document.get("page", document)["total_items"]
        assert not (total and alternatives), target
        if not total:
            self._assert_alternatives(part, asked, filters, alternatives)
        if "q" in asked and "data" in wanted:
            said = document.pop("suggestions")
            assert said == [] or not wanted["data"], target
            assert all(part.matching(filters, q) for q in said), target
        assert json.dumps(document) == json.dumps(wanted), target

    def _assert_alternatives(
        self,
        part: Collection,
        asked: dict[str, str],
        filters: dict[str, str],
        alternatives: list[dict[str, Any]],
    ) -> None:
        """First all queries with one filter left out that find records, then at most five others,
        with their totals and addresses.
        """
        q = asked.get("q")
        less = [{k: v for k, v in filters.items() if k != name} for name in filters]
        less = [others for others in less if part.matching(others, q or "")][:5]
        assert [one["filters"] for one in alternatives[: len(less)]] == less, asked
        assert all(one["q"] == q for one in alternatives[: len(less)]), asked
        assert len(alternatives) <= 5, asked
        rank = {"sort": asked["sort"]} if "sort" in asked else {}
        for one in alternatives:
            listed = {"mode": "page", **one["filters"], **rank}
            listed |= {"q": one["q"]} if one["q"] is not None else {}
            url = self.prefix + self._list(part, listed, one["filters"])
            total = len(part.matching(one["filters"], one["q"] or ""))
            assert total and one == {
                "q": one["q"], "filters": one["filters"], "total_items": total, "href": url,
            }, asked  # fmt: skip

    def _count(
        self, part: Collection, asked: dict[str, str], filters: dict[str, str]
    ) -> dict[str, Any]:
        q, by = asked.get("q"), asked["by"].split(",") if "by" in asked else []
        listed = {name: text for name, text in asked.items() if name not in ("by", "like")}
        links = {
            "self": self._url(part.root, asked),
            "list": self.prefix + self._list(part, listed | {"mode": "page"}, filters),
        }
        query = {"mode": "count", "q": q, "filters": filters, "by": by, "like": asked.get("like")}
        counts = {}
        for name in by:
            others = {other: text for other, text in filters.items() if other != name}
            tally = Counter(
                value
                for slug in part.matching(others, q or "")
                for value in part.values(name)[slug]
                if _like(asked.get("like"), value, part.labels.get((name, value), value))
            )
            ranked = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
            every = Counter(
                value
                for slug in part.matching(others, q or "")
                for value in part.values(name)[slug]
            )
            how, _, text = filters.get(name, "").rpartition(":")
            selected = [] if how == "not" or ".." in text or not text else text.split(",")
            counts[name] = {
                "label": part.filters[name],
                "total_values": len(ranked),
                "truncated": len(ranked) > MOST,
                "values": [
                    {"value": value, "label": part.labels.get((name, value), value), "count": n}
                    for value, n in ranked[:MOST]
                ],
                "selected": [
                    {
                        "value": value,
                        "label": part.labels.get((name, value), value),
                        "count": every[value],
                    }
                    for value in selected
                ],
            }
        head = _head(part)
        head["kind"] = head["kind"].removesuffix("list") + "count"
        total = len(part.matching(filters, q or ""))
        return {**head, "query": query, "total_items": total, "links": links, "counts": counts}

    @staticmethod
    def is_prepared(part: Collection, asked: Mapping[str, str]) -> bool:
        """Whether a prepared page answers a query for a list."""
        filters = [(name, asked[name]) for name in part.filters if name in asked]
        default, sort = DEFAULTS[part.root], asked.get("sort", DEFAULTS[part.root])
        if "q" in asked or len(filters) > 1 or (filters and sort != default):
            return False
        plain = all(part.prepared(name) and not {*",:"} & {*text} and ".." not in text
                    for name, text in filters)  # fmt: skip
        return plain and (sort == default or (part.folder / "sort" / sort).is_dir())

    def _list(self, part: Collection, asked: dict[str, str], filters: dict[str, str]) -> str:
        """The address of the counted records: the prepared page, if there is one."""
        if not self.is_prepared(part, asked):
            return self._url(part.root, asked).removeprefix(self.prefix)
        folders = ["upcoming" if name == "upcoming" else f"by/{name}/{text}"
                   for name, text in filters.items()]  # fmt: skip
        if asked.get("sort", DEFAULTS[part.root]) != DEFAULTS[part.root]:
            folders = [f"sort/{asked['sort']}"]
        return "/".join((part.root, *folders, "page/1.json"))

    def _url(self, root: str, asked: Mapping[str, str]) -> str:
        """A query in canonical order and spelling."""
        return f"{self.prefix}{root}?" + "&".join(
            f"{name}={quote(asked[name], safe='' if name in ('q', 'like') else ',:')}"
            for name in self.parameters[root]
            if name in asked
        )


@cache
def brute_of(out: Path) -> Brute:
    """The answers to queries of a build that no test changes, with what was read before."""
    return Brute(out)


def _head(part: Collection) -> dict[str, Any]:
    return {k: part.first[k] for k in ("schema_version", "kind", "as_of") if k in part.first}


@cache
def _like(asked: str | None, value: str, label: str) -> bool:
    """Whether each word is a prefix of a word of the value or its label."""
    has = [*words(value), *words(label)]
    return all(any(one.startswith(word) for one in has) for word in words(asked or ""))
