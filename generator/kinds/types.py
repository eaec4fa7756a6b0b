"""The types of input fields, and the fields that all records have.

Classes declare fields by annotations, without pydantic, so that what only reads them starts fast;
`generator.kinds.models.model_of` makes their models.

Patterns run in pydantic's core (Rust regex, no look-around) and in editors that read the input
schemas, so they use only syntax that Rust, Python and JavaScript share.  `PATTERN_FAULTS` has the
code, message and hint for each pattern.
"""

import datetime
import importlib.util
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_args, get_origin

from generator.kinds.declare import Field, Searched, Typed
from generator.kinds.marks import UNIONS, After, Before, JsonSchema, Limits
from generator.problems.faults import Loc
from generator.text.characters import DIRECTION_MARKS
from generator.text.words import MAX_SLUG, SLUG

_BREAKS = rf"\x00-\x1f\x7f-\x9f\u2028\u2029{DIRECTION_MARKS}"

_SLUG = f"^{SLUG}$"
LINE = rf"^[^{_BREAKS}]*[^{_BREAKS}\s][^{_BREAKS}]*$"
TEXT = rf"^[^\x00-\x08\x0b-\x1f\x7f-\x9f{DIRECTION_MARKS}]*$"
# RFC 3986 as browsers take it: a host of labels with dots between them, without user information
# and percent signs, then any characters except spaces and quotes.
_NOT_IN_URL = rf"\s\x00-\x1f\x7f-\x9f\u180e\u200b{DIRECTION_MARKS}"
_LABEL = rf'[^{_NOT_IN_URL}/?#\\"<>^`{{|}}@:\[\]%.]+'
URL = (
    rf"^[Hh][Tt][Tt][Pp][Ss]?://{_LABEL}(?:\.{_LABEL})*(?::[0-9]{{1,5}})?"
    rf'(?:[/?#][^{_NOT_IN_URL}"<>\\^`{{|}}]*)?$'
)
KEY = r"^[A-Za-z][A-Za-z0-9_-]{0,49}$"
_FAMILY = r"^[a-z][a-z0-9_]*$"
OWN_KEY = r"^[a-z][a-z0-9_]{0,49}$"
COLLECTION = "^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$"  # the name of an own kind
SCHEMA_TYPE = "^[A-Z][A-Za-z]{0,59}$"
MONTH = "^[0-9]{4}-(?:0[1-9]|1[0-2])$"
LANGUAGE = r"^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,8}$"
# Words of any script, without punctuation, which a template or rule could interpret, and without
# invisible characters.
_WORD = "[0-9A-Za-z\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff]+"
NOUN = f"^{_WORD}(?:[ '’-]{_WORD})*$"


@cache
def _url_pattern() -> re.Pattern[str]:  # compiled on first use
    return re.compile(URL)


def is_url(text: str) -> bool:
    return _url_pattern().fullmatch(text) is not None


def find_urls(loc: Loc, value: Any) -> Iterator[tuple[Loc, str]]:
    """The web addresses in a value at `loc`, with their places."""
    if isinstance(value, str) and is_url(value):
        yield loc, value
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from find_urls((*loc, key), inner)


def fold_website(url: str) -> str:
    """A URL without scheme, `www.`, fragment, `index.html` and trailing slash."""
    host, slash, path = url.partition("://")[2].partition("#")[0].partition("/")
    page = without_index(path) if "." in path else path
    return (host.casefold().removeprefix("www.") + slash + page).rstrip("/")


def without_index(url: str) -> str:
    """An address without the name of the page that servers send for a folder."""
    return re.sub(r"(?:^|(?<=/))(?:index|default)\.(?:html?|php|aspx?|jsp)$", "", url, flags=re.I)


