"""The schemas of the input in a repository, and the settings that lead VS Code to them."""

from __future__ import annotations

import json
from typing import Any

import generator.hosts
from generator.contract.artifact import modules
from generator.contract.input_schema import input_schema, kinds
from generator.contract.lock import text
from generator.edit.changes import Change, Plan
from generator.edit.starting import files
from generator.edit.starting.files import UNSTAMPED, stamped
from generator.grammar.names import COLLECTION_OF
from generator.model.symbols import Symbols

FOLDER = ".vscode/schemas"
SETTINGS = ".vscode/settings.json"
_MAP = "yaml.schemas"


class Unreadable(Exception):
    """Settings that are no plain JSON; the text says what to add by hand."""


def schemas(symbols: Symbols) -> dict[str, bytes]:
    """Path below the repository -> the schema of one kind of file."""
    hosts = modules(generator.hosts)
    return {
        f"{FOLDER}/{kind}.json": stamped(
            text({"$comment": UNSTAMPED, **input_schema(kind, symbols, hosts)})
        )
        for kind in kinds()
    }


def plan(folder: str, content: str, symbols: Symbols, *, force: bool = False) -> Plan:
    """The schemas and the settings in a repository, whose content is at the path `content`.  What a
    person changed is left alone, but for the mapping in the settings.
    """
    changes, left, _ = files.plan(folder, schemas(symbols), force=force)
    before = files.read(folder, SETTINGS)
    try:
        after = settings(content, before)
        if after != before:
            changes.append(Change(SETTINGS, before, after))
    except Unreadable as error:
        left.append((SETTINGS, str(error)))
    return Plan(changes, left)


def settings(content: str, before: bytes | None = None) -> bytes:
    """The settings of VS Code, with all that they said before, that map the files of a content
    folder to the schemas; `content` is its path in the repository.  Raises Unreadable.
    """
    mapped = {f"./{FOLDER}/{kind}.json": _files(kind, content) for kind in kinds()}
    kept: Any = {}
    try:
        kept = json.loads(before or b"{}")
        others = kept.get(_MAP, {})
        merged = {**kept, _MAP: {**others, **mapped}}
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise Unreadable(f'it is not plain JSON; add "{_MAP}": {json.dumps(mapped)}') from None
    return before if merged == kept and before else _indented(merged)


def _indented(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _files(kind: str, content: str) -> list[str]:
    begin = "" if content == "." else f"{content}/"
    if kind not in COLLECTION_OF:
        return [f"{begin}{kind}.yaml"]
    return [f"{begin}{COLLECTION_OF[kind]}/**/*.{ending}" for ending in ("yaml", "yml")]
