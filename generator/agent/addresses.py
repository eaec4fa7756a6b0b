"""The addresses behind the tools: their parameters, and the address for some arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from generator.agent.inputs import MAX_FILTERS
from generator.agent.tools import Tool
from generator.grammar.filters import MAX_VALUES
from generator.grammar.grammar import MAX_BY
from generator.grammar.limits import MAX_QUERY_WORDS

#: Characters of values that stand for themselves in a query.
_PLAIN = ",:."
_LITERAL = re.compile(r"[?&](\w+)=(\w+)")
#: An expression of RFC 6570: the operator, then names with commas between.
_EXPRESSION = re.compile(r"\{([?&/]?)([^}]*)\}")
_WORDS = {
    "filters": f"Up to {MAX_FILTERS} filters, each a parameter with its own name. Up to "
    f"{MAX_VALUES} values: a,b any, all:a,b all, not:a,b none; or a range: 2019..2024, 2020..",
    "q": f"Up to {MAX_QUERY_WORDS} words; a record must have all of them.",
    "by": f"Up to {MAX_BY} names of filters, with commas between: the number of records for each "
    "of their values.",
    "per": "With one filter in by: the name of another, whose values are counted for each.",
    "like": "Only values with a word that begins with this.",
    "sort": "A sort of the collection; a hyphen before it means descending order.",
    "page": "The number of the page, from 1.",
    "filter": "The name of a filter; without it, all filters.",
    "slug": "The slug of a record.",
}


def parameters(tool: Tool) -> list[dict[str, Any]]:
    """The parameters of the addresses: `{name, part, words}`, where part is path or query."""
    found: dict[str, dict[str, Any]] = {}
    for template in tool.templates.values():
        for name, part, words in _parts_of(template):
            found.setdefault(name, {"name": name, "part": part, "words": words})
    for name, parameter in tool.parameters.items():
        found[name] = {"name": name, "part": "query", "words": parameter.words}
    return list(found.values())


def _parts_of(template: str) -> Iterator[tuple[str, str, str]]:
    for name, value in _LITERAL.findall(template):
        yield name, "query", f"Always {value}."
    for operator, names in _EXPRESSION.findall(template):
        part = "query" if operator in ("?", "&") else "path"
        for name in names.split(","):
            yield name.rstrip("*"), part, _WORDS[name.rstrip("*")]


def with_defaults(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with defaults for missing keys."""
    defaults = {
        name: shape["default"] for name, shape in schema["properties"].items() if "default" in shape
    }
    return {**defaults, **arguments}


def address(tool: Tool, arguments: Mapping[str, Any]) -> str:
    """The address for arguments, without the path of the base URL: one of the tool's templates,
    expanded as in RFC 6570.
    """
    template = tool.templates[arguments.get("collection", "")]
    given = {name: each.value(arguments) for name, each in tool.parameters.items()}
    template += f"{{?{','.join(given)}}}" if given else ""
    return _EXPRESSION.sub(
        lambda found: _fill(found[1], found[2], {**arguments, **given}), template
    )


def _fill(operator: str, names: str, values: Mapping[str, Any]) -> str:
    given = {
        name: values[name.rstrip("*")] for name in names.split(",") if name.rstrip("*") in values
    }
    if operator not in ("?", "&"):
        return "".join(operator + quote(str(value), safe="") for value in given.values())
    pairs: list[tuple[str, Any]] = []
    for name, value in given.items():
        pairs += value.items() if name.endswith("*") else [(name, value)]
    texts = (f"{name}={_text(value)}" for name, value in pairs)
    return "".join(f"{operator if n == 0 else '&'}{text}" for n, text in enumerate(texts))


def _text(value: Any) -> str:
    return quote(",".join(value) if isinstance(value, list) else str(value), safe=_PLAIN)
