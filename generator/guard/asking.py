"""What breaks who asks: parameters and inputs of tools that were taken, and are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.api import paths
from generator.guard.finding import Finding, broken, went
from generator.guard.node import Node
from generator.guard.published import Published

_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
#: Parameters whose words are files of their own, or values that have a rule.
_TOLD = ("code", "kind", "value", "slug")


def findings(old: Published, new: Published) -> Iterator[Finding]:
    """Every break of a rule about what is asked, of whichever tier."""
    before, after = old.document(paths.OPENAPI), new.document(paths.OPENAPI)
    for path, operations in before["paths"].members.items():
        for method, a in operations.members.items():
            b = after.at("paths", path, method)
            if b:
                yield from _operation(f"{method.upper()} {path}", a, b)
    yield from _tools(old, new)


# --- parameters -----------------------------------------------------------------------------------


def _operation(subject: str, old: Node, new: Node) -> Iterator[Finding]:
    a, b = old["operationId"], new["operationId"]
    if a.text and a.text != b.text:
        words = f"the operation is called {b.text or 'nothing'} and was {a.text}"
        yield broken("operation-renamed", subject, words, a, b)
    before, after = (node["parameters"].named("name") for node in (old, new))
    for name, parameter in before.items():
        now = after.get(name)
        here = f"{subject} {name}"
        if now is None:
            yield broken("parameter-gone", here, "the parameter is refused", parameter,
                         new["parameters"], name, None)  # fmt: skip
            continue
        if now["required"].plain is True and parameter["required"].plain is not True:
            words = "the parameter has to be given"
            yield broken("parameter-required", here, words, parameter["required"], now["required"])
        a, b = parameter["explode"], now["explode"]
        if (parameter["style"].plain, a.plain) != (now["style"].plain, b.plain):
            words = "several values are joined in another way"
            values = [parameter["style"].plain, a.plain], [now["style"].plain, b.plain]
            yield broken("parameter-style-changed", here, words, a, b, *values)
        yield from _taken(here, "parameter", parameter["schema"], now["schema"])
    for name, parameter in after.items():
        if name not in before and parameter["required"].plain is True:
            words = "a parameter came that has to be given"
            yield broken("parameter-required", f"{subject} {name}", words, old["parameters"],
                         parameter, None, name)  # fmt: skip


def _taken(subject: str, what: str, old: Node, new: Node) -> Iterator[Finding]:
    """Whether all that a schema of the input took is taken still."""
    for key in ("anyOf", "items"):
        if key == "items":
            pairs = [(old[key], new[key])]
        else:
            sizes = [len(n[key].plain) if isinstance(n[key].plain, list) else 0 for n in (old, new)]
            pairs = [(old[key][n], new[key][n]) for n in range(min(sizes))]
        for a, b in pairs:
            if a and b:
                yield from _taken(subject, what, a, b)
    lost = went(_types(old), _types(new)) if _types(new) else []
    if lost:
        words = f"takes {' or '.join(_types(new))} and took {' or '.join(_types(old))}"
        yield broken(f"{what}-type-changed", subject, words, old["type"], new["type"])
    elif subject.rpartition(" ")[2] not in _TOLD:
        yield from _words(subject, what, old["enum"], new["enum"])
    for keywords, sign in ((_LEAST, 1), (_MOST, -1)):
        for keyword in keywords:
            a, b = old[keyword], new[keyword]
            if _number(b) is not None and (
                _number(a) is None or (_number(b) - _number(a)) * sign > 0  # type: ignore[operator]
            ):
                was = "nothing" if _number(a) is None else _number(a)
                words = f"{keyword} is {_number(b):g} and was {was}"
                yield broken(f"{what}-bound-tightened", subject, words, a, b)
    a, b = old["pattern"], new["pattern"]
    if b and a.plain != b.plain:
        words = f"takes what fits {b.plain}, and {f'took {a.plain}' if a else 'took any'}"
        yield broken(f"{what}-pattern-changed", subject, words, a, b)
    a, b = old["default"], new["default"]
    if a and a.plain != b.plain:
        words = f"is {b.plain} unless given, and was {a.plain}"
        yield broken(f"{what}-default-changed", subject, words, a, b)


def _types(schema: Node) -> list[str]:
    said = schema["type"]
    return [said.text] if said.text else said.texts


def _words(subject: str, what: str, old: Node, new: Node) -> Iterator[Finding]:
    name = subject.rpartition(" ")[2]
    for word in went(old.texts, new.texts) if new else ():
        if name == "sort":
            words = f'lists cannot be ordered by "{word}"'
            yield broken("sort-gone", subject, words, old, new, word, None)
        elif name != "by":  # its words are the filters, each of which is a parameter
            yield broken(f"{what}-word-gone", subject, f'"{word}" is refused', old, new, word, None)
    if name == "sort" and old.texts and new.texts and old.texts[0] != new.texts[0]:
        words = f"lists are ordered by {new.texts[0]} unless asked, and were by {old.texts[0]}"
        yield broken("default-sort-changed", subject, words, old[0], new[0])


def _number(node: Node) -> float | None:
    return node.value if type(node.value) in (int, float) else None


# --- tools ----------------------------------------------------------------------------------------


def _tools(old: Published, new: Published) -> Iterator[Finding]:
    before, after = (state.document(paths.AGENT_TOOLS).at("data", "tools") for state in (old, new))
    known = after.named("name")
    for name, a in before.named("name").items() if after else ():
        b = known.get(name)
        if b is None:
            yield broken("tool-gone", name, "the tool is gone", a, after, name, None)
            continue
        yield from _inputs(name, a["input"], b["input"])
        for key, template in a["templates"].members.items():
            was, now = old.path_of(template.text), new.path_of(b["templates"][key].text)
            if was != now:
                words = f"asks at {now or 'no address'} and asked at {was}"
                yield broken("tool-moved", f"{name} {key}".strip(), words, template,
                             b["templates"][key], was, now)  # fmt: skip
        for key, bound in a["bounds"].members.items():
            is_now: Any = _number(b["bounds"][key])
            was_then: Any = _number(bound)
            if was_then is not None and (is_now is None or is_now > was_then):
                words = f"{key} is {is_now} and was {was_then}"
                yield broken("tool-bound-loosened", name, words, bound, b["bounds"][key])


def _inputs(subject: str, old: Node, new: Node) -> Iterator[Finding]:
    """The properties of an object that a tool takes, and of objects in it."""
    before, after = old["properties"].members, new["properties"].members
    for name, a in before.items() if new["properties"] else ():
        here = f"{subject} {name}"
        if name not in after:
            words = "the input is refused"
            yield broken("tool-input-gone", here, words, a, new["properties"][name], name, None)
            continue
        yield from _taken(here, "tool-input", a, after[name])
        yield from _inputs(here, a, after[name])
    needed = went(new["required"].texts, old["required"].texts)
    for name in needed if old["properties"] else ():
        words = "the input has to be given"
        yield broken("tool-input-required", f"{subject} {name}", words, old["required"],
                     new["required"], None, name)  # fmt: skip
