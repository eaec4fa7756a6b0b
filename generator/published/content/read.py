"""Reads the files of a content folder that are no records: registry.yaml, removed.yaml,
approvals.yaml and strays; and reports the faults of all files.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import generator.hosts
from generator.contract.artifact import module_names
from generator.dialect.document import MAX_FAULTS, YamlDocument
from generator.dialect.folder import (
    APPROVALS_FILE,
    REGISTRY_FILE,
    REMOVED_FILE,
    Content,
    Source,
    slug_of,
)
from generator.dialect.parse import has_no_items
from generator.feature import Hook
from generator.kinds import Kinds
from generator.kinds.declare import OWN_FIELDS
from generator.kinds.models import Input
from generator.model.kind import Kind
from generator.model.kinds import kind_for
from generator.model.link import check_record, link_logo
from generator.model.partial import with_readable
from generator.model.settings.checks import check_kinds, check_settings, check_shared_labels
from generator.model.settings.list_files import (
    Approval,
    Approvals,
    Removal,
    Removed,
    removals_model,
)
from generator.model.settings.registry import Settings, settings_model
from generator.model.symbols import Symbols
from generator.model.validate import MAX_PROBLEMS, diagnose, read_model
from generator.problems.diagnostic import Diagnostic, suggest_word
from generator.problems.faults import Fault

#: Path of a file that was read -> the id that git gives it.
Blobs = dict[str, bytes]


def blob_id(raw: bytes) -> bytes:
    """The id that git gives to a file with these bytes: the SHA-1 of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()


class RegistryHeader(NamedTuple):
    """The content of registry.yaml and removed.yaml.  `settings` is without the fields of
    registry.yaml that have faults; `unknown` has the names of these.  `is_usable` is False if
    records cannot be shown without what is wrong there.
    """

    settings: Settings
    unknown: frozenset[str]
    blobs: Blobs
    removed: Removed
    is_usable: bool


CHECK_KEYS: Hook[Callable[[Settings, Container[str]], Iterable[Fault]]] = Hook(
    "checks", "check_keys", "settings, unread"
)


def read_header(content: Content) -> tuple[RegistryHeader, list[Diagnostic]]:
    """Read registry.yaml and removed.yaml; with their problems."""
    settings, unknown, blobs, problems, is_usable = _read_settings(content)
    removed, raw, more = read_removed(content)
    _take_kinds(content, settings.kinds)
    if raw is not None:
        blobs[REMOVED_FILE] = blob_id(raw)
    return RegistryHeader(settings, unknown, blobs, removed, is_usable), [*problems, *more]


def _take_kinds(content: Content, kinds: Kinds) -> None:
    """The kinds of the registry; of those that could not be read only the files are known."""
    names = dict.fromkeys((*kinds.referred_first, *content.sources))
    content.kinds = kinds
    content.sources = {name: content.sources.get(name, []) for name in names}


def _read_settings(
    content: Content,
) -> tuple[Settings, frozenset[str], Blobs, list[Diagnostic], bool]:
    model = settings_model(content.kinds)
    all_fields = frozenset(model.written())
    blank = model.model_construct(name="", description="")
    if any(problem.code == "missing-registry" for problem in content.problems):
        return blank, all_fields, {}, [], False
    raw = content.read_content(REGISTRY_FILE)
    if isinstance(raw, Diagnostic):
        return blank, all_fields, {}, [raw], False
    settings, faults, document = read_model(raw, model)
    unknown: frozenset[str] = frozenset()
    if settings is None:
        data = document.data if document is not None else None
        if not isinstance(data, dict):
            unknown, settings = all_fields, blank
        else:
            unknown = frozenset(str(f.loc[0]) for f in faults if f.loc) & all_fields
            valid = {k: v for k, v in data.items() if k in all_fields - unknown}
            settings = model.model_validate({"name": "-", "description": "-", **valid})
    if not unknown & _OF_KINDS and (broken := [*check_kinds(settings)]):
        faults, unknown = [*faults, *broken], unknown | _OF_KINDS
    if unknown & _OF_KINDS:
        none = {"declared_kinds": None, "fields": None, "without_kinds": None}
        settings, unknown = settings.model_copy(update=none), unknown | {"fields"}
    faults += [*_unknown_hosts(settings), *_unknown_feeds(settings, unknown)]
    for check_keys in CHECK_KEYS:
        faults += check_keys(settings, unknown)
    faults += check_settings(settings)
    if not unknown & _OF_KINDS:
        faults += check_shared_labels(settings)
    problems = diagnose(content.display_path(REGISTRY_FILE), raw, faults, document)
    is_usable = all(
        fault.loc[:1] in _OF_PAGES and fault.loc[0] in unknown
        for fault in faults
        if fault.severity == "error"
    )
    return settings, unknown, {REGISTRY_FILE: blob_id(raw)}, problems, is_usable


