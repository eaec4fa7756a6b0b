"""The logos of records that are renamed, removed or merged.

A logo that another record of its folder names stays where it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from generator.dialect.folder import Content, Source
from generator.dialect.tree import Unchangeable, parse_or_raise
from generator.edit.changes import FileChange, Refused
from generator.problems.diagnostic import Diagnostic


def logo_of(content: Content, source: Source, name: Any) -> str | None:
    """The path of the logo that a record names; None if there is no such file."""
    path = f"{_folder(source.path)}/{name}"
    return path if path in content.logos else None


def rename_logo(
    content: Content, source: Source, name: Any, slug: str
) -> tuple[str, list[FileChange]] | None:
    """The new name of the logo of a record that gets another slug, and the changes.  None if the
    logo keeps its name: it is not named like the record, another record names it, or a file with
    the new name exists.
    """
    logo = logo_of(content, source, name)
    if logo is None or name.rpartition(".")[0] != source.slug:
        return None
    new_name = f"{slug}.{name.rpartition('.')[2]}"
    target = f"{_folder(logo)}/{new_name}"
    raw = _read(content, logo)
    if raw is None or target in content.logos or _is_named(content, logo, {source.path}):
        return None
    return new_name, [FileChange(logo, raw, None), FileChange(target, None, raw)]


def remove_logo(content: Content, logo: str | None, records: Collection[str]) -> list[FileChange]:
    """The removal of the logo of these records (paths); nothing if another record names it."""
    if logo is None or _is_named(content, logo, records):
        return []
    raw = _read(content, logo)
    return [FileChange(logo, raw, None)] if raw is not None else []


def merge_logos(
    content: Content, removed: tuple[Source, Any], kept: tuple[Source, Any], *, take: bool
) -> list[FileChange]:
    """The changes of logos if one record is merged into another, each given with its `logo`.

    With `take` the record that is kept gets the logo of the removed one.  Raises Refused if the
    folder has another file with its name.
    """
    paths = {removed[0].path, kept[0].path}
    other, own = logo_of(content, *removed), logo_of(content, *kept)
    if not take:
        return remove_logo(content, other if other != own else None, paths)
    if other is None:
        return []
    target = f"{_folder(kept[0].path)}/{other.rpartition('/')[2]}"
    changes = remove_logo(content, own if own not in (other, target) else None, paths)
    if target == other:
        return changes
    raw, before = _read(content, other), _read(content, target)
    if raw is None:
        return changes
    if before is not None and before != raw and target != own:
        raise Refused(
            f"{content.display_path(other)} belongs beside {content.display_path(kept[0].path)}, "
            "where another file has its name: rename one of the two logos first"
        )
    moved = [FileChange(target, before, raw)] if before != raw else []
    return [*changes, *moved, *remove_logo(content, other, paths)]


def _is_named(content: Content, logo: str, records: Collection[str]) -> bool:
    """Whether a record that is not one of `records` names a logo."""
    folder, _, name = logo.rpartition("/")
    for source in content.sources[logo.partition("/")[0]]:
        if source.path in records or _folder(source.path) != folder:
            continue
        taken = content.read_content(source.path)
        if isinstance(taken, Diagnostic) or name.encode() not in taken:
            continue
        try:
            if parse_or_raise(taken).get("logo") == name:
                return True
        except Unchangeable:
            return True  # it may name the logo
    return False


def _read(content: Content, path: str) -> bytes | None:
    if path not in content.logos:
        return None
    taken = content.read_content(path)
    return None if isinstance(taken, Diagnostic) else taken


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
