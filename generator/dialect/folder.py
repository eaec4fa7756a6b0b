"""The files of a content folder, by collection.  Reads names, not bytes."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from stat import S_ISREG
from typing import Any, Literal, NamedTuple

from generator.dialect.strays import ENDINGS, a_record, is_readme, looks_like
from generator.grammar.text import MAX_SLUG, is_slug, slugify
from generator.problems.diagnostic import Diagnostic, Fix, did_you_mean, printable

REGISTRY_FILE = "registry.yaml"
REMOVED_FILE = "removed.yaml"
APPROVALS_FILE = "approvals.yaml"
MAX_BYTES = 256 * 1024  # of one file
COLLECTIONS = ("organizations", "programs", "events", "projects")
#: Those whose records others refer to: they are read first.  A record shows how many projects refer
#: to it, and how many records of those before its collection here.
REFERRED = ("programs", "organizations")
#: The others: a record is read, checked, rendered and written in one go.
STREAMED = ("projects", "events")

#: Where a command that changes the content keeps what it will write, until all of it is there.
UNFINISHED = ".edit"

_UNREAD = "the build ignores this"
_FOLDERS = {f"{name}/" for name in COLLECTIONS}
_WHERE = "records belong in " + ", ".join(f"{name}/" for name in COLLECTIONS)
#: Hidden folders of tools, at the top of a checkout: nobody takes them for records.
_TOOLS = {
    ".git", ".hg", ".jj", ".svn", ".github", ".gitlab", ".gitea", ".forgejo",
    ".vscode", ".idea", ".devcontainer",
}  # fmt: skip


class Source(NamedTuple):
    """One record's file; `path` is relative to the content folder, with forward slashes."""

    slug: str
    path: str


@dataclass(slots=True)
class Content:
    """What `scan` found: the files of each collection, in the order of their paths; and what it
    says of names.
    """

    folder: str
    sources: dict[str, list[Source]] = field(default_factory=lambda: {c: [] for c in COLLECTIONS})
    problems: list[Diagnostic] = field(default_factory=list)
    #: folder -> what it holds, as `walk` spells it
    names: dict[str, list[str]] = field(default_factory=dict)
    #: what lies outside of collections, and a file there
    astray: list[tuple[str, str]] = field(default_factory=list)

    def shown(self, path: str) -> str:
        """A path as the author would type it, printable whatever its bytes."""
        name = os.fsencode(os.path.join(self.folder, path))
        return printable(name.decode("utf-8", "backslashreplace"))

    def told(
        self, path: str, code: str, message: str, hint: str | None = None, *,
        warn: bool = False, name: str = "",
    ) -> Diagnostic:  # fmt: skip
        """A problem of a whole file, or of a folder; `name` is what it is called instead, where
        that is sure.
        """
        severity: Literal["error", "warning"] = "warning" if warn else "error"
        hint = hint and printable(hint)
        fix = Fix("name", name) if name else None
        return Diagnostic(self.shown(path), 1, 1, code, printable(message), hint, severity, fix=fix)

    def problem(
        self, path: str, code: str, message: str, hint: str | None = None, **more: Any
    ) -> None:
        """The same, taken among those that the scan tells."""
        self.problems.append(self.told(path, code, message, hint, **more))

    def take(self, path: str) -> Taken | Diagnostic:
        """A file's bytes and times, or the problem where it cannot be read."""
        try:
            return take(f"{self.folder}/{path}" if self.folder else path)
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            return self.told(path, "unreadable-file", what, _MENDING.get(error.errno or 0))


class Taken(NamedTuple):
    """A file's bytes; its mtime and ctime in ns and its size, all noted before reading."""

    raw: bytes
    stat: tuple[int, int, int]


_OTHER_FOLDER = "name the folder that has registry.yaml: registry build --content DIR"
_MENDING = {
    errno.EACCES: "check its permissions",
    errno.ENOENT: "it is a link to a file that does not exist",
    errno.ELOOP: "it is a link that leads back to itself",
    errno.EINVAL: "put a normal file here, or a link to a file",
    errno.EISDIR: "put a normal file here, or a link to a file",
}


#: O_NONBLOCK: opening a named pipe would wait for a writer; regular files do not heed it.
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