#: The keys of registry.yaml that decide which kinds there are: all of them are read, or none.
_OF_KINDS = frozenset(("kinds", "without_kinds"))
#: Keys that no record is checked with: a registry can be shown with their defaults.
_OF_PAGES = frozenset(
    (key,) for key in ("base_url", "license", "contact", "page_size", "site", "repository")
)


def diagnose_settings(content: Content, faults: list[Fault]) -> list[Diagnostic]:
    """Faults of registry.yaml that a build found, with their places."""
    raw = content.read_content(REGISTRY_FILE)
    raw = b"" if isinstance(raw, Diagnostic) else raw
    return diagnose(content.display_path(REGISTRY_FILE), raw, faults)


def _unknown_hosts(settings: Settings) -> Iterator[Fault]:
    hosts = module_names(generator.hosts)
    for i, name in enumerate(settings.hosts or ()):
        if name not in hosts:
            near = [host for host in hosts if host.startswith(f"{name}-")]
            hint = f'did you mean "{near[0]}"?' if near else suggest_word(name, hosts)
            message = f'hosts[{i}]: there is no host "{name}"'
            yield Fault("unknown-host", message, ("hosts", i), hint)


def _unknown_feeds(settings: Settings, unknown: frozenset[str]) -> Iterator[Fault]:
    """Names in `feeds` that are no filters of the collection with feeds."""
    if unknown & {"tag_families", "fields"} or settings.feeds is None:
        return
    timed = settings.kinds.timed
    known = [*settings.grammar().timed.listed_filters] if timed else []
    for i, name in enumerate(settings.feeds):
        if name not in known:
            from generator.model.corrections import correct_choice

            message, loc = f'feeds[{i}]: {timed or "lists"} have no filter "{name}"', ("feeds", i)
            mend = correct_choice(name, known, loc)
            yield Fault("invalid-choice", message, loc, mend.hint, fix=mend.fix)


def read_removed(content: Content) -> tuple[Removed, bytes | None, list[Diagnostic]]:
    """The removals, the bytes of the file, None if it cannot be read, and its problems."""
    removed: dict[str, dict[str, Removal]] = {name: {} for name in content.kinds}

    def repeated(removals: Iterable[Removal]) -> Iterator[Fault]:
        for i, removal in enumerate(removals):
            known = removed[content.kinds.collection_of[removal.kind]]
            if known.setdefault(removal.slug, removal) is not removal:
                subject = f'removed[{i}].slug: the {removal.kind} "{removal.slug}"'
                message, loc = f"{subject} is already in this list", ("removed", i, "slug")
                yield Fault("duplicate-slug", message, loc, "keep one of the two")

    hint = (
        'write "removed:", and below it one entry for each record: '
        "- {kind: project, slug: acme, date: 2027-01-31}"
    )
    model = removals_model(content.kinds)
    _, raw, problems = _read_list(content, REMOVED_FILE, model, lambda _: hint, repeated)
    return removed, raw, problems


def read_approvals(content: Content) -> tuple[dict[str, Approval], list[Diagnostic]]:
    """Fingerprint -> approval for a content folder, and the problems of the file."""

    def hint(raw: bytes) -> str:
        found = re.search(rb"[0-9a-f]{16}", raw)
        example = found[0].decode() if found else "0123456789abcdef"
        return (
            f'write "- fingerprint: {example}" below "approvals:", or remove the file and run '
            f"`registry approve {example}`"
        )

    approvals, _, problems = _read_list(content, APPROVALS_FILE, Approvals, hint)
    return {approval.fingerprint: approval for approval in approvals}, problems


