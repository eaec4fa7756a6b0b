"""Every reference names a record that exists."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.api.diagnostic import Fix, suggestion
from generator.api.names import KIND_OF
from generator.records.faults import Fault, spell
from generator.records.symbols import Kind, Symbols


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for loc, collection, slug in kind.references(record):
        known = symbols.targets(collection)
        if slug not in known:
            now = symbols.renamed.get(collection, {}).get(slug)
            if now is not None:
                what = f'{spell(loc)}: the {KIND_OF[collection]} "{slug}" is now called "{now}"'
                yield Fault(
                    "unknown-reference", what, loc, f'write "{now}"', fix=Fix("value", now, loc)
                )
                continue
            what = f'{spell(loc)}: there is no {KIND_OF[collection]} "{slug}"'
            yield Fault("unknown-reference", what, loc, partial(_hint, slug, collection, symbols))


def _hint(slug: str, collection: str, symbols: Symbols) -> str:
    """Kept in the symbols: a program that was renamed is missed by thousands of projects, and to
    search takes milliseconds.
    """
    key = ("hint", collection, slug)
    hint: str | None = symbols._memo.get(key)
    if hint is None:
        other = "organizations" if collection == "programs" else "programs"
        if slug in symbols.targets(other):
            hint = f'"{slug}" is one of the {other}'
        else:
            hint = (
                suggestion(slug, symbols.targets(collection))
                or f"add {collection}/{slug}.yaml, or remove the reference"
            )
        symbols._memo[key] = hint
    return hint
