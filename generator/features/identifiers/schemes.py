"""Identifiers: what others call the subject of a record, like `wikidata: Q95`, by schemes.

Patterns run in pydantic's core, whose regular expressions take linear time, and in editors.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems.faults import Loc

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

    from generator.model.symbols import Symbols

#: The form of all identifiers, and their most characters.
ID, MAX_ID = r"[A-Za-z0-9][A-Za-z0-9._-]*", 100


class IdScheme(NamedTuple):
    """A scheme of identifiers.  `url` has `{id}`; `check` names the checksum, if there is one."""

    label: str
    url: str
    pattern: str = ID
    example: str = ""
    check: str = ""

    def is_valid(self, text: str) -> bool:
        """Whether a text is an identifier of the scheme, with the right checksum."""
        return (
            len(text) <= MAX_ID
            and re.fullmatch(ID, text) is not None
            and pattern_validator(self.pattern).isinstance_python(text)
            and (not self.check or _CHECKS[self.check](text))
        )

    def corrected(self, text: str) -> str | None:
        """The identifier that a text surely means: in another case, as a web address, or, if it
        has a checksum, with spaces or hyphens.  None if there is none.
        """
        plain = _id_in(self, _plain(text.strip())) or text.strip()
        plain = re.sub(r"[\s-]+", "", plain) if self.check else plain
        return next(filter(self.is_valid, (plain, plain.upper(), plain.lower())), None)

    def address(self, text: str) -> str:
        return self.url.replace("{id}", text)


def _is_lei(text: str) -> bool:
    """ISO 7064 MOD 97-10, as ISO 17442 uses it."""
    return int("".join(str(int(character, 36)) for character in text)) % 97 == 1


def _is_isni(text: str) -> bool:
    """ISO 7064 MOD 11-2, as ISO 27729 uses it."""
    total = 0
    for digit in text[:-1]:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == text[-1]


_CHECKS = {"lei": _is_lei, "isni": _is_isni}
_ROR = "0[a-hj-km-np-tv-z0-9]{6}[0-9]{2}"
_LEI, _SITE = "5493006MHB84DD0ZWV18", "https://search.gleif.org/#/record/{id}"
#: The schemes that every registry has.
KNOWN: dict[str, IdScheme] = {
    name: IdScheme(label, url, pattern, example, name if name in _CHECKS else "")
    for name, label, url, pattern, example in (
        ("wikidata", "Wikidata", "https://www.wikidata.org/wiki/{id}", "Q[1-9][0-9]*", "Q95"),
        ("ror", "ROR", "https://ror.org/{id}", _ROR, "05gq02987"),
        ("lei", "LEI", _SITE, "[0-9A-Z]{18}[0-9]{2}", _LEI),
        ("isni", "ISNI", "https://isni.org/isni/{id}", "[0-9]{15}[0-9X]", "000000012146438X"),
        ("crunchbase", "Crunchbase", "https://www.crunchbase.com/organization/{id}",
         "[a-z0-9][a-z0-9-]*", "acme"),
        ("github", "GitHub", "https://github.com/{id}", "[A-Za-z0-9][A-Za-z0-9-]{0,38}", "acme"),
        ("linkedin", "LinkedIn", "https://www.linkedin.com/company/{id}", ID, "acme"),
        ("pypi", "PyPI", "https://pypi.org/project/{id}", ID, "acme"),
        ("npm", "npm", "https://www.npmjs.com/package/{id}", ID, "acme"),
    )
}  # fmt: skip


@cache
def pattern_validator(pattern: str) -> SchemaValidator:
    """The validator of texts that a pattern matches whole."""
    from pydantic_core import SchemaValidator

    return SchemaValidator({"type": "str", "strict": True, "pattern": f"^(?:{pattern})$"})


class WrittenId(NamedTuple):
    """An identifier of a record, as its author wrote it, and its place."""

    scheme: str
    id: str
    loc: Loc


def schemes_of(symbols: Symbols) -> Mapping[str, IdScheme]:
    """The schemes that the records of a registry may have, by name."""
    schemes: Mapping[str, IdScheme] = symbols.extras.get("identifiers", KNOWN)
    return schemes


def listed(identifiers: Mapping[str, Any] | None) -> Iterator[WrittenId]:
    for scheme, written in (identifiers or {}).items():
        if isinstance(written, str):
            yield WrittenId(scheme, written, ("identifiers", scheme))
        else:
            for i, text in enumerate(written):
                yield WrittenId(scheme, text, ("identifiers", scheme, i))


def digest_of(text: str) -> str:
    """The name of the document of an identifier: 16 hexadecimal digits."""
    return hashlib.sha256(text.lower().encode()).hexdigest()[:16]


# --- web addresses --------------------------------------------------------------------------------

#: First segments at github.com that are no accounts.
_NO_ACCOUNTS = """
    about apps collections contact customer-stories enterprise events explore features issues join
    login marketplace new notifications orgs organizations pricing pulls readme search security
    settings site sponsors stars team topics trending users
"""
#: The beginning of an address that does not matter.
_begin = re.compile(r"https?://(?:www\.|m\.|[a-z]{2,3}\.(?=linkedin\.com/))?", re.I)


def _id_in(scheme: IdScheme, url: str) -> str | None:
    """The identifier of a plain URL that has the form of the scheme's addresses, else None."""
    begin, end = _plain(scheme.url).split("{id}")
    url = url.replace("/entity/", "/wiki/") if scheme == KNOWN["wikidata"] else url
    if url[: len(begin)].lower() != begin.lower():
        return None
    text = url if "?" in scheme.url else url.partition("?")[0].rstrip("/")
    found = text[len(begin) :].removesuffix(end)
    is_account = scheme != KNOWN["github"] or found.lower() not in _NO_ACCOUNTS.split()
    return found if is_account and text.endswith(end) and scheme.is_valid(found) else None


def _plain(url: str) -> str:
    """A URL without http(s), `www.` and its last slash."""
    match = _begin.match(url)
    return (url[match.end() :] if match else url).rstrip("/")
