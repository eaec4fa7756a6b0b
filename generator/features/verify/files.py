"""Verify all files of a registry, or a sample, against its manifest."""

from __future__ import annotations

import importlib
import os
import random
import zlib
from collections.abc import Callable, Iterable, Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

from generator.contract import manifest
from generator.contract.files import ReadFiles
from generator.contract.manifest import ManifestEntry, Root
from generator.grammar.paths import BUILD, CODINGS, MANIFEST_ROOT
from generator.reader.documents import MAX_READ
from generator.reader.verified import Manifest, Trust, Untrusted, find_fault, in_batches

Progress = Callable[[int, int], None]


class Fault(NamedTuple):
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
    faults: list[Fault]
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
    faults = [Fault(MANIFEST_ROOT, problem) for problem in root_problems]
    if root is None:
        return VerifyResult(None, 0, 0, faults)
    manifest_files, files, size = Manifest(root, read), 0, 0
    if sample is None:
        entries, total = _all_entries(manifest_files, faults), root.files
    else:
        entries = _sample_entries(manifest_files, sample, random.SystemRandom(), faults)
        total = min(sample, root.files)
    paths, listed_bytes = set(), 0
    for batch in in_batches([root.build], entries):
        contents = read([entry.path for entry in batch])
        for entry, data in zip(batch, contents, strict=True):
            files, size = files + 1, size + len(data or b"")
            if entry.path != BUILD:
                paths.add(entry.path)
                listed_bytes += entry.size
            problem = find_fault(entry, data)
            if entry.size > MAX_READ:
                problem = f"it has {entry.size:,} bytes, more than any reader takes"
            if problem is not None:
                faults.append(Fault(entry.path, problem))
        progress(files, total)
    if sample is None and not faults and (len(paths), listed_bytes) != (root.files, root.bytes):
        faults.append(Fault(MANIFEST_ROOT, "it tells another number of files than its bins have"))
    return VerifyResult(root, files, size, faults, frozenset(paths if sample is None else ()))


def find_unlisted(folder: Path, listed: Set[str]) -> Iterator[Fault]:
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
                yield Fault(path, "it is a link, and the manifest does not have it")
            elif name in names and manifest.is_listed(path):
                yield Fault(path, "the manifest does not have it")
            elif name in names and path.endswith(tuple(CODINGS.values())):
                problem = _find_fault_of_copy(Path(parent, name))
                if problem is not None:
                    yield Fault(path, problem)


def _find_fault_of_copy(copy: Path) -> str | None:
    """Why a compressed file is no copy of the file beside it; None if it is."""
    original = copy.with_suffix("")
    if not original.is_file():
        return "the manifest does not have it"
    data = original.read_bytes()
    try:
        unpacked = _unpack(copy, len(data) + 1)
    except ModuleNotFoundError:
        return "it is not checked: pip install 'registry-generator[brotli]'"
    except ValueError:
        return "it is not compressed as its name says"
    return None if unpacked == data else f"it has another content than {original.name}"


def _unpack(copy: Path, size: int) -> bytes:
    """The content of a compressed file, if it has less than `size` bytes, else its beginning.

    Raises ValueError for a damaged file, and ModuleNotFoundError without the package brotli.
    """
    packed = copy.read_bytes()
    if copy.suffix == CODINGS["gzip"]:
        gzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            data = gzip.decompress(packed, size)
        except zlib.error as error:
            raise ValueError from error
        is_whole = gzip.eof and not gzip.unused_data
    else:
        brotli: Any = importlib.import_module("brotli")
        unpacker = brotli.Decompressor()
        try:
            data = unpacker.process(packed, output_buffer_limit=size)
        except brotli.error as error:
            raise ValueError from error
        is_whole = unpacker.is_finished()
    if not is_whole and len(data) < size:
        raise ValueError
    return data


def _all_entries(manifest_files: Manifest, faults: list[Fault]) -> Iterator[ManifestEntry]:
    for numbers in manifest_files.root.layout.batches():
        yield from _bin_entries(manifest_files, numbers, faults)


def _bin_entries(
    manifest_files: Manifest, numbers: Iterable[int], faults: list[Fault]
) -> Iterator[ManifestEntry]:
    """The entries of bins. Reports each invalid bin as a fault and skips it."""
    numbers = list(numbers)
    try:
        bins = manifest_files.entries(numbers)
    except Untrusted as error:
        if len(numbers) == 1:
            path, _, message = str(error).partition(": ")
            problem = Fault(path, message)
            if problem not in faults:
                faults.append(problem)
            return
        for number in numbers:
            yield from _bin_entries(manifest_files, [number], faults)
        return
    for entries in bins.values():
        yield from entries.values()


def _sample_entries(
    manifest_files: Manifest, count: int, rng: random.Random, faults: list[Fault]
) -> Iterator[ManifestEntry]:
    """Random entries, a few from each bin, with the bins in random order."""
    numbers = list(range(1 << manifest_files.root.layout.bits))
    rng.shuffle(numbers)
    for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
        if count <= 0:
            return
        entries = sorted(_bin_entries(manifest_files, [number], faults))
        taken = rng.sample(entries, min(-(-count // left), len(entries)))
        count -= len(taken)
        yield from taken
