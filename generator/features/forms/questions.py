"""The questions of an issue form, from the fields that a kind and registry.yaml declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from generator.features.forms.translation import translated
from generator.kinds.declare import Field
from generator.model.symbols import Symbols

#: A question with more options than this has a text field instead of a list.
MAX_CHOICES = 100
#: Shapes with a field of several lines.
LONG = ("text", "lines", "places", "links", "keyed")

#: The order of fields; all other fields come between.
_FIRST = ("name", "kind", "type", "category", "organization", "summary", "description", "website")
_LAST = ("fields", "links", "tags", "locations", "sources", "verified")
#: Fields without a question: a new record has no former slug, a form takes no file, and editors
#: accept warnings.
_LEFT_OUT = ("aliases", "accept")

#: Type of a field -> the shape of its answer; of others, a line.
_SHAPES = {
    "prose": "text", "number": "number", "integer": "integer", "year": "integer", "date": "time",
    "time": "time", "places": "places", "links": "links", "added": "keyed",
}  # fmt: skip
#: Shape -> how to write the answer.
_INSTRUCTIONS = {
    "words": "Separate several with commas.",
    "lines": "One per line.",
    "places": "One per line: City, Country or City, Region, Country; or only a country.",
    "links": "One per line, with a name before it, like code: https://example.org/code",
    "keyed": "One per line, with its {} before it, like {}",
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
    result: dict[str, Question] = {}
    for question in _questions(symbols.grammar.kinds.collection_of[kind], symbols):
        label = question.label
        if label in result:
            label = f"{label} ({'.'.join(question.path)})"
        result[label] = question._replace(label=label)
    return list(result.values())


def _questions(collection: str, symbols: Symbols) -> Iterator[Question]:
    kind, language = symbols.grammar.kinds[collection], symbols.language
    written = {
        n: f for n, f in kind.written.items() if not f.is_file and f.place[0] not in _LEFT_OUT
    }
    between = (f.place[0] for f in written.values() if f.place[0] not in _LAST)
    for field in map(written.__getitem__, kind.in_order(written, (*_FIRST, *between, *_LAST))):
        label = field.label if field.is_own else translated(_in_words(field.name), language)
        if field.type == "tags":
            for family, label in symbols.grammar.tag_families.items():
                tags = symbols.tags[family] if family in symbols.closed_families else {}
                part = Field(family, "slug", label, many=True)
                yield _question((field.name, family), part, label, "", tags, language)
        else:
            if field.name == "name":
                noun = symbols.grammar.collections[collection].one
                label = translated("Name of the {}", language, noun)
            options = _options(field, symbols)
            words = field.words.text if field.words.text != label else ""
            yield _question(field.place, field, label, words, options, language)


def _question(
    path: tuple[str, ...],
    field: Field,
    label: str,
    words: str,
    options: Mapping[Any, str],
    language: str,
) -> Question:
    shape = _SHAPES.get(field.type, "line")
    if field.many and shape == "line":
        is_words = options or field.type in ("slug", "choice")
        shape = "choices" if 0 < len(options) <= MAX_CHOICES else "words" if is_words else "lines"
    elif 0 < len(options) <= MAX_CHOICES:
        shape = "choice"
    example, keyed = field.words.example, ("", "")
    if field.added is not None:
        keyed = translated(field.added.key, language), ": ".join(*example.items())
    elif shape == "links":
        keyed = translated("name", language), "code: https://…"
    instructions = translated(_INSTRUCTIONS.get(shape, ""), language, *keyed)
    words = " ".join(filter(None, (translated(words, language), instructions)))
    shown = str(example or "") if shape in ("line", "number", "integer", "text", "time") else ""
    return Question(path, label, shape, words, field.required, options, shown, keyed, field.unit)


def _options(field: Field, symbols: Symbols) -> Mapping[Any, str]:
    """Value -> label of the values that a field can have; empty for any values."""
    if field.type == "boolean":
        return {v: translated(word, symbols.language) for v, word in ((True, "Yes"), (False, "No"))}
    if field.vocabulary is not None:
        return symbols.vocabulary(field.vocabulary.name)
    if field.refers:
        return {slug: t.name for slug, t in sorted(symbols.targets(field.refers).items())}
    if field.is_own:
        return field.values
    return {value: translated(_in_words(value), symbols.language) for value in field.values}


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize() if name.islower() else name
