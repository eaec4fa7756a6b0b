"""The records that the last commits added, changed, renamed and removed.

Only first parents count: a merged change has the date of its merge.  A file that moved between
folders is the same record.  A new record counts as renamed if its aliases include the slug
of a removed record, or if it has the same bytes.  Names are those at the time of the commit.
Commits are not trusted: paths that are not records are skipped, and a record without a readable
name is shown by its slug.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal, NamedTuple

from generator.build.cache.store import Cache
from generator.build.differences import differences, parse
from generator.build.provenance import is_shallow, run_git, stream_git
from generator.contract.artifact import MAX_CHANGES, Change, Detail, Details, Difference, History
from generator.dialect.folder import COLLECTIONS, MAX_BYTES, is_record
from generator.grammar.text import MAX_SLUG, SLUG, format_utc
from generator.model.examples import is_example
from generator.model.fields import Name, Slugs
from generator.model.models import Model
from generator.model.validator import ValidationError

#: Of more changes of one kind and collection in a commit the site lists only so many.
MAX_LISTED = 20
#: If a commit added more records than this, their aliases are not read to find renames.
_MOST_RENAMED = 200
_is_slug = re.compile(SLUG).fullmatch
#: The order of collections in the changes of a commit.
_ORDER = {name: number for number, name in enumerate(COLLECTIONS)}
#: The git mode of a regular file begins with this.
_REGULAR = b"100"

#: A record: its collection and its slug.
_Key = tuple[str, str]


class _Version(Model):
    """The fields of an earlier version of a record that are needed here."""

    extra: ClassVar[Literal["ignore"]] = "ignore"

    name: Name
    aliases: Slugs | None = None


class Commit(NamedTuple):
    """The id and time of a commit, and the blobs of the records that it removed, added and changed.

    `before` has the former blobs of changed records.
    """

    id: str
    at: str
    removed: dict[_Key, str]
    added: dict[_Key, str]
    changed: dict[_Key, str]
    before: dict[_Key, str]


class Found(NamedTuple):
    """A change, the blob that has the name of the record, and the record's former blob."""

    change: Change
    blob: str
    before: str | None = None


def cached_history(folder: str, revision: str | None, cache: Cache) -> tuple[History, Details]:
    """The history of a content folder; from the cache if the last build was of the same commit."""
    if revision is None:
        return History("none"), Details()
    cached = cache.get("history")
    if cached is not None and cached[:2] == (revision, "known") and len(cached) == 4:
        history = History("known", tuple(Change(*change) for change in cached[2]))
        details = _details(*cached[3])
    else:
        history, details = read_details(folder)
    changes = [tuple(change) for change in history.changes]
    cache.put("history", (revision, history.state, changes, _plain(details)))
    return history, details


def _plain(details: Details) -> tuple[list[Any], list[Any]]:
    """Details as plain data for the cache."""
    changes = [(tuple(c), None if of is None else [*map(tuple, of)]) for c, of in details.changes]
    return changes, list(details.totals)


def _details(changes: Iterable[Any], totals: Iterable[Any]) -> Details:
    found = (
        Detail(Change(*change), None if of is None else tuple(Difference(*one) for one in of))
        for change, of in changes
    )
    return Details(tuple(found), tuple(totals))


def read_details(folder: str) -> tuple[History, Details]:
    """The last changes in a content folder of a checkout, at most MAX_CHANGES, and what changed in
    each record.

    The examples of `registry init` are left out, because they are not published.
    """
    if is_shallow(folder):
        return History("shallow"), Details()
    found, listed = list[Found](), list[Found]()
    totals = Counter[tuple[str, str, str]]()
    for commit in read_commits(folder):
        changes = changes_of(folder, commit)
        found += changes[: MAX_CHANGES - len(found)]
        for one in changes:
            key = one.change.at, one.change.change, one.change.collection
            totals[key] += 1
            if totals[key] <= MAX_LISTED:
                listed.append(one)
        if len(listed) >= MAX_CHANGES:
            break
    del listed[MAX_CHANGES:]
    blobs = (blob for one in (*found, *listed) for blob in (one.blob, one.before) if blob)
    texts = dict(read_blobs(folder, blobs))
    names = {blob: record.name for blob, record in _versions(texts.items()).items()}
    history = tuple(_named(one, names) for one in found if not is_of_example(one, texts))
    if not history:
        return History("none"), Details()
    for one in filter(lambda one: is_of_example(one, texts), listed):
        totals[one.change.at, one.change.change, one.change.collection] -= 1
    details = (
        Detail(_named(one, names), _differences(one, texts))
        for one in listed
        if not is_of_example(one, texts)
    )
    counted = tuple((*key, number) for key, number in totals.items() if number)
    return History("known", history), Details(tuple(details), counted)


def is_of_example(found: Found, texts: Mapping[str, bytes]) -> bool:
    return is_example(texts.get(found.blob, b""))


def _named(found: Found, names: Mapping[str, str]) -> Change:
    """The change with the name of the record, if the record is readable."""
    return found.change._replace(name=names.get(found.blob, found.change.name))


def _differences(found: Found, texts: Mapping[str, bytes]) -> tuple[Difference, ...] | None:
    before, after = texts.get(found.before or ""), texts.get(found.blob)
    return None if before is None or after is None else differences(before, after)


