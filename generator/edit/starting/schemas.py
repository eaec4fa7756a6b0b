"""JSON Schemas of the input files in a repository, and the settings of VS Code to use them."""

from __future__ import annotations

import json
from typing import Any

import generator.hosts
from generator.contract.artifact import module_names
from generator.contract.input_schema import file_kinds, input_schema
from generator.contract.lock import schema_text
from generator.edit.changes import Change, Plan, Skipped, read
from generator.edit.starting import files
from generator.edit.starting.files import UNSTAMPED, with_digest
from generator.kinds import COLLECTION_OF
from generator.model.symbols import Symbols

FOLDER = ".vscode/schemas"
SETTINGS = ".vscode/settings.json"
_SETTING = "yaml.schemas"


class Unreadable(Exception):
    """The settings are not plain JSON; the message says what to add by hand."""


def schemas(symbols: Symbols) -> dict[str, bytes]:
    """Path below the repository -> schema of one kind of file."""
    hosts = module_names(generator.hosts)
    return {
        f"{FOLDER}/{kind}.json": with_digest(
            schema_text({"$comment": UNSTAMPED, **input_schema(kind, symbols, hosts)})
        )
        for kind in file_kinds()
    }


def plan(folder: str, content: str, symbols: Symbols, *, force: bool = False) -> Plan:
    """The changes of the schemas and the settings of a repository; `content` is a path in it.

    Schemas that a person edited stay, unless `force` is set.  Other settings stay.
    """
    changes, left, _ = files.plan(folder, schemas(symbols), force=force)
    before = read(folder, SETTINGS)
    try:
        after = settings(content, before)
        if after != before:
            changes.append(Change(SETTINGS, before, after))
    except Unreadable as error:
        left.append(Skipped(SETTINGS, str(error)))
    return Plan(changes, left)


def settings(content: str, before: bytes | None = None) -> bytes:
    """The settings `before`, with a mapping of schemas to the files of the folder `content`.

    Raises Unreadable.
    """
    mapped = {f"./{FOLDER}/{kind}.json": _files(kind, content) for kind in file_kinds()}
    current: Any = {}
    try:
        current = json.loads(before or b"{}")
        merged = {**current, _SETTING: {**current.get(_SETTING, {}), **mapped}}
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise Unreadable(f'it is not plain JSON; add "{_SETTING}": {json.dumps(mapped)}') from None
    if before and merged == current:
        return before
    return (json.dumps(merged, ensure_ascii=False, indent=2) + "\n").encode()


def _files(kind: str, content: str) -> list[str]:
    prefix = "" if content == "." else f"{content}/"
    if kind not in COLLECTION_OF:
        return [f"{prefix}{kind}.yaml"]
    return [f"{prefix}{COLLECTION_OF[kind]}/**/*.{ending}" for ending in ("yaml", "yml")]
