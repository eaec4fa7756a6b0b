"""Builds compared with their content by a check that shares no code with this package.

The check lies outside of this repository (support/independent.py). These tests are skipped if it is
missing.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from support import registries
from support.commands import ROOT, TODAY, build, run_forked
from support.independent import assert_agrees
from support.lanes import fast_first


def with_page_size(content: Path, folder: Path, size: int) -> Path:
    """The same content with another page size: every file except registry.yaml is linked."""
    folder.mkdir()
    for entry in content.iterdir():
        if entry.name != "registry.yaml":
            (folder / entry.name).symlink_to(entry.resolve())
    settings = re.sub(
        r"^page_size:.*\n", "", (content / "registry.yaml").read_text("utf-8"), flags=re.M
    )
    (folder / "registry.yaml").write_text(f"{settings.rstrip()}\npage_size: {size}\n", "utf-8")
    return folder


@pytest.mark.slow
def test_this_registrys_own_content(oracle: Path, built_content: Path, tmp_path: Path) -> None:
    """In pages of the usual size, and of the smallest and the largest."""
    assert_agrees(oracle, ROOT / "content", built_content)
    for size in (10, 100):
        content = with_page_size(ROOT / "content", tmp_path / f"content-{size}", size)
        out = build(content, tmp_path / f"out-{size}", "--as-of", TODAY)
        assert_agrees(oracle, content, out)


#: Characters removed from published texts: C1 controls, direction marks and inner byte order marks
#: (docs/diagnostics.md, control-character).
HIDDEN = re.compile("[\x80-\x9f\u202a-\u202e\u2066-\u2069\ufeff ]")


def as_published(content: Path, out: Path, folder: Path) -> Path:
    """A copy of the content whose descriptions with control characters are replaced by the
    published descriptions.

    The independent check does not know which characters a build removes.
    """
    shutil.copytree(content, folder)
    for problem in json.loads(
        run_forked("check", "--content", content, "--out", out, "--format", "json").out
    )["problems"]:
        if problem["code"] == "control-character":
            path = Path(problem["path"]).relative_to(content)
            text = (content / path).read_text("utf-8")
            document = json.loads(
                (out / "api" / path.parts[0] / "slug" / f"{path.stem}.json").read_bytes()
            )
            written, published = (
                yaml.safe_load(text)["description"],
                document["data"]["description"],
            )
            assert HIDDEN.sub("", written) == HIDDEN.sub("", published) and written != published
            before, after = re.split(
                r"^description:.*\n(?:[ \n].*\n?)*", text, maxsplit=1, flags=re.M
            )
            (folder / path).write_text(
                f"{before}description: {json.dumps(published)}\n{after}", "utf-8"
            )
    return folder


@pytest.mark.slow
def test_a_large_real_registry(
    oracle: Path, real_content: Path, built_real: Path, tmp_path: Path
) -> None:
    """In pages of the usual size; other sizes are those of the tests above and below."""
    content = as_published(real_content, built_real, tmp_path / "content")
    assert_agrees(oracle, content, built_real)


BLANK: dict[str, Any] = {
    "registry": {"name": "Blank", "description": "Nothing yet.", "page_size": 10}
}
SHAPES: dict[str, Any] = {
    "an empty registry": BLANK,
    "one record": {**BLANK, "projects": {"alone": {"name": "Alone", "year": 2024}}},
    "exactly a full page": {
        **BLANK,
        "projects": {f"p{n}": {"name": f"P {n}", "year": 2024} for n in range(10)},
    },
    "one more than a full page": {
        **BLANK,
        "projects": {f"p{n}": {"name": f"P {n}", "year": 2024} for n in range(11)},
    },
    "every kind": registries.SMALL,
}


@pytest.mark.parametrize("shape", fast_first(1, reversed(SHAPES)))
def test_a_small_registry(shape: str, oracle: Path, tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", SHAPES[shape])
    assert_agrees(oracle, content, build(content, tmp_path / "out", "--as-of", TODAY))


@pytest.mark.parametrize(
    "day",
    fast_first(
        1, ["2026-05-31", "2019-12-31", "2020-03-01", "2020-03-02", "2026-06-01", "2027-02-01"]
    ),
)
def test_the_days_around_the_end_of_an_event(day: str, oracle: Path, tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    assert_agrees(oracle, content, build(content, tmp_path / "out", "--as-of", day))


def test_a_wrong_output_is_found(oracle: Path, tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    out = build(content, tmp_path / "out")
    page = out / "api" / "projects" / "page" / "1.json"
    page.write_bytes(page.read_bytes().replace(b"Aurora", b"Zaurora"))
    with pytest.raises(AssertionError, match="Zaurora"):
        assert_agrees(oracle, content, out)
