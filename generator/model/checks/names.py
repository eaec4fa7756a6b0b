"""A name has no spaces at its ends, which only quotes can keep."""

from collections.abc import Iterator
from typing import Any

from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, describe_field


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    if record.name is not None and record.name != record.name.strip(" "):
        yield _padded(record.name, ("name",))
    for field in kind.declared.names:
        for i, name in enumerate(getattr(record, field) or ()):
            if name != name.strip(" "):
                yield _padded(name, (field, i))
    for i, place in enumerate(record.locations or ()):
        for part in ("region", "city"):
            name = getattr(place, part)
            if name is not None and name != name.strip(" "):
                yield _padded(name, ("locations", i, part))


def _padded(name: str, loc: Loc) -> Fault:
    plain = name.strip(" ")
    ends = [end for end, odd in (("begins", name[0]), ("ends", name[-1])) if odd == " "]
    message = f"{describe_field(loc)} {' and '.join(ends)} with a space"
    return Fault("odd-space", message, loc, f'write "{plain}"', fix=Fix("value", plain, loc))
