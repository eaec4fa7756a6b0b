"""The files of a content folder, by collection.

`scan` decides by names which files are records and logos, and reports the others.  `read_content`
reads a file.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from stat import S_ISREG
from typing import Any, Literal, NamedTuple

from generator.dialect.strays import (
    ENDINGS,
    LOGO_ENDINGS,
    describe_stray,
    is_copy,
    is_readme,
    is_reserved,
    strip_extension,
)
from generator.kinds import Kinds, built_in
from generator.kinds.rules import names_in, names_in_lines
from generator.problems.diagnostic import Diagnostic, Fix, Position, nearest_word, printable
from generator.text.words import MAX_SLUG, is_slug, word_slug

REGISTRY_FILE = "registry.yaml"
REMOVED_FILE = "removed.yaml"
APPROVALS_FILE = "approvals.yaml"
LOCK_FILE = "schema.lock.json"
MAX_BYTES = 256 * 1024  # of a file

_UNREAD = "the build ignores this"
_INTERRUPTED = (
    "`git diff` shows what it changed; the next command that changes records removes this file"
)
#: Hidden folders of tools at the top of a checkout, which surely have no records.
_TOOLS = {
    ".git", ".hg", ".jj", ".svn", ".github", ".gitlab", ".gitea", ".forgejo",
    ".vscode", ".idea", ".devcontainer",
}  # fmt: skip


#: Matches the name of a temporary file of a command that changes the file NAME:
#: `.NAME.registry-` and 8 random digits.
_is_temporary = re.compile(r"\.(.+)\.registry-[0-9a-f]{8}").fullmatch


#: Record or logo -> the bytes that a command will write, None if it will remove the file.
Planned = Mapping[str, bytes | None]


class Source(NamedTuple):
    """The file of a record; `path` is relative to the content folder, with forward slashes."""

    slug: str
    path: str


@dataclass(slots=True)
class Content:
    """The result of `scan`: the files of each collection and the logos, sorted by path, and the
    problems of names.
    """

    folder: str
    #: those of the registry
    kinds: Kinds
    sources: dict[str, list[Source]] = field(init=False)
    logos: list[str] = field(default_factory=list)
    #: records that are links to files
    links: list[str] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    #: YAML files, or folders that have some, outside of collections, each with a file
    stray_yaml: list[tuple[str, str]] = field(default_factory=list)
    #: hidden files that would be records
    hidden: list[str] = field(default_factory=list)
    #: the files that are read as they will be
    planned: Planned = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sources = {name: [] for name in self.kinds.referred_first}

    @property
    def where(self) -> str:
        """Where records belong."""
        return "records belong in " + ", ".join(f"{name}/" for name in self.kinds)

    def display_path(self, path: str) -> str:
        """A path as the author would type it, printable even if it is not UTF-8."""
        name = os.fsencode(os.path.join(self.folder, path))
        return printable(name.decode("utf-8", "backslashreplace"))

    def file_problem(
        self, path: str, code: str, message: str, hint: str | None = None, *,
        warn: bool = False, name: str = "",
    ) -> Diagnostic:  # fmt: skip
        """A problem of a whole file or folder; `name` is a new name that surely fixes it."""
        severity: Literal["error", "warning"] = "warning" if warn else "error"
        hint = hint and printable(hint)
        fix = Fix("name", name) if name else None
        return Diagnostic(
            self.display_path(path), 1, 1, code, printable(message), hint, severity, fix=fix
        )

    def add_problem(
        self, path: str, code: str, message: str, hint: str | None = None, **more: Any
    ) -> None:
        """Add such a problem to `problems`."""
        self.problems.append(self.file_problem(path, code, message, hint, **more))

    def read_content(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file; a problem if it cannot be read."""
        planned = self.planned.get(path)
        if planned is not None:
            return planned
        try:
            return read_file(f"{self.folder}/{path}" if self.folder else path)
        except OSError as error:
            message = f"cannot be read: {error.strerror}"
            return self.file_problem(path, "unreadable-file", message, _HINTS.get(error.errno or 0))


