"""Resolves references: makes the symbols of a registry, and checks records with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from generator.feature import parts
from generator.grammar.grammar import Grammar
from generator.kinds.types import fold_website
from generator.model.checks import RECORD_CHECKS
from generator.model.kind import Kind
from generator.model.kinds import kind_for
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols, Target
from generator.problems.diagnostic import Fix, accepted_by, nearest_word
from generator.problems.faults import Fault


def link(
    settings: Settings,
    grammar: Grammar,
    models: Mapping[str, Mapping[str, Any]],
    slugs: Mapping[str, Iterable[str]],
    unknown: frozenset[str] = frozenset(),
    today: str | None = None,
    logos: Mapping[str, str] = MappingProxyType({}),
) -> Symbols:
    """The symbols of a registry.

    `models` are the records that others refer to, by collection and slug.  `slugs` are those of all
    files of a collection: references to an invalid file resolve, so it is reported once and not
    again for each reference.  `unknown` has the fields of registry.yaml
    that could not be read; checks that need them do not run.  `logos` are those of `Symbols`.
    """
    referred: dict[str, dict[str, Target]] = {}
    for name in grammar.kinds.referred:
        kind, records = kind_for(grammar.kinds[name]), models.get(name, {})
        parents = records if kind.declared.has_parents else {}
        targets = {s: kind.target(s, r, _ancestors(s, parents)) for s, r in records.items()}
        for slug in slugs.get(name, ()):
            targets.setdefault(slug, Target(slug, (slug,)))
        referred[name] = dict(sorted(targets.items()))
    families = settings.families
    symbols = Symbols(
        grammar=grammar,
        tags={family: f.tags or f.labels or {} for family, f in families.items()},
        closed_families=frozenset(family for family, f in families.items() if f.tags is not None),
        vocabularies={
            of.name: getattr(settings, of.setting, None) or {}
            for of in grammar.kinds.vocabularies.values()
        },
        referred=referred,
        websites={name: _by_website(records) for name, records in models.items()},
        current_slugs={name: _aliases(records) for name, records in models.items()},
        unread_settings=unknown,
        today=today,
        language=settings.language,
        logos=logos,
        extras={
            feature.name: module.know(settings)
            for feature, module in parts("collect")
            if hasattr(module, "know")
        },
        accepted=accepted_by(settings.accept),
    )
    return _passing(symbols, models)


def _passing(symbols: Symbols, models: Mapping[str, Mapping[str, Any]]) -> Symbols:
    """The symbols with what records have through relations of others to them."""
    kinds = symbols.grammar.kinds
    names: dict[str, set[str]] = {}
    for declared in kinds.values():
        for f in (f for f in declared.own if f.through):
            names.setdefault(f.refers, set()).update(f.through)
    passed, places = dict[str, Any](), dict[str, Any]()
    for collection, wanted in names.items():
        kind, labels = kind_for(kinds[collection]), dict[str, str]()
        passed[collection] = {
            slug: tuple(f for f in kind.facets(record, symbols) if f.filter in wanted)
            for slug, record in models[collection].items()
        }
        for record in models[collection].values():
            for place in kind.places(record, symbols):
                labels[place.slug] = min(place.label, labels.get(place.slug, place.label))
        places[collection] = labels
    return replace(symbols, passed=passed, places=places) if names else symbols


def _aliases(records: Mapping[str, Any]) -> dict[str, str]:
    """former slug -> slug"""
    return {alias: slug for slug, record in records.items() for alias in record.aliases or ()}


def _by_website(records: Mapping[str, Any]) -> dict[str, str]:
    """Website, as duplicates are compared, -> slug, for the websites of one record."""
    slugs: dict[str, list[str]] = {}
    for slug, record in records.items():
        if record.website is not None:
            slugs.setdefault(fold_website(record.website), []).append(slug)
    return {website: one[0] for website, one in slugs.items() if len(one) == 1}


def _ancestors(slug: str, records: Mapping[str, Any]) -> tuple[str, ...]:
    """A record and its ancestors, nearest first; a cycle ends where it would repeat."""
    ancestors: dict[str, None] = {}
    current: str | None = slug
    while current is not None and current in records and current not in ancestors:
        ancestors[current] = None
        current = records[current].parent
    return tuple(ancestors) or (slug,)


def link_logo(path: str, record: Any, symbols: Symbols, named: set[str]) -> list[Fault]:
    """Replace the file name of a record's logo by the path of the published file.

    `path` is that of the record's file.  Adds the path of the logo in the content folder to
    `named`.  Returns a fault if there is no such file.
    """
    name: str | None = record.__dict__.get("logo")
    if name is None:
        return []
    folder = path.rpartition("/")[0]
    logo = f"{folder}/{name}"
    record.logo = symbols.logos.get(logo) or None
    named.add(logo)
    return [] if logo in symbols.logos else [_missing_logo(name, folder, symbols)]


def _missing_logo(name: str, folder: str, symbols: Symbols) -> Fault:
    """The fault of a logo whose file does not exist, with the file that is probably meant."""
    beside = [path.rpartition("/") for path in symbols.logos]
    near = nearest_word(name, [other for where, _, other in beside if where == folder])
    elsewhere = next((where for where, _, other in beside if other == name), None)
    fix = None
    if near is not None:
        hint = f'did you mean "{near}"?'
        fix = Fix("value", near, ("logo",)) if near.lower() == name.lower() else None
    elif elsewhere is not None:
        hint = f"it is in {elsewhere}/: move it to {folder}/, beside the record"
    else:
        hint = f"put the file into {folder}/, or correct the name"
    message = f'logo: there is no file "{name}" beside this record'
    return Fault("missing-logo", message, ("logo",), hint, fix=fix)


def check_record(kind: Kind, record: Any, symbols: Symbols) -> list[Fault]:
    """The faults of one record that its fields alone do not show."""
    return check_records(kind, {0: record}, symbols).get(0, [])


def check_records(
    kind: Kind, records: Mapping[int, Any], symbols: Symbols
) -> dict[int, list[Fault]]:
    """Number -> faults, for the records that have faults.

    Each check runs over all records before the next: its code stays in the processor's caches.
    """
    faults: dict[int, list[Fault]] = {}
    for check in RECORD_CHECKS:
        for number, record in records.items():
            for fault in check(kind, record, symbols):
                faults.setdefault(number, []).append(fault)
    return faults
