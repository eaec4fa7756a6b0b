"""Generated files of a repository that people may edit, like issue forms, the JSON Schemas of the
input files, and the settings of VS Code to use them.

Each file contains the digest of its own text.  A command replaces a file only if the digest is
still right, so files that a person edited stay.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Container, Iterator, Mapping
from hashlib import sha256
from typing import Any

import generator.hosts
from generator.contract.artifact import module_names
from generator.contract.input_schema import file_kinds, input_schema
from generator.contract.lock import schema_text
from generator.edit.changes import FileChange, Plan, Skipped, read
from generator.kinds import Kinds
from generator.model.symbols import Symbols

#: The place of the digest in a text for `with_digest`.
UNSTAMPED = "written by registry, 0000000000000000"
_STAMP = re.compile(rb"written by registry, ([0-9a-f]{16})")


def with_digest(text: str) -> bytes:
    """A text that contains UNSTAMPED, with its digest at that place."""
    data = text.encode()
    return data.replace(b"0" * 16, _digest(data), 1)


def _digest(data: bytes) -> bytes:
    return sha256(data).hexdigest()[:16].encode()


def _is_as_written(data: bytes) -> bool:
    """Whether a file is unchanged since a command wrote it."""
    stamp = _STAMP.search(data)
    if stamp is None:
        return False
    blank = data[: stamp.start(1)] + b"0" * 16 + data[stamp.end(1) :]
    return _digest(blank) == stamp[1]


def renewed(folder: str, files: Mapping[str, bytes]) -> list[FileChange]:
    """The changes of existing files that nobody edited and that are out of date."""
    return [change for change in plan(folder, files).changes if change.before]


def plan(folder: str, files: Mapping[str, bytes], *, force: bool = False) -> Plan:
    """The changes that write these files, and remove others beside them that nobody edited, such as
    those of a kind that is gone.  With `force` edited files are replaced too.
    """
    changes, left = [*_left_over(folder, files)], []
    for path, after in files.items():
        before = read(folder, path)
        if before == after:
            continue
        if before is None or force or _is_as_written(before):
            changes.append(FileChange(path, before, after))
        else:
            left.append(Skipped(path, "it was changed by hand; --force overwrites it"))
    return Plan(changes, left)


def _left_over(folder: str, files: Mapping[str, bytes]) -> Iterator[FileChange]:
    """The removal of each file that a command wrote beside these files and writes no longer."""
    for place in sorted({os.path.dirname(path) for path in files}):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for name in sorted(os.listdir(os.path.join(folder, place))):
                path = os.path.join(place, name)
                data = None if path in files else read(folder, path)
                if data is not None and _is_as_written(data):
                    yield FileChange(path, data, None)


# --- schemas ---

SCHEMAS = ".vscode/schemas"
SETTINGS = ".vscode/settings.json"
_SETTING = "yaml.schemas"


class UnreadableSettings(Exception):
    """The settings are not plain JSON; the message says what to add by hand."""


def schemas(symbols: Symbols) -> dict[str, bytes]:
    """Path below the repository -> schema of one kind of file."""
    hosts, kinds = module_names(generator.hosts), symbols.grammar.kinds
    return {
        f"{SCHEMAS}/{kind}.json": with_digest(
            schema_text({"$comment": UNSTAMPED, **input_schema(kind, kinds, symbols, hosts)})
        )
        for kind in file_kinds(kinds)
    }


def plan_schemas(folder: str, content: str, symbols: Symbols, *, force: bool = False) -> Plan:
    """The changes of the schemas and the settings of a repository; `content` is a path in it.

    Schemas that a person edited stay, unless `force` is set.  Other settings stay.
    """
    changes, left, _ = plan(folder, schemas(symbols), force=force)
    before = read(folder, SETTINGS)
    try:
        gone = {f"./{change.path}" for change in changes if change.after is None}
        after = editor_settings(content, symbols.grammar.kinds, before, gone)
        if after != before:
            changes.append(FileChange(SETTINGS, before, after))
    except UnreadableSettings as error:
        left.append(Skipped(SETTINGS, str(error)))
    return Plan(changes, left)


def editor_settings(
    content: str, kinds: Kinds, before: bytes | None = None, gone: Container[str] = ()
) -> bytes:
    """The settings `before`, with the schemas of the content and without those that are `gone`.
    Raises UnreadableSettings.
    """
    known = kinds.collection_of
    folder, endings = "" if content == "." else f"{content}/", ("yaml", "yml")
    mapped = {
        f"./{SCHEMAS}/{kind}.json": [f"{folder}{known[kind]}/**/*.{e}" for e in endings]
        if kind in known
        else [f"{folder}{kind}.yaml"]
        for kind in file_kinds(kinds)
    }
    current: Any = {}
    try:
        current = json.loads(before or b"{}")
        kept = {k: v for k, v in current.get(_SETTING, {}).items() if k not in gone}
        merged = {**current, _SETTING: {**kept, **mapped}}
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise UnreadableSettings(
            f'it is not plain JSON; add "{_SETTING}": {json.dumps(mapped)}'
        ) from None
    if before and merged == current:
        return before
    return (json.dumps(merged, ensure_ascii=False, indent=2) + "\n").encode()
