"""Releases: annotated tags of git that are never moved, and the build of a tag, whose bytes are the
same each time.

registry.yaml has the version and the day (`release`), so each build names its latest release.  The
tag notes the version of the generator.  The tag is built in a clone: changes come from the history.
"""

from __future__ import annotations

import gzip
import os
import re
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from generator import __version__
from generator.build import build
from generator.build.options import BuildOptions
from generator.build.provenance import Moment, is_whole, run_git
from generator.build.revision import NotBuilt, resolve_commit, settings_of
from generator.contract.manifest import sha256_hex
from generator.dialect.folder import Content
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.dialect.values import flow
from generator.grammar.text import slugify
from generator.guard.comparison import compare
from generator.guard.markdown import as_markdown
from generator.guard.published import Published
from generator.model.settings.approvals import read_approvals
from generator.model.settings.registry import Settings

#: What git takes as the name of a tag after a `v`.
is_version = re.compile(r"(?=.{1,50}\Z)(?!.*\.lock\Z)[0-9]+(?:[.+-][0-9A-Za-z]+)*").fullmatch


class NoRelease(Exception):
    """The release cannot be made; the text says why and what to do."""


class Release(NamedTuple):
    """A version, its commit, the day of its build, and the version of its generator."""

    version: str
    commit: str
    as_of: date
    generator: str = __version__

    @property
    def tag(self) -> str:
        return f"v{self.version}"


def _top(content: str) -> str:
    """The top folder of the checkout that has the content.  Raises NoRelease."""
    top = run_git(content, "rev-parse", "--show-toplevel")
    if top is None:
        raise NoRelease(f"{content} is not in a git checkout: a release is a tag of git")
    return os.path.realpath(os.fsdecode(top.rstrip(b"\n")))


def check_ready(content: str, version: str) -> None:
    """Raise NoRelease if the version has a tag, or a file is not committed."""
    top = _top(content)
    if resolve_commit(content, f"refs/tags/v{version}") is not None:
        raise NoRelease(
            f"The tag v{version} exists, and a release is never moved. Take another version, or "
            f"make its archive again: registry release {version} --again"
        )
    _check_whole(content)
    dirty = run_git(top, "status", "--porcelain", "--untracked-files=no")
    untracked = run_git(content, "ls-files", "--others", "--exclude-standard", ".")
    if dirty or untracked:
        names = (dirty or b"").splitlines()[:3] + (untracked or b"").splitlines()[:3]
        listed = ", ".join(os.fsdecode(name).strip() for name in names)
        raise NoRelease(f"Commit these changes first, or undo them: {listed}")


def _check_whole(content: str) -> None:
    """Raise NoRelease if commits or files are missing: a build would have other changes."""
    if not is_whole(content):
        raise NoRelease(
            "The checkout lacks commits or files: run git fetch --unshallow --tags, or, if it was "
            "cloned with --filter, clone it without"
        )


def prepare(content: str, settings: Settings, version: str, day: str) -> dict[Path, bytes]:
    """The files that must name the version and do not: registry.yaml and CITATION.cff, with their
    new bytes.  Authors and other fields of a CITATION.cff stay.  Raises NoRelease.
    """
    registry, cff = Path(content, "registry.yaml"), Path(_top(content), "CITATION.cff")
    files: dict[Path, bytes] = {}
    if settings.release is not None and settings.release.version == version:
        day = settings.release.date
    else:
        wanted = {"version": version, "date": day}
        files[registry] = _changed(registry, registry.read_bytes(), {"release": wanted})
    old = cff.read_bytes() if cff.exists() else b""
    raw = old if cff.exists() else _citation(settings).encode()
    new = _changed(cff, raw, {"version": version, "date-released": day})
    if new != old:
        files[cff] = new
    return files


def _changed(path: Path, raw: bytes, fields: dict[str, Any]) -> bytes:
    """The bytes of a YAML file with these fields.  Raises NoRelease."""
    try:
        text = Text(raw)
        text.change_to({**text.data, **fields})
        return text.changed()
    except Unchangeable as error:
        listed = ", ".join(f"{name}: {flow(value)}" for name, value in fields.items())
        hint = f"Correct it, or write {listed} into it"
        raise NoRelease(f"{path} cannot be changed: {error}. {hint}") from error


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


