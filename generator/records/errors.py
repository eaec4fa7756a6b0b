"""What pydantic says of a value -> a fault in the author's words, with what to write instead."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from generator.api.diagnostic import Fix, suggestion
from generator.records import days, rewrite
from generator.records.document import Document
from generator.records.faults import Fault, Loc, show, spell
from generator.records.fields import LINE, PATTERN_FAULTS, TEXT, URL, Input, OwnFields
from generator.records.meant import declared
from generator.records.slips import glued
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
            known = plain in _around(model, loc).written()
            return Fault(
                "odd-space",
                what,
                loc,
                f'write "{plain}"' if known else indented,
                on_key=True,
                fix=Fix("key", plain, loc) if known else None,
            )
        cause = glued(key, 1) if raw is None and ":" in key else None
        if cause is not None:
            return Fault(
                "unknown-field", f"{show(key)}: {cause.message}", loc, cause.hint, on_key=True
            )
        what = f"there is no field {show(key)}" + (f" in {here}" if here else "")
        fix = Fix("key", plain, loc) if plain in _around(model, loc).written() else None
        return Fault(
            "unknown-field",
            what,
            loc,
            lambda: _near_field(plain, _around(model, loc)),
            on_key=True,
            fix=fix,
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
        mend = rewrite.as_type(
            kind, raw, loc, document.written.get(loc), document.lines.get(loc, ())
        )
        what = f"{field} takes {_TYPES[kind]}, not {value}"
        return Fault("wrong-type", what, loc, mend.hint, fix=mend.fix)
    of_text = (
        kind == "invalid-license"
        or kind in _CUSTOM_HINTS
        or context.get("pattern") in (LINE, TEXT, URL)
    )
    if of_text and isinstance(raw, str) and raw.strip() and hidden(raw):
        return hidden_fault(raw, loc)
    if kind == "string_pattern_mismatch" and raw.strip():
        code, what, usual = PATTERN_FAULTS[context["pattern"]]
        mend = rewrite.as_form(code, raw, loc)
        word = raw if code == "invalid-slug" and not on_key else ""
        what = f"{field}: {value} {what}"
        return Fault(code, what, loc, mend.hint or usual, on_key=on_key, word=word, fix=mend.fix)
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
        hint = "give it a value" if kind == "too_short" else "give it a value, or remove it"
        return Fault("invalid-length", what, loc, hint)
    if kind == "unknown-choice":
        nearest = partial(declared, raw, context["known"], context["where"])
        return Fault("invalid-choice", f"{field}: {value} {error['msg']}", loc, nearest)
    if kind == "invalid-declaration":
        return Fault(kind, f"{field} {error['msg']}", loc, "correct it, or remove it")
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        mend = rewrite.choice(raw, choices, loc)
        what = f"{field}: {value} is not one of its values"
        return Fault("invalid-choice", what, loc, mend.hint, fix=mend.fix)
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
        mend = rewrite.country(raw, loc)
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, mend.hint, fix=mend.fix)
    if kind == "invalid-license":
        mend = rewrite.licence(raw, loc)
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, mend.hint, fix=mend.fix)
    if kind == "invalid-date":
        usual = "a date is written like 2026-02-28, from 1800 to 2200"
        mend = days.mend(days.meant(str(raw)), loc, days.impossible(str(raw)) or usual)
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, mend.hint, fix=mend.fix)
    if kind.startswith("invalid-"):
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, _CUSTOM_HINTS.get(kind))
    return Fault("wrong-type", f"{field}: {error['msg']}", loc)


def _no_accent(code: str, what: str, loc: Loc, near: str | None) -> Fault:
    if near is not None:
        return Fault(code, what, loc, f'the nearest colour that can is "{near}"')
    return Fault(code, what, loc, 'six hexadecimal digits in quotes, like "#0b6e4f"')


_CUSTOM_HINTS = {
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
    if key in rewrite.PLACE and "locations" in model.model_fields:
        return "write it under locations, like locations: [{country: NO, city: Bergen}]"
    return suggestion(key, model.written(), most=30)


def hidden_fault(text: str, loc: Loc) -> Fault:
    """The first hidden character of a text."""
    match = hidden(text)
    at = match.start() if match else text.index("\x85")
    sought = text[max(0, at - 8) : at + 1]
    hint = instead(text, at)
    put = {"write a blank instead": " ", "remove it": ""}.get(hint)
    return Fault(
        "control-character",
        f"{spell(loc)} holds {called(text[at])}",
        loc,
        hint,
        sought=sought,
        fix=Fix("here", (1, put)) if put is not None else None,
    )


def plain_key(key: str) -> str:
    """A key as the schema would spell it: in lower case, with `_` for blanks and hyphens."""
    return re.sub(r"[\W_]+", "_", key.strip().casefold()).strip("_")
