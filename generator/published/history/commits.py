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
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from generator.contract.artifact import (
    MAX_CHANGES,
    Change,
    ChangeTotal,
    DetailedChange,
    Details,
    Difference,
    History,
)
from generator.dialect.folder import MAX_BYTES, is_record
from generator.kinds import Kinds
from generator.kinds.types import Name, Slugs
from generator.model.examples import is_example
from generator.published.history import notes
from generator.published.history.differences import Fields, differences, parse, shortened
from generator.published.history.provenance import is_shallow, run_git, stream_git
from generator.text.words import MAX_SLUG, SLUG, format_utc

#: Of more changes of one kind and collection in a commit the site lists only so many.
MAX_LISTED = 20
#: If a commit added more records than this, their aliases are not read to find renames.
_MOST_RENAMED = 200
_is_slug = re.compile(SLUG).fullmatch
#: The git mode of a regular file begins with this.
_REGULAR = b"100"

#: A record: its collection and its slug.
_Key = tuple[str, str]
#: The former and the new blob of a record in a commit, "" if it has none.
_Blobs = tuple[str, str]


class _Version(BaseModel, strict=True):
    """The fields of an earlier version of a record that are needed here."""

    name: Name
    aliases: Slugs | None = None


class FoundChange(NamedTuple):
    """A change, the id of its commit, the blob that has the name of the record, and the record's
    former blob, "" if it has none.
    """

    change: Change
    commit: str
    blob: str
    before: str


def read_history(folder: str, revision: str | None, kinds: Kinds) -> tuple[History, Details]:
    """The last changes in a content folder of a checkout, at most MAX_CHANGES, and what changed in
    each record.
    """
    if revision is None:
        return History("none"), Details()
    last, *noted = notes.load(folder, "changes") or ("",)
    known = " ".join((revision, *kinds))  # another kind has other changes in the same commit
    if last != known or noted[0] != "known":
        noted = list(_read_last(folder, kinds))
        notes.save(folder, "changes", (known, *noted))
    state, changes, listed, totals = noted
    history = History(state, tuple(Change(*change) for change in changes))
    details = (
        DetailedChange(
            Change(*change), None if fields is None else tuple(Difference(*of) for of in fields)
        )
        for change, fields in listed
    )
    return history, Details(tuple(details), tuple(ChangeTotal(*total) for total in totals))


def _read_last(folder: str, kinds: Kinds) -> tuple[str, list[Any], list[Any], list[Any]]:
    """The state, changes, details and totals of a history, as plain data.

    The examples of `registry init` are left out, because they are not published.
    """
    if is_shallow(folder):
        return "shallow", [], [], []
    found, listed = list[FoundChange](), list[FoundChange]()
    totals = Counter[tuple[str, str, str]]()
    for changes in read_commits(folder, kinds):
        found += changes[: MAX_CHANGES - len(found)]
        for one in changes:
            totals[one.change[:3]] += 1
            if totals[one.change[:3]] <= MAX_LISTED:
                listed.append(one)
        if len(listed) >= MAX_CHANGES:
            break
    del listed[MAX_CHANGES:]
    texts = read_blobs(folder, blobs_of([*found, *listed]))
    described = {
        one: (change, fields)
        for one, change, fields in describe(dict.fromkeys([*found, *listed]), texts, kinds)
    }
    history = [tuple(described[one][0]) for one in found if one in described]
    if not history:
        return "none", [], [], []
    details = []
    for one in listed:
        if one in described:
            change, fields = described[one]
            details.append((tuple(change), None if fields is None else shortened(fields)))
        else:
            totals[one.change[:3]] -= 1
    return "known", history, details, [(*key, n) for key, n in totals.items() if n]


def describe(
    found: Iterable[FoundChange], texts: Mapping[str, bytes], kinds: Kinds
) -> Iterator[tuple[FoundChange, Change, Fields | None]]:
    """The changes with the names of their records, if these are readable, and the fields that
    differ, None if there are no two versions.  `texts` has the blobs.  Examples are left out.
    """
    data = {blob: parse(raw) for blob, raw in texts.items()}
    for one in found:
        if is_example(texts.get(one.blob, b"")):
            continue
        version = _read_version(data.get(one.blob))
        change = one.change._replace(name=version.name) if version is not None else one.change
        has_both = one.before in data and one.blob in data
        yield (
            one,
            change,
            differences(data[one.before], data[one.blob], kinds) if has_both else None,
        )


def read_event_times(folder: str, revision: str | None, kinds: Kinds) -> dict[str, str]:
    """Slug -> the time of the latest commit that changed the event, up to a commit; empty if the
    history is not known.
    """
    if revision is None:
        return {}
    after, times = notes.load(folder, "event-times") or ("", {})
    if after == revision:
        return dict(times)
    if is_shallow(folder):
        return {}
    which = f"{after}..{revision}" if after and continues(folder, after, revision) else revision
    times = dict(times) if which != revision else {}
    try:
        timed = [name for name, kind in kinds.items() if kind.timed]
        for changes in read_commits(folder, kinds, which, whole=True, collections=timed):
            for change, *_ in changes:
                # Clocks differ, and a commit may be earlier than the one before it.
                times[change.slug] = max(times.get(change.slug, ""), change.at)
    except OSError:
        return {}
    notes.save(folder, "event-times", (revision, times))
    return times


