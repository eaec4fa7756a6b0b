"""The rules about answers: answers that are no longer described, or have another shape."""

from __future__ import annotations

from collections.abc import Iterator

from generator.features.diff.interface import missing_words, operations
from generator.grammar import paths
from generator.guard.finding import Finding
from generator.guard.node import Node
from generator.guard.published import PublishedState
from generator.guard.shapes import Judge

#: Leads to the schemas of the registry's own fields.  They have rules about the index instead.
_OWN = "/properties/fields/properties/"


def findings(old: PublishedState, new: PublishedState) -> Iterator[Finding]:
    """The answers at addresses that both states have, as openapi.json describes them."""
    before, after = (state.document(paths.OPENAPI) for state in (old, new))
    judge = Judge(("components", "schemas"))
    try:
        for part in operations(before["paths"], after["paths"]):
            yield from _responses(part.subject, _resolved(part.old), _resolved(part.new), judge)
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError):
        # A published document may have anything in place of a schema.
        words = "its schemas cannot be compared, because they are not valid"
        yield Finding("document-unreadable", paths.OPENAPI, words, before.place, after.place)


def _resolved(operation: Node) -> dict[str, Node]:
    """status -> response, with references resolved."""
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
            new_content = b["content"][media]
            if not new_content:
                now = ", ".join(b["content"].members) or "nothing"
                words = f"the answer {status} was {media} and is now {now}"
                yield Finding("media-type-changed", f"{subject} {status}", words, content.place,
                              b["content"].place, media, now)  # fmt: skip
                continue
            schemas = content["schema"], new_content["schema"]
            yield from _answer(f"{subject} {status}", *schemas, judge)


def _answer(subject: str, old: Node, new: Node, judge: Judge) -> Iterator[Finding]:
    was, now = _documents(old), _documents(new)
    if missing_words(was, now):
        present = " or ".join(now) or "something else"
        words = f"answered {' or '.join(was)} and now answers {present}"
        yield Finding("answer-changed", subject, words, old.place, new.place, was, now)
        return
    for finding in judge.compare(subject, old, new):
        if _OWN not in finding.old.pointer:
            yield finding._replace(subject=_readable(finding.old.pointer))


def _documents(schema: Node) -> list[str]:
    """The names of the documents that a response may be."""
    references = [choice["$ref"].text for choice in schema["anyOf"].items]
    references = references or [schema["$ref"].text]
    return sorted(ref.rpartition("/")[2] for ref in references if ref)


def _readable(pointer: str) -> str:
    """The place of a schema for people: `Location.country`."""
    words: list[str] = []
    keys = pointer.removeprefix("/components/schemas").split("/")[1:]
    rest = [key.replace("~1", "/").replace("~0", "~") for key in keys]
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
            words.append(f" {key}" if words else key)
    return "".join(words)
