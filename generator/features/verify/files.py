"""Verify all files of a registry, or a sample, against its manifest; and check a saved answer of
get_record with its proof, without its host.
"""

from __future__ import annotations

import base64
import json
import os
import random
import zlib
from collections.abc import Callable, Iterator, Sequence, Set
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.contract import manifest
from generator.contract.files import ReadFiles, unpack
from generator.contract.manifest import MAX_FILE_SIZE, ManifestEntry, Root
from generator.grammar.paths import CODINGS, MANIFEST_ROOT, collection_root
from generator.kinds.rules import is_name
from generator.reader.documents import published_kinds
from generator.reader.verified import Trust, TrustedManifest, Untrusted, find_fault

Progress = Callable[[int, int], None]


class FileFault(NamedTuple):
    """A problem in one file."""

    path: str
    problem: str


class VerifyResult(NamedTuple):
    """The result: the root, if it could be read, and how many files and bytes were read. `paths`
    are the paths in the manifest if all files were verified, else empty.
    """

    root: Root | None
    files: int
    bytes: int
    faults: list[FileFault]
    paths: frozenset[str] = frozenset()


def verify(
    read: ReadFiles,
    trust: Trust,
    sample: int | None = None,
    progress: Progress = lambda done, total: None,
) -> VerifyResult:
    """Verify all files, or `sample` randomly chosen files. Raises ClientError."""
    [raw] = read([MANIFEST_ROOT])
    root, root_problems = trust.check_root(raw)
    faults = dict.fromkeys(FileFault(MANIFEST_ROOT, problem) for problem in root_problems)
    if root is None:
        return VerifyResult(None, 0, 0, [*faults])

    def report(error: Untrusted) -> None:
        path, _, problem = str(error).partition(": ")
        if not faults or path != MANIFEST_ROOT:
            faults[FileFault(path, problem)] = None

    known, files, size = TrustedManifest(root, read, report=report), 0, 0
    batches = known.all_entries()
    if sample is not None:
        batches = iter([[*chain.from_iterable(_sampled(known, sample))]])
    total, paths = min(root.files, sample or root.files), set()
    for entries in chain([[root.build]], batches):
        for entry, data in known.fetch(entries):
            files, size = files + 1, size + len(data or b"")
            paths.add(entry.path)
            progress(min(files, total), total)
    return VerifyResult(root, files, size, [*faults], frozenset(() if sample else paths))


def find_unlisted(folder: Path, listed: Set[str]) -> Iterator[FileFault]:
    """Published files of a folder that the manifest does not list, all unlisted links, and
    compressed files with another content than the file beside them, which servers send instead.
    """
    for parent, folders, names in os.walk(folder):
        prefix = f"/{os.path.relpath(parent, folder)}/".replace("/./", "/")
        for name in (*folders, *names):
            path = prefix + name
            if path in listed:
                continue
            if os.path.islink(os.path.join(parent, name)):
                yield FileFault(path, "it is a link, and the manifest does not have it")
            elif name in names and manifest.is_listed(path):
                yield FileFault(path, "the manifest does not have it")
            elif name in names and path.endswith(tuple(CODINGS.values())):
                problem = _find_fault_of_copy(Path(parent, name))
                if problem is not None:
                    yield FileFault(path, problem)


def _find_fault_of_copy(copy: Path) -> str | None:
    """Why a compressed file is no copy of the file beside it; None if it is."""
    original = copy.with_suffix("")
    if not original.is_file():
        return "the manifest does not have it"
    data = original.read_bytes()
    try:
        unpacked = unpack(copy.read_bytes(), copy.suffix, len(data))
    except ModuleNotFoundError:
        return "it is not checked: pip install 'registry-generator[brotli]'"
    except ValueError:
        return "it is not compressed as its name says"
    return None if unpacked == data else f"it has another content than {original.name}"


def _sampled(known: TrustedManifest, count: int) -> Iterator[list[ManifestEntry]]:
    """Random entries, a few from each bin, with the bins in random order."""
    rng = random.SystemRandom()
    numbers = list(range(1 << known.root.layout.bits))
    rng.shuffle(numbers)
    for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
        entries = [*known.entries([number]).get(number, {}).values()] if count > 0 else []
        taken = rng.sample(entries, min(-(-count // left), len(entries)))
        count -= len(taken)
        yield taken


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
    """What a saved answer proves, as of its own time. Raises NotProved and ClientError."""
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
    if not is_name(collection) or len(packed) > _MAX_FILES:
        raise NotProved("it is no answer of get_record with proof: true")
    path = f"{collection_root(collection, published_kinds(None))}/slug/{slug}.json"
    files = {name: _unpacked(name, text) for name, text in packed.items()}
    root = _root(root_text, trust)
    wanted = {path}

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        wanted.update(paths)
        return [files.get(name) for name in paths]

    try:
        entry = TrustedManifest(root, read).all_of([path])[path]
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