def continues(folder: str, old: str, new: str) -> bool:
    """Whether `old` is on the line of first parents of `new`."""
    line = run_git(folder, "rev-list", "--first-parent", "--parents", f"{old}..{new}") or b""
    # The walk ends at the first commit that `old` contains: its child names it as first parent.
    return old == new or line.rstrip(b"\n").split(b"\n")[-1].split(b" ")[1:2] == [old.encode()]


def read_commits(
    folder: str,
    kinds: Kinds,
    *which: str,
    whole: bool = False,
    collections: Iterable[str] = (),
) -> Iterator[list[FoundChange]]:
    """The changes of each commit that changed records, latest first; git is read as far as they are
    taken.

    `which` are arguments of `git log`; with `whole`, OSError is raised if git fails.
    """
    tokens = stream_git(
        folder, "-c", "log.showRoot=true", "log", "--format=@%H %ct", "-z", "--raw", "--no-abbrev",
        "--no-renames", "--first-parent", "-m", "--relative", "-O/dev/null", "--no-ext-diff",
        "--no-show-signature", "--no-notes", *which, "--",
        *(collections or kinds.referred_first), whole=whole,
    )  # fmt: skip
    commit, files = b"", dict[_Key, _Blobs]()
    for token in tokens:
        token = token.lstrip(b"\n")
        if token[:1] == b"@":
            yield _changes(folder, commit, files, kinds)
            commit, files = token[1:], {}
        elif token[:1] == b":":
            _add_file(files, token[1:].split(b" "), os.fsdecode(next(tokens, b"")), kinds)
    yield _changes(folder, commit, files, kinds)


def _add_file(files: dict[_Key, _Blobs], words: list[bytes], path: str, kinds: Kinds) -> None:
    """Add a file to those of a commit.  `words`: old mode, new mode, old blob, new blob, status."""
    name = path.rpartition("/")[2]
    key = path.partition("/")[0], name.rpartition(".")[0]
    if (
        not is_record(path, kinds)
        or not _is_slug(key[1])
        or len(key[1]) > MAX_SLUG
        or len(words) != 5
    ):
        return
    old, new = (
        blob.decode() if mode.startswith(_REGULAR) else ""
        for mode, blob in zip(words[:2], words[2:4], strict=True)
    )
    before, after = files.get(key, ("", ""))
    files[key] = old or before, new or after


def _changes(
    folder: str, commit: bytes, files: Mapping[_Key, _Blobs], kinds: Kinds
) -> list[FoundChange]:
    """The changes of a commit, which is its id and its time in seconds since 1970."""
    name, _, seconds = commit.partition(b" ")
    try:
        at = format_utc(datetime.fromtimestamp(int(seconds), UTC))
    except (ValueError, OverflowError, OSError):  # git allows times that datetime does not
        at = format_utc(datetime.fromtimestamp(0, UTC))
    removed = {key: old for key, (old, new) in files.items() if old and not new}
    added = {key: new for key, (old, new) in files.items() if new and not old}
    former = dict(_former_slugs(folder, removed, added))
    renamed = {(collection, slug) for (collection, _), slug in former.items()}
    found = []
    place = kinds.referred_first.index
    for key in sorted(files.keys() - renamed, key=lambda key: (place(key[0]), key[1])):
        (old, new), what = files[key], "changed"
        if old == new:  # a file that only moved, or that is no regular file
            continue
        if key in former:
            old, what = removed[key[0], former[key]], "renamed"
        elif not (old and new):
            what = "added" if new else "removed"
        change = Change(at, what, *key, key[1], former.get(key))
        found.append(FoundChange(change, name.decode(), new or old, old if new else ""))
    return found


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
    texts = read_blobs(folder, added.values())
    for key, blob in added.items():
        version = _read_version(parse(texts[blob])) if blob in texts else None
        for alias in (version.aliases or ()) if version is not None else ():
            if left.pop((key[0], alias), None) is not None:
                yield key, alias
                break


def blobs_of(found: Iterable[FoundChange]) -> set[str]:
    return {blob for one in found for blob in (one.blob, one.before) if blob}


def read_blobs(folder: str, blobs: Iterable[str]) -> dict[str, bytes]:
    """Blobs with their bytes, without those that are too long for a record."""
    names = "".join(f"{blob}\n" for blob in sorted(set(blobs))).encode()
    sizes = run_git(folder, "cat-file", "--batch-check", stdin=names) or b""
    words = [line.split(b" ") for line in sizes.splitlines()]
    small = [(blob, int(size)) for blob, kind, *rest in words if kind == b"blob" for size in rest]
    small = [(blob, size) for blob, size in small if size <= MAX_BYTES]
    names = b"".join(blob + b"\n" for blob, _ in small)
    raw, at = run_git(folder, "cat-file", "--batch", stdin=names) or b"", 0
    texts = {}
    for blob, size in small if raw else ():
        start = raw.index(b"\n", at) + 1  # after a line with the blob, its kind and its size
        at = start + size + 1
        texts[blob.decode()] = raw[start : start + size]
    return texts


def _read_version(data: Any) -> _Version | None:
    """The name and aliases in the data of a record; None if they are not valid."""
    try:
        return _Version.model_validate(data)
    except ValidationError:
        return None
