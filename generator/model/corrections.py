"""Hints for invalid values: what the author probably meant, with a fix if it is safe."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from generator.dialect.mistakes import wrong_space
from generator.dialect.parse import parse_scalar
from generator.dialect.strays import strip_extension
from generator.kinds.own import MAX_NUMBER, OWN_TYPES
from generator.kinds.types import COUNTRIES, SCHEMA_TYPE, is_url
from generator.model.field_words import meant_word
from generator.problems.diagnostic import Fix, nearest_word, suggest_word
from generator.problems.faults import Loc, Remedy, describe_value, shorten
from generator.text.characters import is_single, split_commas, split_list
from generator.text.numbers import SPACES, in_digits, readings
from generator.text.words import fold, is_slug, slugify, word_slug

#: Words that people write for a country -> its code.
_COUNTRY_ALIASES = {
    "EN": "GB", "EL": "GR", "SP": "ES", "JA": "JP", "D": "DE", "A": "AT", "F": "FR", "I": "IT",
    "E": "ES", "B": "BE", "P": "PT", "N": "NO", "S": "SE",
}  # fmt: skip
#: Other names that can mean only one country.
_SAFE_ALIASES = ("UK", "CHINA", "USA")

#: Stands for a country that nobody knows; ISO 3166-1 never gives this code to a country.
_ANY_COUNTRY = "XX"

PLACE_FIELDS = {"country", "region", "city"}
#: Words for true and false, also in German, the Nordic languages, Dutch, French and others.
_YES = ("yes", "y", "on", "true", "ja", "oui", "si", "sí", "sim", "tak", "wahr", "vrai", "vero")
_NO = ("no", "n", "off", "false", "nein", "nej", "nei", "nee", "non", "não", "nie", "falsch",
       "faux")  # fmt: skip


def correct_type(
    kind: str, value: Any, loc: Loc, written: str | None, lines: Sequence[str] = (), unit: str = ""
) -> Remedy:
    """The mend for a value of the wrong type; `kind` is pydantic's error type.

    `written` is the source of a value that is not a text, `lines` the lines of a longer text,
    `unit` what may stand beside a number.
    """
    if kind in ("list_type", "dict_type", "model_type"):
        text = value if isinstance(value, str) else ""
        text = next(iter(value), "") + ": …" if isinstance(value, dict) else text
        if cause := wrong_space(text):
            return Remedy(f"{cause.message}: {cause.hint}")
    if isinstance(value, str) and loc and loc[0] == "locations" and kind != "string_type":
        begin, end = ("[", "]") if len(loc) == 1 else ("", "")
        return Remedy(_place(value, begin, end))
    match kind:
        case "string_type":
            return _as_text(value, loc, written)
        case "list_type":
            return _as_list(value, loc, lines)
        case "int_type" | "number_type" | "float_type":
            return _as_number(value, loc, written, unit, whole=kind == "int_type")
        case "bool_type":
            return _as_boolean(value, loc)
    return Remedy(_as_mapping(value, loc))


DIGITS = "write digits only, like 1250000 or 0.75, without a unit"


def _as_number(value: Any, loc: Loc, written: str | None, unit: str, *, whole: bool) -> Remedy:
    is_year = loc[-1:] == ("year",)
    text = value if isinstance(value, str) else written or ""
    if isinstance(value, list):
        return Remedy("write one number, without brackets")
    if isinstance(value, dict):
        return Remedy(_amount(value, unit))
    if not whole and text.casefold() in _FREE:
        return Remedy("write 0")
    found = [n for n in readings(text, unit=unit, whole=whole) if not is_year or 999 < n < 10_000]
    if any(abs(n) > MAX_NUMBER for n in found):
        return Remedy(f"numbers are at most {MAX_NUMBER:,}")
    if len(found) > 1:
        either, mark = " or ".join(map(in_digits, found)), "comma" if "," in text else "point"
        return Remedy(f"write {either}: it is unclear what the {mark} means")
    if not found:
        if whole and not is_year and (near := readings(text, unit=unit)):
            return Remedy(f"write a whole number, like {int(near[0])}")
        if not is_year and (hint := _beside_words(text, unit, whole=whole)):
            return Remedy(hint)
        return Remedy(_one_number(value, loc) if whole else DIGITS)
    digits, hint = in_digits(found[0]), "write it without quotes"
    if digits != value:
        point = text.replace(",", ".") == digits
        hint = f"write {digits}{', with a point instead of the comma' if point else ''}"
    return Remedy(hint, Fix("value", found[0], loc))


#: Words for a price of nothing.
_FREE = ("free", "kostenlos", "gratis", "frei", "kostenfrei", "gratuit", "gratuito")


def _amount(value: dict[Any, Any], unit: str) -> str:
    """A hint for a number that is written with its unit: {amount: 8.5, currency: EUR}."""
    numbers = [n for n in value.values() if isinstance(n, int | float) and not isinstance(n, bool)]
    words = {word for word in value.values() if isinstance(word, str)}
    if len(numbers) != 1 or not words <= {unit}:
        return f"this field is in {unit}: write one number" if unit else "write one number"
    return f"write the number alone: {in_digits(numbers[0])}"


#: A number in a text, and what says only that it is not exact.
_digits = re.compile(rf"\d(?:[\d.,'\u2019{SPACES}]*\d)?")
_is_vague = re.compile(
    r"(?:ca|circa|zirka|etwa|rund|ungefähr|über|unter|fast|mehr als|bis|bis zu|about|approx|around"
    r"|over|more than|almost|to|or|oder|env|environ|plus de|près de|à|ou|unos|más de|casi|cerca de"
    r"|o|y|a|[-~><≈≥≤+\u2013\u2014/.\s])*",
    re.I,
).fullmatch


def _beside_words(text: str, unit: str, *, whole: bool) -> str | None:
    """A hint for numbers with words beside them: "ca. 12000", "10-20", "12000 USD"."""
    found = [number for part in _digits.findall(text) for number in readings(part, whole=whole)]
    if found and _is_vague(_digits.sub(" ", text)):
        return f"write one number: {' or '.join(map(in_digits, dict.fromkeys(found)))}"
    if found and unit:
        return f"this field is in {unit}: write the amount in {unit}, in digits only"
    return None


def _as_boolean(value: Any, loc: Loc) -> Remedy:
    if value in (0, 1):
        return Remedy(f"write {'true' if value else 'false'}")
    word = value.lower() if isinstance(value, str) else ""
    if word not in _YES + _NO:
        return Remedy("write true or false, or leave it out if neither is right")
    boolean = word in _YES
    return Remedy(f"write {describe_value(boolean)}, without quotes", Fix("value", boolean, loc))


_NO_YEAR = "write a year in four digits, from 1000 to 2200, or leave it out"
_bullet = re.compile(r"^(?:[-*\u2013\u2014\u2022]|[0-9]{1,2}[.)]) *").sub


def _one_number(value: Any, loc: Loc) -> str | None:
    """A hint for a value that is not a single number in digits."""
    if loc[-1:] == ("year",) and isinstance(value, str | float):
        years = dict.fromkeys(re.findall(r"(?<!\d)(?:1\d|2[01])\d\d(?!\d)", str(value))[:3])
        many = "one year" if len(years) > 1 else "the year alone"
        return f"write {many}: {' or '.join(years)}" if years else _NO_YEAR
    return "write one number in digits, like 12" if isinstance(value, str) else None


_LABELS = "give each a label: {{{labels}}}"
#: A mapping of records or registry.yaml -> how to write one that is given as a text or a list:
#: `{first}` is its first item, `{items}` are all.
_MAPPINGS = {
    "accept": "give each code its reason: {{{first}: …}}",
    "links": "give each a name, like {{homepage: {first}}}",
    "nouns": "write {{one: {first}, many: …}}",
    "site": "write {{label: …, href: {first}}}",
    "tags": "write tags: {{FAMILY: [{items}]}}, with the name of their tag family",
    **dict.fromkeys(("organization_categories", "program_types", "event_stages"), _LABELS),
    "tag_families": "give each a label: {{{first}: {{label: …}}}}",
}


_OWN_FIELD = "write its label and type"


def _mapping_form(loc: Loc) -> str | None:
    """How a mapping of records or registry.yaml is written; None if no hint is known."""
    match loc:
        case ("fields", _, "values"):  # of a map of a table
            return "say what each word means, like {{{first}: …}}"
        case (*_, "values") | ("tag_families", _, _, *_):
            return _LABELS
        case ("tag_families", str(family)):
            return f"write {{{{label: {_quoted(family.capitalize())}, tags: {{{{{{labels}}}}}}}}}}"
        case ("kinds", _, "fields", _) | ("fields", _, _):
            return _OWN_FIELD
        case ("kinds", _, "nouns"):
            return "give both words for each language, like {{de: [{items}]}}"
        case ("site" | "nouns" as setting, _, *_):
            return _MAPPINGS[setting]
        case (str(setting),) if setting not in ("site", "nouns"):
            return _MAPPINGS.get(setting)
    return None


def _as_mapping(value: Any, loc: Loc) -> str:
    is_choice = loc[-1:] == ("values",)
    is_listed = is_choice or loc[:1] not in (("links",), ("site",))
    words = split_commas(value) if isinstance(value, str) and is_listed else value
    words = words if isinstance(words, list) else [words]
    words = [word for word in words if isinstance(word, str) and word]
    template = _mapping_form(loc)
    if template is _OWN_FIELD and words:
        meant = words[0] if words[0] in OWN_TYPES else meant_word(words[0], OWN_TYPES) or "text"
        label = _quoted(str(loc[-1]).replace("_", " ").capitalize())
        return f"{_OWN_FIELD}: {{label: {label}, type: {meant}}}"
    if not words or template is None:
        return 'write one "key: value" line for each entry'
    labels = [f"{slugify(word)}: {_quoted(word[:1].upper() + word[1:])}" for word in words]
    return template.format(
        first=_quoted(words[0]),
        items=shorten(", ".join(map(_quoted, words))),
        labels=", ".join([*labels[:3], *["…"] * (len(labels) > 3)]),
    )


#: Languages that people write beside each other.
_is_language = re.compile(
    "(?:de|en|fr|es|it|pt|nl|pl|sv|da|no|nb|fi|cs|sk|hu|ro|tr|ru|uk|el|zh|ja|ko|ar|he)(?:[-_][A-Za-z]{2})?"
).fullmatch
#: Fields of events that have one value.
_DATES = (("due",), ("starts",), ("ends",), ("opens",), ("closes",))
_ONE_EACH = (("program",), *_DATES)


def _as_text(value: Any, loc: Loc, written: str | None) -> Remedy:
    if isinstance(value, dict):
        if (name := _name_in(value)) is not None:
            fix = Fix("value", name, loc) if len(value) == 1 else None
            return Remedy(f"write the text alone: {in_quotes(name)}", fix)
        key, text = next(iter(value.items()), ("", None))
        hint, example = 'put a text that contains ": " in quotes', text
        if value and all(_is_language(key) for key in value):
            hint = "a registry has one language: write one text"
        else:
            example = f"{key}: {text}" if len(value) == 1 and isinstance(text, str) else None
        return Remedy(f"{hint}: {in_quotes(example)}" if isinstance(example, str) else hint)
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], str):
            fix = Fix("value", value[0], loc) if loc != ("name",) else None  # as in `[Beta]`
            return Remedy(f"write {value[0]}, without brackets", fix)
        if loc in _ONE_EACH:
            return Remedy(f"write one event for each {'date' if loc in _DATES else loc[0]}")
        return Remedy(_ONE_TEXT.get(str(loc[-1]), "write one text, without brackets"))
    if loc[-1:] == ("reverse",) and isinstance(value, bool):
        return Remedy("write the title of the other side, like reverse: Books")
    if value is False and loc and loc[-1] == "country":
        return Remedy("write NO: the code of Norway was read as the word no")
    fix = Fix("value", written, loc) if written is not None else None
    return Remedy("write it in quotes", fix)


#: Field with one value -> what to do with several.
_ONE_TEXT = {
    "website": "write one address here, and the others under links",
    "of": "a relation has one kind: declare a relation for each",
}


def _name_in(value: dict[Any, Any]) -> str | None:
    """The text that a mapping in the place of a text is about: {slug: acme}, {name: Ada}."""
    texts = (value.get(key) for key in ("slug", "name", "url", "href", "title", "label"))
    return next((text for text in texts if isinstance(text, str) and text), None)


def _as_list(value: Any, loc: Loc, lines: Sequence[str]) -> Remedy:
    if loc == ("accept",) and not isinstance(value, str):
        return Remedy("write the codes of the warnings, like accept: [same-record]")
    if loc[:1] == ("kinds",) and loc[-2:-1] == ("nouns",):
        if loc[-1] in ("one", "many"):
            return Remedy("write both words behind the language, like de: [Buch, Bücher]")
        words = value.values() if isinstance(value, dict) else (value,)
        one, *more = [_quoted(word) for word in words if isinstance(word, str)] or ["…"]
        return Remedy(f"write the words for one and for several: [{one}, {', '.join(more) or '…'}]")
    if loc == ("without_kinds",) and value in ("all", "none"):
        return Remedy("name the kinds, like [projects, events]; without the line there are all")
    if isinstance(value, dict) and len(value) == 1 and (name := _name_in(value)):
        return Remedy(f"write it as a list: [{in_quotes(name)}]", Fix("value", [name], loc))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        place = value if isinstance(value, dict) and value.keys() <= PLACE_FIELDS else {}
        parts = [f"{name}: {_quoted(p)}" for name, p in place.items() if isinstance(p, str)]
        if loc == ("locations",) and parts:
            return Remedy(f"write it as a list: [{{{', '.join(parts)}}}]")
        return Remedy('write one "- …" line for each item')
    if value == "":
        return Remedy("add items, or remove it")
    items: list[Any] = [value]
    if isinstance(value, str):
        items = split_list(value)
        if len(items) < 2 and lines:
            items = list(lines)
        items = [_bullet("", item) for item in items]
    written = [in_quotes(item) if isinstance(item, str) else str(item) for item in items if item]
    # A comma or an "and" may be part of a name, so only a person can split such a text.
    single = isinstance(value, str) and not lines and is_single(value)
    fix = Fix("value", [value], loc) if single else None
    return Remedy(f"write it as a list: [{', '.join(written)}]", fix)


def _place(text: str, begin: str, end: str) -> str:
    """A hint for a place that is written as a text: city, region, country."""
    from generator.model.country_names import read_last_part

    *parts, last = [part.strip() for part in text.split(",")]
    country = _country_code(last)
    readings = read_last_part(last) if len(parts) < 2 else ()
    advice = ""
    if len(readings) > 1:
        labels = " or ".join(reading.label for reading in readings)
        advice = f", with the code of its country for {_ANY_COUNTRY}: {last} can mean {labels}"
        country = _ANY_COUNTRY
    elif country is None:
        parts, country = [*parts, last], _ANY_COUNTRY
        advice = f", with the code of its country for {_ANY_COUNTRY}"
    city, region = (parts[0] if parts else ""), (parts[1] if len(parts) > 1 else "")
    fields = {"country": country, "region": region, "city": city}
    place = ", ".join(f"{name}: {_quoted(value)}" for name, value in fields.items() if value)
    return f"write it as {begin}{{{place}}}{end}{advice}"


def _quoted(text: str) -> str:
    """A text as a value of a flow mapping, with quotes if it needs them."""
    plain = re.fullmatch(r"[^\W\d_][\w .'-]*", text)
    return text if plain and not isinstance(parse_scalar(text), bool | None) else in_quotes(text)


def in_quotes(text: str) -> str:
    """A text in the quotes that need no escapes, cut to the length of a line."""
    if '"' in text or "\\" in text:
        return "'" + shorten(text).replace("'", "''") + "'"
    return describe_value(text)


#: Words of the name of a licence -> those of its code, in this order.
_LICENCES = (
    (r"\baffero general public\b", "agpl"), (r"\blesser general public\b", "lgpl"),
    (r"\bgeneral public\b", "gpl"), (r"\bcreative commons\b", "cc"), (r"\battribution\b", "by"),
    (r"\bshare ?alike\b", "sa"), (r"\bnon ?commercial\b", "nc"), (r"\bno ?deriv\w*", "nd"),
    (r"\bcc[ -]+(?:0|zero)\b", "cc0"), (r"\bmozilla\b", "mpl"),
    (r"\b(?:the|gnu|licen[cs]es?|lizenz|licence|public|international|unported|version)\b|,", " "),
    (r"(?<=\w)[ -]*v(?:er)?\.? ?(?=\d)", "-"),
    (r"\b(apache|[al]?gpl|cc0|mpl|epl|cc[ -]by[a-z -]*)[ -]*(\d)(?![.\d])", r"\1-\2.0"),
    (r"\bcc0$", "cc0-1.0"),
)  # fmt: skip


def correct_licence(text: str, loc: Loc) -> Remedy:
    """The mend for an unknown licence: the SPDX identifier with nearly the same spelling."""
    from generator.model.settings.spdx import LICENSES

    names = {fold(name): name for name in LICENSES}
    key = fold(re.sub(r"[\s_]+", "-", text.strip()))
    if key in names:
        return Remedy(f'did you mean "{names[key]}"?', Fix("value", names[key], loc))
    key = fold(text)
    for pattern, word in _LICENCES:
        key = re.sub(pattern, word, key)
    key = re.sub(r"[\s_-]+", "-", key).strip("-")
    key = f"{key}-only" if f"{key}-only" in names else key
    if key in names:
        return Remedy(f'did you mean "{names[key]}"?')
    versions = [name for name in names if re.fullmatch(re.escape(key) + "-[0-9.]+", name)]
    near = max(versions, default=None) or nearest_word(key, names)
    if near is None:
        return Remedy("write a code like CC-BY-4.0 or CC0-1.0, from https://spdx.org/licenses/")
    return Remedy(f'did you mean "{names[near]}"?')


def correct_country(text: str, loc: Loc) -> Remedy:
    """The mend for an unknown country code."""
    code = _country_code(text)
    if code is None:
        from generator.model.country_names import nearest_country

        near = nearest_country(text)
        if near is not None:
            return Remedy(f'did you mean "{near}" ({COUNTRIES[near]})?')
        if re.fullmatch("[A-Z]{2}", text):
            return Remedy("no country has this code: write two capital letters, like DE")
        return Remedy("write two capital letters, like DE for Germany")
    word = text.upper()
    sure = word in _SAFE_ALIASES or word in COUNTRIES or COUNTRIES[code].upper() == word
    return Remedy(f'did you mean "{code}"?', Fix("value", code, loc) if sure else None)


def _country_code(text: str) -> str | None:
    """The code of a country by its code in any case, one of its names or an alias."""
    from generator.model.country_names import find_country

    return find_country(text) or _COUNTRY_ALIASES.get(text.upper())


def correct_choice(value: Any, choices: list[str], loc: Loc) -> Remedy:
    """The mend for a value that is not one of `choices`."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    word = fold(str(value)).replace(" ", "_").replace("-", "_")
    fix = Fix("value", word, loc) if word in choices else None
    meant = None if word in choices else meant_word(word, choices)
    if meant is not None:
        return Remedy(f'did you mean "{meant}"?')
    return Remedy(suggest_word(str(value), choices, max_words=30), fix)