#: The form that generator.contract.manifest.is_key accepts.
_PUBLIC_KEY = "^ed25519:[A-Za-z0-9+/]{43}=$"
_SIGNATURE = "^[A-Za-z0-9+/]{86}==$"
#: A country in guards of registry.yaml, written as in addresses.
LOWER_COUNTRY = "^[a-z]{2}$"
#: The pattern of a fingerprint (see generator.guard.finding).
FINGERPRINT_PATTERN = "^[0-9a-f]{16}$"
#: pattern -> (code, message, hint)
PATTERN_FAULTS: dict[str, tuple[str, str, str | None]] = {
    _SLUG: ("invalid-slug", "is not a valid slug",
            "use lower-case letters a-z, digits and single hyphens, like north-college"),
    LINE: ("line-break", "contains a line break",
           "write it on one line, or begin with >- instead of > or |; longer texts belong in "
           "description"),
    TEXT: ("control-character", "contains an invisible control character", "remove it"),
    URL: ("invalid-url", "is not a valid web address",
          "write the whole address, like https://example.org/"),
    KEY: ("invalid-key", "is not a valid name for a link",
          "begin with a letter, then use letters, digits, _ and -"),
    NOUN: ("invalid-noun", "is not a plain word or phrase",
            "use letters and digits, with single spaces, hyphens or apostrophes between words, "
            "like portfolio companies"),
    COLLECTION: ("invalid-slug", "is not a valid name for a kind",
                 "begin with a letter, then use a-z, 0-9 and single hyphens, like research-papers"),
    SCHEMA_TYPE: ("invalid-key", "is not a type of schema.org",
                  "write its name as https://schema.org/docs/full.html has it, like Person"),
    MONTH: ("invalid-date", "is not a month", "write it as YYYY-MM, like 2027-01"),
    LANGUAGE: ("invalid-language", "is not a language code", "write a code like en, de or pt-BR"),
    _PUBLIC_KEY: ("invalid-key", "is not a public key",
                  "copy the line that `registry key show FILE` prints"),
    _SIGNATURE: ("invalid-key", "is not a signature",
                 "copy the line that `registry key hand-over` prints"),
    LOWER_COUNTRY: ("unknown-country", "is not a country code",
                    "write a two-letter code in lower case, like no"),
    FINGERPRINT_PATTERN: ("invalid-key", "is not a fingerprint",
                          "copy the 16 characters 0-9 and a-f that `registry diff` shows"),
    OWN_KEY: ("invalid-key", "is not a valid field name",
           "begin with a-z, then use a-z, 0-9 and _; at most 50 characters"),
    _FAMILY: ("invalid-key", "is not a valid tag family",
              "begin with a-z, then use a-z, 0-9 and _"),
}  # fmt: skip

MAX_ITEMS = 50  # items of a list
MAX_NAMES = 100  # items of a list of names

PublicKey = Annotated[str, Limits(pattern=_PUBLIC_KEY)]
Signature = Annotated[str, Limits(pattern=_SIGNATURE)]
Slug = Annotated[str, Limits(max_length=MAX_SLUG, pattern=_SLUG), Typed("slug")]
Name = Annotated[str, Limits(min_length=1, max_length=200, pattern=LINE), Typed("text")]
Summary = Annotated[
    str, Limits(min_length=1, max_length=300, pattern=LINE), Typed("text"), Searched(6)
]
Line = Annotated[str, Limits(min_length=1, max_length=200, pattern=LINE), Typed("text")]
#: The patterns of free text.
_PROSE = (LINE, TEXT, NOUN)
_TERM = object()  # marks a line that is not prose
Time = Annotated[Line, _TERM, Typed("time")]
Zone = Annotated[Line, _TERM, Typed("zone")]
Flag = Annotated[bool, Typed("boolean")]
Place = Annotated[str, Limits(min_length=1, max_length=100, pattern=LINE)]
Text = Annotated[str, Limits(max_length=10_000, pattern=TEXT), Typed("prose")]
Url = Annotated[str, Limits(max_length=2_000, pattern=URL), Typed("url")]
Slugs = Annotated[list[Slug], Limits(max_length=MAX_ITEMS)]
Names = Annotated[list[Line], Limits(max_length=MAX_NAMES)]
Key = Annotated[str, Limits(pattern=KEY)]
Family = Annotated[str, Limits(max_length=50, pattern=_FAMILY)]
OwnKey = Annotated[str, Limits(pattern=OWN_KEY)]
Noun = Annotated[str, Limits(max_length=40, pattern=NOUN)]
Year = Annotated[int, Limits(ge=1000, le=2200), Typed("year")]
Count = Annotated[int, Limits(ge=0, le=100_000_000), Typed("integer")]
Round = Annotated[int, Limits(ge=1, le=20), Typed("integer")]


