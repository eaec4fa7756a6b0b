"""The field `identifiers` of all records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from generator.features.identifiers.schemes import MAX_ID, listed, schemes_of
from generator.kinds.declare import Follows, Label, Typed, ValueType, Words
from generator.kinds.marks import Before, JsonSchema, Limits
from generator.kinds.types import MAX_ITEMS

if TYPE_CHECKING:  # its package imports the kinds
    from generator.model.symbols import Symbols


_SCHEME = r"^[a-z][a-z0-9_-]*$"
Scheme = Annotated[str, Limits(max_length=50, pattern=_SCHEME)]
PATTERN_FAULTS = {
    _SCHEME: (
        "invalid-key",
        "is not a valid name for a scheme of identifiers",
        "begin with a-z, then use a-z, 0-9, _ and -",
    )
}


def _ids(value: Any) -> Any:
    """The value of a scheme: a text, or a list of texts, whose form is checked later."""
    if isinstance(value, str):
        return value
    from pydantic_core import PydanticCustomError, PydanticKnownError

    if not isinstance(value, list):
        raise PydanticKnownError("string_type")
    if not (1 <= len(value) <= MAX_ITEMS and all(isinstance(text, str) for text in value)):
        raise PydanticCustomError("identifiers", "this list must have 1 to 50 texts")
    return value


def _document(
    identifiers: Mapping[str, Any] | None, symbols: Symbols
) -> dict[str, list[dict[str, str]]]:
    """Scheme -> the identifiers of a record, with their URLs."""
    found: dict[str, list[dict[str, str]]] = {}
    schemes = schemes_of(symbols) if identifiers else {}
    for scheme, text, _ in listed(identifiers):
        url = schemes[scheme].address(text)
        found.setdefault(scheme, []).append({"id": text, "url": url})
    return found


def _published() -> Any:
    from generator.features.identifiers.published import Identifier

    return dict[str, list[Identifier]]


def _shown(identifiers: Mapping[str, Any], symbols: Symbols) -> Iterator[tuple[str, str, str]]:
    for scheme, several in identifiers.items():
        for one in several:
            yield schemes_of(symbols)[scheme].label, one["id"], one["url"]


def _limit(schema: dict[str, Any], symbols: Symbols) -> None:
    """Limit identifiers to the schemes of one registry, each with its pattern."""
    schema.pop("patternProperties", None)
    schema |= {"properties": {}, "additionalProperties": False}
    for name, scheme in schemes_of(symbols).items():
        one = {"type": "string", "pattern": f"^(?:{scheme.pattern})$", "maxLength": MAX_ID}
        several = {"type": "array", "items": one, "minItems": 1, "maxItems": MAX_ITEMS}
        schema["properties"][name] = {"anyOf": [one, several], "description": scheme.label}


_Id = {"type": "string", "maxLength": MAX_ID}
_SomeIds = {"type": "array", "items": _Id, "minItems": 1, "maxItems": MAX_ITEMS}
Ids = Annotated[Any, Before(_ids), JsonSchema({"anyOf": [_Id, _SomeIds]}, replaces=True)]
TYPE = ValueType(
    takes="scheme: id or list of ids",
    document=_document,
    published=_published,
    key="scheme",
    pattern=_SCHEME,
    members=("scheme", "id", "url"),
    shown=_shown,
    limit=_limit,
)
Identifiers = Annotated[dict[Scheme, Ids], Limits(max_length=MAX_ITEMS), Typed("added", TYPE)]


# fmt: off
class Record:
    identifiers: Annotated[Identifiers | None, Follows("links"),
        Label("Identifiers", "record.identifiers"),
        Words("What others call it: the identifiers of each scheme, like `wikidata`.", {"wikidata":
        "Q95"})] = None
# fmt: on
