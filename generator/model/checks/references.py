"""Every reference has the slug of a record that exists."""

from functools import partial
from typing import Any

from generator.kinds import KIND_OF
from generator.model.kind import Kind, Reference
from generator.model.suggestions import suggest_reference
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Cause, Fix
from generator.problems.faults import Fault, describe_field


def check_record(kind: Kind, record: Any, symbols: Symbols) -> list[Fault]:
    return [
        _unknown(reference, symbols)
        for reference in kind.references(record)
        if reference[2] not in symbols.targets(reference[1])
    ]


def _unknown(reference: Reference, symbols: Symbols) -> Fault:
    loc, collection, slug = reference
    new = symbols.current_slugs.get(collection, {}).get(slug)
    if new is not None:
        message = f'{describe_field(loc)}: the {KIND_OF[collection]} "{slug}" is now called "{new}"'
        fix = Fix("value", new, loc)
        return Fault("unknown-reference", message, loc, f'write "{new}"', fix=fix)
    message = f'{describe_field(loc)}: there is no {KIND_OF[collection]} "{slug}"'
    find_hint = partial(suggest_reference, slug, collection, symbols)
    # The search takes milliseconds, and thousands of projects may refer to the same absent program.
    hint = partial(symbols.cached, ("hint", collection, slug), find_hint)
    cause = Cause(f"{collection}/{slug}.yaml", f'{KIND_OF[collection]} "{slug}"')
    return Fault("unknown-reference", message, loc, hint, cause=cause)
