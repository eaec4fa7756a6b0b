"""What breaks who reads documents: keys, types, words, and documents that are no longer there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.api import paths
from generator.api.grammar import Grammar
from generator.guard.finding import Finding, broken, went
from generator.guard.node import Node, Place
from generator.guard.published import Published
from generator.schema.compatibility import Judge, Keys, Placed

#: Every registry has them; the filters of each collection are others.
_EVERYWHERE = (
    paths.INDEX,
    paths.BUILD,
    paths.DASHBOARD,
    paths.CHANGES,
    paths.COVERAGE,
    paths.OPENAPI,
    paths.AGENT_CATALOG,
    paths.AGENT_SCHEMA,
    paths.AGENT_TOOLS,
)
_SCHEMAS = ("components", "schemas")
_is_version = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*").fullmatch
#: Where a record has the registry's own fields, of which the index tells more.
_OWN = ("properties", "fields", "properties")


def findings(old: Published, new: Published) -> Iterator[Finding]:
    """Every break of a rule of this tier."""
    yield from _files(old, new)
    yield from _version(old.document(paths.INDEX), new.document(paths.INDEX))
    yield from _answers(old.document(paths.OPENAPI), new.document(paths.OPENAPI))
    yield from _own_fields(old, new)
    yield from _families(old, new)
    yield from _problems(old, new)
    for collection in Grammar({}).collections.values():
        a, b = (state.document(collection.manifest_path)["format"] for state in (old, new))
        if a and b and a.plain != b.plain:
            words = f"the search index is of format {b.plain} and was of {a.plain}"
            yield broken("index-format-changed", "search index", words, a, b)
            return


def _files(old: Published, new: Published) -> Iterator[Finding]:
    filters = (c.filters_path for c in Grammar({}).collections.values())
    for path in (*_EVERYWHERE, *filters):
        a, b = old.document(path), new.document(path)
        if a and not b:
            there = new.file(path) is not None
            rule, words = (
                ("document-unreadable", "the document is no JSON object")
                if there
                else ("document-missing", "the document is not there")
            )
            place = b.place._replace(there=there)
            yield Finding(rule, path, words, a.place, place)
        elif a["kind"].text and b["kind"].text != a["kind"].text:
            words = f'the document is a "{b["kind"].text}" and was a "{a["kind"].text}"'
            yield broken("kind-changed", path, words, a["kind"], b["kind"])


def _version(old: Node, new: Node) -> Iterator[Finding]:
    a, b = old["schema_version"], new["schema_version"]
    was, now = _numbers(a.text), _numbers(b.text)
    if not was or not now:
        return
    words = f"documents are of schema {b.text} and were of {a.text}"
    if now[0] > was[0]:
        yield broken("schema-major-raised", "schema_version", words, a, b)
    elif now < was:
        yield broken("schema-version-back", "schema_version", words, a, b)


def _numbers(version: str) -> list[int]:
    parts = version.split(".")
    return (
        [int(part) for part in parts] if all(p.isascii() and p.isdecimal() for p in parts) else []
    )


# --- shapes ---------------------------------------------------------------------------------------


def _answers(old: Node, new: Node) -> Iterator[Finding]:
    """The answers at addresses that both states have, as openapi.json describes them."""
    definitions = old.at(*_SCHEMAS).plain or {}, new.at(*_SCHEMAS).plain or {}
    judge = Judge(*definitions, base=_SCHEMAS)
    try:
        for path, operations in old["paths"].members.items():
            for method, a in operations.members.items():
                b = new.at("paths", path, method)
                if b:
                    subject = f"{method.upper()} {path}"
                    yield from _responses(subject, _resolved(a, old), _resolved(b, new), judge)
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
        # What somebody published need not be a schema.
        words = "its schemas cannot be compared: they are none"
        yield Finding("document-unreadable", paths.OPENAPI, words, old.place, new.place)


def _resolved(operation: Node, document: Node) -> dict[str, Node]:
    """status -> response, with what is referred to in its place."""
    responses = {}
    for status, response in operation["responses"].members.items():
        name = response["$ref"].text.rpartition("/")[2]
        responses[status] = document.at("components", "responses", name) if name else response
    return responses


def _responses(
    subject: str, old: dict[str, Node], new: dict[str, Node], judge: Judge
) -> Iterator[Finding]:
    for status, a in old.items():
        b = new.get(status)
        if b is None:
            words = f"the answer {status} is no longer described"
            yield Finding("status-gone", f"{subject} {status}", words, a.place, _gone(a))
            continue
        for media, content in a["content"].members.items():
            there = b["content"][media]
            if not there:
                now = ", ".join(b["content"].members) or "nothing"
                words = f"the answer {status} is {now} and was {media}"
                yield Finding("media-type-changed", f"{subject} {status}", words, content.place,
                              b["content"].place, media, now)  # fmt: skip
                continue
            yield from _answer(f"{subject} {status}", content["schema"], there["schema"], judge)


def _gone(node: Node) -> Place:
    return node.place._replace(there=False)


def _answer(subject: str, old: Node, new: Node, judge: Judge) -> Iterator[Finding]:
    was, now = _documents(old), _documents(new)
    lost = went(was, now)
    if lost:
        words = f"answers {' or '.join(now) or 'another thing'} and answered {' or '.join(was)}"
        yield Finding("answer-changed", subject, words, old.place, new.place, was, now)
        return
    placed = Placed(old.keys, old.plain), Placed(new.keys, new.plain)
    for one in judge.compare(subject, *placed):
        if one.old[2 : 2 + 1] and _is_own(one.old):
            continue
        places = old.whole.at(*one.old), new.whole.at(*one.new)
        yield broken(one.rule, subject_of(one.old), one.words, *places, one.was, one.now)


def _documents(schema: Node) -> list[str]:
    """The documents that a response may be."""
    choices = schema["anyOf"].plain
    some = range(len(choices)) if isinstance(choices, list) else ()
    refs = [schema["anyOf"][number]["$ref"].text for number in some] or [schema["$ref"].text]
    return sorted(ref.rpartition("/")[2] for ref in refs if ref)


def _is_own(keys: Keys) -> bool:
    """Whether a schema is that of one of the registry's own fields."""
    return any(keys[n : n + 3] == _OWN and len(keys) > n + 3 for n in range(len(keys)))


