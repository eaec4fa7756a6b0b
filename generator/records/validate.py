"""Plain data -> a validated model, or every reason why not, in the author's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import ValidationError

from generator.api.diagnostic import Diagnostic, Severity, did_you_mean, printable, suggestion
from generator.api.text import fold, is_slug, slugify
from generator.records.dialect import Unusual, comments, parse, scalar
from generator.records.examine import Document, examine
from generator.records.faults import Fault, Loc, cut, show, spell
from generator.records.fields import (
    COUNTRIES,
    LINE,
    PATTERN_FAULTS,
    TEXT,
    UNIONS,
    URL,
    Input,
    is_prose,
    is_url,
)
from generator.records.meant import slug_for
from generator.records.slips import glued
from generator.records.slips import odd_space as _odd_blank
from generator.records.symbols import Symbols
from generator.records.texts import called, cleaned, hidden, instead, odd_space

M = TypeVar("M", bound=Input)

MOST = 50  # problems told of one file

_TYPES = {"string_type": "text", "int_type": "a whole number", "bool_type": "true or false", "list_type": "a list",
          "dict_type": "a mapping", "model_type": "a mapping", "model_attributes_type": "a mapping"}  # fmt: skip
_PLACES_OFTEN_MEANT = {
    "UK": "GB",
    "EN": "GB",
    "EL": "GR",
    "SP": "ES",
    "JA": "JP",
    "CHINA": "CN",
    "USA": "US",
    "KOREA": "KR",
}


def read_model(raw: bytes, model: type[M]) -> tuple[M | None, list[Fault], Document | None]:
    """The model in a file's bytes and its faults; the document only when it had to be examined."""
    found, faults, document = _read_model(raw, model)
    if b" #" in raw or b"\t#" in raw:
        faults += _cut_texts(raw, model)
    return found, faults, document


def _read_model(raw: bytes, model: type[M]) -> tuple[M | None, list[Fault], Document | None]:
    try:
        return model.__pydantic_validator__.validate_python(parse(raw)), [], None
    except (Unusual, ValidationError):
        document = examine(raw)
        faults = [
            replace(f, message=f"{spell(f.loc)}: {f.message}") if f.code == "odd-quotes" else f
            for f in document.faults
        ]
        if document.data is None:
            return None, faults, document
        lost = {fault.loc for fault in faults if fault.code in _LOSSES}
        found, errors = _validated(model, document.data)
        warnings = [_clean(error, document) for error in errors]
        if any(warnings):
            faults += filter(None, warnings)
            found, errors = _validated(model, document.data)
        odd = {fault.loc for fault in faults if fault.code in _ODD}
        wrong = {
            tuple(error["loc"]) for error in errors if error["type"] != "string_too_long"
        } & odd
        # They are what is wrong with a slug or a URL; a text that begins with one is only warned
        # of.
        faults = [
            replace(f, severity="error") if f.code in _ODD and f.loc in wrong else f for f in faults
        ]
        more = (
            _fault(error, model, document) for error in errors if tuple(error["loc"]) not in wrong
        )
        faults += _causes([fault for fault in more if not _follows(fault, lost)])
        return None if lost else found, faults, document


_ODD = ("odd-space", "odd-quotes")


def _validated(model: type[M], data: Any) -> tuple[M | None, list[Any]]:
    """The model, or every error that keeps it from being one."""
    try:
        return model.__pydantic_validator__.validate_python(data), []
    except ValidationError as error:
        return None, error.errors(include_url=False)


def _clean(error: Any, document: Document) -> Fault | None:
    """Take out of a description what copying left in it; a warning where there was any."""
    if error["type"] != "string_pattern_mismatch" or error["ctx"]["pattern"] != TEXT:
        return None
    *path, last = error["loc"]
    around = document.data
    for part in path:
        around = around[part]
    given = error["input"]
    around[last] = cleaned(given)
    if around[last] == given:
        return None
    warning = _hidden(given, error["loc"])
    return replace(
        warning, message=f"{warning.message}; it is published without", severity="warning"
    )


def _hidden(given: str, loc: Loc) -> Fault:
    """The first hidden character of a text."""
    found = hidden(given)
    at = found.start() if found else given.index("\x85")
    sought = given[max(0, at - 8) : at + 1]
    return Fault(
        "control-character",
        f"{spell(loc)} holds {called(given[at])}",
        loc,
        instead(given, at),
        sought=sought,
    )


