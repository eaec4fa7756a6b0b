"""Every reference has the slug of a record that exists, and every word of a vocabulary, such as a
category, is declared in registry.yaml.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.model.kind import Kind, RecordReference
from generator.model.suggestions import suggest_declared, suggest_reference
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Cause, Fix
from generator.problems.faults import Fault, describe_field


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for reference in kind.references(record):
        if reference[2] not in symbols.targets(reference[1]):
            yield _unknown(reference, symbols)
    for field, of in kind.declared.vocabularies.items():
        slug, listed = getattr(record, field), symbols.vocabulary(of.name)
        if slug is None or slug in listed or of.setting in symbols.unread_settings:
            continue
        message = f'{field}: there is no {of.noun} "{slug}"'
        hint = partial(suggest_declared, slug, listed, of.setting)
        cause = Cause("registry.yaml", f'{of.noun} "{slug}"', (of.setting,))
        yield Fault(of.code, message, (field,), hint, cause=cause)


def _unknown(reference: RecordReference, symbols: Symbols) -> Fault:
    loc, collection, slug = reference
    kind = symbols.grammar.kinds[collection].noun
    new = symbols.current_slugs.get(collection, {}).get(slug)
    if new is not None:
        message = f'{describe_field(loc)}: the {kind} "{slug}" is now called "{new}"'
        fix = Fix("value", new, loc)
        return Fault("unknown-reference", message, loc, f'write "{new}"', fix=fix)
    message = f'{describe_field(loc)}: there is no {kind} "{slug}"'
    find_hint = partial(suggest_reference, slug, collection, symbols)
    # The search takes milliseconds, and thousands of projects may refer to the same absent program.
    hint = partial(symbols.cached, ("hint", collection, slug), find_hint)
    cause = Cause(f"{collection}/{slug}.yaml", f'{kind} "{slug}"')
    return Fault("unknown-reference", message, loc, hint, cause=cause)
