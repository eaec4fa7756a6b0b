"""What a form asks of a new record: its fields in words, from the schema of the input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.contract.input_schema import Schema, input_schema, resolved
from generator.grammar.names import COLLECTION_OF
from generator.grammar.text import MAX_SLUG
from generator.model.symbols import Symbols

#: A list with more values than this is asked for as a line of text.
MOST_CHOICES = 100
#: A text that may be longer than this has room for several lines.
_LONG = 2_000
#: Shapes that are asked for in a field of several lines.
LONG = ("text", "lines", "places", "links")

#: Fields in the order in which they are asked; own fields and those that are not here come between.
_FIRST = ("name", "kind", "type", "category", "organization", "summary", "description", "website")
_LAST = ("links", "tags", "locations", "sources")
#: Of a new record there is no former slug.
_UNASKED = ("aliases",)

#: Shape -> what a person is told of how to answer.
_HOW = {
    "words": "Separate several with commas.",
    "lines": "One per line.",
    "places": "One per line: City, Country or City, Region, Country; or only a country.",
    "links": "One per line, with a name before it, like code: https://example.org/code",
}


class Question(NamedTuple):
    """One field of a record, or one tag family or own field, with where it stands in the record.

    `shape` says how it is asked and answered: `line`, `number`, `text`, `choice` (one of
    `options`), `choices`, `words` (parted by commas), `lines`, `places`, `links`.  `options` has
    value -> label, and for lines and words too where only these are values.
    """

    path: tuple[str, ...]
    label: str
    shape: str
    words: str
    required: bool
    options: Mapping[Any, str] = {}
    example: str = ""


def questions(kind: str, symbols: Symbols) -> list[Question]:
    """What is asked of a new record of one kind, with labels that are unique."""
    schema = input_schema(kind, symbols)
    asked = [
        question
        for name in _ordered(schema["properties"])
        for question in _of_field(kind, name, schema, symbols)
    ]
    seen: set[str] = set()
    for number, question in enumerate(asked):
        if question.label in seen:
            label = f"{question.label} ({'.'.join(question.path)})"
            asked[number] = question._replace(label=label)
        seen.add(question.label)
    return asked


def _ordered(names: Mapping[str, Any]) -> list[str]:
    between = [n for n in names if n not in (*_FIRST, *_LAST, *_UNASKED)]
    return [n for n in (*_FIRST, *between, *_LAST) if n in names]


def _of_field(kind: str, name: str, schema: Schema, symbols: Symbols) -> Iterator[Question]:
    field = schema["properties"][name]
    of = resolved(field, schema)
    if name == "tags":
        for family, tags in of["properties"].items():
            about = symbols.grammar.tag_families[family]
            yield _question(("tags", family), about, tags, schema, False)
    elif name == "fields":
        own = symbols.grammar.fields.get(COLLECTION_OF[kind], {})
        for key, known in own.items():
            value = of["properties"][key]
            yield _question(("fields", key), known.label, value, schema, known.required)
    else:
        noun = symbols.grammar.collections[COLLECTION_OF[kind]].one
        label = f"Name of the {noun}" if name == "name" else _spelled(name)
        required = name in schema["required"]
        yield _question((name,), label, field, schema, required)


def _question(
    path: tuple[str, ...], label: str, field: Schema, schema: Schema, required: bool
) -> Question:
    of = resolved(field, schema)
    shape, options = "line", _options(of)
    kind = of.get("type")
    if path[-1] in ("locations", "links") and len(path) == 1:
        shape = {"locations": "places", "links": "links"}[path[0]]
    elif kind == "array":
        items = resolved(of["items"], schema)
        options = _options(items)
        slugs = bool(options) or path[0] == "tags" or items.get("maxLength") == MAX_SLUG
        shape = "choices" if 0 < len(options) <= MOST_CHOICES else "words" if slugs else "lines"
    elif kind == "boolean":
        shape, options = "choice", {True: "Yes", False: "No"}
    elif kind in ("integer", "number"):
        shape = "number"
    elif 0 < len(options) <= MOST_CHOICES:
        shape = "choice"
    elif of.get("maxLength", 0) > _LONG and "pattern" not in of:
        shape = "text"
    about = field.get("description", "")
    words = " ".join(filter(None, ("" if about == label else about, _HOW.get(shape, ""))))
    shown = field.get("examples", [""])[0] if shape in ("line", "number", "text") else ""
    return Question(path, label, shape, words, required, options, str(shown))


def _options(of: Schema) -> dict[Any, str]:
    """value -> label, of a closed vocabulary."""
    values = of.get("enum", ())
    labels = of.get("enumDescriptions") or [_spelled(value) for value in values]
    return dict(zip(values, labels, strict=True))


def _spelled(name: str) -> str:
    """A field's or a value's name in words; a zone's or a code's stays."""
    return name.replace("_", " ").capitalize() if name.islower() else name
