"""Releases: annotated tags of git that are never moved, and the build of a tag, whose bytes are the
same each time.

registry.yaml has the version and the day (`release`), so each build names its latest release.  The
tag notes the version of the generator.  The tag is built in a clone: changes come from the history.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from generator import UserError, __version__
from generator.build import TemporaryBuild, build_temporarily, resolve_commit, settings_of
from generator.contract.manifest import sha256_hex
from generator.dialect.folder import open_content
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.dialect.values import flow
from generator.features.diff.comparison import compare
from generator.features.diff.markdown import as_markdown
from generator.guard.published import PublishedState
from generator.model.settings.registry import Settings
from generator.published.content.read import read_approvals
from generator.published.history.provenance import is_whole, moment, run_git
from generator.text.words import slugify

#: What git takes as the name of a tag after a `v`.
is_version = re.compile(r"(?=.{1,50}\Z)(?!.*\.lock\Z)[0-9]+(?:[.+-][0-9A-Za-z]+)*").fullmatch


class TaggedRelease(NamedTuple):
    """A version, its commit, the day of its build, and the version of its generator."""

    version: str
    commit: str
    as_of: date
    generator: str


def _top(content: str) -> str:
    """The top folder of a checkout with all commits and files. Raises UserError."""
    top = run_git(content, "rev-parse", "--show-toplevel")
    if top is None:
        raise UserError(f"{content} is not in a git checkout: a release is a tag of git")
    if not is_whole(content):
        raise UserError(
            "The checkout lacks commits or files: run git fetch --unshallow --tags, or, if it was "
            "cloned with --filter, clone it without"
        )
    return os.path.realpath(os.fsdecode(top.rstrip(b"\n")))


def chosen_version(content: str, today: date, *, again: bool) -> str:
    """The version in registry.yaml if it has no tag yet, or with `again`; else the day."""
    day = f"{today.year}.{today.month}.{today.day}"
    noted = settings_of(open_content(content)).release
    if noted is None:
        return day
    tagged = resolve_commit(content, f"refs/tags/v{noted.version}") is not None
    return noted.version if again or not tagged else day


def prepare(content: str, version: str, day: str) -> TaggedRelease | list[Path]:
    """The release of the commit that is checked out; or the files that did not name the version,
    registry.yaml and CITATION.cff, which are now written.  Other fields of CITATION.cff stay.

    Raises UserError if the version has a tag, or if a file is not committed or cannot be changed.
    """
    top = _top(content)
    if resolve_commit(content, f"refs/tags/v{version}") is not None:
        raise UserError(
            f"The tag v{version} exists, and a release is never moved. Take another version, or "
            f"make its archive again: registry release {version} --again"
        )
    dirty = run_git(top, "status", "--porcelain", "--untracked-files=no") or b""
    untracked = run_git(content, "ls-files", "--others", "--exclude-standard", ".") or b""
    if names := dirty.splitlines()[:3] + untracked.splitlines()[:3]:
        listed = ", ".join(os.fsdecode(name).strip() for name in names)
        raise UserError(f"Commit these changes first, or undo them: {listed}")
    settings, files = settings_of(open_content(content)), dict[Path, bytes]()
    if settings.release is not None and settings.release.version == version:
        day = settings.release.date
    else:
        registry = Path(content, "registry.yaml")
        wanted = {"version": version, "date": day}
        files[registry] = _changed(registry, registry.read_bytes(), {"release": wanted})
    cff = Path(top, "CITATION.cff")
    old = cff.read_bytes() if cff.exists() else _citation(settings).encode()
    new = _changed(cff, old, {"version": version, "date-released": day})
    if new != old:
        files[cff] = new
    for path, data in files.items():
        path.write_bytes(data)
    commit = resolve_commit(content, "HEAD") or ""
    return list(files) or TaggedRelease(version, commit, date.fromisoformat(day), __version__)


def _changed(path: Path, raw: bytes, fields: dict[str, Any]) -> bytes:
    """The bytes of a YAML file with these fields.  Raises UserError."""
    try:
        text = Text(raw)
        text.change_to({**text.data, **fields})
        return text.changed()
    except Unchangeable as error:
        listed = ", ".join(f"{name}: {flow(value)}" for name, value in fields.items())
        hint = f"Correct it, or write {listed} into it"
        raise UserError(f"{path} cannot be changed: {error}. {hint}") from error


def _citation(settings: Settings) -> str:
    """A Citation File Format 1.2.0 file without a version (citation-file-format.github.io)."""
    fields = {
        "message": "If you use this data, please cite it as below.",
        "title": settings.name,
        "license": settings.license,
        "url": settings.base_url,
    }
    written = [f"{name}: {flow(value)}\n" for name, value in fields.items() if value]
    authors = f"authors:\n  - name: {flow(settings.name)}\n"
    return "".join(["cff-version: 1.2.0\ntype: dataset\n", *written, authors])


def read_release(content: str, version: str) -> TaggedRelease | None:
    """The release that a tag notes; None if there is no such tag, or if another program made it."""
    tag = f"refs/tags/v{version}"
    said = run_git(content, "for-each-ref", "--format=%(contents)", tag) or b""
    noted = re.search(rb"^as_of: (\S+)\ngenerator: (\S+)$", said, re.M)
    commit = resolve_commit(content, tag)
    if noted is None or commit is None:
        return None
    as_of, generator = (word.decode(errors="replace") for word in noted.groups())
    try:
        return TaggedRelease(version, commit, date.fromisoformat(as_of), generator)
    except ValueError:
        return None


def make(content: str, release: TaggedRelease, to: Path, *, is_new: bool) -> list[Path]:
    """Build a release, tag it if it is new, and write its archive and its notes: their paths."""
    tag = f"v{release.version}"
    with _built(content, release) as built:
        settings = built.settings
        root = f"{slugify(settings.name)[:60].strip('-') or 'registry'}-{release.version}"
        archive, notes = to / f"{root}.tar.gz", to / f"{root}.md"
        if archive.exists():
            raise UserError(f"{archive} exists: move it elsewhere, or take another --to")
        if is_new:
            text = f"as_of: {release.as_of}\ngenerator: {release.generator}\n"
            text = f"Release {release.version}\n\n{text}"
            if run_git(content, "tag", "-a", "-m", text, tag, release.commit) is None:
                raise UserError(f"git made no tag: try git tag -a {tag}, which says why")
        to.mkdir(parents=True, exist_ok=True)
        _write_archive(built.folder, archive, root)
        digest = sha256_hex(archive.read_bytes())
        text = f"# {settings.name} {release.version}\n\n{release.as_of}. SHA-256 of {archive.name}:"
        changes = _changes(content, release, built.state, settings)
        notes.write_text(f"{text}\n`{digest}`\n\n{changes}", encoding="utf-8")
    return [archive, notes]


def _changes(
    content: str, release: TaggedRelease, after: PublishedState, settings: Settings
) -> str:
    """What changed since the last release in the history, as Markdown."""
    arguments = f"--merged={release.commit}", "--sort=-creatordate", "refs/tags/v*"
    names = run_git(content, "for-each-ref", "--format=%(refname:strip=2)", *arguments) or b""
    found = (read_release(content, os.fsdecode(name)[1:]) for name in names.splitlines())
    last = next((old for old in found if old and old.version != release.version), None)
    if last is None:
        return "The first release.\n"
    with _built(content, last) as built:
        approvals, _ = read_approvals(open_content(content))
        return as_markdown(compare(built.state, after, settings, approvals, released=False))


@contextmanager
def _built(content: str, release: TaggedRelease) -> Iterator[TemporaryBuild]:
    """A build of a release in a temporary folder.  Raises UserError and NotBuilt."""
    top = _top(content)
    below = os.path.relpath(os.path.realpath(content), top)
    with tempfile.TemporaryDirectory(prefix="registry-") as clone:
        cloned = run_git(top, "clone", "--quiet", "--shared", "--no-checkout", top, clone)
        checked_out = run_git(clone, "checkout", "--quiet", "--detach", release.commit)
        if cloned is None or checked_out is None:
            raise UserError(f"git cannot check out {release.commit[:12]}")
        at = moment(clone, release.as_of, {})._replace(clock=None)  # the same bytes each time
        folder, shown = os.path.join(clone, below), os.path.join(top, below, "")
        with build_temporarily(folder, f"v{release.version}", at, shown, site=True) as built:
            yield built


def _write_archive(folder: Path, archive: Path, root: str) -> None:
    """Write the files of a folder as tar.gz, below `root`: sorted, without times and owners."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    with (
        archive.open("xb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|") as tar,
    ):
        for name in sorted(names):
            entry, data = tarfile.TarInfo(f"{root}/{name}"), (folder / name).read_bytes()
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
