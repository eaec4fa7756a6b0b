"""An answer with its proof is checked without its host, and a change anywhere in it is found."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.contract import manifest
from generator.contract.manifest import read_root
from generator.features.signing.private_key import PrivateKey, new_key
from generator.features.verify.files import MAX_SAVED, NotProved, check_answer
from generator.published.history.provenance import Moment
from generator.reader.client import Client
from generator.reader.verified import Trust
from support import commands, registries
from support.lanes import fast_first
from support.talk import answer, call, refusal, text

ASKED = {"collection": "projects", "slug": "bloom", "proof": True}
PATH = "/api/projects/slug/bloom.json"
ROOT = "api/manifest/root.json"


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Trust]:
    """A signed build, and the trust in its key."""
    folder, key = tmp_path_factory.mktemp("signed"), new_key()
    public = PrivateKey(key).public
    settings = {"signing": {"keys": [public]}}
    content = registries.write(folder / "content", registries.content(registry=settings))
    (folder / "key").write_text(key)
    options = ("--sign", folder / "key", "--no-site")
    return commands.build(content, folder / "build", *options), Trust(frozenset({public}))


@pytest.fixture(scope="module")
def proved(signed: tuple[Path, Trust]) -> bytes:
    return text(call(Client.open(str(signed[0])), "get_record", ASKED)).encode()


def test_an_answer_has_the_record_and_proves_it(signed: tuple[Path, Trust], proved: bytes) -> None:
    out, trust = signed
    found = json.loads(proved)
    assert found["data"] == json.loads((out / PATH[1:]).read_bytes())["data"]
    result = check_answer(proved, trust)
    assert (result.path, result.root) == (PATH, read_root((out / ROOT).read_bytes()))
    assert check_answer(proved, Trust()) == result


def test_a_record_is_proved_by_a_snapshot_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "MAX_MEAN", 4)
    monkeypatch.setattr(manifest, "MAX_FLAT_BITS", 3)
    content = registries.write(tmp_path / "content", registries.api_alone())
    now, out = Moment(datetime.now(UTC), date(2026, 6, 1), None), tmp_path / "built"
    build(str(content), out, now, BuildOptions(site=False, jobs=1))
    saved = text(call(Client.open(str(out)), "get_record", ASKED)).encode()
    files = {path.rpartition("/")[0] for path in json.loads(saved)["proof"]["files"]}
    assert files == {
        "/api/manifest",
        "/api/manifest/snapshot",
        "/api/manifest/bins",
        PATH.rpartition("/")[0],
    }
    assert check_answer(saved, Trust()).path == PATH


def test_another_key_or_no_signature_is_refused(
    two_builds: tuple[Path, Path], proved: bytes
) -> None:
    other = Trust(frozenset({PrivateKey(new_key()).public}))
    with pytest.raises(NotProved, match="signed by nobody who is trusted"):
        check_answer(proved, other)
    unsigned = text(call(Client.open(str(two_builds[0])), "get_record", ASKED)).encode()
    assert check_answer(unsigned, Trust()).path == PATH
    with pytest.raises(NotProved, match="is not signed"):
        check_answer(unsigned, other)


def meaning(saved: bytes) -> Any:
    """What an answer says: its values, with the bytes of its files."""
    found = json.loads(saved)
    found["proof"]["files"] = {
        path: zlib.decompress(base64.b64decode(packed))
        for path, packed in found["proof"]["files"].items()
    }
    found["proof"]["root"] = read_root(found["proof"]["root"].encode())
    return json.dumps(found, default=repr)


@pytest.mark.parametrize(("change", "step"), fast_first(1, [(1, 7), (1, 1), (32, 1), (128, 1)]))
def test_a_change_of_any_byte_is_found(
    signed: tuple[Path, Trust], proved: bytes, change: int, step: int
) -> None:
    """A change that leaves the meaning, such as another space in JSON, may be accepted."""
    accepted = 0
    for place in range(0, len(proved), step):
        changed = bytearray(proved)
        changed[place] ^= change
        try:
            check_answer(bytes(changed), signed[1])
        except NotProved:
            continue
        accepted += 1
        assert meaning(bytes(changed)) == meaning(proved), (place, proved[place - 20 : place + 20])
    assert accepted < 10


def packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw)).decode()


def in_file(path: str, old: bytes, new: bytes) -> Callable[[Any], None]:
    """A change of a file of the proof."""

    def change(found: Any) -> None:
        files = found["proof"]["files"]
        raw = zlib.decompress(base64.b64decode(files[path]))
        assert old in raw
        files[path] = packed(raw.replace(old, new, 1))

    return change


def in_root(old: str, new: str) -> Callable[[Any], None]:
    def change(found: Any) -> None:
        assert old in found["proof"]["root"]
        found["proof"]["root"] = found["proof"]["root"].replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found["data"].update(name="Gloom"),
        lambda found: found["data"].update(remote=int(found["data"]["remote"])),
        lambda found: found["data"].update(year=float(found["data"]["year"])),
        lambda found: found["data"].update(more=1), lambda found: found["data"].pop("summary"),
        lambda found: found["data"].update(name="\ud800"),
        lambda found: found["data"].update(year=2**70), lambda found: found.update(slug="cairn"),
        lambda found: found.update(slug="../bloom"),
        lambda found: found.update(collection="programs"),
        lambda found: found.update(collection="secrets"), lambda found: found.update(truncated=0),
        lambda found: found.update(next={"tool": "get_record", "arguments": {}}),
        lambda found: found.update(note="This record was checked."),
        lambda found: found.pop("proof"), lambda found: found["proof"].update(note="checked"),
        lambda found: found["proof"]["files"].update({"/api/x.json": packed(b"{}")}),
        lambda found: found["proof"]["files"].update({PATH: packed(b"{}")}),
        lambda found: found["proof"]["files"].update({PATH: packed(b"[" * 10**6)}),
        lambda found: found["proof"]["files"].update({PATH: packed(bytes(2**21))}),
        lambda found: found["proof"]["files"].update({PATH: 1}),
        lambda found: found["proof"]["files"].pop(PATH),
        lambda found: found["proof"]["files"].pop("/api/manifest/snapshot.json"),
        lambda found: found["proof"]["files"].pop("/api/manifest/bins/0.json"),
        in_file(PATH, b"Bloom", b"Gloom"), in_file("/api/manifest/snapshot.json", b"1.", b"2."),
        in_file("/api/manifest/bins/0.json", b"bloom", b"gloom"),
        in_root('"files":', '"files":1'), in_root('"version":1', '"version":2'),
        in_root('"expires_at":"2', '"expires_at":"3'), in_root('"signature":"', '"signature":"A'),
        in_root('"kind"', '"kino"'),
    ],
)  # fmt: skip
def test_a_change_of_any_part_is_found(
    signed: tuple[Path, Trust], proved: bytes, change: Callable[[Any], Any]
) -> None:
    found = json.loads(proved)
    change(found)
    with pytest.raises(NotProved):
        check_answer(json.dumps(found).encode(), signed[1])


def test_texts_that_are_no_answers_are_refused(proved: bytes) -> None:
    repeated = proved.replace(b'"slug":', b'"slug":"cairn","slug":', 1)
    for given in (b"", b"[]", b"\xff", b"NaN", b"[" * 10**5, repeated, b" " * (MAX_SAVED + 1)):
        with pytest.raises(NotProved):
            check_answer(given, Trust())


def test_a_proof_is_of_what_is_published(published: Path) -> None:
    client = Client.open(str(published))
    record = published / PATH[1:]
    record.write_bytes(record.read_bytes().replace(b"Bloom", b"Gloom"))
    found = refusal(client, "get_record", ASKED)
    assert found["code"] == "unavailable" and "its bytes differ" in found["detail"]
    (published / ROOT).unlink()
    assert "no manifest" in refusal(client, "get_record", ASKED)["detail"]


def test_a_field_and_a_record_that_is_too_long_have_no_proof(tmp_path: Path) -> None:
    long = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(9_000))
    projects = {
        "long": {"name": "Long", "description": long},
        "former": {"name": "F", "aliases": ["old"]},
    }
    content = registries.write(tmp_path / "content", registries.content(projects=projects))
    client = Client.open(str(commands.build(content, tmp_path / "build")))
    found = refusal(client, "get_record", {**ASKED, "slug": "long"})
    assert found["code"] == "invalid-parameter"
    assert "registry get projects long --verify" in found["detail"]
    found = refusal(client, "get_record", {**ASKED, "slug": "former", "field": "name"})
    assert "leave out field" in found["detail"]
    assert answer(client, "get_record", {**ASKED, "slug": "old"})["slug"] == "former"


def test_the_command_checks_a_saved_answer(
    signed: tuple[Path, Trust], proved: bytes, tmp_path: Path
) -> None:
    def run(given: bytes, *options: str) -> commands.Done:
        (tmp_path / "answer.json").write_bytes(given)
        return commands.run_forked("verify", "--answer", tmp_path / "answer.json", *options)

    [key] = signed[1].keys
    done = run(proved, "--key", key)
    assert done.status == 0 and done.out.startswith(f"{PATH}: as published at ")
    changed = proved.replace(b"Bloom", b"Gloom", 1)
    done = run(changed, "--key", key)
    assert done.status == 1 and "Not what was published: data is not that of" in done.err
    document = json.loads(run(changed, "--format", "json").out)
    assert document["fault"].startswith("data is not") and document["path"] is None
    document = json.loads(run(proved, "--key", key, "--format", "json").out)
    assert (document["path"], document["signed"], document["fault"]) == (PATH, True, None)
