"""The contract between a registry and its readers: what a newer state may not change.

`BREAKS` is the list of all changes that break a program, apart from those of the schemas of answers
(`generator.guard.shapes`) and of records (`records.py`).  `rules.toml` describes the rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator.features.diff.interface import Pair, interface_parts
from generator.features.diff.kinds import KindChanges
from generator.features.diff.patterns import takes_all
from generator.features.diff.records import RecordChanges, broken_rules
from generator.grammar import paths
from generator.guard.finding import Finding, Node, broken_rule
from generator.guard.published import PublishedState
from generator.guard.shapes import LEAST, MOST, Judge
from generator.problems.codes import read_toml


class Rule(NamedTuple):
    """A rule: its title, what breaks for whom, and how to fix it."""

    tier: str
    title: str
    means: str
    mend: str


class Tier(NamedTuple):
    """The rules of one tier, with a title and an introduction."""

    title: str
    intro: str
    rules: dict[str, Rule]


@cache
def tiers() -> tuple[Tier, ...]:
    """All tiers, first that of the guards, in the order of docs/guards.md."""
    catalogue = read_toml(Path(__file__).with_name("rules.toml"))
    return tuple(
        Tier(
            data["title"],
            data["intro"],
            {name: Rule(tier, **texts) for name, texts in data["rules"].items()},
        )
        for tier, data in catalogue.items()
    )


@cache
def rules() -> dict[str, Rule]:
    return {name: rule for tier in tiers() for name, rule in tier.rules.items()}


def _version(node: Node) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]{1,9}", node.text)[:3]]


#: Whether the older value `a` and the newer value `b` break a rule, by the name of the test.
_TESTS: dict[str, Callable[[Node, Node], bool]] = {
    "gone": lambda a, b: bool(a) and not b,
    "changed": lambda a, b: bool(a) and bool(b) and a.plain != b.plain,
    "text-changed": lambda a, b: bool(a.text) and a.text != b.text,
    "relabelled": lambda a, b: bool(a.text and b.text) and a.text != b.text,
    "switched-off": lambda a, b: a.plain is True and b.plain is False,
    "earlier": lambda a, b: bool(a.text and b.text) and b.text < a.text,
    "older": lambda a, b: bool(b.text) and _version(b) < _version(a),
    "major-rose": lambda a, b: bool(_version(a)) and _version(b)[:1] > _version(a)[:1],
    "moved": lambda a, b: "://" in a.text and a.text != b.text,
    "opened": lambda a, b: bool(a.members) and not b.members,
    "closed": lambda a, b: bool(b) and not a,
    "fewer-types": lambda a, b: (
        bool(b) and not {*(a.texts or [a.text])} <= {*(b.texts or [b.text])}
    ),
    "other-pattern": lambda a, b: bool(b) and a.plain != b.plain and not takes_all(b.text, a.text),
    # One is no lower bound: older states did not write it.
    "raised": lambda a, b: (
        b.number is not None and b.number > (1 if a.number is None else a.number)
    ),
    "lowered": lambda a, b: b.number is not None and (a.number is None or b.number < a.number),
    "new": lambda a, b: True,
}


class Break(NamedTuple):
    """A change that breaks a rule: of which parts of the interface, of the value at which keys of
    them, by which test, and the message, which may name the values `{a}` and `{b}` and the part.
    Of the broken rows of a part with the same rule only the first is reported.
    """

    rule: str
    what: str
    keys: str
    test: str
    says: str


_WAS = "{key} was {a} and is now {b}"

BREAKS = (
    Break("document-missing", "document", "", "gone",
        "the document is missing or is no JSON object"),
    Break("schema-major-raised", "index", "schema_version", "major-rose",
        "documents had schema {a} and now have {b}"),
    Break("kind-gone", "kind", "", "gone",
        "the kind is gone, with its records, lists and filters"),
    Break("kind-renamed", "kind", "kind", "changed",
        "a record was called {a} and is now called {b}"),
    Break("own-field-gone", "own field", "", "gone", "the own field is gone"),
    Break("own-field-changed", "own field", "type", "changed", _WAS),
    Break("own-field-changed", "own field", "many", "changed", _WAS),
    Break("own-field-changed", "own field", "of", "changed",
        "referred to {a} and now refers to {b}"),
    Break("own-field-changed", "own field", "currency", "changed", _WAS),
    Break("own-field-changed", "own field", "unit", "changed", _WAS),
    Break("own-field-changed", "own field", "values", "opened",
        "any slug is now allowed, not only the listed values"),
    Break("own-field-changed", "own field", "required", "switched-off",
        "all records had it, and now it may be missing"),
    Break("own-field-changed", "own field", "summary", "switched-off", "lists no longer show it"),
    Break("index-format-changed", "search index", "format", "changed",
        "the search index had format {a} and now has {b}"),
    Break("base-url-changed", "server", "", "moved",
        "absolute addresses began with {a} and now begin with {b}"),
    Break("site-gone", "site", "", "gone", "there are no pages for people"),
    Break("address-gone", "surface", "", "gone", "the index no longer lists it"),
    Break("address-gone", "surface address", "", "text-changed", "was at {a} and is now at {b}"),
    Break("address-gone", "address", "", "gone", "{name} is not there"),
    Break("filter-gone", "filter", "", "gone",
        "its lists are gone, and queries with {name} are refused"),
    Break("sort-gone", "sort", "", "gone", 'lists cannot be ordered by "{name}"'),
    Break("value-gone", "filter value", "", "gone",
        '"{name}" is no longer a value: its list is gone'),
    Break("value-gone", "own value", "", "gone", 'the value "{name}" is gone'),
    Break("parameter-gone", "parameter", "", "gone", "the parameter is refused"),
    Break("parameter-required", "need", "", "new", "the parameter is now required"),
    Break("parameter-narrowed", "parameter value", "", "gone", '"{name}" is refused'),
    Break("parameter-narrowed", "schema", "type", "fewer-types", _WAS),
    Break("parameter-narrowed", "schema", "enum", "closed",
        "took any value and now takes only {b}"),
    Break("parameter-narrowed", "schema", "pattern", "other-pattern", _WAS),
    *(Break("parameter-narrowed", "schema", keyword, "raised", _WAS) for keyword in LEAST),
    *(Break("parameter-narrowed", "schema", keyword, "lowered", _WAS) for keyword in MOST),
    Break("tool-gone", "tool", "", "gone", "the tool is gone"),
    Break("licence-changed", "index", "data/license", "text-changed",
        "the licence was {a} and is now {b}"),
    Break("registry-renamed", "index", "data/name", "relabelled",
        'the registry was called "{a}" and is now called "{b}"'),
    Break("page-size-changed", "search index", "size", "changed",
        "a page had {a} records and now has {b}"),
    Break("language-changed", "search index", "language", "changed",
        "the language was {a} and is now {b}"),
    Break("default-sort-changed", "first sort", "", "relabelled",
        "lists were ordered by {a} and are now ordered by {b}"),
    Break("default-changed", "schema", "default", "changed", _WAS),
    Break("label-changed", "label", "", "relabelled", 'was called "{a}" and is now called "{b}"'),
    Break("published-back", "build", "as_of", "earlier",
        "the day of the build was {a} and is now {b}"),
    Break("published-back", "build", "generated_at", "earlier",
        "the time of the content was {a} and is now {b}"),
    Break("published-back", "build", "generator/version", "older",
        "was built by version {a} and is now built by {b}"),
)  # fmt: skip


def findings(
    old: PublishedState,
    new: PublishedState,
    changes: Mapping[str, RecordChanges],
    *,
    released: bool,
) -> list[Finding]:
    """Every broken rule once; a state may be older than one that was not `released`."""
    kinds = KindChanges(old, new)
    parts = [p for p in interface_parts(old, new, kinds) if released or p.what != "build"]
    broken = [f for part in _without_consequences(parts, kinds) for f in _part_findings(part)]
    broken += [f for f in _answers(parts, old, new) if not kinds.follows(f)]
    there = {name: of for name, of in changes.items() if name not in kinds.gone}
    broken += broken_rules(old, new, there)
    unique = {finding.fingerprint: finding for finding in broken}
    order = {rule: number for number, rule in enumerate(rules())}
    return sorted(unique.values(), key=lambda f: (order[f.rule], f.subject, f.words))


def _part_findings(part: Pair) -> Iterator[Finding]:
    """The rows that a part breaks: no other if it is gone."""
    reported = set()
    for row in BREAKS:
        a, b = (node.at(*filter(None, row.keys.split("/"))) for node in (part.old, part.new))
        if row.what != part.what or row.rule in reported or not _TESTS[row.test](a, b):
            continue
        reported.add(row.rule)
        key = row.keys.rpartition("/")[2]
        words = row.says.format(a=_in_words(a), b=_in_words(b), key=key, name=part.name)
        values = (part.name, None) if row.test == "gone" else (a.plain, b.plain)
        yield broken_rule(row.rule, part.subject or key, words, a, b, *values)
        if row.test == "gone":
            return


def _in_words(node: Node) -> str:
    if node.plain is None:
        return "none"
    return node.text or json.dumps(node.plain, ensure_ascii=False)


#: The filter or the sort that an address is of.
_list_of = re.compile(r"/(?:by|filters|sort)/([^/.{]+)[/.]").search


def _without_consequences(parts: list[Pair], kinds: KindChanges) -> list[Pair]:
    """The parts, without the addresses and parameters of filters and sorts that are gone, and
    without what goes with a kind, or was announced to be gone.
    """
    gone = {p.name for p in parts if p.what in ("filter", "sort") and not p.new}
    kept = []
    for part in parts:
        if part.what == "kind":
            if part.name not in kinds.announced:
                kept.append(part)
            continue
        if part.what == "own field" and part.old["of"].text in kinds.gone:
            continue
        if not part.new and kinds.covers(part.subject, part.name):
            continue
        if part.what == "address" and (found := _list_of(part.name)) and found[1] in gone:
            continue
        if not (part.what in ("parameter", "parameter value") and part.name in gone):
            kept.append(part)
    return kept


def _answers(parts: list[Pair], old: PublishedState, new: PublishedState) -> Iterator[Finding]:
    """The rules about the answers of addresses that both states have, by their schemas."""
    judge = Judge(("components", "schemas"))
    content = ("responses", "200", "content", "application/json", "schema")
    try:
        for part in parts:
            a, b = part.old.at(*content), part.new.at(*content)
            if part.what == "operation" and a and b:
                for finding in judge.compare(part.subject, a, b):
                    # Own fields have rules of their own.
                    if "/properties/fields/properties/" not in finding.old.pointer:
                        yield finding._replace(subject=_readable(finding.old.pointer))
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
        # A published document may have anything in place of a schema.
        words = "its schemas cannot be compared, because they are not valid"
        places = (state.document(paths.OPENAPI).place for state in (old, new))
        yield Finding("document-missing", paths.OPENAPI, words, *places)


def _readable(pointer: str) -> str:
    """The place of a schema for people: `Location.country`."""
    text = re.sub(r"/(?:anyOf|oneOf)/[0-9]+", "", pointer.removeprefix("/components/schemas/"))
    text = re.sub(r"/properties/([^/]+)", r".\1", text).replace("/items", "[]")
    text = text.replace("/additionalProperties", ".*").replace("/", " ")
    return text.replace("~1", "/").replace("~0", "~")