_OTHER_FOLDER = "name the folder that has registry.yaml: registry build --content DIR"
_HINTS = {
    errno.EACCES: "check its permissions",
    errno.ENOENT: "it is a link to a file that does not exist",
    errno.ELOOP: "it is a link that leads back to itself",
    errno.EINVAL: "put a normal file here, or a link to a file",
    errno.EISDIR: "put a normal file here, or a link to a file",
}

#: Without O_NONBLOCK, opening a named pipe would wait for a writer.
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


def read_file(path: str) -> bytes:
    """The bytes of a regular file, up to `MAX_BYTES` and a bit more.  Raises OSError."""
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
        return raw
    finally:
        os.close(file)


def open_content(folder: str, planned: Planned | None = None) -> Content:
    """A content folder whose files are not known yet; its kinds are those that registry.yaml names,
    even if it has faults.
    """
    content = Content(folder, built_in(), planned=planned or {})
    raw = content.read_content(REGISTRY_FILE)
    if isinstance(raw, bytes) and b"kinds" in raw:
        from generator.dialect.examine import examine

        data = examine(raw).data
        if not isinstance(data, dict):
            data = names_in_lines(raw.decode("utf-8", "replace"))
        content = Content(folder, names_in(data, built_in()), planned=planned or {})
    return content


def is_input(path: str, kinds: Kinds) -> bool:
    """Whether builds read the file at a path of a content folder."""
    return path in (REGISTRY_FILE, REMOVED_FILE) or is_record(path, kinds) or is_logo(path, kinds)


def is_content(path: str, kinds: Kinds) -> bool:
    """Whether commands may write the file at a path of a content folder."""
    return path in (APPROVALS_FILE, LOCK_FILE) or is_input(path, kinds)


def name_of_temporary(name: str) -> str | None:
    """The name of the file that a temporary file of a command replaces; None for other files."""
    found = _is_temporary(name)
    return found[1] if found else None


def is_record(path: str, kinds: Kinds) -> bool:
    """Whether the file at a path of a content folder is a record."""
    collection, _, name = path.partition("/")
    return collection in kinds and name.endswith(ENDINGS)


def is_logo(path: str, kinds: Kinds) -> bool:
    """Whether the file at a path of a content folder is a logo."""
    return path.endswith(LOGO_ENDINGS) and path.partition("/")[0] in kinds.file_readers


def slug_of(path: str) -> str:
    """The slug of the record at a path."""
    return path.rpartition("/")[2].rpartition(".")[0]


class FolderEntry(NamedTuple):
    """An entry of a folder, with its name as `walk` gives it."""

    name: str
    entry: os.DirEntry[str]


def walk(root: str, kinds: Kinds) -> Iterator[tuple[str, list[FolderEntry] | OSError]]:
    """Every folder of the content with its entries, or the error if it cannot be read.  Only this
    function decides what is content.

    The name of a folder ends with a slash if it is walked too, and with two if not: if it is
    hidden, or a link to a folder that is not a collection.  Hidden files are left out, except those
    below the top that could be records, and the temporary files of commands.
    """
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as scanned:
                named = [(_entry_name(folder, entry, kinds), entry) for entry in scanned]
            entries = [FolderEntry(name, entry) for name, entry in named if name is not None]
        except OSError as error:
            if not folder or folder.partition("/")[0] in kinds:
                yield folder, error
            continue
        inner = [name[:-1] for name, _ in entries if name[-1] == "/" != name[-2]]
        folders += [f"{folder}/{name}" for name in inner] if folder else inner
        yield folder, entries