def take(path: str) -> Taken:
    """Read a file, of one that is too long no more than shows that.  Raises OSError."""
    file = os.open(path, _READ)
    try:
        stat = os.fstat(file)
        size = stat.st_size
        if not S_ISREG(stat.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        raw = os.read(file, size + 1 if size < MAX_BYTES else MAX_BYTES + 1)
        if len(raw) != size:
            while len(raw) <= MAX_BYTES and (chunk := os.read(file, MAX_BYTES)):
                raw += chunk
        return Taken(raw, (stat.st_mtime_ns, stat.st_ctime_ns, size))
    finally:
        os.close(file)


def is_read(path: str) -> bool:
    """Whether a path of a content folder is that of a file that a build reads."""
    return path in (REGISTRY_FILE, REMOVED_FILE) or is_record(path)


def is_content(path: str) -> bool:
    """Whether a path is that of a file which commands write below a content folder."""
    return path == APPROVALS_FILE or is_read(path)


def is_record(path: str) -> bool:
    """Whether a path of a content folder is that of a record, as `walk` spells it."""
    collection, _, name = path.partition("/")
    return collection in COLLECTIONS and name.endswith(ENDINGS)


def slug_of(path: str) -> str:
    """The slug of a record, by the path of its file."""
    return path.rpartition("/")[2].rpartition(".")[0]


def walk(
    root: str, known: Callable[[str], bool] = lambda here: False
) -> Iterator[tuple[str, list[Entry] | OSError]]:
    """Every folder of the content with what it holds; what is content is said here and nowhere
    else.

    A name has a slash after it for a folder that is walked too, and two for one that is not: a
    hidden one, and a link to a folder but for a collection's own.  Hidden files are left out.
    Folders that are `known` are passed over.
    """
    todo = [""]
    while todo:
        here = todo.pop()
        if known(here):
            continue
        try:
            with os.scandir(os.path.join(root, here)) as entries:
                named = [(_spelled(here, entry), entry) for entry in entries]
            held = [Entry(name, entry) for name, entry in named if name is not None]
        except OSError as error:
            if not here or here.partition("/")[0] in COLLECTIONS:
                yield here, error
            continue
        inner = [name[:-1] for name, _ in held if name[-1] == "/" != name[-2]]
        todo += [f"{here}/{name}" for name in inner] if here else inner
        yield here, held


class Entry(NamedTuple):
    """What a folder holds, under its name as `walk` spells it."""

    name: str
    entry: os.DirEntry[str]


def _spelled(here: str, entry: os.DirEntry[str]) -> str | None:
    name = entry.name
    if not _is_folder(entry):
        return name if name[0] != "." else None
    if name[0] == ".":
        return f"{name}//" if here or name not in _TOOLS else None
    return f"{name}//" if entry.is_symlink() and (here or name not in COLLECTIONS) else f"{name}/"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A folder or a link to one; a link that leads nowhere or back to itself is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def scan(folder: str) -> Content:
    """Every record file below `folder`, and what is there that no build reads."""
    content = Content(folder)
    lost: dict[str, list[str]] = {}  # a folder of no collection -> what in it looks like records
    for here, entries in walk(folder):
        if isinstance(entries, OSError):
            what = f"folder cannot be read: {entries.strerror}"
            if here:
                hint = _MENDING.get(entries.errno or 0)
                content.problem(here, "unreadable-file", f"the {what}", hint)
            else:
                content.problem("", "missing-registry", f"the content {what}", _OTHER_FOLDER)
            continue
        content.names[here] = names = [name for name, _ in entries]
        if not here:
            lost = {name: [] for name in _check_top(content, names)}
        elif here.partition("/")[0] in COLLECTIONS:
            _take_names(content, here, entries)
        elif (top := here.partition("/")[0]) in lost:
            lost[top] += [f"{here}/{name}" for name in names if name.lower().endswith(ENDINGS)]
    for name, paths in lost.items():
        if paths:
            content.astray.append((name, min(paths)))
        else:
            content.problem(name, "stray-file", _UNREAD, _WHERE, warn=True)
    for name in COLLECTIONS:
        content.sources[name].sort(key=lambda source: source.path)
        _check_slugs(content, name)
    return content


def _check_top(content: Content, names: list[str]) -> list[str]:
    """What lies beside the collections; of its folders those that may hold anything."""
    others = []
    bare = [name.rstrip("/") for name in names]
    near = did_you_mean(REGISTRY_FILE, bare)
    if REGISTRY_FILE not in bare:
        hint = "create it with at least name and description"
        hint = f'rename "{near}" to "{REGISTRY_FILE}"' if near else hint
        content.problem(REGISTRY_FILE, "missing-registry", f"there is no {REGISTRY_FILE}", hint)
    known = (REGISTRY_FILE, REMOVED_FILE, APPROVALS_FILE, near)
    for name, spelled in zip(bare, names, strict=True):
        stray = partial(content.problem, name, "stray-file")
        if name in known or is_readme(name) or spelled in _FOLDERS:
            continue
        if name in COLLECTIONS:
            stray(
                f"this is a file, and must be a folder of {name}",
                "make it a folder of records, or remove it",
            )
        elif name == UNFINISHED:
            what = "a registry command was stopped before it finished"
            stray(what, "run it again: it first finishes what it began")
        elif spelled.endswith("//"):
            _tell_passed_over(content, name)
        elif spelled.endswith("/"):
            # A misspelt collection would publish a registry without its records.
            if meant := did_you_mean(name, COLLECTIONS):
                stray(_UNREAD, f'did you mean "{meant}"?')
            else:
                others.append(name)
        elif did_you_mean(name.lower(), [REGISTRY_FILE]):
            stray(f"this looks like a second {REGISTRY_FILE}", "keep one of them")
        elif near := did_you_mean(name.lower(), [REMOVED_FILE, APPROVALS_FILE]):
            stray(_UNREAD, f'did you mean "{near}"?')
        elif name.lower().endswith(ENDINGS):
            content.astray.append((name, name))
        else:
            stray(_UNREAD, _WHERE, warn=True)
    return others


def _take_names(content: Content, here: str, entries: list[Entry]) -> None:
    """The records in a folder of a collection, and what should not be there."""
    collection = here.partition("/")[0]
    for name, entry in entries:
        path = f"{here}/{name}"
        if name.endswith(ENDINGS):
            content.sources[collection].append(Source(name.rpartition(".")[0], path))
        elif name.endswith("//"):
            _tell_passed_over(content, path[:-2])
        elif name[-1] == "/":
            if not is_text(name):
                what = "the folder's name is not UTF-8"
                content.problem(path[:-1], "unreadable-file", what, "rename it")
        elif not is_readme(name):
            looks = looks_like(name, a_record(collection))
            if entry.is_symlink() and not os.path.exists(entry.path):
                looks = ("this is a link that leads nowhere", "remove it")
            content.problem(path, "stray-file", *looks)


def _tell_passed_over(content: Content, path: str) -> None:
    """A hidden folder, which may be meant so, or a link to a folder, which hides what may be
    records.
    """
    if path.rpartition("/")[2].startswith("."):
        hint = "if it holds records, remove the dot from its name"
        content.problem(path, "stray-file", "the build ignores hidden folders", hint, warn=True)
    else:
        hint = "put the folder itself here, or link single files: links to folders are not followed"
        content.problem(path, "stray-file", _UNREAD, hint, warn="/" not in path)


def is_text(name: str) -> bool:
    """Whether a name is UTF-8, of which Python makes text without surrogates."""
    return name.isascii() or not any("\ud800" <= c <= "\udfff" for c in name)


def _check_slugs(content: Content, name: str) -> None:
    seen: dict[str, str] = {}
    for slug, path in content.sources[name]:
        if is_slug(slug) and slug not in seen:
            seen[slug] = path
            continue
        shown = slug_of(content.shown(path))
        if not is_slug(slug):
            better = slugify(slug)[:MAX_SLUG].strip("-")
            file = f"{better}.{path.rpartition('.')[2]}"
            hint = "use lower-case letters, digits and single hyphens"
            hint = f'rename the file to "{file}"' if better else hint
            what = f'the file name "{shown}" is not a valid slug'
            name = file if is_text(path) and is_slug(slugify(slug)) else ""
            content.problem(path, "invalid-slug", what, hint, name=name)
        if slug in seen:
            what = f'another file has the slug "{shown}": {content.shown(seen[slug])}'
            content.problem(path, "duplicate-slug", what, "rename one of them, or remove it")
        seen.setdefault(slug, path)
