"""The questions of an issue form, from the JSON Schema of a kind's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.contract.input_schema import Schema, input_schema, value_schema
from generator.features.forms.translation import translated
from generator.kinds import COLLECTION_OF, KINDS
from generator.kinds.declare import Field, placed
from generator.kinds.every import ADDED_KEYED
from generator.model.symbols import Symbols
from generator.text.words import MAX_SLUG

#: A question with more options than this has a text field instead of a list.
MAX_CHOICES = 100
#: A field for longer texts than this has several lines.
_LONG_TEXT = 2_000
#: Shapes with a field of several lines.
LONG = ("text", "lines", "places", "links", "keyed")

#: The order of fields; all other fields come between.
_FIRST = ("name", "kind", "type", "category", "organization", "summary", "description", "website")
_LAST = ("links", "tags", "locations", "sources", "verified")
#: Fields without a question: a new record has no former slug, a form takes no file, and editors
#: accept warnings.
_LEFT_OUT = ("aliases", "accept")

#: Shape -> how to write the answer.
_INSTRUCTIONS = {
    "words": "Separate several with commas.",
    "lines": "One per line.",
    "places": "One per line: City, Country or City, Region, Country; or only a country.",
    "links": "One per line, with a name before it, like code: https://example.org/code",
}


class Question(NamedTuple):
    """A question for a field, a tag family or an own field; `path` is its path in the record.

    `shape` is the form of the answer: `line`, `number`, `integer`, `time` (a day, or with a time of
    day), `text`, `choice` (one of `options`), `choices`, `words` (separated by commas), `lines`,
    `places`, `links` or `keyed` (texts by key, each on a line after its key; `keyed` has what
    people call a key, and an example of a line).
    `options` has value -> label if only these values are allowed; `unit` is that of a number.
    """

    path: tuple[str, ...]
    label: str
    shape: str
    words: str
    required: bool
    options: Mapping[Any, str] = {}
    example: str = ""
    keyed: tuple[str, str] = ("", "")
    unit: str = ""


def questions(kind: str, symbols: Symbols) -> list[Question]:
    """The questions for a new record of a kind, with unique labels."""
    schema = input_schema(kind, symbols)
    result: list[Question] = []
    labels: set[str] = set()
    for name in _ordered(schema["properties"], KINDS[COLLECTION_OF[kind]].written):
        for question in _field_questions(kind, name, schema, symbols):
            label = question.label
            if label in labels:
                question = question._replace(label=f"{label} ({'.'.join(question.path)})")
            labels.add(label)
            result.append(question)
    return result


def _ordered(names: Mapping[str, Any], fields: Mapping[str, Field]) -> list[str]:
    left_out = (*_LEFT_OUT, *(name for name, f in fields.items() if f.is_file))
    between = [n for n in names if n not in (*_FIRST, *_LAST, *left_out)]
    return placed([n for n in (*_FIRST, *between, *_LAST) if n in names], fields)


def _field_questions(kind: str, name: str, schema: Schema, symbols: Symbols) -> Iterator[Question]:
    field = schema["properties"][name]
    parts = value_schema(field, schema).get("properties", {})
    if name == "tags":
        for family, tags in parts.items():
            label = symbols.grammar.tag_families[family]
            yield _question(("tags", family), label, tags, schema, False, symbols.language)
    elif name == "fields":
        for key, own in symbols.grammar.fields.get(COLLECTION_OF[kind], {}).items():
            part, of = parts[key], symbols.language
            question = _question(("fields", key), own.label, part, schema, own.required, of)
            shape = "time" if own.type == "date" else question.shape
            options = own.values or question.options
            if own.type == "boolean":
                options = {value: translated(word, of) for value, word in options.items()}
            yield question._replace(shape=shape, options=options, unit=own.unit)
    else:
        noun = symbols.grammar.collections[COLLECTION_OF[kind]].one
        label = translated(_in_words(name), symbols.language)
        if name == "name":
            label = translated("Name of the {}", symbols.language, noun)
        required = name in schema["required"]
        question = _question((name,), label, field, schema, required, symbols.language)
        if KINDS[COLLECTION_OF[kind]].written[name].type in ("choice", "boolean"):
            options = {v: translated(o, symbols.language) for v, o in question.options.items()}
            question = question._replace(options=options)
        is_time = KINDS[COLLECTION_OF[kind]].written[name].type in ("date", "time")
        yield question._replace(shape="time") if is_time else question


def _question(
    path: tuple[str, ...],
    label: str,
    field: Schema,
    schema: Schema,
    required: bool,
    language: str,
) -> Question:
    value = value_schema(field, schema)
    shape, options = "line", _options(value)
    value_type, added = value.get("type"), ADDED_KEYED.get(path[0])
    if path in (("locations",), ("links",)):
        shape = "places" if path == ("locations",) else path[0]
    elif added is not None:
        shape = "keyed"
    elif value_type == "array":
        items = value_schema(value["items"], schema)
        options = _options(items)
        is_words = bool(options) or path[0] == "tags" or items.get("maxLength") == MAX_SLUG
        shape = "choices" if 0 < len(options) <= MAX_CHOICES else "words" if is_words else "lines"
    elif value_type == "boolean":
        shape, options = "choice", {True: "Yes", False: "No"}
    elif value_type in ("integer", "number"):
        shape = value_type
    elif 0 < len(options) <= MAX_CHOICES:
        shape = "choice"
    elif value.get("maxLength", 0) > _LONG_TEXT and "pattern" not in value:
        shape = "text"
    description = field.get("description", "")
    description = "" if description == label else description
    examples, keyed, instructions = field.get("examples", [""]), ("", ""), _INSTRUCTIONS.get(shape)
    if added is not None:
        keyed = added.key, ": ".join(*examples[0].items())
        keyed = translated(keyed[0], language), keyed[1]
        instructions = translated("One per line, with its {} before it, like {}", language, *keyed)
    parts = (description, instructions)
    words = " ".join(translated(part, language) for part in parts if part)
    example = examples[0] if shape in ("line", "number", "integer", "text") else ""
    return Question(path, label, shape, words, required, options, str(example), keyed)


def _options(schema: Schema) -> dict[Any, str]:
    """Value -> label of an enum; empty for other schemas."""
    values = schema.get("enum", ())
    labels = schema.get("enumDescriptions") or [_in_words(value) for value in values]
    return dict(zip(values, labels, strict=True))


def _in_words(name: str) -> str:
    """The name of a field or a value in words; names with capitals, like codes, stay."""
    return name.replace("_", " ").capitalize() if name.islower() else name
