"""What is changed in a published registry, and what each reader says: recorded in tampering.txt.

Each reader comes to the changed registry twice: with nothing, and with what it took from an earlier
version.  A reader that refuses leaves its copy as it was.  After a change of messages: `pytest
tests/integrity --regenerate`, and read the diff.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.contract import manifest
from generator.contract.manifest import ManifestEntry, sha256_hex
from generator.disk.output_state import OutputError
from generator.features.changes.sync import sync
from generator.features.mirror.mirror import mirror
from generator.features.signing.private_key import PrivateKey
from generator.features.verify.files import find_unlisted, verify
from generator.grammar.paths import BUILD, MANIFEST_ROOT, MANIFEST_SNAPSHOT, manifest_bin
from generator.grammar.refusals import QueryError
from generator.reader.client import Client, ClientError
from generator.reader.copying import CopyOptions, TooManyLost
from generator.reader.location import FolderReader
from generator.reader.verified import Trust, Untrusted
from support.commands import files
from support.corpora import SIGNING_KEY
from support.manifests import divided

RECORDED = Path(__file__).with_name("tampering.txt")
BASE = "https://registry.example"
RECORD = "api/projects/slug/bloom.json"
Keys = frozenset[str]

# --- readers ---


def verifies(published: Path, target: Path, keys: Keys) -> str:
    outcome = verify(FolderReader(published, stay=True), Trust(keys, target))
    faults = outcome.faults or list(find_unlisted(published, outcome.paths))
    return "; ".join(f"{fault.path}: {fault.problem}" for fault in faults)


def asks(published: Path, target: Path, keys: Keys) -> str:
    client = Client.open(str(published), trust=Trust(keys, target))
    client.record(client.collections["projects"], "bloom")
    return ""


def mirrors(published: Path, target: Path, keys: Keys) -> str:
    mirror(FolderReader(published, stay=True), CopyOptions(target, BASE, keys, 1 << 50))
    outcome = verify(FolderReader(target, stay=True), Trust())
    assert not outcome.faults and not list(find_unlisted(target, outcome.paths))
    return ""


def syncs(published: Path, target: Path, keys: Keys) -> str:
    sync(FolderReader(published, stay=True), CopyOptions(target, BASE, keys, 1 << 50))
    return ""


READERS: dict[str, Callable[[Path, Path, Keys], str]] = {
    "verify": verifies, "get": asks, "mirror": mirrors, "sync": syncs, "sync.sqlite": syncs,
}  # fmt: skip


def said(reader: str, published: Path, target: Path, keys: Keys) -> str:
    """The refusal of a reader, or "accepted"."""
    try:
        text = READERS[reader](published, target, keys)
    except (Untrusted, ClientError, OutputError, QueryError) as error:
        text = str(error)
    text = text.replace(str(published.parent), "").partition("\nA publish may")[0]
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "TIME", text.replace("\n", " "))
    return re.sub(r"(?<![^ ])\d[\d,]*", "N", text) or "accepted"


def held(target: Path) -> dict[str, bytes]:
    """What a copy holds, without its state."""
    if target.suffix == ".sqlite" and target.exists():
        with contextlib.closing(sqlite3.connect(target)) as database:
            return {"dump": "\n".join(database.iterdump()).encode()}
    if target.is_dir():
        return {path: data for path, data in files(target).items() if path != "sync.json"}
    return {}  # of verify and get, which remember a root


# --- changes ---


def changed(path: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def change(published: Path) -> None:
        file = published / path
        assert old in file.read_bytes()
        file.write_bytes(file.read_bytes().replace(old, new))

    return change


def written(path: str, data: bytes | None, *, listed: bool = False) -> Callable[[Path], None]:
    """A file with other bytes, or without; `listed` as the manifest of the registry says."""

    def change(published: Path) -> None:
        file = published / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink() if data is None else file.write_bytes(data)
        if listed:
            divided(published)

    return change


def copied(source: str, target: str) -> Callable[[Path], None]:
    def change(published: Path) -> None:
        shutil.copyfile(published / source, published / target)
        divided(published)

    return change


def root_with(**fields: Any) -> Callable[[Path], None]:
    """A root with other fields; numbers are added to what is there."""

    def change(published: Path) -> None:
        before = fields_of(published)
        new = {k: before[k] + v if isinstance(v, int) else v for k, v in fields.items()}
        write_root(published, {**before, **new}, [])

    return change


def fields_of(published: Path) -> dict[str, Any]:
    root = json.loads((published / MANIFEST_ROOT[1:]).read_bytes())
    return {k: v for k, v in root.items() if k not in ("schema_version", "kind", "signatures")}


def write_root(published: Path, fields: dict[str, Any], signatures: list[dict[str, str]]) -> None:
    (published / MANIFEST_ROOT[1:]).write_bytes(manifest.render_root(fields, signatures))


#: Paths that no build publishes; a mirror's message names up to ten.
UNPUBLISHED = {
    "scripts": (
        "evil.php", "api/evil.php", "api/projects/slug/x.php", "functions/_middleware.js",
        "api/_worker.js", "netlify/edge-functions/x.js", "api/x.js", "cgi-bin/x.json",
    ),
    "rules of hosts": (
        "api/.htaccess", "api/.user.ini", "web.config", ".git/hooks/post-checkout", "netlify.toml",
        "vercel.json", ".well-known/acme-challenge/x",
    ),
    "names like those of a build": (
        "assets/site-0123abcd.php", "assets/x.php.y-0123abcd.css", "assets/x.css",
        "projects/x/index.php", "projects/x/index.html.php", "api/projects/slug/X.json",
    ),
    "no paths": ("api/projects/slug/x.json%00.php", "api/projects/page/1.json\u2028"),
}  # fmt: skip


def all_listed(paths: tuple[str, ...]) -> Callable[[Path], None]:
    def change(published: Path) -> None:
        for path in paths:
            written(path, b"<?php")(published)
        divided(published)

    return change


def second_root(published: Path) -> None:
    """Another root with the version that the readers took before."""
    version = fields_of(published.with_name("old"))["version"]
    write_root(published, {**fields_of(published), "version": version}, [])


def bin_with_file(published: Path) -> None:
    """A bin changed with a file of it."""
    (published / RECORD).write_bytes(b"{}")
    number = manifest.bin_number(f"/{RECORD}", fields_of(published)["bits"])
    place = published / manifest_bin(number)[1:]
    found = json.loads(place.read_bytes())
    for entry in found["data"]:
        if entry[0] == f"/{RECORD}":
            entry[1:] = [2, sha256_hex(b"{}")]
    place.write_text(json.dumps(found))


def large_file(published: Path) -> None:
    """A manifest of one file that has more bytes than anybody reads."""
    raw = manifest.render_bin(
        0, [ManifestEntry("/api/projects/slug/huge.json", 1 << 40, "a" * 64)], str
    )
    snapshot = manifest.render_snapshot(MANIFEST_SNAPSHOT, 0, [sha256_hex(raw)], str)
    for path, data in ((manifest_bin(0), raw), (MANIFEST_SNAPSHOT, snapshot)):
        (published / path[1:]).write_bytes(data)
    digest = {"size": len(snapshot), "sha256": sha256_hex(snapshot)}
    one = {"files": 1, "bytes": 1 << 40, "bits": 0, "snapshot": digest}
    write_root(published, {**fields_of(published), **one}, [])


def lost_projects(published: Path) -> None:
    for file in (published / "api/projects/slug").iterdir():
        file.unlink()
    divided(published)


def linked(published: Path) -> None:
    """Links, which no reader follows."""
    (published.parent / "elsewhere.json").write_bytes((published / RECORD).read_bytes())
    (published / RECORD).unlink()
    (published / RECORD).symlink_to(published.parent / "elsewhere.json")
    (published / "backup").symlink_to("/etc")


_ROOT = MANIFEST_ROOT[1:]
TAMPERED: dict[str, Callable[[Path], object]] = {
    "nothing": lambda published: None,
    "a record: missing": written(RECORD, None),
    "a record: other bytes": changed(RECORD, b"Bloom", b"Gloom"),
    "a record: more bytes": changed(RECORD, b"Bloom", b"Blooming"),
    "a record: a link": linked,
    "another file: empty": written("skill.md", b""),
    "build.json: other bytes": changed(BUILD[1:], b"2", b"3"),
    "a file that is not listed": written("api/new.json", b"{}"),
    "a bin: other bytes": changed("api/manifest/bins/0.json", b"a", b"b"),
    "a bin: changed with its file": bin_with_file,
    "the snapshot: other bytes": written(MANIFEST_SNAPSHOT[1:], b"{}"),
    "the root: missing": written(_ROOT, None),
    "the root: empty": written(_ROOT, b""),
    "the root: a page": written(_ROOT, b"<html>"),
    "the root: an object": written(_ROOT, b"{}"),
    "the root: expired": root_with(expires_at="2026-01-01T00:00:00Z"),
    "the root: expired, and a record missing": lambda published: (
        written(RECORD, None)(published),
        root_with(expires_at="2026-01-01T00:00:00Z")(published),
    ),
    "the root: older": root_with(version=-(10**6)),
    "the root: a second one of the version": second_root,
    "the root: a version far in the future": root_with(version=2**52),
    "the root: false bytes": root_with(bytes=-5),
    "the root: fewer files": root_with(files=-1),
    **{f"listed: {what}": all_listed(paths) for what, paths in UNPUBLISHED.items()},
    "listed: no slug": written("api/projects/slug/Bad.json", b"{}", listed=True),
    "listed: a long slug": written(f"api/projects/slug/{'a' * 101}.json", b"{}", listed=True),
    "listed: no document": written(RECORD, b"{}", listed=True),
    "listed: another record": copied(RECORD, "api/projects/slug/aurora-grid.json"),
    "listed: another kind": copied("api/organizations/slug/harbour-fund.json", RECORD),
    "listed: a huge file": large_file,
    "listed: no project": lost_projects,
}

# --- signatures ---

OURS = PrivateKey(SIGNING_KEY)
THEIRS = PrivateKey("ed25519-private:AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=")


def signed(published: Path, signer: PrivateKey, key: str = "", **after: Any) -> None:
    """Sign the root; `after` are fields that change after that."""
    fields = fields_of(published)
    signature = signer.sign(manifest.signed_bytes(fields))
    new = {k: fields[k] + v if isinstance(v, int) else v for k, v in after.items()}
    write_root(
        published, {**fields, **new}, [{"key": key or signer.public, "signature": signature}]
    )


def garbage(published: Path) -> None:
    write_root(published, fields_of(published), [{"key": OURS.public, "signature": "?"}] * 64)


#: The same for readers with a key.
SIGNATURES: dict[str, Callable[[Path], object]] = {
    "signed: by the key": lambda published: signed(published, OURS),
    "signed: by nobody": lambda published: None,
    "signed: by another key": lambda published: signed(published, THEIRS),
    "signed: by another key under our name": lambda p: signed(p, THEIRS, OURS.public),
    "signed: with another version": lambda p: signed(p, OURS, version=1),
    "signed: with another end": lambda p: signed(p, OURS, expires_at="3026-01-01T00:00:00Z"),
    "signed: garbage": garbage,
}

CASES = [*TAMPERED, *SIGNATURES]


@pytest.fixture(scope="module")
def earlier(
    two_builds: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[Keys, Path]:
    """Keys -> a folder with the first build, and what each reader with these keys took from it."""
    made = {}
    for keys in (frozenset[str](), frozenset({OURS.public})):
        folder = made[keys] = tmp_path_factory.mktemp("earlier")
        old = shutil.copytree(two_builds[0], folder / "old")
        if keys:
            signed(old, OURS)
        for reader in READERS:
            assert said(reader, old, folder / f"kept-{reader}", keys) == "accepted"
    return made


@pytest.mark.parametrize("case", CASES)
def test_each_reader_refuses_what_was_not_published(
    case: str,
    two_builds: tuple[Path, Path],
    earlier: dict[Keys, Path],
    regenerate: bool,
    tmp_path: Path,
) -> None:
    texts: dict[str, list[str]] = {}
    keys = frozenset({OURS.public}) if case in SIGNATURES else frozenset()
    shutil.copytree(earlier[keys], tmp_path, dirs_exist_ok=True)
    new = shutil.copytree(two_builds[1], tmp_path / "new")
    (TAMPERED | SIGNATURES)[case](new)
    for reader in READERS:
        fresh, kept = (tmp_path / f"{name}-{reader}" for name in ("fresh", "kept"))
        before = held(kept)
        first, later = (said(reader, new, target, keys) for target in (fresh, kept))
        assert later == "accepted" or held(kept) == before
        assert first == "accepted" or not (fresh / "api").exists()
        texts.setdefault(first, []).append(reader)
        if later != first:
            texts.setdefault(later, []).append(f"{reader} later")
    found = "\n".join([case, *(f"  {', '.join(of)}: {text}" for text, of in texts.items())])
    recorded = RECORDED.read_text("utf-8").split("\n\n") if RECORDED.exists() else []
    known = {section.partition("\n")[0]: section.rstrip() for section in recorded}
    if regenerate:
        known[case] = found
        order = [known[name] for name in CASES if name in known]
        RECORDED.write_text("\n\n".join(order) + "\n", "utf-8")
        return
    assert found == known.get(case)


def test_a_loss_is_accepted_on_request(two_builds: tuple[Path, Path], tmp_path: Path) -> None:
    published = shutil.copytree(two_builds[1], tmp_path / "new")
    lost_projects(published)
    for name in ("mirror", "sync", "sync.sqlite"):
        options = CopyOptions(tmp_path / name, BASE, frozenset(), 1 << 30)
        copy = mirror if name == "mirror" else sync
        copy(FolderReader(two_builds[0], stay=True), options)
        before = held(options.out)
        for _ in range(2):
            with pytest.raises(TooManyLost, match="3 of 3 projects are gone"):
                copy(FolderReader(published, stay=True), options)
            assert held(options.out) == before
        copy(FolderReader(published, stay=True), options._replace(allow_loss=True))
        assert held(options.out) != before
