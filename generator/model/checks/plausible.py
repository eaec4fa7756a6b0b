"""Warns about days and years that are probably mistakes, because they are in the future."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from generator.model.kind import Kind
from generator.model.kinds.spans import ahead
from generator.model.symbols import Symbols
from generator.problems.faults import Fault


@lru_cache(maxsize=1024)
def _day_before(day: str) -> str:
    """The day from which a record may be verified on `day`: in another time zone it has begun."""
    return str(date.fromisoformat(day) - timedelta(1))


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    year: Any = getattr(record, "year", None)
    this_year = int(symbols.today[:4]) if symbols.today is not None else None
    if this_year and year is not None and year > this_year + kind.years_ahead:
        yield ahead("year", f"year: {year} is in the future")
    if symbols.today and record.verified and _day_before(record.verified) > symbols.today:
        yield ahead("verified", f"verified: {record.verified} is in the future")
