"""An identifier has a known scheme and the scheme's form, and belongs to one record of a kind."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from generator.features.identifiers.schemes import MAX_ID, IdScheme, listed, schemes_of
from generator.features.identifiers.settings import Publish, Settings
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.checks.duplicates import same_hint
from generator.model.kind import Kind
from generator.model.settings.registry import Settings as Registry
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix, suggest_word
from generator.problems.faults import Fault, Loc, describe_field, shorten


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    written: Mapping[str, Any] | None = record.identifiers
    if not written or "identifier_schemes" in symbols.unread_settings:
        return
    schemes = schemes_of(symbols)
    for name in written:
        if name not in schemes:
            message = f'identifiers: there is no scheme "{name}"'
            near = suggest_word(name, schemes, max_words=0)
            add = "declare it in registry.yaml, under identifier_schemes"
            hint = f"{near} If not, {add}" if near else add
            yield Fault("unknown-scheme", message, ("identifiers", name), hint, on_key=True)
    seen: set[tuple[str, str]] = set()
    for name, text, loc in listed(written):
        scheme = schemes.get(name)
        if scheme is not None and not scheme.is_valid(text):
            yield _invalid(scheme, text, loc)
        elif scheme is not None and (name, text.lower()) in seen:
            message = f'{describe_field(loc)}: "{text}" is already in this list'
            fix = Fix("remove", None, loc)
            yield Fault("duplicate-identifier", message, loc, "remove it", fix=fix)
        seen.add((name, text.lower()))


def _invalid(scheme: IdScheme, text: str, loc: Loc) -> Fault:
    message = f'{describe_field(loc)}: "{shorten(text)}" is not an identifier of {scheme.label}'
    better = scheme.corrected(text)
    fix = Fix("value", better, loc) if better is not None else None
    hint = f"write an id like {scheme.example}, without an address"
    if better is not None:
        hint = f'write it "{better}"'
    elif scheme.check and scheme._replace(check="").is_valid(text):
        hint = "its checksum is wrong: copy it again"
    elif not scheme.example:
        hint = f"write at most {MAX_ID} letters, digits, ., _ and -, in the form {scheme.pattern}"
    return Fault("invalid-identifier", message, loc, hint, fix=fix)


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    for collection, records in collections.items():
        owners: dict[tuple[str, str], tuple[str, Loc]] = {}
        for slug, collected in sorted(records.extras.get("identifiers", {}).items()):
            counts = Counter[str]()
            for scheme, written in collected:
                text = written.lower()
                loc = ("identifiers", scheme, counts[scheme])
                counts[scheme] += 1
                other = owners.setdefault((scheme, text), (slug, loc))
                if other[0] != slug:
                    message = f'identifiers.{scheme}: "{text}" is an identifier of {other[0]} too'
                    hint = (
                        f"{same_hint(records.declared.kind, slug, other[0])} If not, correct one."
                    )
                    fault = Fault("duplicate-identifier", message, loc, hint, other=other)
                    yield RecordFault(collection, slug, fault)


def check_keys(settings: Registry, unread: Container[str]) -> Iterator[Fault]:
    """Names in `publish.by_id` that are no schemes of identifiers."""
    by_id = Publish.of(settings.publish).by_id
    if by_id is None or "identifier_schemes" in unread:
        return
    known = [*Settings.of(settings).schemes()]
    for i, name in enumerate(by_id):
        if name not in known:
            loc = ("publish", "by_id", i)
            message = f'publish.by_id[{i}]: there is no scheme "{name}"'
            yield Fault("unknown-scheme", message, loc, suggest_word(name, known))