def _entry_name(folder: str, entry: os.DirEntry[str], kinds: Kinds) -> str | None:
    """The name of an entry as `walk` gives it; None if it is left out."""
    name = entry.name
    if not _is_folder(entry):
        if name[0] != "." or name_of_temporary(name):
            return name
        return name if folder and name.endswith(ENDINGS) else None
    if name[0] == ".":
        return f"{name}//" if folder or name not in _TOOLS else None
    is_skipped = entry.is_symlink() and (folder or name not in kinds)
    return f"{name}//" if is_skipped else f"{name}/"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A folder or a link to one; not a broken or circular link."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def scan(folder: str, planned: Planned | None = None) -> Content:
    """Find all record files below `folder`, as they will be after the changes `planned`, and report
    files that builds ignore.
    """
    content = open_content(folder, planned)
    other_folders: dict[str, list[str]] = {}  # folder outside of collections -> its YAML files
    temporary: list[str] = []
    for path, entries in walk(folder, content.kinds):
        top = path.partition("/")[0]
        if isinstance(entries, OSError):
            message = f"folder cannot be read: {entries.strerror}"
            if path:
                hint = _HINTS.get(entries.errno or 0)
                content.add_problem(path, "unreadable-file", f"the {message}", hint)
            else:
                content.add_problem("", "missing-registry", f"the content {message}", _OTHER_FOLDER)
            continue
        if found := [f"{path}/{name}" for name, _ in entries if name_of_temporary(name)]:
            temporary += found
            entries = [entry for entry in entries if not name_of_temporary(entry.name)]
        if found := [name for name, _ in entries if name[0] == "." and name[-1] != "/"]:
            content.hidden += [f"{path}/{name}" for name in found]
            entries = [entry for entry in entries if entry.name not in found]
        names = [name for name, _ in entries]
        if not path:
            other_folders = {name: [] for name in _check_top(content, names)}
        elif top in content.kinds:
            _take_names(content, path, entries)
        elif top in other_folders:
            yaml_names = [name for name in names if name.lower().endswith(ENDINGS)]
            other_folders[top] += [f"{path}/{name}" for name in yaml_names]
    for name, paths in other_folders.items():
        if paths and name in content.kinds.left_out:
            message = f"{REGISTRY_FILE} leaves out {name}, and this folder has files of records"
            hint = f"remove {name} from without_kinds, or remove this folder"
            content.add_problem(name, "stray-file", message, hint)
        elif paths:
            content.stray_yaml.append((name, min(paths)))
        elif name not in content.kinds.left_out:  # whose folder stays empty, after its examples
            content.add_problem(name, "stray-file", _UNREAD, content.where, warn=True)
    if temporary:
        message = "a registry command was stopped before it changed all files"
        content.add_problem(min(temporary).lstrip("/"), "stray-file", message, _INTERRUPTED)
    if content.planned:
        _take_planned(content)
    content.logos.sort()
    for name in content.sources:
        content.sources[name].sort(key=lambda source: source.path)
        _check_slugs(content, name)
    return content


def _take_planned(content: Content) -> None:
    """Add the records and logos that a command will write, without those it will remove."""
    written = [path for path, data in content.planned.items() if data is not None]
    kept = [path for path in content.logos if path not in content.planned]
    content.logos = kept + [path for path in written if is_logo(path, content.kinds)]
    for name, sources in content.sources.items():
        content.sources[name] = [source for source in sources if source.path not in content.planned]
    for path in (path for path in written if is_record(path, content.kinds)):
        content.sources[path.partition("/")[0]].append(Source(slug_of(path), path))


def _check_top(content: Content, names: list[str]) -> list[str]:
    """Report what does not belong at the top of the content.  Returns the unknown folders, which
    are reported when it is known whether they have YAML files.
    """
    unknown = []
    bare = [name.rstrip("/") for name in names]
    near = None
    if REGISTRY_FILE not in bare:
        near = nearest_word(REGISTRY_FILE, bare)
        hint = "create it with at least name and description"
        hint = f'rename "{near}" to "{REGISTRY_FILE}"' if near else hint
        content.add_problem(REGISTRY_FILE, "missing-registry", f"there is no {REGISTRY_FILE}", hint)
    known = (REGISTRY_FILE, REMOVED_FILE, APPROVALS_FILE, LOCK_FILE, near)
    for name, walked_name in zip(bare, names, strict=True):
        stray = partial(content.add_problem, name, "stray-file")
        if name in known or is_readme(name) or walked_name[:-1] in content.kinds:
            continue
        if name in content.kinds:
            stray(
                f"this is a file, and must be a folder of {name}",
                "make it a folder of records, or remove it",
            )
        elif walked_name.endswith("//"):
            _report_skipped(content, name)
        elif walked_name.endswith("/"):
            # A misspelt collection would publish a registry without its records.
            if collection := nearest_word(name, content.sources):
                stray(_UNREAD, f'did you mean "{collection}"?')
            else:
                unknown.append(name)
        elif nearest_word(name.lower(), [REGISTRY_FILE]):
            stray(f"this looks like a second {REGISTRY_FILE}", "keep one of them")
        elif near := nearest_word(name.lower(), [REMOVED_FILE, APPROVALS_FILE]):
            stray(_UNREAD, f'did you mean "{near}"?')
        elif name.lower().endswith(ENDINGS):
            content.stray_yaml.append((name, name))
        else:
            stray(_UNREAD, content.where, warn=True)
    return unknown


