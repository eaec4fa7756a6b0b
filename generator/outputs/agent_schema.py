"""agent/schema.json: what every field means, with an example of each kind, for people and models.

The texts are the descriptions of the published schema.  Validators use /api/schemas/.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from generator.contract.artifact import Artifact, document, encode_json
from generator.contract.lock import locked_schemas
from generator.grammar import paths
from generator.grammar.grammar import Grammar, Slice
from generator.grammar.limits import MAX_ANSWER, clip
from generator.grammar.paths import schema_path
from generator.model.symbols import Symbols
from generator.model.tables.table import Table
from generator.text.words import SLUG

ADDRESSES = (paths.AGENT_SCHEMA,)

#: (bytes of a text, items of a list or an object in an example, own fields of a kind), the most
#: generous first: the first that fits into MAX_ANSWER is used.
_CUTS = (
    (300, 1000, 50),
    (300, 10, 50),
    (100, 3, 50),
    (30, 0, 50),
    (30, 0, 20),
    (30, 0, 5),
    (30, 0, 0),
)
#: Types of own fields that other fields call otherwise.
_OWN_TYPES = {"text": "string", "url": "URL", "choice": "slug"}
#: JSON Schema's `format` -> the type in words.
_FORMATS = {
    "date": "date",
    "date-time": "UTC instant",
    "uri": "URL",
    "uri-reference": "address",
}


def render(symbols: Symbols, tables: Mapping[str, Table]) -> Iterator[Artifact]:
    url = symbols.grammar.url
    links = {"self": url(paths.AGENT_SCHEMA), "catalog": url(paths.AGENT_CATALOG)}
    for text, items, own_fields in _CUTS:
        examples = [_example(table, text, items) for table in tables.values()]
        left_out = any(len(fields) > own_fields for fields in symbols.grammar.fields.values())
        truncated = left_out or any(cut for _, cut in examples)
        further = [Slice(table.collection).path() for table in tables.values()]
        data = {
            "kinds": [
                _kind(table, symbols, example, own_fields)
                for table, (example, _) in zip(tables.values(), examples, strict=True)
            ],
            # The keys of a list other than its summaries: `query.page` and so on.
            "lists": [
                {"name": f"{part}.{key}", "type": _type(shape), "words": shape["description"]}
                for part, name in (("query", "Query"), ("page", "Page"), ("links", "ListLinks"))
                for key, shape in _properties(name).items()
            ],
            "truncated": truncated,
            "next": [url(path) for path in [paths.INDEX] * left_out + further * truncated],
        }
        schema = encode_json(document("agent_schema", links=links, data=data))
        if len(schema) <= MAX_ANSWER:
            break
    yield Artifact(paths.AGENT_SCHEMA, schema)


def _kind(table: Table, symbols: Symbols, example: Any, own_fields: int) -> dict[str, Any]:
    """A kind with its fields and an example; `own_fields` is how many own fields it may list."""
    c = table.collection
    return {
        "kind": c.kind,
        "dataset": c.name,
        "json_schema": symbols.grammar.url(schema_path(c.kind)),
        "fields": [*fields(c.kind), *list(_own_fields(symbols.grammar, c.name))[:own_fields]],
        "example": example,
    }


def fields(kind: str) -> list[dict[str, str | None]]:
    """Each field of a kind: name, type in words, type in lists (None if lists leave it out) and
    meaning.
    """
    record, summary = (_properties(f"{kind.capitalize()}{form}") for form in ("Record", "Summary"))
    return [
        {
            "name": name,
            "type": _type(shape),
            "in_lists": _type(summary[name]) if name in summary else None,
            "words": shape["description"],
        }
        for name, shape in ({name: record[name] for name in summary} | record).items()
    ]


def _own_fields(grammar: Grammar, collection: str) -> Iterator[dict[str, str | None]]:
    """The registry's own fields in the form of `fields`."""
    for key, field in grammar.fields.get(collection, {}).items():
        words = _OWN_TYPES.get(field.type, field.type)
        if field.many:
            words = f"list of {words}"
        elif not field.required:
            words = f"{words} or null"
        in_lists = words if field.listed else None
        yield {
            "name": f"fields.{key}",
            "type": words,
            "in_lists": in_lists,
            "words": field.label_with_unit,
        }


def _properties(name: str) -> dict[str, dict[str, Any]]:
    properties: dict[str, dict[str, Any]] = locked_schemas()["$defs"][name]["properties"]
    return properties


def _type(shape: dict[str, Any]) -> str:
    """A JSON Schema in a few words: `string or null`, `list of slug`, `active | acquired | …`."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        return "{" + ", ".join(_properties(name)) + "}"
    if "anyOf" in shape:
        if "enum" in shape["anyOf"][0]:
            return " | ".join([*shape["anyOf"][0]["enum"], "…"])
        return " or ".join(dict.fromkeys(map(_type, shape["anyOf"])))
    if "const" in shape:
        return str(shape["const"])
    if shape["type"] == "array":
        return f"list of {_type(shape['items'])}"
    if shape["type"] == "object":
        return f"object of {_type(shape['additionalProperties'])}"
    if shape.get("format") in _FORMATS:
        return _FORMATS[shape["format"]]
    return "slug" if shape.get("pattern") == f"^{SLUG}$" else str(shape["type"])


def _example(table: Table, text: int, items: int) -> tuple[Any, bool]:
    """The first summary of a collection, None if it is empty, and whether parts were left out."""

    def cut(value: Any) -> Any:
        if isinstance(value, str):
            return value if value.startswith(("/", "http")) else clip(value, text)
        if isinstance(value, dict):
            return dict(list(value.items())[:items])
        return value[:items] if isinstance(value, list) else value

    first = next(iter(table), None)
    summary = orjson.loads(first.summary) if first is not None else {}
    example = {key: cut(value) for key, value in summary.items()}
    return example or None, example != summary
