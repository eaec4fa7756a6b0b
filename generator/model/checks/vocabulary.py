"""Organization categories, program types and stages of events are declared in registry.yaml."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from generator.model.kind import Kind
from generator.model.suggestions import suggest_declared
from generator.model.symbols import Symbols
from generator.problems.faults import Fault

COLLECTIONS = ("organizations", "programs", "events")


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    if kind.collection == "organizations":
        field, slug = "category", record.category
        code, noun = "unknown-category", "organization category"
        setting, listed = "organization_categories", symbols.categories
    elif kind.collection == "events":
        field, slug = "stage", record.stage
        code, noun = "unknown-stage", "stage"
        setting, listed = "event_stages", symbols.stages
    else:
        field, slug = "type", record.type
        code, noun = "unknown-program-type", "program type"
        setting, listed = "program_types", symbols.program_types
    if slug is None or slug in listed or setting in symbols.unread_settings:
        return ()
    message = f'{field}: there is no {noun} "{slug}"'
    hint = partial(suggest_declared, slug, listed, setting)
    return [Fault(code, message, (field,), hint)]
