"""The checks of a record that has errors, on the fields that could be read.

An author then sees all problems of a record at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeVar

from generator.kinds.models import derive_model, given
from generator.kinds.record import Record
from generator.kinds.validator import ValidationError
from generator.model.kind import Kind
from generator.model.link import check_record
from generator.model.symbols import Symbols
from generator.model.validate import root_causes
from generator.problems.faults import Fault, Loc
from generator.text.words import is_slug

R = TypeVar("R", bound=Record)


def with_readable(faults: list[Fault], kind: Kind, data: Any, symbols: Symbols) -> list[Fault]:
    """The faults of invalid data, with those that the checks of records find in the fields that
    could be read.
    """
    known = {(fault.code, fault.loc) for fault in faults}
    found = _check_readable(kind, data, symbols)
    return root_causes(faults + [fault for fault in found if (fault.code, fault.loc) not in known])


def _check_readable(kind: Kind, data: Any, symbols: Symbols) -> Iterator[Fault]:
    if not isinstance(data, dict):
        return
    record, unread = _read(kind, data, symbols)
    if record is None:
        return
    for fault in check_record(kind, record, symbols):
        needed = ("timezone",) if fault.code == "timezone-required" else fault.loc
        if not any(needed[:length] in unread for length in range(1, len(needed) + 1)):
            yield fault


def _read(kind: Kind, data: dict[str, Any], symbols: Symbols) -> tuple[Record | None, set[Loc]]:
    """A record of the readable fields, None for the others, and the places that are unreadable."""
    unread: set[Loc] = set()
    fields = dict(data)
    for _ in range(2):
        try:
            record = _optional(symbols.model(kind.collection)).model_validate(fields)
            break
        except ValidationError as error:
            for problem in error.errors(include_url=False):
                loc = tuple(problem["loc"])
                unread.add(loc)
                fields.pop(str(loc[0]), None)
    else:
        return None, unread
    for name in kind.reference_fields:
        if name not in fields and isinstance(data.get(name), list):
            slugs = [s if isinstance(s, str) and is_slug(s) else None for s in data[name]]
            record.__dict__[name] = slugs
    return record, unread


@lru_cache(maxsize=16)
def _optional(model: type[R]) -> type[R]:
    """A model without required fields."""
    members = {
        name: (field.annotation | None, given(default=None, alias=field.alias))
        for name, field in model.model_fields.items()
    }
    return derive_model(f"Optional{model.__name__}", model, members)