def _cut_texts(raw: bytes, model: type[Input]) -> Iterator[Fault]:
    """Texts that a comment cuts short, or seems to: of a slug, a date or a URL nothing can be lost."""
    for loc, at, text in comments(raw):
        if is_prose(_type_at(model, loc)):
            ends, quoted = (
                "there is no text, but" if text[0] == "#" else "the text ends before",
                _in_quotes(text),
            )
            what = f'{spell(loc)}: {ends} this "#", which begins a comment'
            hint = f"if it belongs to the text, write all of it in quotes: {quoted}; a comment stands on a line of its own"
            yield Fault("cut-text", what, loc, hint, at=at, severity="warning")


def _type_at(model: type[Input], loc: Loc) -> Any:
    """The annotation of the field, item or value at a place; None where there is none."""
    from typing import get_args, get_origin, get_type_hints

    here: Any = model
    for part in loc:
        options = [here, *(get_args(here) if get_origin(here) in UNIONS else ())]
        options += [get_args(option)[0] for option in options if get_origin(option) is Annotated]
        here = None
        for option in options:
            if isinstance(option, type) and issubclass(option, Input):
                here = get_type_hints(option, include_extras=True).get(str(part))
            elif get_origin(option) in (list, dict):
                here = get_args(option)[-1]
    return here


#: What leaves data out: what is there is not what the author wrote.
_LOSSES = frozenset(
    {"yaml-alias", "yaml-duplicate-key", "yaml-key-not-text", "yaml-merge-key", "yaml-tag"}
)


def _follows(fault: Fault, lost: set[Loc]) -> bool:
    """Whether a fault only follows from what could not be read."""
    return fault.loc in lost or (fault.code == "missing-field" and fault.loc[:-1] in lost)


def _causes(faults: list[Fault]) -> list[Fault]:
    """Faults without fields that are missing only because their name is misspelt."""
    unknown: dict[Loc, list[str]] = {}
    for fault in faults:
        if fault.code in ("unknown-field", "odd-space"):
            unknown.setdefault(fault.loc[:-1], []).append(_plain_key(str(fault.loc[-1])))
    return [
        f
        for f in faults
        if f.code != "missing-field"
        or f.on_key
        or not did_you_mean(str(f.loc[-1]), unknown.get(f.loc[:-1], ()))
    ]


def _plain_key(key: str) -> str:
    """A key as the schema would spell it: in lower case, with `_` for blanks and hyphens."""
    return re.sub(r"[\W_]+", "_", key.strip().casefold()).strip("_")


def diagnose(
    path: str,
    raw: bytes,
    faults: list[Fault],
    document: Document | None = None,
    symbols: Symbols | None = None,
) -> list[Diagnostic]:
    """Faults with their line and column, the first `MOST` of the file.

    With a symbols, what stands where a slug is meant is looked for among labels and names.
    """
    if not faults:
        return []
    document = document or examine(raw)
    placed = sorted(
        ((document.locate(fault, raw), fault) for fault in faults),
        key=lambda pair: (pair[0], pair[1].severity),
    )
    found = []
    for (line, column), fault in placed[:MOST]:
        severity: Severity = "warning" if fault.severity == "warning" else "error"
        hint = (
            slug_for(fault.loc, fault.given, symbols)
            if symbols is not None and fault.given
            else None
        )
        message, hint = printable(cut(fault.message, 400)), hint or fault.hint
        found.append(
            Diagnostic(
                path,
                line,
                column,
                fault.code,
                message,
                hint and printable(cut(hint, 400)),
                severity,
            )
        )
    if len(placed) > MOST:
        (line, column), rest = placed[MOST][0], placed[MOST:]
        severity = "error" if any(fault.severity == "error" for _, fault in rest) else "warning"
        what = f"{len(rest):,} more problems of this file are not told"
        found.append(
            Diagnostic(
                path, line, column, "more-problems", what, f"mend the {MOST} above first", severity
            )
        )
    return found


