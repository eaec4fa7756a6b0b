"""A word of a vocabulary, such as a category, is declared in registry.yaml."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.model.kind import Kind
from generator.model.suggestions import suggest_declared
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Cause
from generator.problems.faults import Fault


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    for field, of in kind.declared.vocabularies.items():
        slug, listed = getattr(record, field), symbols.vocabulary(of.name)
        if slug is None or slug in listed or of.setting in symbols.unread_settings:
            continue
        message = f'{field}: there is no {of.noun} "{slug}"'
        hint = partial(suggest_declared, slug, listed, of.setting)
        cause = Cause("registry.yaml", f'{of.noun} "{slug}"', (of.setting,))
        yield Fault(of.code, message, (field,), hint, cause=cause)
