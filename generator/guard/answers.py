"""What breaks who reads documents: answers that are not described, or have another shape."""

from __future__ import annotations

from collections.abc import Iterator

from generator.grammar import paths
from generator.guard.finding import Finding, broken, went
from generator.guard.interface import operations
from generator.guard.node import Keys, Node
from generator.guard.published import Published
from generator.guard.shapes import Judge

_SCHEMAS = ("components", "schemas")
#: Where a record has the registry's own fields, of which the index tells more.
_OWN = ("properties", "fields", "properties")


def findings(old: Published, new: Published) -> Iterator[Finding]:
    """The answers at addresses that both states have, as openapi.json describes them."""
    before, after = (state.document(paths.OPENAPI) for state in (old, new))
    judge = Judge(_SCHEMAS)
    try:
        for part in operations(before["paths"], after["paths"]):
            yield from _responses(part.subject, _resolved(part.old), _resolved(part.new), judge)
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
        # What somebody published need not be a schema.
        words = "its schemas cannot be compared, because they are not valid"
        yield Finding("document-unreadable", paths.OPENAPI, words, before.place, after.place)


def _resolved(operation: Node) -> dict[str, Node]:
    """status -> response, with what is referred to in its place."""
    responses = {}
    for status, response in operation["responses"].members.items():
        name = response["$ref"].text.rpartition("/")[2]
        responses[status] = (
            operation.whole.at("components", "responses", name) if name else response
        )
    return responses


def _responses(
    subject: str, old: dict[str, Node], new: dict[str, Node], judge: Judge
) -> Iterator[Finding]:
    for status, a in old.items():
        b = new.get(status)
        if b is None:
            words = f"the answer {status} is no longer described"
            yield Finding("status-gone", f"{subject} {status}", words, a.place,
                          a.place._replace(there=False))  # fmt: skip
            continue
        for media, content in a["content"].members.items():
            there = b["content"][media]
            if not there:
                now = ", ".join(b["content"].members) or "nothing"
                words = f"the answer {status} was {media} and is now {now}"
                yield Finding("media-type-changed", f"{subject} {status}", words, content.place,
                              b["content"].place, media, now)  # fmt: skip
                continue
            yield from _answer(f"{subject} {status}", content["schema"], there["schema"], judge)


def _answer(subject: str, old: Node, new: Node, judge: Judge) -> Iterator[Finding]:
    was, now = _documents(old), _documents(new)
    lost = went(was, now)
    if lost:
        words = (
            f"answered {' or '.join(was)} and now answers {' or '.join(now) or 'something else'}"
        )
        yield Finding("answer-changed", subject, words, old.place, new.place, was, now)
        return
    for one in judge.compare(subject, old, new):
        if not _is_own(one.old.keys):
            yield broken(one.rule, _subject_of(one.old.keys), *one[2:])


def _documents(schema: Node) -> list[str]:
    """The documents that a response may be."""
    choices = schema["anyOf"].plain
    some = range(len(choices)) if isinstance(choices, list) else ()
    refs = [schema["anyOf"][number]["$ref"].text for number in some] or [schema["$ref"].text]
    return sorted(ref.rpartition("/")[2] for ref in refs if ref)


def _is_own(keys: Keys) -> bool:
    """Whether a schema is that of one of the registry's own fields."""
    return any(keys[n : n + 3] == _OWN and len(keys) > n + 3 for n in range(len(keys)))


def _subject_of(keys: Keys) -> str:
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
