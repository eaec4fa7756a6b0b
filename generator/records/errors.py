"""What pydantic says of a value -> a fault in the author's words, with what to write instead."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from generator.api.diagnostic import did_you_mean, suggestion
from generator.api.text import fold, is_slug, slugify
from generator.records.dialect import scalar
from generator.records.examine import Document
from generator.records.faults import Fault, Loc, cut, show, spell
from generator.records.fields import (
    COUNTRIES,
    LINE,
    PATTERN_FAULTS,
    TEXT,
    URL,
    Input,
    OwnFields,
    is_url,
)
from generator.records.meant import declared
from generator.records.slips import glued
from generator.records.slips import odd_space as _odd_blank
from generator.records.texts import called, hidden, instead, odd_space

_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "number_type": "a number",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
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


def as_fault(error: Any, model: type[Input], document: Document) -> Fault:
    """One pydantic error as a fault (https://docs.pydantic.dev/latest/errors/validation_errors/)."""
    kind, loc, raw, context = (
        error["type"],
        tuple(error["loc"]),
        error["input"],
        error.get("ctx") or {},
    )
    on_key = bool(loc) and loc[-1] == "[key]"
    loc = loc[:-1] if on_key else loc
    field, value = spell(loc[:-1] if on_key else loc), document.written.get(loc) or show(raw)
    if kind == "extra_forbidden":
        here, key, plain = spell(loc[:-1]), str(loc[-1]), plain_key(str(loc[-1]))
        odd = odd_space(key)
        if odd is not None:
            what = (
                f"{called(odd[0])} stands in the key {show(key)}, which YAML does not take for a "
                "blank"
            )
            indented = (
                "indent with usual blanks" if odd_space(key[0]) else "write a usual blank instead"
            )
            return Fault(
                "odd-space",
                what,
                loc,
                f'write "{plain}"' if plain in _around(model, loc).written() else indented,
                on_key=True,
            )
        cause = glued(key, 1) if raw is None and ":" in key else None
        if cause is not None:
            return Fault(
                "unknown-field", f"{show(key)}: {cause.message}", loc, cause.hint, on_key=True
            )
        what = f"there is no field {show(key)}" + (f" in {here}" if here else "")
        return Fault(
            "unknown-field",
            what,
            loc,
            lambda: _near_field(plain, _around(model, loc)),
            on_key=True,
        )
    if kind == "missing":
        own = "under fields: " if issubclass(_around(model, loc), OwnFields) else ""
        return Fault("missing-field", f"{field} is required", loc, f"add {own}{loc[-1]}: …")
    if kind in ("invalid-colour", "low-contrast"):
        said = f"{field} has" if raw is None else f"{field}: {value}"
        return _no_accent(kind, f"{said} {error['msg']}", loc, context.get("near"))
    if raw is None:
        required = len(loc) == 1 or issubclass(_around(model, loc), OwnFields)
        hint = "give it a value" if required else "give it a value, or remove it"
        return Fault(
            "missing-field", f"{field} has no value", loc, hint, on_key=isinstance(loc[-1], str)
        )
    if kind in _TYPES:
        return Fault(
            "wrong-type",
            f"{field} takes {_TYPES[kind]}, not {value}",
            loc,
            _as_type(kind, raw, loc),
        )
    of_text = (
        kind == "invalid-license"
        or kind in _CUSTOM_HINTS
        or context.get("pattern") in (LINE, TEXT, URL)
    )
    if of_text and isinstance(raw, str) and raw.strip() and hidden(raw):
        return hidden_fault(raw, loc)
    if kind == "string_pattern_mismatch" and raw.strip():
        code, what, usual = PATTERN_FAULTS[context["pattern"]]
        better, word = (
            _as_written(code, raw) or usual,
            raw if code == "invalid-slug" and not on_key else "",
        )
        return Fault(code, f"{field}: {value} {what}", loc, better, on_key=on_key, word=word)
    if on_key and not raw.strip():
        return Fault(
            "invalid-key",
            f"{field}: a key is {'blank' if raw else 'empty'}",
            loc,
            "give it a name",
            on_key=True,
        )
    if kind in ("string_too_short", "string_pattern_mismatch", "too_short"):
        what = f"{field} is {'blank' if raw else 'empty'}"
        mend = "give it a value" if kind == "too_short" else "give it a value, or remove it"
        return Fault("invalid-length", what, loc, mend)
    if kind == "unknown-choice":
        nearest = partial(declared, raw, context["known"], context["where"])
        return Fault("invalid-choice", f"{field}: {value} {error['msg']}", loc, nearest)
    if kind == "invalid-declaration":
        return Fault(kind, f"{field} {error['msg']}", loc, "correct it, or remove it")
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        return Fault(
            "invalid-choice",
            f"{field}: {value} is not one of its values",
            loc,
            suggestion(str(raw), choices),
        )
    if kind == "string_too_long":
        what = f"{field} holds at most {context['max_length']:,} characters; this has {len(raw):,}"
        return Fault("invalid-length", what, loc, on_key=on_key)
    if kind == "too_long":
        items = "entries" if isinstance(raw, dict) else "items"
        what = f"{field} holds at most {context['max_length']} {items}; this has {len(raw):,}"
        return Fault("invalid-length", what, loc, "keep those that matter most")
    if kind in ("greater_than_equal", "less_than_equal"):
        most = f"at least {context['ge']:,}" if "ge" in context else f"at most {context['le']:,}"
        most = most.replace(",", "") if field.endswith("year") else most
        return Fault("out-of-range", f"{field} is {most}, not {value}", loc)
    if kind == "unknown-country":
        likely = _country_meant(raw)
        hint = f'did you mean "{likely}"?' if likely else "two capital letters, like DE for Germany"
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, hint)
    if kind == "invalid-license":
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, lambda: _licence_meant(raw))
    if kind.startswith("invalid-"):
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, _CUSTOM_HINTS.get(kind))
    return Fault("wrong-type", f"{field}: {error['msg']}", loc)


