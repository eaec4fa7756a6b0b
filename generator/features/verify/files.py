"""Verify all files of a registry, or a sample, against its manifest."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Set
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from generator.contract import manifest
from generator.contract.files import ReadFiles, unpack
from generator.contract.manifest import ManifestEntry, Root
from generator.grammar.paths import CODINGS, MANIFEST_ROOT
from generator.reader.verified import Report, Trust, TrustedManifest, Untrusted, fetch

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
    faults = [FileFault(MANIFEST_ROOT, problem) for problem in root_problems]
    if root is None:
        return VerifyResult(None, 0, 0, faults)

    def report(error: Untrusted) -> None:
        path, _, problem = str(error).partition(": ")
        if not faults or (path != MANIFEST_ROOT and FileFault(path, problem) not in faults):
            faults.append(FileFault(path, problem))

    manifest_files, files, size = TrustedManifest(root, read), 0, 0
    if sample is None:
        batches, total = manifest_files.all_entries(report), root.files
    else:
        batches, total = _sampled(manifest_files, sample, report), min(sample, root.files)
    entries = (entry for batch in batches for entry in batch.values())
    paths = set()
    for entry, data, problem in fetch(chain([root.build], entries), read):
        files, size = files + 1, size + len(data or b"")
        paths.add(entry.path)
        if problem is not None:
            faults.append(FileFault(entry.path, problem))
        progress(min(files, total), total)
    return VerifyResult(root, files, size, faults, frozenset(paths if sample is None else ()))


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


def _sampled(
    manifest_files: TrustedManifest, count: int, report: Report
) -> Iterator[dict[str, ManifestEntry]]:
    """Random entries, a few from each bin, with the bins in random order."""
    rng = random.SystemRandom()
    numbers = list(range(1 << manifest_files.root.layout.bits))
    rng.shuffle(numbers)
    for left, number in zip(range(len(numbers), 0, -1), numbers, strict=True):
        entries = manifest_files.some_entries([number], report) if count > 0 else {}
        taken = rng.sample(sorted(entries), min(-(-count // left), len(entries)))
        count -= len(taken)
        yield {path: entries[path] for path in taken}
