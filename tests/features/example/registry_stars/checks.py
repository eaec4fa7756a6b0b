from collections.abc import Iterator
from typing import Any

from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.faults import Fault


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    if getattr(record, "stars", None) and not record.website:
        message = "stars: there is no website that could have them"
        yield Fault(
            "stars-without-website", message, ("stars",), "add the website", severity="warning"
        )