def _fault(error: Any, model: type[Input], document: Document) -> Fault:
    """One pydantic error as a fault (https://docs.pydantic.dev/latest/errors/validation_errors/)."""
    kind, loc, given, context = (
        error["type"],
        tuple(error["loc"]),
        error["input"],
        error.get("ctx") or {},
    )
    on_key = bool(loc) and loc[-1] == "[key]"
    loc = loc[:-1] if on_key else loc
    field, value = spell(loc[:-1] if on_key else loc), document.written.get(loc) or show(given)
    if kind == "extra_forbidden":
        here, key, plain = spell(loc[:-1]), str(loc[-1]), _plain_key(str(loc[-1]))
        odd = odd_space(key)
        if odd is not None:
            what = f"{called(odd[0])} stands in the key {show(key)}, which YAML does not take for a blank"
            indented = (
                "indent with usual blanks" if odd_space(key[0]) else "write a usual blank instead"
            )
            return Fault(
                "odd-space",
                what,
                loc,
                f'write "{plain}"' if plain in _fields(model, loc) else indented,
                on_key=True,
            )
        cause = glued(key, 1) if given is None and ":" in key else None
        if cause is not None:
            return Fault(
                "unknown-field", f"{show(key)}: {cause.message}", loc, cause.hint, on_key=True
            )
        what = f"there is no field {show(key)}" + (f" in {here}" if here else "")
        return Fault(
            "unknown-field",
            what,
            loc,
            lambda: suggestion(plain, _fields(model, loc), most=30),
            on_key=True,
        )
    if kind == "missing":
        return Fault("missing-field", f"{field} is required", loc, f"add {loc[-1]}: …")
    if given is None:
        hint = "give it a value" if len(loc) == 1 else "give it a value, or remove it"
        return Fault(
            "missing-field", f"{field} has no value", loc, hint, on_key=isinstance(loc[-1], str)
        )
    if kind in _TYPES:
        return Fault(
            "wrong-type",
            f"{field} takes {_TYPES[kind]}, not {value}",
            loc,
            _as_type(kind, given, loc),
        )
    of_text = (
        kind == "invalid-license"
        or kind in _CUSTOM_HINTS
        or context.get("pattern") in (LINE, TEXT, URL)
    )
    if of_text and isinstance(given, str) and given.strip() and hidden(given):
        return _hidden(given, loc)
    if kind == "string_pattern_mismatch" and given.strip():
        code, what, usual = PATTERN_FAULTS[context["pattern"]]
        better, word = (
            _as_written(code, given) or usual,
            given if code == "invalid-slug" and not on_key else "",
        )
        return Fault(code, f"{field}: {value} {what}", loc, better, on_key=on_key, given=word)
    if on_key and not given.strip():
        return Fault(
            "invalid-key",
            f"{field}: a key is {'blank' if given else 'empty'}",
            loc,
            "give it a name",
            on_key=True,
        )
    if kind in ("string_too_short", "string_pattern_mismatch"):
        what = f"{field} is {'blank' if given else 'empty'}"
        return Fault("invalid-length", what, loc, "give it a value, or remove it")
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        return Fault(
            "invalid-choice",
            f"{field}: {value} is not one of its values",
            loc,
            suggestion(str(given), choices),
        )
    if kind == "string_too_long":
        what = (
            f"{field} holds at most {context['max_length']:,} characters; this has {len(given):,}"
        )
        return Fault("invalid-length", what, loc, on_key=on_key)
    if kind == "too_long":
        items = "entries" if isinstance(given, dict) else "items"
        what = f"{field} holds at most {context['max_length']} {items}; this has {len(given):,}"
        return Fault("invalid-length", what, loc, "keep those that matter most")
    if kind in ("greater_than_equal", "less_than_equal"):
        most = f"at least {context['ge']:,}" if "ge" in context else f"at most {context['le']:,}"
        most = most.replace(",", "") if field.endswith("year") else most
        return Fault("out-of-range", f"{field} is {most}, not {value}", loc)
    if kind == "unknown-country":
        likely = _country_meant(given)
        hint = f'did you mean "{likely}"?' if likely else "two capital letters, like DE for Germany"
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, hint)
    if kind == "invalid-license":
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, lambda: _licence_meant(given))
    if kind.startswith("invalid-"):
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, _CUSTOM_HINTS.get(kind))
    return Fault("wrong-type", f"{field}: {error['msg']}", loc)


def _as_type(kind: str, given: Any, loc: Loc) -> str | None:
    """How to write what was probably meant, as the type that the field takes."""
    if kind in ("list_type", "dict_type", "model_type"):
        text = (
            next(iter(given), "") + ": …"
            if isinstance(given, dict)
            else given
            if isinstance(given, str)
            else ""
        )
        cause = _odd_blank(text, 1) or (
            glued(text, 1) if isinstance(given, str) or text.startswith("-") else None
        )
        if cause is not None:
            return f"{cause.message}: {cause.hint}"
    if isinstance(given, str) and loc and loc[0] == "locations" and kind != "string_type":
        begin, end = ("[", "]") if len(loc) == 1 else ("", "")
        return _place(given, begin, end)
    if kind == "string_type":
        if isinstance(given, dict):
            return 'a text that holds ": " is written in quotes'
        return (
            "write one text, without brackets" if isinstance(given, list) else "write it in quotes"
        )
    if kind == "list_type":
        if isinstance(given, str | int | float):
            items = (
                [part for part in re.split(r"\s*[,;]\s*|\s+(?:and|&)\s+", given) if part]
                if isinstance(given, str)
                else [given]
            )
            return f"write it as a list: [{', '.join(_in_quotes(item) if isinstance(item, str) else str(item) for item in items)}]"
        return 'a list has a line "- …" for each item'
    if kind == "int_type":
        digits = re.sub("[,_ ]|^0+", "", given) if isinstance(given, str) else ""
        if not re.fullmatch(r"[1-9][0-9]{0,9}", digits):
            return None
        return "write it without quotes" if digits == given else f"write {digits}"
    if kind == "bool_type" and isinstance(given, str):
        word = given.lower()
        meant = (
            "true"
            if word in ("yes", "y", "on", "true")
            else "false"
            if word in ("no", "n", "off", "false")
            else None
        )
        return f"write {meant}, without quotes" if meant else None
    return 'a mapping has a line "key: value" for each entry' if kind != "bool_type" else None


