"""Warns about a word that stands for a missing value, such as "N/A": readers would see it."""

from collections.abc import Iterable, Iterator
from typing import Any

from generator.model.kind import Kind
from generator.model.settings import own_fields
from generator.model.symbols import Symbols
from generator.problems.faults import Fault, Loc, describe_field
from generator.text.placeholders import is_placeholder


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for loc, text in _texts(kind, record, symbols):
        if is_placeholder(text):
            message = f'{describe_field(loc)}: "{text}" says that there is no value'
            required = loc == ("name",)
            hint = "write the name" if required else "leave it out"
            hint = f"{hint}; if this is a real name, write accept: [placeholder]"
            yield Fault("placeholder", message, loc, hint, severity="warning")


def _texts(kind: Kind, record: Any, symbols: Symbols) -> Iterator[tuple[Loc, str]]:
    """The place and the text of what authors write in their own words."""
    for field in kind.declared.lines:
        if text := getattr(record, field):
            yield (field,), text
    if record.description:
        yield ("description",), record.description
    for field in kind.declared.names:
        yield from _items((field,), getattr(record, field) or ())
    for family, tags in (record.tags or {}).items():
        if family not in symbols.closed_families:
            yield from _items(("tags", family), tags)
    for i, place in enumerate(record.locations or ()):
        for part in ("region", "city"):
            name = getattr(place, part)
            if name and not (part == "region" and _is_code(name)):
                yield ("locations", i, part), name
    for key, value in own_fields.own_values(record):
        if not isinstance(value, str | list) or symbols.grammar.fields[kind.collection][key].values:
            continue  # what registry.yaml declares is meant
        if isinstance(value, list):
            yield from _items(("fields", key), value)
        else:
            yield ("fields", key), value


def _is_code(text: str) -> bool:
    """Whether a text is like the code of a region, as Karnataka and Naples have one."""
    return len(text) == 2 and text.isascii() and text.isupper()


def _items(loc: Loc, texts: Iterable[str]) -> Iterator[tuple[Loc, str]]:
    for i, text in enumerate(texts):
        yield (*loc, i), text
