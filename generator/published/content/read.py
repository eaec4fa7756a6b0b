"""Reads the files of a content folder that are no records: registry.yaml, removed.yaml and strays;
and reports the faults of all files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from generator.dialect.document import MAX_FAULTS, YamlDocument
from generator.dialect.folder import REGISTRY_FILE, REMOVED_FILE, Content, Source, slug_of
from generator.dialect.parse import has_no_items
from generator.dialect.strays import kind_with_article
from generator.feature import Hook
from generator.kinds import COLLECTION_OF
from generator.kinds.every import COLLECTIONS
from generator.kinds.record import Record
from generator.model.checks.tags import check_listed_tags
from generator.model.kind import Kind
from generator.model.kinds import KINDS
from generator.model.link import check_record, link_logo
from generator.model.partial import with_readable
from generator.model.settings.checks import check_settings
from generator.model.settings.registry import Settings
from generator.model.settings.removed import Removal, Removals, Removed
from generator.model.symbols import Symbols
from generator.model.validate import MAX_PROBLEMS, diagnose, read_model
from generator.problems.diagnostic import Diagnostic, Position, suggest_word
from generator.problems.faults import Fault
from generator.published.content.digest import blob_id

#: Path of a file that was read -> the id that git gives it.
Blobs = dict[str, bytes]


class RegistryHeader(NamedTuple):
    """The content of registry.yaml and removed.yaml.  `settings` is without the fields of
    registry.yaml that have faults; `unknown` has the names of these.
    """

    settings: Settings
    unknown: frozenset[str]
    blobs: Blobs
    removed: Removed


CHECK_KEYS: Hook[Callable[[Settings, Container[str]], Iterable[Fault]]] = Hook(
    "checks", "check_keys", "settings, unread"
)


def read_settings(content: Content, hosts: list[str]) -> tuple[RegistryHeader, list[Diagnostic]]:
    """registry.yaml and its problems.  `hosts` has the names of all hosts."""
    all_fields = frozenset(Settings.model_fields)
    blank = Settings.model_construct(name="", description="")
    if any(problem.code == "missing-registry" for problem in content.problems):
        return RegistryHeader(blank, all_fields, {}, {}), []
    taken = content.read_content(REGISTRY_FILE)
    if isinstance(taken, Diagnostic):
        return RegistryHeader(blank, all_fields, {}, {}), [taken]
    raw = taken
    settings, faults, document = read_model(raw, Settings)
    unknown: frozenset[str] = frozenset()
    if settings is None:
        data = document.data if document is not None else None
        if not isinstance(data, dict):
            unknown, settings = all_fields, blank
        else:
            unknown = frozenset(str(f.loc[0]) for f in faults if f.loc) & all_fields
            valid = {k: v for k, v in data.items() if k in all_fields - unknown}
            settings = Settings.model_validate({"name": "-", "description": "-", **valid})
    for i, name in enumerate(settings.hosts or ()):
        if name not in hosts:
            message = f'hosts[{i}]: there is no host "{name}"'
            near = [host for host in hosts if host.startswith(f"{name}-")]
            hint = f'did you mean "{near[0]}"?' if near else suggest_word(name, hosts)
            faults.append(Fault("unknown-host", message, ("hosts", i), hint))
    faults += _unknown_feeds(settings, unknown)
    for check_keys in CHECK_KEYS:
        faults += check_keys(settings, unknown)
    families = settings.families.items()
    faults += check_settings(settings)
    faults += check_listed_tags({name: f.tags for name, f in families if f.tags is not None})
    problems = diagnose(content.display_path(REGISTRY_FILE), raw, faults, document)
    return RegistryHeader(settings, unknown, {REGISTRY_FILE: blob_id(raw)}, {}), problems


def read_models(folder: str) -> dict[str, type[Record]]:
    """The models of a content folder by collection, for workers on other machines."""
    import generator.hosts
    from generator.contract.artifact import module_names

    header, _ = read_settings(Content(folder), module_names(generator.hosts))
    return header.settings.models(header.unknown)


def diagnose_settings(content: Content, faults: list[Fault]) -> list[Diagnostic]:
    """Faults of registry.yaml that a build found, with their places."""
    taken = content.read_content(REGISTRY_FILE)
    raw = b"" if isinstance(taken, Diagnostic) else taken
    return diagnose(content.display_path(REGISTRY_FILE), raw, faults)


def _unknown_feeds(settings: Settings, unknown: frozenset[str]) -> Iterator[Fault]:
    """Names in `feeds` that are no filters of events."""
    if unknown & {"tag_families", "fields"} or settings.feeds is None:
        return
    known = [*settings.grammar().events.listed_filters]
    for i, name in enumerate(settings.feeds):
        if name not in known:
            from generator.model.corrections import correct_choice

            message, loc = f'feeds[{i}]: events have no filter "{name}"', ("feeds", i)
            mend = correct_choice(name, known, loc)
            yield Fault("invalid-choice", message, loc, mend.hint, fix=mend.fix)


_REMOVED = (
    'write "removed:", and below it one entry for each record: '
    "- {kind: project, slug: acme, date: 2027-01-31}"
)


def read_removed(content: Content) -> tuple[Removed, Blobs, list[Diagnostic]]:
    """The content of removed.yaml, the files read, and problems; empty if the file is missing."""
    removed: dict[str, dict[str, Removal]] = {name: {} for name in COLLECTIONS}
    if not os.path.lexists(os.path.join(content.folder, REMOVED_FILE)):
        return removed, {}, []
    taken = content.read_content(REMOVED_FILE)
    if isinstance(taken, Diagnostic):
        return removed, {}, [taken]
    blobs = {REMOVED_FILE: blob_id(taken)}
    if has_no_items(taken, "removed"):
        return removed, blobs, []
    model, faults, document = read_model(taken, Removals)
    faults = [
        replace(fault, hint_source=_REMOVED, fix=None)
        if fault.code in ("yaml-not-a-mapping", "wrong-type")
        else fault
        for fault in faults
    ]
    for i, removal in enumerate(model.removed if model is not None else ()):
        if removed[COLLECTION_OF[removal.kind]].setdefault(removal.slug, removal) is not removal:
            message = (
                f'removed[{i}].slug: the {removal.kind} "{removal.slug}" is already in this list'
            )
            hint = "keep one of the two"
            faults.append(Fault("duplicate-slug", message, ("removed", i, "slug"), hint))
    return removed, blobs, diagnose(content.display_path(REMOVED_FILE), taken, faults, document)


def check_strays(content: Content) -> list[Diagnostic]:
    """Report files outside of the collections, and which collection they look like."""
    problems = []
    for stray_path, path in content.stray_yaml:
        taken = content.read_content(path)
        document = None
        if isinstance(taken, Diagnostic):
            problems.append(taken)
        else:
            from generator.dialect.examine import examine

            document = examine(taken)
        looks = _looks_like(document.data) if document is not None else None
        message = "the build ignores this"
        hint = f"records belong in {', '.join(f'{name}/' for name in COLLECTIONS)}"
        if looks is not None:
            subject = (
                "this" if stray_path == path else f'"{path.rpartition("/")[2]}" in this folder'
            )
            message = f"{subject} looks like {kind_with_article(looks)}: it belongs in {looks}/"
            hint = f"move it to {content.display_path(looks)}/"
        problems.append(content.file_problem(stray_path, "stray-file", message, hint))
    return problems


def _looks_like(data: Any) -> str | None:
    """The only collection that has all of these fields and no other required field; else None."""
    if not isinstance(data, dict):
        return None
    matching = []
    for name, kind in KINDS.items():
        fields = kind.declared.written
        if (
            data.keys() <= fields.keys()
            and {f for f, field in fields.items() if field.required} <= data.keys()
        ):
            matching.append(name)
    return matching[0] if len(matching) == 1 else None


def diagnose_record(
    content: Content,
    source: Source,
    kind: Kind,
    raw: bytes,
    faults: list[Fault],
    document: YamlDocument | None,
    symbols: Symbols,
    most: int = MAX_PROBLEMS,
) -> list[Diagnostic]:
    """The problems of a record's file.  A record in the folder of another kind has only one."""
    looks = None
    if document is not None and any(map(_hints_at_other_kind, faults)):
        looks = _looks_like(document.data)
    path = content.display_path(source.path)
    if looks is None or looks == kind.collection:
        if document is not None and any(fault.severity == "error" for fault in faults):
            faults = with_readable(faults, kind, document.data, symbols)
        return diagnose(path, raw, faults, document, symbols, most, symbols.accepted)
    message = f"this looks like {kind_with_article(looks)}: it belongs in {looks}/"
    hint = f"move it to {content.display_path(looks)}/"
    return [Diagnostic(path, 1, 1, "misplaced-record", message, hint)]


