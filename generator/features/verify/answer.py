"""Check a saved answer of get_record with its proof (generator.reader.proof), without its host."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson

from generator.contract import manifest
from generator.contract.manifest import MAX_FILE_SIZE, Root
from generator.grammar.grammar import Grammar
from generator.grammar.paths import MANIFEST_ROOT
from generator.reader.verified import Trust, TrustedManifest, Untrusted, find_fault

#: The most bytes of a saved answer, several times those of any tool.
MAX_SAVED = 1 << 20
#: The most files of a proof: the record, the bin, the part and the snapshot.
_MAX_FILES = 4


class NotProved(Exception):
    """A saved answer is not what the registry published; the text says why."""


class Proved(NamedTuple):
    """What an answer proves: the path of the record's file, and the root."""

    path: str
    root: Root


def check_answer(answer: bytes, trust: Trust) -> Proved:
    """What a saved answer proves, without its host. An expired root proves what was published
    then. Raises NotProved and ClientError.
    """
    document = _parse(answer)
    match document:
        case {
            "collection": str(collection),
            "slug": str(slug),
            "truncated": False,
            "data": dict(data),
            "proof": {"root": str(root_text), "files": dict(packed), **more_proof},
            "next": None,
            **more,
        } if not more and not more_proof and document["truncated"] is False:
            pass
        case _:
            raise NotProved("it is no answer of get_record with proof: true")
    collections = Grammar({}).collections
    if collection not in collections or len(packed) > _MAX_FILES:
        raise NotProved("it is no answer of get_record with proof: true")
    path = collections[collection].record_path(slug)
    files = {name: _unpacked(name, text) for name, text in packed.items()}
    root = _root(root_text, trust)
    wanted = {path}

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        wanted.update(paths)
        return [files.get(name) for name in paths]

    try:
        entry = TrustedManifest(root, read).entry(path)
    except Untrusted as error:
        raise NotProved(str(error)) from error
    fault = find_fault(entry, files.get(path))
    if entry is None or fault is not None:
        raise NotProved(f"{path}: {fault or 'the manifest does not list it'}")
    if others := sorted(files.keys() - wanted):
        raise NotProved(f"{others[0]}: this file proves nothing here")
    match _parse(files[path]):
        case {"data": dict(published)} if _is_same(data, published):
            return Proved(path, root)
    raise NotProved(f"data is not that of {path}")


def _parse(text: bytes) -> Any:
    """The value of a JSON text without repeated keys. Raises NotProved."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key is repeated")
        return dict(pairs)

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    if len(text) > MAX_SAVED:
        raise NotProved(f"it is longer than {MAX_SAVED >> 10} KiB")
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise NotProved(f"it is not JSON: {error}") from error


def _unpacked(name: str, text: Any) -> bytes:
    """A file of a proof. Raises NotProved."""
    stream = zlib.decompressobj()
    try:
        packed = base64.b64decode(text, validate=True)
        raw = stream.decompress(packed, MAX_FILE_SIZE)
    except (TypeError, ValueError, zlib.error) as error:
        raise NotProved(f"{name}: it is not a file in base64: {error}") from error
    if not stream.eof or stream.unused_data:
        raise NotProved(f"{name}: it is cut, too long, or has something after its end")
    return raw


def _root(text: str, trust: Trust) -> Root:
    """The root if it is trusted, as of the time when it was issued. Raises NotProved."""
    try:
        raw = text.encode()
        issued = datetime.fromtimestamp(manifest.read_root(raw).version, UTC)
    except (ValueError, OSError, OverflowError) as error:
        raise NotProved(f"{MANIFEST_ROOT}: {error}") from error
    root, problems = Trust(trust.keys, now=lambda: issued).check_root(raw)
    if root is None or problems:
        raise NotProved(f"{MANIFEST_ROOT}: {'; '.join(problems)}")
    return root


def _is_same(shown: Any, published: Any) -> bool:
    """Whether two JSON values are the same; 1, 1.0 and true are three values."""
    try:
        return orjson.dumps(shown, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
            published, option=orjson.OPT_SORT_KEYS
        )
    except TypeError:  # a lone surrogate, or a number of more than 64 bits
        return False