def read_release(content: str, version: str) -> Release | None:
    """The release that a tag notes; None if there is no such tag, or if another program made it."""
    said = run_git(content, "for-each-ref", "--format=%(contents)", f"refs/tags/v{version}")
    commit = resolve_commit(content, f"refs/tags/v{version}")
    text = (said or b"").decode(errors="replace")
    noted = dict(re.findall(r"^(as_of|generator): (\S+)$", text, re.M))
    if commit is None or noted.keys() != {"as_of", "generator"}:
        return None
    try:
        return Release(version, commit, date.fromisoformat(noted["as_of"]), noted["generator"])
    except ValueError:
        return None


def make(content: str, release: Release, to: Path, *, is_new: bool) -> list[Path]:
    """Build a release, tag it if it is new, and write its archive and its notes: their paths.

    Raises NoRelease, NotBuilt, OutputError and OSError.
    """
    with _built(content, release) as (folder, settings):
        root = f"{slugify(settings.name)[:60].strip('-') or 'registry'}-{release.version}"
        archive, notes = to / f"{root}.tar.gz", to / f"{root}.md"
        if archive.exists():
            raise NoRelease(f"{archive} exists: move it elsewhere, or take another --to")
        if is_new:
            text = (
                f"Release {release.version}\n\nas_of: {release.as_of}\ngenerator: {__version__}\n"
            )
            if run_git(content, "tag", "-a", "-m", text, release.tag, release.commit) is None:
                raise NoRelease(f"git made no tag: try git tag -a {release.tag}, which says why")
        to.mkdir(parents=True, exist_ok=True)
        _write_archive(folder, archive, root)
        digest = sha256_hex(archive.read_bytes())
        text = f"# {settings.name} {release.version}\n\n{release.as_of}. SHA-256 of {archive.name}:"
        after = Published.named(release.tag, str(folder), has_site=settings.has_site)
        changes = _changes(content, release, after, settings)
        notes.write_text(f"{text}\n`{digest}`\n\n{changes}", encoding="utf-8")
    return [archive, notes]


def _changes(content: str, release: Release, after: Published, settings: Settings) -> str:
    """What changed since the last release in the history, as Markdown."""
    arguments = f"--merged={release.commit}", "--sort=-creatordate", "refs/tags/v*"
    names = run_git(content, "for-each-ref", "--format=%(refname:strip=2)", *arguments) or b""
    found = (read_release(content, os.fsdecode(name)[1:]) for name in names.splitlines())
    last = next((old for old in found if old and old.version != release.version), None)
    if last is None:
        return "The first release.\n"
    with _built(content, last) as (folder, settings_before):
        before = Published.named(last.tag, str(folder), has_site=settings_before.has_site)
        approvals, _ = read_approvals(Content(content))
        return as_markdown(compare(before, after, settings, approvals, released=False))


@contextmanager
def _built(content: str, release: Release) -> Iterator[tuple[Path, Settings]]:
    """The build of a release, in a temporary folder, and its settings.  Raises NoRelease and
    NotBuilt.
    """
    top = _top(content)
    _check_whole(content)
    below = os.path.relpath(os.path.realpath(content), top)
    with tempfile.TemporaryDirectory(prefix="registry-") as folder:
        clone, out = os.path.join(folder, "clone"), Path(folder, "build")
        cloned = run_git(top, "clone", "--quiet", "--shared", "--no-checkout", top, clone)
        checked_out = run_git(clone, "checkout", "--quiet", "--detach", release.commit)
        if cloned is None or checked_out is None:
            raise NoRelease(f"git cannot check out {release.commit[:12]}")
        seconds = int(run_git(clone, "log", "-1", "--format=%ct") or 0)
        moment = Moment(datetime.fromtimestamp(seconds, UTC), release.as_of, release.commit)
        report = build(os.path.join(clone, below), out, moment, BuildOptions(loss="allow"))
        if report.failed:
            here = [replace(p, path=p.path.replace(clone, top, 1)) for p in report.problems]
            raise NotBuilt(release.tag, here)
        yield out, settings_of(Content(os.path.join(clone, below)))


def _write_archive(folder: Path, archive: Path, root: str) -> None:
    """Write the files of a folder as tar.gz, below `root`: sorted, without times and owners."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    with (
        archive.open("xb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|") as tar,
    ):
        for name in sorted(path.relative_to(folder).as_posix() for path in paths):
            entry = tarfile.TarInfo(f"{root}/{name}")
            with open(folder / name, "rb") as file:
                entry.size = os.fstat(file.fileno()).st_size
                tar.addfile(entry, file)
