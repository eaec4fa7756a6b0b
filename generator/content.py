"""The files of a content folder, by collection.  Reads names, not bytes."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from stat import S_ISREG
from typing import NamedTuple

from generator.diagnostic import Diagnostic, did_you_mean, printable
from generator.query import MAX_SLUG, is_slug, slugify

REGISTRY_FILE = "registry.yaml"
MAX_BYTES = 256 * 1024  # of one file
COLLECTIONS = ("organizations", "programs", "events", "projects")


class Source(NamedTuple):
    """One record's file; `path` is relative to the content folder, with forward slashes."""

    slug: str
    path: str


@dataclass(slots=True)
class Content:
    """What `scan` found: the files of each collection, in the order of their paths."""

    folder: str
    sources: dict[str, list[Source]] = field(default_factory=lambda: {name: [] for name in COLLECTIONS})
    problems: list[Diagnostic] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)  # folder -> what it holds, folders with a slash

    def shown(self, path: str) -> str:
        """A path as the author would type it, printable whatever its bytes."""
        return printable(os.fsencode(os.path.join(self.folder, path)).decode("utf-8", "backslashreplace"))

    def problem(self, path: str, code: str, message: str, hint: str | None = None, *, warn: bool = False) -> None:
        severity = "warning" if warn else "error"
        self.problems.append(Diagnostic(self.shown(path), 1, 1, code, printable(message), hint, severity))  # type: ignore[arg-type]

    def take(self, path: str) -> Taken | None:
        """A file's bytes and times; None, and a problem, when it cannot be read."""
        try:
            return take(os.path.join(self.folder, path))
        except OSError as error:
            self.problem(path, "unreadable-file", f"cannot be read: {error.strerror}", _MENDING.get(error.errno or 0))
            return None

    def read(self, path: str) -> bytes | None:
        taken = self.take(path)
        return taken.raw if taken is not None else None


class Taken(NamedTuple):
    """A file's bytes; its mtime and ctime in ns and its size, all noted before reading."""

    raw: bytes
    stat: tuple[int, int, int]


_MENDING = {
    errno.EACCES: "check its permissions",
    errno.ENOENT: "it is a link to a file that does not exist",
    errno.ELOOP: "it is a link that leads back to itself",
    errno.EINVAL: "a record is a file of its own, or a link to one",
    errno.EISDIR: "a record is a file of its own, or a link to one",
}


def take(path: str) -> Taken:
    """Read a file, of one that is too long no more than shows that.  Raises OSError."""
    # O_NONBLOCK: opening a named pipe would wait for a writer; regular files do not heed it.
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        stat = os.fstat(file)
        if not S_ISREG(stat.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        raw = os.read(file, min(stat.st_size, MAX_BYTES) + 1)
        if len(raw) != stat.st_size:
            while len(raw) <= MAX_BYTES and (chunk := os.read(file, MAX_BYTES)):
                raw += chunk
        return Taken(raw, (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size))
    finally:
        os.close(file)


def scan(folder: str) -> Content:
    """Every record file below `folder`, and what is there that no build reads."""
    content = Content(folder)
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except OSError as error:
        hint = f'"registry build --content DIR" names another folder; a registry begins with {REGISTRY_FILE}'
        content.problem("", "missing-registry", f"the content folder cannot be read: {error.strerror}", hint)
        return content
    if not any(entry.name == REGISTRY_FILE for entry in entries):
        near = did_you_mean(REGISTRY_FILE, [entry.name for entry in entries])
        hint = f'rename "{near}" to "{REGISTRY_FILE}"' if near else "it holds at least name and description"
        content.problem(REGISTRY_FILE, "missing-registry", f"there is no {REGISTRY_FILE}", hint)
    content.names[""] = _names(entries)
    for entry in entries:
        if entry.name in COLLECTIONS and _is_folder(entry):
            content.sources[entry.name] = sorted(_walk(content, entry.name), key=lambda s: s.path)
        elif entry.name != REGISTRY_FILE and not _ignored(entry.name):
            near = did_you_mean(entry.name, COLLECTIONS) if _is_folder(entry) else None
            hint = f'did you mean "{near}"?' if near else "records are in " + ", ".join(f"{c}/" for c in COLLECTIONS)
            # A misspelt collection would publish a registry without its records: more than a warning.
            content.problem(entry.name, "stray-file", "no build reads this", hint, warn=near is None)
    for name in COLLECTIONS:
        _check_slugs(content, name)
    return content


def _ignored(name: str) -> bool:
    return name.startswith(".") or name.upper().startswith("README")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A folder or a link to one; a link that leads nowhere or back to itself is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _names(entries: list[os.DirEntry[str]]) -> list[str]:
    return [e.name + "/" * e.is_dir(follow_symlinks=False) for e in entries if not e.name.startswith(".")]


def _walk(content: Content, folder: str) -> Iterator[Source]:
    todo = [folder]
    while todo:
        here = todo.pop()
        try:
            entries = list(os.scandir(os.path.join(content.folder, here)))
        except OSError as error:
            content.problem(here, "unreadable-file", f"the folder cannot be read: {error.strerror}", _MENDING.get(error.errno or 0))
            continue
        content.names[here] = _names(entries)
        for entry in entries:
            name = entry.name
            if name.endswith((".yaml", ".yml")) and name[0] != "." and not _is_folder(entry):
                yield Source(name.rpartition(".")[0], f"{here}/{name}")
            elif entry.is_dir(follow_symlinks=False):
                if name[0] != ".":
                    todo.append(f"{here}/{name}")
            elif not _ignored(name):
                hint = "a record's file ends in .yaml or .yml"
                if entry.is_symlink():
                    hint = "links to folders are not followed"
                elif name.lower().endswith((".yaml", ".yml")):
                    hint += ", in lower case"
                content.problem(f"{here}/{name}", "stray-file", "no build reads this", hint, warn=True)


def _check_slugs(content: Content, name: str) -> None:
    seen: dict[str, str] = {}
    for slug, path in content.sources[name]:
        shown = content.shown(path).rpartition("/")[2].rpartition(".")[0]
        if not is_slug(slug):
            better = slugify(slug)[:MAX_SLUG].strip("-")
            hint = f'rename the file to "{better}.yaml"' if better else "use lower-case letters, digits and single hyphens"
            content.problem(path, "invalid-slug", f'the file\'s stem "{shown}" is no slug', hint)
        if slug in seen:
            what = f'another file has the slug "{shown}": {content.shown(seen[slug])}'
            content.problem(path, "duplicate-slug", what, "rename one of them, or remove it")
        seen.setdefault(slug, path)
