"""What the last commits changed, told by record.

The commits are those of the line that is checked out (first parents): a change that was merged is
told by the merge, when it came.  A file that moved between folders is the same record; a record
that came with the slug of one that went among its aliases, or with just its bytes, was renamed.
Names are those of the time.  Nothing of a commit is believed: a path that is no record's is passed
over, and who has no name that can be read is called by its slug.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import ClassVar, Literal, NamedTuple

from generator.build.cache.store import Cache
from generator.build.provenance import git, git_tokens, shallow
from generator.contract.artifact import MAX_CHANGES, Change, History
from generator.dialect.folder import COLLECTIONS, MAX_BYTES, is_record
from generator.dialect.parse import Unusual
from generator.grammar.text import MAX_SLUG, SLUG, utc
from generator.model.examples import is_example
from generator.model.fields import Name, Slugs
from generator.model.models import Model
from generator.model.validator import ValidationError

#: Records that came with a commit in which others went, of which it is asked whether they are the
#: same under another name.
_MOST_RENAMED = 200
_is_slug = re.compile(SLUG).fullmatch
#: In which order the records of one commit are told.
_ORDER = {name: number for number, name in enumerate(COLLECTIONS)}
#: A regular file, as a commit has it.
_REGULAR = b"100"

#: A record: its collection and its slug.
_Key = tuple[str, str]


class _Named(Model):
    """What is asked of a record as it was."""

    extra: ClassVar[Literal["ignore"]] = "ignore"

    name: Name
    aliases: Slugs | None = None


class _Commit(NamedTuple):
    """The blobs of the records that a commit took out, put in and changed."""

    at: str
    gone: dict[_Key, str]
    come: dict[_Key, str]
    changed: dict[_Key, str]


def history_of(folder: str, revision: str | None, cache: Cache) -> History:
    """What the last commits changed: as the last build knew it, if it was of the same commit."""
    if revision is None:
        return History("none")
    known = cache.get("history")
    if known is not None and known[:2] == (revision, "known"):
        found = History("known", tuple(Change(*change) for change in known[2]))
    else:
        found = history(folder)
    cache.put("history", (revision, found.state, [tuple(change) for change in found.changes]))
    return found


def history(folder: str) -> History:
    """What the last commits changed in a content folder of a checkout, at most MAX_CHANGES.

    The examples of `registry init` are left out: they were never published.
    """
    if shallow(folder):
        return History("shallow")
    told: list[tuple[Change, str]] = []
    for commit in _commits(folder):
        told += _told(folder, commit)
        if len(told) >= MAX_CHANGES:
            break
    del told[MAX_CHANGES:]
    texts = dict(_texts(folder, (blob for _, blob in told)))
    told = [one for one in told if not is_example(texts.get(one[1], b""))]
    if not told:
        return History("none")
    named = _named(texts.items())
    return History(
        "known",
        tuple(
            change._replace(name=named[blob].name) if blob in named else change
            for change, blob in told
        ),
    )


def _commits(folder: str) -> Iterator[_Commit]:
    """The commits that touched records, the latest first, asked for as they are taken."""
    tokens = git_tokens(
        folder, "-c", "log.showRoot=true", "log", "--format=@%ct", "-z", "--raw", "--no-abbrev",
        "--no-renames", "--first-parent", "-m", "--relative", "-O/dev/null", "--no-ext-diff",
        "--no-show-signature", "--no-notes", "--", *COLLECTIONS,
    )  # fmt: skip
    commit: _Commit | None = None
    for token in tokens:
        token = token.lstrip(b"\n")
        if token[:1] == b"@":
            if commit is not None:
                yield commit
            commit = _Commit(_time(token[1:]), {}, {}, {})
        elif token[:1] == b":" and commit is not None:
            path = next(tokens, b"")
            _note(commit, token[1:].split(b" "), os.fsdecode(path))
    if commit is not None:
        yield commit


def _time(seconds: bytes) -> str:
    try:
        return utc(datetime.fromtimestamp(int(seconds), UTC))
    except (ValueError, OverflowError, OSError):  # git takes times that no calendar has
        return utc(datetime.fromtimestamp(0, UTC))


def _note(commit: _Commit, words: list[bytes], path: str) -> None:
    """Take note of one file: its mode and its blob before, and after."""
    name = path.rpartition("/")[2]
    key = path.partition("/")[0], name.rpartition(".")[0]
    if not is_record(path) or not _is_slug(key[1]) or len(key[1]) > MAX_SLUG or len(words) != 5:
        return
    modes, (old, new) = words[:2], (word.decode() for word in words[2:4])
    was, now = (mode.startswith(_REGULAR) for mode in modes)
    if was and now:
        commit.changed[key] = new
    elif was:
        commit.gone[key] = old
    elif now:
        commit.come[key] = new


def _told(folder: str, commit: _Commit) -> list[tuple[Change, str]]:
    """The changes of a commit, each with the blob that names the record."""
    at, gone, come, changed = commit
    for key in gone.keys() & come.keys():
        if gone.pop(key) != (blob := come.pop(key)):
            changed[key] = blob
    former = dict(_former(folder, gone, come))
    for key, before in former.items():
        gone.pop((key[0], before), None)
    told = [
        *((Change(at, "changed", *key, key[1]), blob) for key, blob in changed.items()),
        *((Change(at, "removed", *key, key[1]), blob) for key, blob in gone.items()),
        *(
            (Change(at, "renamed", *key, key[1], former[key]), blob)
            if key in former
            else (Change(at, "added", *key, key[1]), blob)
            for key, blob in come.items()
        ),
    ]
    return sorted(told, key=lambda one: (_ORDER[one[0].collection], one[0].slug))


def _former(
    folder: str, gone: Mapping[_Key, str], come: Mapping[_Key, str]
) -> Iterator[tuple[_Key, str]]:
    """The slugs before of records that were renamed."""
    left = dict(gone)
    for key, blob in come.items():
        same = next((k for k, was in left.items() if k[0] == key[0] and was == blob), None)
        if same is not None:
            del left[same]
            yield key, same[1]
    if not left or len(come) > _MOST_RENAMED:
        return
    named = _named(_texts(folder, come.values()))
    for key, blob in come.items():
        for alias in (named[blob].aliases or ()) if blob in named else ():
            if left.pop((key[0], alias), None) is not None:
                yield key, alias
                break


def _named(texts: Iterable[tuple[str, bytes]]) -> dict[str, _Named]:
    """Blob -> its record; blobs that are no readable record are left out."""
    named = ((blob, _read(raw)) for blob, raw in texts)
    return {blob: record for blob, record in named if record is not None}


def _texts(folder: str, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Blobs with their bytes, as far as a record may be so long."""
    asked = "".join(f"{blob}\n" for blob in sorted(set(blobs))).encode()
    sizes = git(folder, "cat-file", "--batch-check", told=asked) or b""
    words = [line.split(b" ") for line in sizes.splitlines()]
    small = [(blob, int(size)) for blob, kind, *rest in words if kind == b"blob" for size in rest]
    small = [(blob, size) for blob, size in small if size <= MAX_BYTES]
    told = b"".join(blob + b"\n" for blob, _ in small)
    raw, at = git(folder, "cat-file", "--batch", told=told) or b"", 0
    for blob, size in small if raw else ():
        start = raw.index(b"\n", at) + 1  # after a line that tells the blob, its kind and its size
        at = start + size + 1
        yield blob.decode(), raw[start : start + size]


def _read(raw: bytes) -> _Named | None:
    from generator.dialect.libyaml import parse

    try:
        data = parse(raw)
    except Unusual:
        from generator.dialect.examine import examine

        data = examine(raw).data
    try:
        return _Named.model_validate(data)
    except ValidationError:
        return None
