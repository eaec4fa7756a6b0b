"""The field `logo` of projects, programs, organizations, and own kinds that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from generator.kinds.declare import Apart, Listed, Typed, ValueType, Words
from generator.kinds.marks import Limits
from generator.text.words import MAX_SLUG

if TYPE_CHECKING:  # its package imports the kinds
    from generator.model.symbols import Symbols

_LOGO = r"^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:svg|png)$"
PATTERN_FAULTS = {
    _LOGO: (
        "invalid-logo-name",
        "is not the name of an SVG or PNG file",
        "write the name of a file beside this one, like acme.svg: letters a-z, digits, ., _ and -, "
        "without folders",
    )
}


def _document(path: str | None, symbols: Symbols) -> str | None:
    """The URL of a linked logo (see `link.link_logo`)."""
    return symbols.grammar.url(path) if path else None


def _published() -> Any:
    from generator.contract.published.parts import Href

    return Href


def _read(name: str, raw: bytes) -> tuple[str, bytes]:
    from generator.features.logos.logo import read_logo

    return read_logo(name, raw)


TYPE = ValueType("a file name like `acme.svg`", _document, _published, read=_read)
LogoName = Annotated[str, Limits(max_length=MAX_SLUG, pattern=_LOGO), Typed("added", TYPE)]
Logo = Annotated[
    LogoName | None,
    Listed(),
    Words("Its logo, SVG or PNG. Show it as a picture (`<img>`) only."),
    Apart(),
]


class Project:
    logo: Logo = None


class Program:
    logo: Logo = None


class Organization:
    logo: Logo = None


class OwnRecord:
    logo: Logo = None
