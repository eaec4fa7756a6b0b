"""The author of edits and the digests that tests/frozen.py compares."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path

import frozen
import pytest

from support import commands, registries
from support.corpora import CORPORA
from support.edits import DECK, Author, read, with_field

pytestmark = pytest.mark.slow


def test_the_same_seed_gives_the_same_series(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    series = []
    for folder in folders:
        CORPORA["german"].write(folder)
        author = Author(folder / "content", 7)
        series.append([author.step() for _ in range(60)])
    assert series[0] == series[1]
    assert commands.files(folders[0]) == commands.files(folders[1])
    CORPORA["german"].write(tmp_path / "third")
    author = Author(tmp_path / "third" / "content", 8)
    assert [author.step() for _ in range(60)] != series[0]


def test_a_long_series_leaves_nothing_out(tmp_path: Path) -> None:
    CORPORA["german"].write(tmp_path)
    author = Author(tmp_path / "content", CORPORA["german"].seed)
    steps = [author.step() for _ in range(frozen.STEPS)]
    done = {step.what.partition(":")[0] for step in steps}
    assert {action for action, _ in DECK} <= done
    assert 5 <= sum(step.faulty for step in steps) < 20
    assert not any(current.faulty and following.faulty for current, following in pairwise(steps))
    assert len({step.day for step in steps}) > 3


def test_a_field_is_replaced_with_all_its_lines() -> None:
    text = "# one\nname: A\ndescription: |\n  b\n\n  c\ntags:\n- x\n- y\n"
    text += "links: {\n  a: b\n}\nyear: 1\n"
    for name in read(text):
        rest = {key: value for key, value in read(text).items() if key != name}
        assert read(with_field(text, name, None)) == rest
        assert read(with_field(text, name, ["é: #"])) == {**rest, name: ["é: #"]}


def test_every_published_byte_counts_except_the_build_time(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    out = commands.build(content, tmp_path / "out", "--precompress", "gzip")
    tree = frozen.Tree(out)
    digest = tree.digest()
    for path in ("robots.txt", "api/projects/slug/bloom.json", "api/manifest/snapshot.json",
                 "api/manifest/root.json"):  # fmt: skip
        raw = (out / path).read_bytes()
        (out / path).write_bytes(raw.replace(b"User", b"user").replace(b'"kind"', b'"kInd"'))
        assert tree.digest() != digest and frozen.Tree(out).digest() != digest, path
        (out / path).write_bytes(raw)
        assert tree.digest() == digest == frozen.Tree(out).digest(), path
    page = out / "api/dashboard.json.gz"
    raw = page.read_bytes()
    page.write_bytes(gzip.compress(gzip.decompress(raw), 1))
    assert page.read_bytes() != raw and tree.digest() == digest
    page.write_bytes(gzip.compress(b"else"))
    assert tree.digest() != digest
    page.unlink()
    assert tree.digest() != digest
    page.write_bytes(raw)
    (out / "more").write_bytes(b"")
    assert tree.digest() != digest
    (out / "more").unlink()

    (out / "api/build.json").write_bytes(b"{}")
    root = json.loads((out / "api/manifest/root.json").read_bytes())
    root |= {"build": None, "signatures": ["else"]}
    (out / "api/manifest/root.json").write_text(json.dumps(root))
    assert tree.digest() == digest


def test_the_files_that_differ_are_listed(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "other"
    for folder, files in (first, {"a": "1", "b": "2"}), (second, {"a": "1", "b": "3", "c": "4"}):
        folder.mkdir()
        for path, text in files.items():
            (folder / path).write_text(text)
    assert frozen.differing(first, second) == ["b", f"c: only in {second}"]


def test_a_partial_build_that_differs_from_the_clean_build_is_found(tmp_path: Path) -> None:
    """Also a build that fails unexpectedly, or changes the output although it fails."""

    def run(arguments: list[object], folder: Path, environment: object) -> commands.Done:
        if "clean" not in str(arguments[4]):
            done = commands.run_forked(*arguments, "--no-site", cwd=folder)
            with (folder / "out" / "robots.txt").open("a") as file:
                file.write("more\n")
            return done
        return commands.run_forked(*arguments, "--no-site", cwd=folder)

    with pytest.raises(frozen.Differs, match=r"1 files are others.*\n  robots\.txt"):
        list(frozen.play(CORPORA["golden"], tmp_path / "one", 1, run))
    failed = commands.Done(1, "", "error")
    with pytest.raises(frozen.Differs, match="had to succeed, and ended with 1"):
        list(frozen.play(CORPORA["golden"], tmp_path / "other", 1, lambda *_: failed))