def diagnose_bytes(content: Content, path: str, raw: bytes, symbols: Symbols) -> list[Diagnostic]:
    """The problems that a record, or registry.yaml, would have if its file had these bytes."""
    if path == REGISTRY_FILE:
        _, faults, document = read_model(raw, Settings)
        return diagnose(content.display_path(path), raw, faults, document, most=MAX_FAULTS)
    kind = KINDS[path.partition("/")[0]]
    model, faults, document = read_model(raw, symbols.model(kind.collection))
    if model is not None:
        faults += check_record(kind, model, symbols) + link_logo(path, model, symbols, set())
    source = Source(slug_of(path), path)
    return diagnose_record(content, source, kind, raw, faults, document, symbols, MAX_FAULTS)


def _hints_at_other_kind(fault: Fault) -> bool:
    return (fault.code == "unknown-field" and len(fault.loc) == 1) or (
        fault.code == "invalid-choice" and fault.loc == ("kind",)
    )


def locate_faults(
    content: Content, source: Source, faults: list[Fault], symbols: Symbols
) -> list[Diagnostic]:
    """Problems with their positions, for faults that were found after the file was read."""
    taken = content.read_content(source.path)
    if isinstance(taken, Diagnostic):
        return [taken]
    path = content.display_path(source.path)
    return diagnose(path, taken, faults, accepted=symbols.accepted)


def with_other_place(content: Content, source: Source, fault: Fault) -> Fault:
    """A fault with the line and column of its other place, which is in the file of `source`."""
    taken = content.read_content(source.path)
    if fault.other is None or isinstance(taken, Diagnostic):
        return fault
    from generator.dialect.examine import examine

    line, column = examine(taken).locate(Fault("", "", fault.other[1]))
    path = content.display_path(source.path)
    message = f"{fault.message}, at {path}:{line}"
    return replace(fault, message=message, also=(Position(path, line, column),))