def _no_accent(code: str, what: str, loc: Loc, near: str | None) -> Fault:
    if near is not None:
        return Fault(code, what, loc, f'the nearest colour that can is "{near}"')
    return Fault(code, what, loc, 'six hexadecimal digits in quotes, like "#0b6e4f"')


def _as_type(kind: str, value: Any, loc: Loc) -> str | None:
    """How to write what was probably meant, as the type that the field takes."""
    if kind in ("list_type", "dict_type", "model_type"):
        text = (
            next(iter(value), "") + ": …"
            if isinstance(value, dict)
            else value
            if isinstance(value, str)
            else ""
        )
        cause = _odd_blank(text, 1) or (
            glued(text, 1) if isinstance(value, str) or text.startswith("-") else None
        )
        if cause is not None:
            return f"{cause.message}: {cause.hint}"
    if isinstance(value, str) and loc and loc[0] == "locations" and kind != "string_type":
        begin, end = ("[", "]") if len(loc) == 1 else ("", "")
        return _place(value, begin, end)
    if kind == "string_type":
        if isinstance(value, dict):
            return 'a text that holds ": " is written in quotes'
        return (
            "write one text, without brackets" if isinstance(value, list) else "write it in quotes"
        )
    if kind == "list_type":
        if isinstance(value, str | int | float):
            items = (
                [part for part in re.split(r"\s*[,;]\s*|\s+(?:and|&)\s+", value) if part]
                if isinstance(value, str)
                else [value]
            )
            written = [in_quotes(item) if isinstance(item, str) else str(item) for item in items]
            return f"write it as a list: [{', '.join(written)}]"
        return 'a list has a line "- …" for each item'
    if kind == "int_type":
        digits = re.sub("[,_ ]|^0+", "", value) if isinstance(value, str) else ""
        if not re.fullmatch(r"[1-9][0-9]{0,9}", digits):
            return None
        return "write it without quotes" if digits == value else f"write {digits}"
    if kind == "number_type":
        plain = re.sub(r"[,_ ]|^0+(?=[0-9])", "", value) if isinstance(value, str) else ""
        if not isinstance(scalar(plain) if plain else None, int | float):
            return "digits alone, like 1250000 or 0.75: what they count is said in registry.yaml"
        return "write it without quotes" if plain == value else f"write {plain}"
    if kind == "bool_type" and isinstance(value, str):
        yes, no = ("yes", "y", "on", "true"), ("no", "n", "off", "false")
        meant = (dict.fromkeys(yes, "true") | dict.fromkeys(no, "false")).get(value.lower())
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
        else in_quotes(text)
    )


def in_quotes(text: str) -> str:
    """A text in the quotes that it can be written in without an escape, cut to a line."""
    return (
        show(text)
        if '"' not in text and "\\" not in text
        else "'" + cut(text).replace("'", "''") + "'"
    )


def _licence_meant(text: str) -> str:
    """The licence meant: the identifier that it is but for case, blanks and hyphens, or nearly."""
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


def _as_written(code: str, text: str) -> str | None:
    """How to write what was probably meant, in the form that the field takes."""
    if code == "invalid-slug" and ":" in text and (cause := glued(text, 1)):
        return f"{cause.message}: {cause.hint}"
    if code == "invalid-slug" and is_slug(better := slugify(text)):
        return f'write it "{better}"'
    if code == "invalid-url":
        if re.fullmatch(r"(?:mailto:)?[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+", text):
            return "this is an e-mail address: write the address of a page, or leave the field out"
        clone = re.fullmatch(r"git@([\w.-]+):([\w./~-]+?)(?:\.git)?", text)
        if clone is not None:
            return f'write the address of its page, like "https://{clone[1]}/{clone[2]}"'
        # Schemes that are misspelt, doubled or of another protocol: "htp://", "https//",
        # "https://http://", "www.".
        rest = re.sub(r"^(?:(?:[a-z]{0,6}[:;]?/{1,3}|https?:)\s*)+", "", text.strip(), flags=re.I)
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


def _around(model: type[Input], loc: Loc) -> type[Input]:
    """The model of what has the field at a place."""
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
    return model


def _near_field(key: str, model: type[Input]) -> str | None:
    """A hint for a field that a model does not have."""
    if issubclass(model, OwnFields):
        return declared(key, model.labels, model.where)
    own = _around(model, ("fields", key))
    if issubclass(own, OwnFields) and key in own.labels:
        return "write it under fields, as this registry's own fields are"
    return suggestion(key, model.written(), most=30)


def hidden_fault(text: str, loc: Loc) -> Fault:
    """The first hidden character of a text."""
    match = hidden(text)
    at = match.start() if match else text.index("\x85")
    sought = text[max(0, at - 8) : at + 1]
    return Fault(
        "control-character",
        f"{spell(loc)} holds {called(text[at])}",
        loc,
        instead(text, at),
        sought=sought,
    )


def plain_key(key: str) -> str:
    """A key as the schema would spell it: in lower case, with `_` for blanks and hyphens."""
    return re.sub(r"[\W_]+", "_", key.strip().casefold()).strip("_")