def correct_field_type(value: Any, data: Any, mend: Remedy) -> Remedy:
    """The mend for a type of an own field that there is not; else `mend`.  `data` is of
    registry.yaml.
    """
    kinds = data.get("kinds") if isinstance(data, dict) else None
    for name, of in kinds.items() if isinstance(kinds, dict) else ():
        if value in (name, of.get("one") if isinstance(of, dict) else None):
            return Remedy(f"a reference to {name} is type: record, of: {name}")
    if value in ("list", "array", "liste", "set"):
        return Remedy("write the type of the items, like text or record, and many: true")
    return mend


def correct_form(code: str, text: str, loc: Loc) -> Remedy:
    """The mend for a text that does not match its pattern; `types.PATTERN_FAULTS` has `code`."""
    if code == "invalid-slug" and ":" in text and (cause := wrong_space(text)):
        return Remedy(f"{cause.message}: {cause.hint}")
    if code == "invalid-key" and loc[-1:] == ("schema_org",):
        better = re.split("[/:]", text.rstrip("/"))[-1]
        better = better[:1].upper() + better[1:]
        return Remedy(f'write it "{better}"' if re.fullmatch(SCHEMA_TYPE, better) else None)
    if code == "invalid-key" and loc[-1:] == (text,):
        better = slugify(re.sub("(?<=[a-z])(?=[A-Z])", "-", text))
        better = better if loc[0] == "links" else better.replace("-", "_")
        return Remedy(
            f'write it "{better}"' if better[:1].isalpha() and len(better) <= 50 else None
        )
    if code == "invalid-slug" and is_slug(better := word_slug(strip_extension(text))):
        return Remedy(f'write it "{better}"')
    if code == "invalid-url":
        return _address(text.strip(), loc)
    if code == "invalid-language" and (
        match := re.fullmatch(r"([a-zA-Z]{2,3})_([a-zA-Z]{2})", text)
    ):
        better = f"{match[1].lower()}-{match[2].upper()}"
        return Remedy(f"write {better}", Fix("value", better, loc))
    if code == "invalid-language" and (meant := _LANGUAGES.get(fold(text))):
        return Remedy(f'did you mean "{meant}"?')
    return Remedy(None)


