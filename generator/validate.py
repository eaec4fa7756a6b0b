"""Plain data -> a validated model, or every reason why not, in the author's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from generator.diagnostic import Diagnostic, Severity, suggestion
from generator.kinds.fields import COUNTRIES, PATTERN_FAULTS, Input
from generator.load import Document, Fault, Loc, Unusual, examine, parse

M = TypeVar("M", bound=Input)

_TYPES = {"string_type": "text", "int_type": "a whole number", "bool_type": "true or false", "list_type": "a list",
          "dict_type": "a mapping", "model_type": "a mapping", "model_attributes_type": "a mapping"}  # fmt: skip
_PLACES_OFTEN_MEANT = {"UK": "GB", "EN": "GB", "EL": "GR", "SP": "ES", "JA": "JP", "CHINA": "CN", "USA": "US", "KOREA": "KR"}


def spell(loc: Loc) -> str:
    """A field as an author says it: `programs[1]`, `tags.topic[0]`."""
    out = ""
    for part in loc:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


def show(value: Any) -> str:
    """A value as written, cut to a line."""
    if isinstance(value, str):
        text = value if len(value) <= 60 else value[:57] + "..."
        return '"' + text.replace("\n", "\\n") + '"'
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else str(value)[:60]


def read_model(raw: bytes, model: type[M]) -> tuple[M | None, list[Fault], Document | None]:
    """The model in a file's bytes and its faults; the document only when it had to be examined."""
    try:
        return model.__pydantic_validator__.validate_python(parse(raw)), [], None
    except (Unusual, ValidationError):
        document = examine(raw)
        faults = list(document.faults)
        if document.data is None:
            return None, faults, document
        try:
            return model.__pydantic_validator__.validate_python(document.data), faults, document
        except ValidationError as error:
            return None, faults + _faults(error, model, document.data), document


def diagnose(path: str, raw: bytes, faults: list[Fault], document: Document | None = None) -> list[Diagnostic]:
    """Faults with their line and column."""
    if faults and document is None:
        document = examine(raw)
    found = []
    for fault in faults:
        assert document is not None
        line, column = document.locate(fault)
        severity: Severity = "warning" if fault.severity == "warning" else "error"
        found.append(Diagnostic(path, line, column, fault.code, fault.message, fault.hint, severity))
    return found


def _faults(error: ValidationError, model: type[Input], data: Mapping[str, Any]) -> list[Fault]:
    return [_fault(e, model, data) for e in error.errors(include_url=False)]


def _fault(error: Any, model: type[Input], data: Mapping[str, Any]) -> Fault:
    """One pydantic error as a fault (https://docs.pydantic.dev/latest/errors/validation_errors/)."""
    kind, loc, given, context = error["type"], tuple(error["loc"]), error["input"], error.get("ctx") or {}
    on_key = bool(loc) and loc[-1] == "[key]"
    loc = loc[:-1] if on_key else loc
    field, value = spell(loc), show(given)
    if kind == "extra_forbidden":
        known = _fields(model, loc)
        here = spell(loc[:-1])
        where = f" in {here}" if here else ""
        return Fault("unknown-field", f'there is no field "{loc[-1]}"{where}', loc, suggestion(str(loc[-1]), known, most=30), on_key=True)
    if kind == "missing":
        hint = f"add {loc[-1]}: …" if len(loc) == 1 else None
        return Fault("missing-field", f"{field} is required", loc, hint)
    if kind in _TYPES:
        if given is None:
            return Fault("missing-field", f"{field} is required and has no value", loc, "give it a value", on_key=True)
        hint = "write it in quotes" if kind == "string_type" and not isinstance(given, list | dict) else None
        if kind in ("int_type", "bool_type") and isinstance(given, str):
            hint = "write it without quotes" if re.fullmatch(r"[1-9][0-9]*|true|false", given) else f"it takes {_TYPES[kind]}"
        return Fault("wrong-type", f"{field} takes {_TYPES[kind]}, not {value}", loc, hint)
    if kind == "string_pattern_mismatch":
        code, what, pattern_hint = PATTERN_FAULTS[context["pattern"]]
        return Fault(code, f"{field}: {value} {what}", loc, pattern_hint, on_key=on_key)
    if kind == "unknown-country":
        text = str(given).upper()
        likely = text if text in COUNTRIES else _PLACES_OFTEN_MEANT.get(text)
        likely = next((c for c, name in COUNTRIES.items() if name.upper() == text), likely)
        hint = f'did you mean "{likely}"?' if likely else "two capital letters, like DE for Germany"
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, hint)
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        return Fault("invalid-choice", f"{field}: {value} is not one of its values", loc, suggestion(str(given), choices))
    if kind in ("string_too_long", "too_long", "string_too_short", "too_short"):
        bound = context.get("max_length", context.get("min_length"))
        unit = "characters" if kind.startswith("string") else "items"
        size = f"; this has {len(given)}" if isinstance(given, str) else ""
        most = "at most" if kind.endswith("long") else "at least"
        return Fault("invalid-length", f"{field} holds {most} {bound} {unit}{size}", loc, on_key=on_key)
    if kind in ("greater_than_equal", "less_than_equal"):
        most = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return Fault("out-of-range", f"{field} is {most}, not {value}", loc)
    if kind.startswith("invalid-"):
        return Fault(kind, f"{field}: {value} {error['msg']}", loc, _CUSTOM_HINTS.get(kind))
    return Fault("wrong-type", f"{field}: {error['msg']}", loc)


_CUSTOM_HINTS = {
    "invalid-date": "write it as YYYY-MM-DD",
    "invalid-license": "like CC-BY-4.0 or CC0-1.0 (https://spdx.org/licenses/)",
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
