"""The files of a content folder, by collection.  Reads names, not bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.diagnostic import Diagnostic, did_you_mean
from generator.query import MAX_SLUG, is_slug, slugify

REGISTRY_FILE = "registry.yaml"
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

    def shown(self, path: str) -> str:
        """A path as the author would type it, printable whatever its bytes."""
        return os.fsencode(os.path.join(self.folder, path)).decode("utf-8", "backslashreplace")

    def problem(self, path: str, code: str, message: str, hint: str | None = None, *, warn: bool = False) -> None:
        severity = "warning" if warn else "error"
        self.problems.append(Diagnostic(self.shown(path), 1, 1, code, message, hint, severity))  # type: ignore[arg-type]

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None, and a problem, when it cannot be read."""
        try:
            return read_bytes(os.path.join(self.folder, path))
        except OSError as error:
            self.problem(path, "unreadable-file", f"cannot be read: {error.strerror}", "check its permissions")
            return None


def read_bytes(path: str | bytes, directory: int | None = None) -> bytes:
    """A whole file, by its descriptor: most records fit one read."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=directory)
    try:
        data = os.read(file, 65536)
        if len(data) == 65536:
            more = [data]
            while chunk := os.read(file, 65536):
                more.append(chunk)
            data = b"".join(more)
        return data
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
        content.problem(REGISTRY_FILE, "missing-registry", "there is no registry.yaml", "it holds at least name and description")
    for entry in entries:
        if entry.name in COLLECTIONS and entry.is_dir():
            content.sources[entry.name] = sorted(_walk(content, entry.name), key=lambda s: s.path)
        elif entry.name != REGISTRY_FILE and not _ignored(entry.name):
            near = did_you_mean(entry.name, COLLECTIONS) if entry.is_dir() else None
            hint = f'did you mean "{near}"?' if near else "records are in " + ", ".join(f"{c}/" for c in COLLECTIONS)
            content.problem(entry.name, "stray-file", "no build reads this", hint, warn=True)
    for name in COLLECTIONS:
        _check_slugs(content, name)
    return content


def _ignored(name: str) -> bool:
    return name.startswith(".") or name.upper().startswith("README")


def _walk(content: Content, folder: str) -> Iterator[Source]:
    todo = [folder]
    while todo:
        here = todo.pop()
        try:
            entries = list(os.scandir(os.path.join(content.folder, here)))
        except OSError as error:
            content.problem(here, "unreadable-file", f"the folder cannot be read: {error.strerror}", "check its permissions")
            continue
        for entry in entries:
            name = entry.name
            if name.endswith((".yaml", ".yml")) and name[0] != "." and not entry.is_dir():
                yield Source(name.rpartition(".")[0], f"{here}/{name}")
            elif entry.is_dir(follow_symlinks=False):
                if name[0] != ".":
                    todo.append(f"{here}/{name}")
            elif not _ignored(name):
                hint = "a record's file ends in .yaml or .yml, and links to folders are not followed"
                content.problem(f"{here}/{name}", "stray-file", "no build reads this", hint, warn=True)


def _check_slugs(content: Content, name: str) -> None:
    seen: dict[str, str] = {}
    for slug, path in content.sources[name]:
        if not is_slug(slug):
            better = slugify(slug)[:MAX_SLUG].strip("-")
            hint = f'rename the file to "{better}.yaml"' if better else "use lower-case letters, digits and single hyphens"
            shown = content.shown(path).rpartition("/")[2].rpartition(".")[0]
            content.problem(path, "invalid-slug", f'the file\'s stem "{shown}" is no slug', hint)
        if slug in seen:
            what = f'another file has the slug "{slug}": {content.shown(seen[slug])}'
            content.problem(path, "duplicate-slug", what, "rename one of them, or remove it")
        seen.setdefault(slug, path)
