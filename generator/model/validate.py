"""Validates the data of a file with a model, and turns every fault into a problem for its author.

The modules that word faults are loaded only when a file has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import nsmallest
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic_core import ValidationError

from generator.dialect import simple
from generator.dialect.document import MAX_FAULTS, YamlDocument
from generator.dialect.parse import Unusual, parse_scalar
from generator.kinds.models import Input, as_declared, model_of
from generator.kinds.types import TEXT, is_prose_type
from generator.model.suggestions import sort_tags, suggest_slug
from generator.model.symbols import Symbols
from generator.problems.diagnostic import (
    Diagnostic,
    Fix,
    Severity,
    accepted_by,
    nearest_word,
    printable,
)
from generator.problems.faults import Fault, Loc, Remedy, accept_fault, describe_field, shorten
from generator.text.characters import find_copied, without_invisible
from generator.text.numbers import in_digits, is_unclear, readings

M = TypeVar("M", bound=Input)

MAX_PROBLEMS = 50  # problems that are reported for one file


def read_model(raw: bytes, model: type[M]) -> tuple[M | None, list[Fault], YamlDocument | None]:
    """The model of a file, its faults, and its document if the file had to be examined.

    `model` may be a class that declares fields.
    """
    model = model_of(model)
    data = simple.parse(raw)
    faults: list[Fault] = []
    document = None
    try:
        if (found := data) is None:
            from generator.dialect.libyaml import parse  # loads libyaml

            found = parse(raw)
        read = model.model_validate(found)
        record: M | None = as_declared(read)
    except (Unusual, ValidationError):
        record, faults, document = _examined(raw, model)
    if data is None and (b" #" in raw or b"\t#" in raw):
        faults += _cut_texts(raw, model)
    if _three_decimals(raw):
        from generator.dialect.examine import examine

        document = document or examine(raw)
        faults += _unclear_numbers(document, {fault.loc for fault in faults})
    return record, faults, document


_three_decimals = re.compile(rb"\.[0-9]{3}(?=[\s,}\]]|\Z)").search


def _unclear_numbers(document: YamlDocument, invalid: set[Loc]) -> Iterator[Fault]:
    """Warnings about numbers whose point may group thousands."""
    for loc, text in document.source_texts.items():
        if loc not in invalid and is_unclear(text):
            number, group = readings(text)
            message = f"{describe_field(loc)}: {text} is read with a decimal point, not as {group}"
            hint = (
                f"if that is wrong, write {group}; if it is right, write {in_digits(number)} or "
                "accept: [unclear-number]"
            )
            yield Fault("unclear-number", message, loc, hint, severity="warning")


def _examined(raw: bytes, model: type[M]) -> tuple[M | None, list[Fault], YamlDocument]:
    from generator.dialect.examine import examine_mended
    from generator.model.errors import fault_from_error

    document = examine_mended(raw)
    faults = document.faults
    lost = {fault.loc for fault in faults if fault.code in _LOSSES}
    record, errors = (None, list[Any]())
    if document.data is not None:
        record, errors = _validated(model, document.data)
        warnings = [_clean(error, document) for error in errors]
        if any(warnings):
            faults = faults + [warning for warning in warnings if warning is not None]
            record, errors = _validated(model, document.data)
    # If odd quotes make a value invalid, they replace pydantic's error.
    odd = {fault.loc for fault in faults if fault.code == "odd-quotes"}
    spoilt = {
        loc: error
        for error in errors
        if error["type"] not in ("string_too_long", "extra_forbidden")
        and (loc := tuple(error["loc"])) in odd
    }
    faults = [_odd_quotes(f, spoilt.get(f.loc)) if f.code == "odd-quotes" else f for f in faults]
    document.unmade += max(0, len(errors) - MAX_FAULTS)
    others = (
        fault_from_error(error, model, document)
        for error in nsmallest(MAX_FAULTS, errors, lambda e: document.place_at(tuple(e["loc"])))
        if tuple(error["loc"]) not in spoilt
    )
    found = root_causes([fault for fault in others if not _follows(fault, lost)])
    wrong = [fault for fault in found if fault.code == "wrong-type"][:_MOST_INNER]
    faults += [_with_inner(f, model, document) if f in wrong else f for f in found]
    return None if lost or document.mend else record, faults, document


_MOST_INNER = 10  # wrong shapes of a file whose values are checked in the right one


def _with_inner(fault: Fault, model: type[M], document: YamlDocument) -> Fault:
    """The fault of a value of the wrong shape, with what would be wrong with it in the right one:
    a list of one name is no slug either.
    """
    fix, data = fault.fix, document.data
    if fix is None or fix.action != "value" or not fault.loc:
        return fault
    container = data
    for part in fault.loc[:-1]:
        container = container[part]
    before, container[fault.loc[-1]] = container[fault.loc[-1]], fix.replacement
    loc = (*fault.loc, 0) if isinstance(fix.replacement, list) else fault.loc
    found = _validated(model, {fault.loc[0]: data[fault.loc[0]]})[1]
    container[fault.loc[-1]] = before
    error = next((error for error in found if tuple(error["loc"]) == loc), None)
    if error is None:
        return fault
    from generator.model.errors import fault_from_error

    inner = fault_from_error(error, model, replace(document, source_texts={}))
    better = inner.fix if inner.fix is not None and inner.fix.action == "value" else None
    if better is not None:
        value = better.replacement
        better = Fix("value", [value] if loc != fault.loc else value, fault.loc)
    is_shape = isinstance(before, list | dict) or loc != fault.loc
    hint = "; ".join(filter(None, (fault.hint if is_shape else None, inner.hint)))
    at = loc if loc != fault.loc else ()
    return replace(fault, hint_source=hint, fix=better, given_slug=inner.given_slug, slug_loc=at)


def _odd_quotes(fault: Fault, error: Any) -> Fault:
    """The fault with the name of its field; an error if it makes the value invalid."""
    fault = replace(fault, message=f"{describe_field(fault.loc)}: {fault.message}")
    if error is None:
        return fault
    value, fix = error["input"].rstrip()[1:-1].strip(), None
    if fault.message.endswith("around it"):
        is_text = not value or error["type"] not in ("int_type", "number_type", "bool_type")
        fix = Fix("value", value if is_text else parse_scalar(value), fault.loc)
    return replace(fault, severity="error", fix=fix)


def _validated(model: type[M], data: Any) -> tuple[M | None, list[Any]]:
    """The model, or None and the errors of pydantic."""
    try:
        return as_declared(model.model_validate(data)), []
    except ValidationError as error:
        return None, error.errors(include_url=False)


def _clean(error: Any, document: YamlDocument) -> Fault | None:
    """Remove hidden characters from a description in the document.  Returns the warning, if any."""
    from generator.model.errors import hidden_fault

    if error["type"] != "string_pattern_mismatch" or error["ctx"]["pattern"] != TEXT:
        return None
    *path, last = error["loc"]
    container = document.data
    for part in path:
        container = container[part]
    text = error["input"]
    container[last] = without_invisible(text)
    if container[last] == text:
        return None
    at, meant = find_copied(text) or (0, "")
    warning = hidden_fault(text, error["loc"], at)
    instead = {"\n": "a line break", " ": "a space"}.get(meant, f'"{meant}"')
    message = (
        f"{warning.message}; it will be published {f'as {instead}' if meant else 'without it'}"
    )
    return replace(warning, message=message, severity="warning")


def _cut_texts(raw: bytes, model: type[Input]) -> Iterator[Fault]:
    """Warnings about prose that a comment cuts short, or seems to.

    Other texts cannot contain " #", so a comment after them is one.
    """
    from generator.dialect.libyaml import comments
    from generator.model.corrections import in_quotes
    from generator.model.errors import parent_model, within

    for loc, at, text in comments(raw):
        parent = parent_model(model, loc)
        names = [part for part in map(str, loc) if part in parent.written()]
        field = parent.model_fields[parent.written()[names[-1]]] if names else None
        types = within(field.rebuild_annotation()) if field is not None else iter(())
        if any(map(is_prose_type, types if names[-1:] != [loc[-1]] else [next(types)])):
            ends = "there is no text before" if text[0] == "#" else "the text ends before"
            message = f'{describe_field(loc)}: {ends} this "#", which begins a comment'
            quoted = f"if it is part of the text, put all of it in quotes: {in_quotes(text)}"
            hint = f"{quoted}; if it is a comment, move it to its own line"
            yield Fault("cut-text", message, loc, hint, at=at, severity="warning")


#: Faults that leave data out, so the rest of the document is not all that the author wrote.
_LOSSES = (
    "yaml-alias", "yaml-duplicate-key", "yaml-key-not-text", "yaml-merge-key", "yaml-syntax",
    "yaml-tag",
)  # fmt: skip


def _follows(fault: Fault, lost: set[Loc]) -> bool:
    """Whether a fault is only a consequence of data that could not be read."""
    return fault.loc in lost or (fault.code == "missing-field" and fault.loc[:-1] in lost)


_DAYS = (("starts",), ("due",), ("closes",))  # of an event


def root_causes(faults: list[Fault]) -> list[Fault]:
    """The faults without the fields that are missing only because their names are misspelt."""
    from generator.model.errors import OF_DAYS, plain_key
    from generator.model.field_words import meant_word

    unknown: dict[Loc, list[str]] = {}
    for fault in faults:
        if fault.loc and fault.code in ("unknown-field", "odd-space"):
            unknown.setdefault(fault.loc[:-1], []).append(plain_key(str(fault.loc[-1])))
    return [
        f
        for f in faults
        if f.code != "missing-field"
        or f.on_key
        or not (
            nearest_word(str(f.loc[-1]), unknown.get(f.loc[:-1], ()))
            or any(meant_word(word, (str(f.loc[-1]),)) for word in unknown.get(f.loc[:-1], ()))
            or (f.loc in _DAYS and not set(OF_DAYS).isdisjoint(unknown.get((), ())))
        )
    ]


def diagnose(
    path: str,
    raw: bytes,
    faults: list[Fault],
    document: YamlDocument | None = None,
    symbols: Symbols | None = None,
    most: int = MAX_PROBLEMS,
    accepted: Mapping[str, str] = MappingProxyType({}),
) -> list[Diagnostic]:
    """The first `most` faults of a file as diagnostics with line and column, and the accepted ones.

    With symbols, hints suggest slugs by their labels and names.  Warnings are accepted by the entry
    `accept` of the file, or by `accepted`: code -> reason.
    """
    if not faults:
        return []
    from generator.dialect.examine import examine
    from generator.model.checks.tags import check_tags

    document = document or examine(raw)
    if symbols is not None and isinstance(document.data, dict):
        # Checks run only on valid records, so these tags are not checked yet.
        known = {(fault.code, fault.loc) for fault in faults}
        tags = check_tags(document.data.get("tags"), symbols)
        faults = faults + [fault for fault in tags if (fault.code, fault.loc) not in known]
    if isinstance(document.data, dict):
        accepted = {**accepted, **accepted_by(document.data.get("accept"))}
    faults = [accept_fault(fault, accepted) for fault in faults]
    every = sorted(
        ((document.locate(fault), fault) for fault in faults),
        key=lambda pair: (pair[0], pair[1].severity),
    )
    placed = [pair for pair in every if pair[1].severity != "accepted"]
    taken = [pair for pair in every if pair[1].severity == "accepted"]
    problems = [
        _diagnostic(path, at, fault, document, symbols)
        for at, fault in (*placed[:most], *taken[:most])
    ]
    rest = placed[most:]
    if number := len(rest) + document.unmade * bool(placed):
        line, column = (rest or placed[-1:])[0][0]
        severity = _severity([fault for _, fault in rest or placed])
        message = f"{number:,} more problems in this file are not shown"
        hint = f"fix the {most:,} above first"
        problems.append(Diagnostic(path, line, column, "more-problems", message, hint, severity))
    return problems


def _diagnostic(
    path: str, at: tuple[int, int], fault: Fault, document: YamlDocument, symbols: Symbols | None
) -> Diagnostic:
    hint, fix = _mend(fault, symbols, document.data)
    if fix is not None and fix.action == "value" and fault.loc in document.lines:
        fix = None  # its lines may be several values: a person decides
    also = tuple(place._replace(path=place.path or path) for place in fault.also)
    message, hint = printable(shorten(fault.message, 400)), hint and printable(shorten(hint, 400))
    severity: Severity = "accepted" if fault.severity == "accepted" else _severity([fault])
    return Diagnostic(path, *at, fault.code, message, hint, severity, also, fix, fault.cause)


def _severity(faults: list[Fault]) -> Severity:
    return "error" if any(fault.severity == "error" for fault in faults) else "warning"


def _mend(fault: Fault, symbols: Symbols | None, data: Any) -> Remedy:
    """The hint and fix of a fault; symbols improve those for tag families and slugs."""
    hint, fix = fault.hint, fault.fix
    if symbols is not None and fault.code == "wrong-type" and fault.loc == ("tags",):
        mend = sort_tags(data["tags"], symbols)
        return mend if mend is not None else Remedy(hint, fix)
    if symbols is not None and fault.code == "unknown-field":
        field, *rest = fault.loc
        if field in symbols.tags and not rest:
            hint = f"write this tag family under tags, like tags: {{{field}: […]}}"
    if symbols is not None and fault.given_slug:
        mend = suggest_slug(fault.slug_loc or fault.loc, fault.given_slug, symbols)
        if fault.code != "wrong-type":
            return Remedy(mend.hint or hint, mend.fix)
        shape = (fault.hint or "").partition(";")[0]
        value = mend.fix and ([mend.fix.replacement] if fault.slug_loc else mend.fix.replacement)
        fix = Fix("value", value, fault.loc) if value else None
        return Remedy(f"{shape}; {mend.hint}" if mend.hint else hint, fix)
    return Remedy(hint, fix)