def _read_list(
    content: Content,
    path: str,
    model: type[Input],
    example: Callable[[bytes], str],
    check: Callable[[list[Any]], Iterable[Fault]] = lambda items: (),
) -> tuple[list[Any], bytes | None, list[Diagnostic]]:
    """The items of a file that is a list, its bytes, None if it cannot be read, and its problems.
    `example` makes the hint for a file that is something else, from its bytes.
    """
    if not os.path.lexists(os.path.join(content.folder, path)):
        return [], None, []
    raw = content.read_content(path)
    if isinstance(raw, Diagnostic):
        return [], None, [raw]
    (key,) = model.model_fields
    if has_no_items(raw, key):
        return [], raw, []
    read, faults, document = read_model(raw, model)
    items = getattr(read, key) if read is not None else []
    faults = [
        replace(fault, hint_source=example(raw), fix=None)
        if fault.code in ("yaml-not-a-mapping", "wrong-type")
        else fault
        for fault in (*faults, *check(items))
    ]
    return items, raw, diagnose(content.display_path(path), raw, faults, document)


def check_strays(content: Content) -> list[Diagnostic]:
    """Report files outside of the collections, and which collection they look like."""
    problems = []
    for shown, path in content.stray_yaml:
        raw, looks = content.read_content(path), None
        if isinstance(raw, Diagnostic):
            problems.append(raw)
        else:
            from generator.dialect.examine import examine

            looks = _looks_like(examine(raw).data, content.kinds)
        message = "the build ignores this"
        hint = content.where
        if looks is not None:
            name = "this" if shown == path else f'"{path.rpartition("/")[2]}" in this folder'
            message, hint = _belongs_in(content, looks, name)
        problems.append(content.file_problem(shown, "stray-file", message, hint))
    return problems


def _belongs_in(content: Content, collection: str, subject: str = "this") -> tuple[str, str]:
    """The message and the hint for a record that looks like one of another collection."""
    kind = content.kinds[collection].with_article
    message = f"{subject} looks like {kind}: it belongs in {collection}/"
    return message, f"move it to {content.display_path(collection)}/"


def _looks_like(data: Any, kinds: Kinds) -> str | None:
    """The only collection that has all of these fields and no other required field; else None."""
    if not isinstance(data, dict):
        return None
    matching = []
    for name, kind in kinds.items():
        fields = kind.written
        required = {n for n, field in fields.items() if field.required and not field.is_own}
        if required <= data.keys() <= {*fields, OWN_FIELDS}:
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
        looks = _looks_like(document.data, content.kinds)
    path = content.display_path(source.path)
    if looks is not None and looks != kind.collection:
        return [Diagnostic(path, 1, 1, "misplaced-record", *_belongs_in(content, looks))]
    if document is not None and any(fault.severity == "error" for fault in faults):
        faults = with_readable(faults, kind, document.data, symbols)
    return diagnose(path, raw, faults, document, symbols, most, symbols.accepted)


def _hints_at_other_kind(fault: Fault) -> bool:
    return (fault.code == "unknown-field" and len(fault.loc) == 1) or (
        fault.code == "invalid-choice" and fault.loc == ("kind",)
    )


def diagnose_bytes(content: Content, path: str, raw: bytes, symbols: Symbols) -> list[Diagnostic]:
    """The problems that a record, or registry.yaml, would have if its file had these bytes."""
    if path == REGISTRY_FILE:
        settings, faults, document = read_model(raw, settings_model(content.kinds))
        if settings is not None:
            faults += [*check_kinds(settings)] or check_shared_labels(settings)
        return diagnose(content.display_path(path), raw, faults, document, most=MAX_FAULTS)
    kind = kind_for(content.kinds[path.partition("/")[0]])
    model, faults, document = read_model(raw, symbols.model(kind.collection))
    if model is not None:
        faults += check_record(kind, model, symbols) + link_logo(path, model, symbols, set())
    source = Source(slug_of(path), path)
    return diagnose_record(content, source, kind, raw, faults, document, symbols, MAX_FAULTS)