def alternatives(annotation: Any) -> Iterator[Any]:
    """A type with the types within it that a value of it may have."""
    yield annotation
    if get_origin(annotation) in UNIONS:
        for part in get_args(annotation):
            yield from alternatives(part)
    elif get_origin(annotation) is Annotated:
        yield from alternatives(get_args(annotation)[0])


def is_prose_type(annotation: Any) -> bool:
    """Whether a type is free text."""
    return any(
        _TERM not in marks and any(getattr(mark, "pattern", None) in _PROSE for mark in marks)
        for part in alternatives(annotation)
        for marks in [getattr(part, "__metadata__", ())]
    )


def package_folder(name: str) -> Path:
    """The folder of an installed package, without importing the package."""
    package = importlib.util.find_spec(name)
    assert package is not None and package.origin is not None
    return Path(package.origin).parent


def _country(value: str) -> str:
    if value not in COUNTRIES:
        from pydantic_core import PydanticCustomError

        raise PydanticCustomError("unknown-country", "is not a country code")
    return value


def _countries() -> dict[str, str]:
    """Code -> name, from the data file of pycountry, because its package is slow to import; and
    Kosovo, whose code is not in ISO 3166-1 but in general use.
    """
    path = package_folder("pycountry") / "databases" / "iso3166-1.json"
    table = json.loads(path.read_bytes())
    countries = {
        country["alpha_2"]: country.get("common_name", country["name"])
        for country in table["3166-1"]
    }
    return countries | {"XK": "Kosovo"}


COUNTRIES = _countries()
#: The values of the filter "location" that are countries.
COUNTRY_SLUGS = frozenset(code.lower() for code in COUNTRIES)
Country = Annotated[str, After(_country), JsonSchema({"enum": sorted(COUNTRIES)})]


def parse_date(text: str) -> datetime.date:
    """A date YYYY-MM-DD from 1800 to 2200.  Raises ValueError with the reason."""
    if not _is_date(text):
        raise ValueError("is not written as YYYY-MM-DD")
    try:
        day = datetime.date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        raise ValueError("is not a real date") from None
    if not 1800 <= day.year <= 2200:
        raise ValueError("is not between 1800 and 2200")
    return day


_is_date = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


def _date(value: Any) -> Any:
    if value is not None:
        try:
            parse_date(value if isinstance(value, str) else "")
        except ValueError as error:
            from pydantic_core import PydanticCustomError

            raise PydanticCustomError("invalid-date", str(error)) from None
    return value


Date = Annotated[str, Before(_date), Typed("date")]


if TYPE_CHECKING:  # all instances are those of a model
    from generator.kinds.models import Input as _Base
else:
    _Base = object


class Part(_Base):
    """The base of classes that declare fields; the default of a field is an attribute."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # records are mutable

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from generator.kinds.models import model_of

        return handler.generate_schema(model_of(cls))


def _code(value: str) -> str:
    from generator.problems.codes import acceptable, codes  # few files accept any

    if value not in acceptable():
        from pydantic_core import PydanticCustomError

        known = value in codes()
        error = "cannot be accepted: only warnings can" if known else "is not the code of a problem"
        raise PydanticCustomError("code", error)
    return value


#: The code of a problem that the content accepts; the input schema lists them.
Code = Annotated[str, After(_code), Typed("codes")]


class OwnFields(Part):
    """The own fields of a record, in a registry that declares none.

    `where` is the place in registry.yaml that declares them; `own` has them by key.
    """

    where: ClassVar[str] = "fields"
    own: ClassVar[Mapping[str, Field]] = {}


class Location(Part):
    country: Country
    region: Place | None = None
    city: Place | None = None


Links = Annotated[dict[Key, Url], Limits(max_length=MAX_ITEMS), Typed("links")]
Urls = Annotated[list[Url], Limits(max_length=MAX_ITEMS)]
Codes = Annotated[list[Code], Limits(max_length=MAX_ITEMS)]
Tags = Annotated[dict[str, Slugs], Typed("tags"), Searched(7)]
Places = Annotated[list[Location], Limits(max_length=MAX_ITEMS), Typed("places"), Searched(4)]
Instant = Annotated[str, Typed("instant")]