def _place(text: str, begin: str, end: str) -> str:
    """How to write a place that is given in words: city, region, country."""
    *parts, last = [part.strip() for part in text.split(",")]
    country = _country_meant(last)
    how = "write it as" if country else "write it with its country, like"
    if country is None:
        parts, country = [*parts, last], "FI"
    city, region = (parts[0] if parts else ""), (parts[1] if len(parts) > 1 else "")
    fields = {
        "country": _quoted(country),
        "region": region and _quoted(region),
        "city": city and _quoted(city),
    }
    place = ", ".join(f"{name}: {value}" for name, value in fields.items() if value)
    return f"{how} {begin}{{{place}}}{end}"


def _quoted(text: str) -> str:
    """A text as it is written in a mapping on one line."""
    return (
        text
        if re.fullmatch(r"[^\W\d_][\w .'-]*", text) and not isinstance(scalar(text), bool | None)
        else _in_quotes(text)
    )


def _in_quotes(text: str) -> str:
    """A text in the quotes that it can be written in without an escape, cut to a line."""
    return (
        show(text)
        if '"' not in text and "\\" not in text
        else "'" + cut(text).replace("'", "''") + "'"
    )


def _licence_meant(text: str) -> str:
    """A hint for a licence: the identifier that it is but for case, blanks and hyphens, or nearly."""
    from generator.records.spdx import LICENSES

    names = {fold(name): name for name in LICENSES}
    key = fold(re.sub(r"[\s_]+", "-", text.strip()))
    versions = [name for name in names if re.fullmatch(re.escape(key) + "-[0-9.]+", name)]
    near = key if key in names else max(versions, default=None) or did_you_mean(key, names)
    return (
        f'did you mean "{names[near]}"?'
        if near is not None
        else "like CC-BY-4.0 or CC0-1.0 (https://spdx.org/licenses/)"
    )


def _country_meant(text: str) -> str | None:
    """The code of a country in other letters, or by its name."""
    code = text.upper()
    likely = code if code in COUNTRIES else _PLACES_OFTEN_MEANT.get(code)
    return next((c for c, name in COUNTRIES.items() if name.upper() == code), likely)


def _as_written(code: str, given: str) -> str | None:
    """How to write what was probably meant, in the form that the field takes."""
    if code == "invalid-slug" and ":" in given and (cause := glued(given, 1)):
        return f"{cause.message}: {cause.hint}"
    if code == "invalid-slug" and is_slug(better := slugify(given)):
        return f'write it "{better}"'
    if code == "invalid-url":
        if re.fullmatch(r"(?:mailto:)?[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+", given):
            return "this is an e-mail address: write the address of a page, or leave the field out"
        # Schemes that are misspelt, doubled or of another protocol: "htp://", "https//",
        # "https://http://", "www.".
        rest = re.sub(r"^(?:(?:[a-z]{0,6}[:;]?/{1,3}|https?:)\s*)+", "", given.strip(), flags=re.I)
        if is_url(better := f"https://{rest}") and re.match(
            r"[^/@:]+\.[^/@:.]{2,}(?::[0-9]+)?(?=/|$)", rest
        ):
            return f'write it whole, like "{better}"'
    return None


_CUSTOM_HINTS = {
    "invalid-date": "a date is written like 2026-02-28, from 1800 to 2200",
    "invalid-contact": "like https://example.org/contact or registry@example.org",
    "invalid-url": "like https://example.org/registry",
}


def _fields(model: type[Input], loc: Loc) -> list[str]:
    """The known fields beside an unknown one."""
    from typing import get_args

    for part in loc[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            todo: list[Any] = [model.model_fields[part].annotation]
            while todo:
                item = todo.pop()
                if isinstance(item, type) and issubclass(item, Input):
                    model = item
                    break
                todo += get_args(item)
    return list(model.model_fields)
