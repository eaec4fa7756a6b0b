"""Readers accept a signed manifest only of the trusted key, or of one that it handed over to."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from generator.contract import manifest
from generator.contract.manifest import KeyHandOver, hand_over_bytes
from generator.features.signing.private_key import PrivateKey, new_key
from generator.features.verify.files import verify
from generator.reader.client import Client
from generator.reader.location import FolderReader
from generator.reader.signing import is_signed, keys_after_handovers
from generator.reader.verified import LatestRoot, Trust, Untrusted
from support import commands, registries

ROOT = "api/manifest/root.json"
MESSAGE = b"a message"


@pytest.fixture(scope="module")
def keys() -> list[PrivateKey]:
    return [PrivateKey(new_key()) for _ in range(4)]


def handover(old: PrivateKey, new: PrivateKey) -> KeyHandOver:
    return KeyHandOver(old.public, new.public, old.sign(hand_over_bytes(old.public, new.public)))


def trust(*keys: PrivateKey, memory: Path | None = None) -> Trust:
    return Trust(frozenset(key.public for key in keys), memory)


def test_a_signature_is_valid_only_for_its_key_and_message(keys: list[PrivateKey]) -> None:
    first_key, second_key, *_ = keys
    signature = first_key.sign(MESSAGE)
    assert signature == first_key.sign(MESSAGE)
    assert is_signed(first_key.public, MESSAGE, signature)
    assert not is_signed(second_key.public, MESSAGE, signature)
    assert not is_signed(first_key.public, MESSAGE + b" ", signature)
    for wrong in ("", "x", "=" * 88, signature[:-4] + "/w==", "é" * 88, signature * 2):
        assert not is_signed(first_key.public, MESSAGE, wrong)
    for none in (
        "",
        "ed25519:",
        "ed25519:" + "A" * 44,
        first_key.public[:-1],
        first_key.public + "A",
    ):
        assert not is_signed(none, MESSAGE, signature)


def test_hand_overs_lead_from_key_to_key(keys: list[PrivateKey]) -> None:
    a, b, c, thief = keys
    chain = [handover(a, b), handover(b, c)]
    assert keys_after_handovers([a.public], chain) == {c.public}
    assert keys_after_handovers([b.public], chain) == {c.public}
    assert keys_after_handovers([c.public], chain) == {c.public}
    assert keys_after_handovers([thief.public], chain) == {thief.public}
    assert keys_after_handovers([a.public], chain[::-1]) == {b.public}, "in their order alone"
    forged = handover(a, thief)._replace(
        signature=thief.sign(hand_over_bytes(a.public, thief.public))
    )
    assert keys_after_handovers([a.public], [forged]) == {a.public}
    swapped = handover(a, b)._replace(new=thief.public)
    assert keys_after_handovers([a.public], [swapped]) == {a.public}


def built(folder: Path, key: str | None, signing: dict[str, Any], ago: int = 0) -> Path:
    content = registries.write(
        folder / "content", registries.api_alone(registry={"signing": signing})
    )
    epoch = str(int(time.time()) - ago)
    env = {"SOURCE_DATE_EPOCH": epoch, "REGISTRY_SIGNING_KEY": key}
    return commands.build(content, folder / "build", env=env)


def a_handover(parts: tuple[str, str, str]) -> dict[str, str]:
    return dict(zip(("old", "new", "signature"), parts, strict=True))


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, PrivateKey, PrivateKey]:
    """A build signed by a key, a later build signed by the next key, and both keys."""
    texts = new_key(), new_key()
    old_key, later_key = map(PrivateKey, texts)
    first = built(tmp_path_factory.mktemp("one"), texts[0], {"keys": [old_key.public]}, ago=900)
    signing = {"keys": [later_key.public], "handovers": [a_handover(handover(old_key, later_key))]}
    return first, built(tmp_path_factory.mktemp("two"), texts[1], signing), old_key, later_key


def wrong(published: Path, trust: Trust) -> list[str]:
    return [fault.problem for fault in verify(FolderReader(published, stay=True), trust).faults]


def test_a_reader_with_the_key_accepts_its_builds(
    signed: tuple[Path, Path, PrivateKey, PrivateKey], keys: list[PrivateKey]
) -> None:
    first, second, old_key, later_key = signed
    for published, key in ((first, old_key), (second, old_key), (second, later_key)):
        assert wrong(published, trust(key)) == []
        assert Client.open(str(published), trust=trust(key)).document(
            "/api/dashboard.json", "dashboard"
        )
    assert wrong(first, trust(keys[0], old_key)) == []
    for published, stranger in ((first, later_key), (first, keys[0]), (second, keys[0])):
        [message] = wrong(published, trust(stranger))
        assert "signed by nobody who is trusted" in message
        with pytest.raises(Untrusted):
            Client.open(str(published), trust=trust(stranger))


def a_root(
    published: Path,
    newer: int,
    key: PrivateKey | None,
    handovers: Sequence[tuple[str, str, str]] = (),
) -> bytes:
    """The root with another version and other hand-overs, signed by a key or unsigned."""
    root = json.loads((published / ROOT).read_bytes())
    fields = {k: root[k] for k in root if k not in ("schema_version", "kind", "signatures")}
    fields |= {"version": root["version"] + newer, "handovers": [*map(a_handover, handovers)]}
    signatures = (
        [{"key": key.public, "signature": key.sign(manifest.signed_bytes(fields))}] if key else []
    )
    return manifest.render_root(fields, signatures)


def test_a_key_that_has_handed_over_is_not_trusted_again(
    signed: tuple[Path, Path, PrivateKey, PrivateKey], tmp_path: Path
) -> None:
    """Not for a newer root either, which a thief could sign."""
    first, second, old_key, _ = signed
    memory = tmp_path / "seen"
    assert wrong(first, trust(old_key, memory=memory)) == []
    assert wrong(second, trust(old_key, memory=memory)) == []
    for handovers in ([], [handover(old_key, old_key)]):
        raw = a_root(first, 10**6, old_key, handovers)
        assert trust(old_key).check_root(raw)[1] == [], "who has not seen the hand-over cannot know"
        root_of, problems = trust(old_key, memory=memory).check_root(raw)
        assert root_of is None and "signed by nobody who is trusted" in problems[0]


def test_a_read_without_a_key_keeps_known_handovers(
    signed: tuple[Path, Path, PrivateKey, PrivateKey], tmp_path: Path
) -> None:
    first, second, old_key, later_key = signed
    memory = tmp_path / "seen"
    assert wrong(second, trust(old_key, memory=memory)) == []
    before = LatestRoot.load(memory)
    unsigned = a_root(first, 10**4, None)
    assert trust(memory=memory).check_root(unsigned)[1] == []
    assert LatestRoot.load(memory).version > before.version
    assert trust(old_key, memory=memory).check_root(a_root(first, 10**4 + 1, old_key))[0] is None
    assert (before.keys, before.pinned) == ({later_key.public}, {old_key.public})
    assert (
        LatestRoot.load(memory).keys == before.keys
        and LatestRoot.load(memory).pinned == before.pinned
    )
    handed = a_root(first, 10**4 + 1, later_key, [handover(old_key, later_key)])
    assert trust(old_key, memory=memory).check_root(handed)[1] == []
    [problem] = trust(memory=memory).check_root(unsigned)[1]
    assert "older copy" in problem, "without a key no older one is taken either"


def test_a_reader_with_a_new_key_accepts_only_that_key(
    signed: tuple[Path, Path, PrivateKey, PrivateKey], keys: list[PrivateKey], tmp_path: Path
) -> None:
    """After a theft, whatever the thief has signed: a hand-over, or the greatest version."""
    first, _, stolen, _ = signed
    mine, thief, *_ = keys
    memory = tmp_path / "seen"
    version = json.loads((first / ROOT).read_bytes())["version"]
    forged = a_root(first, 2**53 - 1 - version, thief, [handover(stolen, thief)])
    assert trust(stolen, memory=memory).check_root(forged)[1] == []
    before = memory.read_bytes()
    for raw in (forged, a_root(first, 1, stolen), a_root(first, 1, thief)):
        root, problems = trust(mine, memory=memory).check_root(raw)
        assert root is None and "signed by nobody who is trusted" in problems[0]
    assert memory.read_bytes() == before, "what was refused is not remembered"
    assert trust(mine, memory=memory).check_root(a_root(first, 1, mine))[1] == []
    assert LatestRoot.load(memory).version == version + 1
    [problem] = trust(mine, memory=memory).check_root(a_root(first, 0, mine))[1]
    assert "older copy" in problem, "from then on its versions count"


def test_keys_that_were_remembered_under_no_name_are_not_trusted(
    signed: tuple[Path, Path, PrivateKey, PrivateKey], keys: list[PrivateKey], tmp_path: Path
) -> None:
    first, _, old_key, _ = signed
    memory = tmp_path / "seen"
    remembered = {"version": 2**53 - 1, "digest": "", "keys": [keys[0].public]}
    memory.write_text(json.dumps(remembered))
    assert LatestRoot.load(memory).pinned == frozenset()
    assert trust(old_key, memory=memory).check_root(a_root(first, 0, keys[0]))[0] is None
    assert wrong(first, trust(old_key, memory=memory)) == []


def test_builds_with_one_key_are_the_same_and_partial_builds_are_signed(tmp_path: Path) -> None:
    key = new_key()
    signing = {"keys": [PrivateKey(key).public], "days": 3}
    out = built(tmp_path, key, signing)
    (tmp_path / "content/projects/bloom.yaml").write_text("name: Bloom anew\n")
    env = {"SOURCE_DATE_EPOCH": str(int(time.time()) + 1), "REGISTRY_SIGNING_KEY": key}
    commands.build(tmp_path / "content", out, env=env)
    part = commands.files(out)
    assert wrong(out, trust(PrivateKey(key))) == []
    commands.build(tmp_path / "content", tmp_path / "clean", env=env)
    assert commands.files(tmp_path / "clean") == part
    root = json.loads(part[ROOT])
    days = (time.mktime(time.strptime(root[k], "%Y-%m-%dT%H:%M:%SZ")) for k in DAYS)
    assert next(days) - next(days) == 3 * 86400


DAYS = ("expires_at", "issued_at")


def test_the_signing_package_is_imported_only_for_signatures(tmp_path: Path) -> None:
    """The package may be missing."""
    registries.write(tmp_path / "content", registries.api_alone())
    code = (
        "import sys; sys.modules['cryptography'] = None\n"
        "from generator.cli import main\n"
        f"sys.argv = ['registry', 'build', '--content', {str(tmp_path / 'content')!r},"
        f" '--out', {str(tmp_path / 'build')!r}]\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=commands.environment(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
