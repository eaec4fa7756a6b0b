"""Every reference names a record that exists."""

from functools import partial
from typing import Any

from generator.grammar.names import KIND_OF
from generator.model.symbols import Kind, Reference, Symbols
from generator.problems.diagnostic import Fix, suggestion
from generator.problems.faults import Fault, spell


def check_record(kind: Kind, record: Any, symbols: Symbols) -> list[Fault]:
    return [
        _unknown(reference, symbols)
        for reference in kind.references(record)
        if reference[2] not in symbols.targets(reference[1])
    ]


def _unknown(reference: Reference, symbols: Symbols) -> Fault:
    loc, collection, slug = reference
    now = symbols.renamed.get(collection, {}).get(slug)
    if now is not None:
        what = f'{spell(loc)}: the {KIND_OF[collection]} "{slug}" is now called "{now}"'
        return Fault("unknown-reference", what, loc, f'write "{now}"', fix=Fix("value", now, loc))
    what = f'{spell(loc)}: there is no {KIND_OF[collection]} "{slug}"'
    return Fault("unknown-reference", what, loc, partial(_hint, slug, collection, symbols))


def _hint(slug: str, collection: str, symbols: Symbols) -> str:
    """Kept in the symbols: a program that was renamed is missed by thousands of projects, and to
    search takes milliseconds.
    """
    key = ("hint", collection, slug)
    hint: str | None = symbols.memo.get(key)
    if hint is None:
        other = "organizations" if collection == "programs" else "programs"
        if slug in symbols.targets(other):
            hint = f'"{slug}" is in {other}/, not in {collection}/'
        else:
            hint = (
                suggestion(slug, symbols.targets(collection))
                or f"add {collection}/{slug}.yaml, or remove the reference"
            )
        symbols.keep(key, hint)
    return hint
