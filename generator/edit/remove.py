"""The removal of a record: its file, references to it, and an entry in removed.yaml."""

from __future__ import annotations

from datetime import date

from generator.dialect.folder import REMOVED_FILE
from generator.edit.changes import FileChange, Plan, Refused, Skipped
from generator.edit.logos import logo_of, remove_logo
from generator.edit.rename import (
    append_entries,
    change_references,
    changed_bytes,
    check_entry,
    find_source,
    read_field,
    read_list,
    references,
    referring_records,
    removed_slugs,
)
from generator.edit.workspace import scan_records
from generator.model.settings.list_files import Removal
from generator.problems.diagnostic import Diagnostic
from generator.text.words import is_slug

_MAX_LISTED = 20  # references in a message
_NEW = "# Records that were removed for good. No other record gets their slugs.\n"


def remove(
    folder: str, collection: str, slug: str, on: date, reason: str = "", *, unlink: bool = False
) -> Plan:
    """Remove a record, and add its slug and its aliases to removed.yaml.

    With `unlink` references to it are removed too.  Raises Refused if other records refer to it
    without `unlink`, and if a reference is required.
    """
    content = scan_records(folder)
    source = find_source(content, collection, slug)
    taken = content.read_content(source.path)
    if isinstance(taken, Diagnostic):
        raise Refused(f"{taken.path} {taken.message}")
    changes = [FileChange(source.path, taken, None)]
    logo = logo_of(content, source, read_field(content, source.path, "logo"))
    changes += remove_logo(content, logo, {source.path})
    left: list[Skipped] = []
    places: list[str] = []
    required: list[str] = []
    for referring, other, text in referring_records(content, collection, slug, {source.path}, left):
        for loc in list(references(content.kinds[referring], text.data, collection, slug)):
            line, column = text.place(loc)
            keys = tuple(key for key in loc if isinstance(key, str))
            place = f"{content.display_path(other.path)}:{line}:{column}: {'.'.join(keys)}"
            places.append(place)
            if content.kinds[referring].places[keys].required:
                required.append(place)
        if unlink and change_references(text, content.kinds[referring], collection, slug, None):
            changes.append(FileChange(other.path, text.raw, changed_bytes(content, other, text)))
    kind = content.kinds[collection]
    title = f'the {kind.noun} "{slug}"'
    if required and (unlink or len(required) == len(places)):
        raise Refused(
            f"{title} cannot be removed: these records need it:{_listed(required)}\n"
            "name another record there, or remove these records first"
        )
    if places and not unlink:
        raise Refused(
            f"{title} cannot be removed: other records refer to it:{_listed(places)}\n"
            "Add --unlink to remove these references too. If another record describes the same "
            f"{kind.noun}, run `registry merge`."
        )
    aliases = read_list(content, source.path, "aliases")
    slugs = [slug, *(alias for alias in aliases if isinstance(alias, str) and is_slug(alias))]
    known = removed_slugs(content, collection)  # they keep their entries
    entry = {"kind": kind.kind, "slug": slug, "date": on.isoformat()}
    entry |= {"reason": reason} if reason else {}
    entries = [entry | {"slug": each} for each in slugs if each not in known]
    if entries:
        check_entry(entries[0], Removal)
        changes.append(append_entries(content, REMOVED_FILE, entries, _NEW))
    return Plan(changes, left)


def _listed(places: list[str]) -> str:
    more = len(places) - _MAX_LISTED
    rest = f"\n  … and {more:,} more" if more > 0 else ""
    return "".join(f"\n  {place}" for place in places[:_MAX_LISTED]) + rest