def read_commits(folder: str, *which: str, whole: bool = False) -> Iterator[Commit]:
    """The commits that changed records, latest first; git is read as far as they are taken.

    `which` are arguments of `git log`; with `whole`, OSError is raised if git fails.
    """
    tokens = stream_git(
        folder, "-c", "log.showRoot=true", "log", "--format=@%H %ct", "-z", "--raw", "--no-abbrev",
        "--no-renames", "--first-parent", "-m", "--relative", "-O/dev/null", "--no-ext-diff",
        "--no-show-signature", "--no-notes", *which, "--", *COLLECTIONS, whole=whole,
    )  # fmt: skip
    commit: Commit | None = None
    for token in tokens:
        token = token.lstrip(b"\n")
        if token[:1] == b"@":
            if commit is not None:
                yield commit
            name, _, seconds = token[1:].partition(b" ")
            commit = Commit(name.decode(), _time(seconds), {}, {}, {}, {})
        elif token[:1] == b":" and commit is not None:
            path = next(tokens, b"")
            _add_file(commit, token[1:].split(b" "), os.fsdecode(path))
    if commit is not None:
        yield commit


def _time(seconds: bytes) -> str:
    try:
        return format_utc(datetime.fromtimestamp(int(seconds), UTC))
    except (ValueError, OverflowError, OSError):  # git allows times that datetime does not
        return format_utc(datetime.fromtimestamp(0, UTC))


def _add_file(commit: Commit, words: list[bytes], path: str) -> None:
    """Add a file to a commit.  `words`: old mode, new mode, old blob, new blob, status."""
    name = path.rpartition("/")[2]
    key = path.partition("/")[0], name.rpartition(".")[0]
    if not is_record(path) or not _is_slug(key[1]) or len(key[1]) > MAX_SLUG or len(words) != 5:
        return
    modes, (old, new) = words[:2], (word.decode() for word in words[2:4])
    was_file, is_file = (mode.startswith(_REGULAR) for mode in modes)
    if was_file and is_file:
        commit.changed[key], commit.before[key] = new, old
    elif was_file:
        commit.removed[key] = old
    elif is_file:
        commit.added[key] = new


def changes_of(folder: str, commit: Commit) -> list[Found]:
    """The changes of a commit."""
    _, at, removed, added, changed, before = commit
    for key in removed.keys() & added.keys():
        old, blob = removed.pop(key), added.pop(key)
        if old != blob:
            changed[key], before[key] = blob, old
    former = dict(_former_slugs(folder, removed, added))
    renamed = {key: removed.pop((key[0], slug)) for key, slug in former.items()}
    changes = [
        *(
            Found(Change(at, "changed", *key, key[1]), blob, before.get(key))
            for key, blob in changed.items()
        ),
        *(Found(Change(at, "removed", *key, key[1]), blob) for key, blob in removed.items()),
        *(
            Found(Change(at, "renamed", *key, key[1], former[key]), blob, renamed[key])
            if key in former
            else Found(Change(at, "added", *key, key[1]), blob)
            for key, blob in added.items()
        ),
    ]
    return sorted(changes, key=lambda of: (_ORDER[of.change.collection], of.change.slug))


def _former_slugs(
    folder: str, removed: Mapping[_Key, str], added: Mapping[_Key, str]
) -> Iterator[tuple[_Key, str]]:
    """The added records that were renamed, with their former slugs."""
    left = dict(removed)
    for key, blob in added.items():
        same = next((k for k, old in left.items() if k[0] == key[0] and old == blob), None)
        if same is not None:
            del left[same]
            yield key, same[1]
    if not left or len(added) > _MOST_RENAMED:
        return
    versions = _versions(read_blobs(folder, added.values()))
    for key, blob in added.items():
        for alias in (versions[blob].aliases or ()) if blob in versions else ():
            if left.pop((key[0], alias), None) is not None:
                yield key, alias
                break


def _versions(texts: Iterable[tuple[str, bytes]]) -> dict[str, _Version]:
    """Blob -> record, for the blobs that are readable records."""
    records = ((blob, read_version(parse(raw))) for blob, raw in texts)
    return {blob: record for blob, record in records if record is not None}


def read_blobs(folder: str, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Blobs with their bytes, without those that are too long for a record."""
    names = "".join(f"{blob}\n" for blob in sorted(set(blobs))).encode()
    sizes = run_git(folder, "cat-file", "--batch-check", stdin=names) or b""
    words = [line.split(b" ") for line in sizes.splitlines()]
    small = [(blob, int(size)) for blob, kind, *rest in words if kind == b"blob" for size in rest]
    small = [(blob, size) for blob, size in small if size <= MAX_BYTES]
    names = b"".join(blob + b"\n" for blob, _ in small)
    raw, at = run_git(folder, "cat-file", "--batch", stdin=names) or b"", 0
    for blob, size in small if raw else ():
        start = raw.index(b"\n", at) + 1  # after a line with the blob, its kind and its size
        at = start + size + 1
        yield blob.decode(), raw[start : start + size]


def read_version(data: Any) -> _Version | None:
    """The name and aliases in the data of a record; None if they are not valid."""
    try:
        return _Version.model_validate(data)
    except ValidationError:
        return None