#: Folded name of a language, in English and by itself -> its code.
_LANGUAGES = {
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "francais": "fr",
    "spanish": "es", "espanol": "es", "italian": "it", "italiano": "it", "portuguese": "pt",
    "portugues": "pt", "dutch": "nl", "nederlands": "nl", "polish": "pl", "polski": "pl",
    "englisch": "en", "franzosisch": "fr",
}  # fmt: skip
#: Kind of a link -> the beginning of an account's address.
_ACCOUNTS = {
    "instagram": "https://www.instagram.com/", "twitter": "https://x.com/", "x": "https://x.com/",
    "github": "https://github.com/", "facebook": "https://www.facebook.com/",
    "tiktok": "https://www.tiktok.com/@", "youtube": "https://www.youtube.com/@",
    "threads": "https://www.threads.net/@", "linkedin": "https://www.linkedin.com/company/",
    "telegram": "https://t.me/", "bluesky": "https://bsky.app/profile/",
}  # fmt: skip
_FINAL_DOT = 'the name of a website cannot end with a dot: write "{}"'
_SPACE = r"(?:\s|%20)+"
#: A text in the place of an address, as far as it shows the mistake -> the hint, and the address
#: that is meant, for `re.sub`.  A row with an address applies only if that is one.
_ADDRESSES: tuple[tuple[str, str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"(?<=[^\s,;])[\s,;]+https?://", "write only one address here", ""),
    (r"^(https?://[^/?#:]*[^/?#:.])\.+(?=[/?#:]|$)",
     _FINAL_DOT, r"\1"),
    (rf"^(https?://)(?:{_SPACE})?([^/?#:\s%]+\.[^/?#:\s%]+){_SPACE}[^/?#:]*.*",
     'the name of a website cannot have a space: did you mean "{}"?', r"\1\2"),
    (rf"^(https?://)(?=[^/?#:]*{_SPACE})(?:{_SPACE})?((?:[^/?#:\s%]+{_SPACE})*[^/?#:\s%]+)",
     'the name of a website cannot have a space: did you mean "{}"?',
     lambda match: match[1] + re.sub(_SPACE, "-", match[2])),
    (rf"^https?://[^/?#:]*{_SPACE}", "the name of a website cannot have a space", ""),
    (r"^https?://[^/?#:]*%",
     'the name of a website cannot have a "%": copy the address from the browser', ""),
    (r"^https?://(?=\.|[^/?#:]*\.\.)[^/?#:]*", "the name of the website has a dot too many", ""),
    (r"^(?:doi:\s*)?(10\.\d{4,9}/\S+)$", "write the address of the DOI: {}",
     r"https://doi.org/\1"),
    (r"^(?:tel:|callto:)?\s*[+(]?\d[\d\s()/.-]{5,}$",
     "this is a telephone number: write the address of a page, or leave the line out", ""),
    (r"^/[^/\s]\S*$",
     "this address lacks the name of the website: write all of it, like https://example.org{}",
     lambda match: match[0]),
    (r"^(?!.*(?:\w\.[^\W\d_]{2}|[:/@]))",
     "this is a text without an address: write one like https://example.org/, or leave the line "
     "out", ""),
    (r"^(?:<(\S+)>|(?:\[[^\[\]]*\])?\((\S+)\))$", "write only the address: {}", r"\1\2"),
    (r"^[^\s:]*://\S+ (?!.*://).*", "write %20 for the space: {}",
     lambda match: match[0].replace(" ", "%20")),
    (r"^(?:mailto:)?[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$",
     "this is an e-mail address: write the address of a page, or leave the field out", ""),
    (r"^git@([\w.-]+):([\w./~-]+?)(?:\.git)?$", 'write the address of its page, like "{}"',
     r"https://\1/\2"),
    (r"^[^/:]+\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif|svg|webp|html?|md|txt)$",
     "this is the name of a file: put the file on the web, and write its whole address", ""),
    # misspelt and doubled schemes, and those of other protocols: "htp://", "https//"
    (r"^(?:(?:[a-z]{0,6}[:;]?/{1,3}|https?:)\s*)*(?=[^/@:]+\.[^/@:.]{2,}(?::[0-9]+)?(?:/|$))",
     'write the whole address, like "{}"', "https://"),
)  # fmt: skip


def _address(text: str, loc: Loc) -> Remedy:
    """The mend for a text that is no address."""
    place = _ACCOUNTS.get(str(loc[-1]).lower()) if loc[0] == "links" else None
    account = re.fullmatch(r"@([\w.-]+)" if place is None else r"@?([\w-]+)", text)
    if account is not None:
        example = f"{place or 'https://mastodon.example/@'}{account[1]}"
        return Remedy(f"this is the name of an account: write its address, like {example}")
    for pattern, hint, meant in _ADDRESSES:
        better, found = re.subn(pattern, meant, text, count=1, flags=re.I)
        if found and (not meant or is_url(better) or better[0] == "/"):
            fix = Fix("value", better, loc) if hint is _FINAL_DOT else None
            return Remedy(hint.format(better), fix)
    return Remedy(None)