def _take_names(content: Content, folder: str, entries: list[FolderEntry]) -> None:
    """Add the records in a folder of a collection, and report what does not belong there."""
    collection = folder.partition("/")[0]
    for name, entry in entries:
        path = f"{folder}/{name}"
        if name.endswith(ENDINGS):
            content.sources[collection].append(Source(name.rpartition(".")[0], path))
            if entry.is_symlink():
                content.links.append(path)
        elif name.endswith("//"):
            _report_skipped(content, path[:-2])
        elif name[-1] == "/":
            if not is_utf8_name(name):
                message = "the folder's name is not UTF-8"
                content.add_problem(path[:-1], "unreadable-file", message, "rename it")
        elif is_logo(path, content.kinds) and not entry.is_symlink():
            content.logos.append(path)
        elif not is_readme(name):
            message, hint = describe_stray(name, collection, content.kinds)
            if entry.is_symlink() and not os.path.exists(entry.path):
                message, hint = "this is a link that leads nowhere", "remove it"
            content.add_problem(path, "stray-file", message, hint)


def _report_skipped(content: Content, path: str) -> None:
    """Report a hidden folder or a link to a folder, which may have records."""
    if path.rpartition("/")[2].startswith("."):
        hint = "if it holds records, remove the dot from its name"
        content.add_problem(path, "stray-file", "the build ignores hidden folders", hint, warn=True)
    else:
        hint = "put the folder itself here, or link single files: links to folders are not followed"
        content.add_problem(path, "stray-file", _UNREAD, hint, warn="/" not in path)


def is_utf8_name(name: str) -> bool:
    """Whether a name from the system is UTF-8: Python decodes other bytes as surrogates."""
    return name.isascii() or not any("\ud800" <= c <= "\udfff" for c in name)


def duplicate_slug(content: Content, path: str, other: str) -> Diagnostic:
    """The problem of a file with the slug of another."""
    shown = content.display_path(other)
    message = f'another file has the slug "{slug_of(content.display_path(path))}": {shown}'
    hint = "rename one of them, or remove it"
    problem = content.file_problem(path, "duplicate-slug", message, hint)
    return replace(problem, also=(Position(shown),))


def _check_slugs(content: Content, collection: str) -> None:
    """Report invalid and duplicate slugs."""
    paths: dict[str, str] = {}
    names = {slug for slug, _ in content.sources[collection]}
    for slug, path in content.sources[collection]:
        if is_slug(slug) and is_reserved(slug):
            message = f'Windows cannot have a file "{path.rpartition("/")[2]}"'
            kind = content.kinds[collection].kind
            hint = f"rename it, like {slug}-{kind}.yaml; an error from 0.3.0 on"
            content.add_problem(path, "reserved-name", message, hint, warn=True)
        if is_slug(slug) and slug not in paths:
            paths[slug] = path
            continue
        shown = slug_of(content.display_path(path))
        if not is_slug(slug):
            meant = word_slug(strip_extension(slug))
            better = meant[:MAX_SLUG].strip("-")
            file = f"{better}.{path.rpartition('.')[2]}"
            hint = "use lower-case letters, digits and single hyphens"
            hint = f'rename the file to "{file}"' if better else hint
            copied = is_copy(slug, names)
            if copied:
                hint = f"remove it if it is a copy; if it is another record, {hint}"
            message = f'the file name "{shown}" is not a valid slug'
            is_sure = is_utf8_name(path) and is_slug(meant) and not copied
            new_name = file if is_sure else ""
            content.add_problem(path, "invalid-slug", message, hint, name=new_name)
        if slug in paths:
            content.problems.append(duplicate_slug(content, path, paths[slug]))
        paths.setdefault(slug, path)