def subject_of(keys: Keys) -> str:
    """Where a schema stands, as people say it: `ProjectSummary.locations[].country`."""
    words: list[str] = []
    rest = list(keys[2:] if keys[:2] == _SCHEMAS else keys)
    while rest:
        key = rest.pop(0)
        if key == "properties" and rest:
            words.append(f".{rest.pop(0)}")
        elif key == "items":
            words.append("[]")
        elif key == "additionalProperties":
            words.append(".*")
        elif key in ("anyOf", "oneOf") and rest:
            rest.pop(0)
        else:
            words.append(f" {key}" if words else str(key))
    return "".join(words)


# --- what a registry declares ---------------------------------------------------------------------


def _own_fields(old: Published, new: Published) -> Iterator[Finding]:
    before, after = (state.document(paths.INDEX).at("data", "fields") for state in (old, new))
    for collection, fields in before.members.items():
        for key, a in fields.members.items():
            subject, b = f"{collection} fields.{key}", after[collection][key]
            if not b:
                yield broken("own-field-gone", subject, "the own field is gone", a, b, key, None)
                continue
            yield from _own_field(subject, a, b)


def _own_field(subject: str, old: Node, new: Node) -> Iterator[Finding]:
    a, b = old["type"], new["type"]
    if a.plain != b.plain:
        words = f"values are of the type {b.plain} and were {a.plain}"
        yield broken("own-field-type-changed", subject, words, a, b)
    a, b = old["many"], new["many"]
    if a.plain != b.plain:
        words = "a list came in place of a value" if b.plain else "a value came in place of a list"
        yield broken("own-field-many-changed", subject, words, a, b)
    a, b = old["required"], new["required"]
    if a.plain is True and b.plain is False:
        words = "records may be without it, and all had it"
        yield broken("own-field-optional", subject, words, a, b)
    a, b = old["summary"], new["summary"]
    if a.plain is True and b.plain is False:
        yield broken("own-field-unlisted", subject, "lists no longer show it", a, b)
    a, b = old["values"], new["values"]
    if a.members and not b.members:
        words = "any slug may be a value, and there were few"
        yield broken("own-field-opened", subject, words, a, b, [*a.members], [])
    else:
        for word in went([*a.members], [*b.members]):
            words = f'the value "{word}" is gone'
            yield broken("own-field-word-gone", subject, words, a[word], b[word], word, None)


def _families(old: Published, new: Published) -> Iterator[Finding]:
    before, after = (state.document(paths.DASHBOARD).at("data", "tags") for state in (old, new))
    for family, a in before.members.items() if after else ():
        if not after[family]:
            words = f'records have no tags of the family "{family}"'
            yield broken("family-gone", f"tags.{family}", words, a, after[family], family, None)


def _problems(old: Published, new: Published) -> Iterator[Finding]:
    template = paths.problem_path("{code}")
    for code in enumerated(old.document(paths.OPENAPI), template, "code"):
        path = paths.problem_path(code)
        a, b = old.document(path), new.document(path)
        if not a:
            continue
        if not b:
            yield broken("problem-gone", code, "the problem's document is gone", a, b, code, None)
        elif a["status"].plain != b["status"].plain:
            words = f"it goes with the status {b['status'].plain} and went with {a['status'].plain}"
            yield broken("problem-status-changed", code, words, a["status"], b["status"])


def enumerated(openapi: Node, path: str, name: str) -> list[str]:
    """The words that a parameter of an address takes."""
    parameters = openapi.at("paths", path, "get", "parameters").named("name")
    return parameters[name].at("schema", "enum").texts if name in parameters else []
