"""The checks of a record that has errors, on the fields that could be read.

An author then sees all problems of a record at once.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import ValidationError

from generator.kinds.models import as_declared
from generator.kinds.record import Record
from generator.model.kind import Kind
from generator.model.link import check_record
from generator.model.symbols import Symbols
from generator.model.validate import root_causes
from generator.problems.faults import Fault, Loc
from generator.text.words import is_slug


def with_readable(faults: list[Fault], kind: Kind, data: Any, symbols: Symbols) -> list[Fault]:
    """The faults of invalid data, with those that the checks of records find in the fields that
    could be read.
    """
    if not isinstance(data, dict):
        return root_causes(faults)
    known = {(fault.code, fault.loc) for fault in faults}
    record, unread = _read(kind, data, symbols)
    for fault in check_record(kind, record, symbols):
        needed = ("timezone",) if fault.code == "timezone-required" else fault.loc
        is_read = unread.isdisjoint(needed[:length] for length in range(1, len(needed) + 1))
        if is_read and (fault.code, fault.loc) not in known:
            faults = [*faults, fault]
    return root_causes(faults)


def _read(kind: Kind, data: dict[str, Any], symbols: Symbols) -> tuple[Record, set[Loc]]:
    """A record of the readable fields, None for the others, and the places that are unreadable."""
    model = symbols.model(kind.collection)
    record = model.model_construct(**dict.fromkeys(model.model_fields))
    unread: set[Loc] = {(name,) for name in data if name not in model.model_fields}
    for name in data.keys() & model.model_fields.keys():
        try:
            model.__pydantic_validator__.validate_assignment(record, name, data[name])
        except ValidationError as error:
            unread.update(tuple(problem["loc"]) for problem in error.errors(include_url=False))
    for name in kind.reference_fields:
        takes_list = kind.declared.written[name].many
        if takes_list and getattr(record, name) is None and isinstance(data.get(name), list):
            slugs = [s if isinstance(s, str) and is_slug(s) else None for s in data[name]]
            record.__dict__[name] = slugs
    return as_declared(record), unread
