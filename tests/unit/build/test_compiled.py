"""The cache of compiled templates: its folder, its owner and its size."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader

from generator import PACKAGE
from generator.build import build
from generator.build.options import BuildOptions
from generator.published import compiled
from generator.published.compiled import Compiled
from generator.published.history.provenance import Moment
from generator.site.templating.fast_jinja import Plain
from generator.site.theme import Theme
from support import registries

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)


@pytest.fixture(autouse=True)
def _may_write(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bytecode may be written, and no case meets what a build before it keeps in this process."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    compiled.compiled_templates.cache_clear()
    yield
    compiled.compiled_templates.cache_clear()


def rendered(kept: Compiled, source: str = "{{ name }}", compiling: bool = True) -> str:
    environment = Plain(loader=DictLoader({"page": source}), bytecode_cache=kept)
    if not compiling:
        environment.compile = None  # type: ignore[assignment]
    return environment.get_template("page").render(name="<x>")


def test_a_compiled_template_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Compiled(tmp_path / "new")
    expected = rendered(first)
    first.write()
    assert rendered(Compiled(tmp_path / "new"), compiling=False) == expected
    monkeypatch.setattr(compiled, "fingerprint", lambda: "another version")
    with pytest.raises(TypeError, match="not callable"):
        rendered(Compiled(tmp_path / "new"), compiling=False)


def test_a_changed_template_is_compiled(tmp_path: Path) -> None:
    first = Compiled(tmp_path)
    rendered(first)
    first.write()
    assert rendered(Compiled(tmp_path), "other") == "other"


@pytest.mark.parametrize("damage", [b"", b"\0" * 500, "half"])
def test_a_damaged_file_is_ignored(tmp_path: Path, damage: bytes | str) -> None:
    first = Compiled(tmp_path)
    expected = rendered(first)
    first.write()
    whole = first.file.read_bytes()
    first.file.write_bytes(damage if isinstance(damage, bytes) else whole[: len(whole) // 2])
    again = Compiled(tmp_path)
    assert rendered(again) == expected
    again.write()
    assert first.file.read_bytes() == whole


def test_a_new_version_replaces_the_old_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "compiled.cpython-311.pyc"
    other.write_bytes(b"")
    for version in ("1", "2"):
        monkeypatch.setattr(compiled, "fingerprint", lambda version=version: version)
        kept = Compiled(tmp_path)
        rendered(kept)
        kept.write()
    assert {file.name for file in tmp_path.iterdir()} == {kept.file.name, other.name}


def test_an_unwritable_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    kept = Compiled(tmp_path / "file")
    assert rendered(kept) == "<x>"
    kept.write()
    assert (tmp_path / "file").read_bytes() == b""


def test_nothing_is_written_if_python_writes_no_bytecode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = Compiled(tmp_path)
    rendered(kept)
    kept.write()
    assert not [*tmp_path.iterdir()]


def test_only_our_own_templates_are_cached_in_the_package(tmp_path: Path) -> None:
    """An output and its state may come from a clone, and so may a registry's templates."""
    assert Path(compiled.__file__).is_relative_to(PACKAGE)
    if sys.pycache_prefix is None:
        assert Compiled().file.parent == PACKAGE / "published" / "__pycache__"
    kept, own = Compiled(tmp_path), {"row.html.j2": b""}
    assert Theme("en", compiled=kept).environment.bytecode_cache is kept
    assert Theme("en", own, compiled=kept).environment.bytecode_cache is None


def test_pages_never_show_another_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = str(tmp_path / "cache" / "compiled.pyc")
    monkeypatch.setattr(importlib.util, "cache_from_source", lambda _: where)
    texts = tmp_path / "templates/site/texts/en.json"
    texts.parent.mkdir(parents=True)

    def home_page(name: str, **settings: Any) -> str:
        content: dict[str, Any] = {"registry": {"name": name, "description": "It.", **settings}}
        registries.write(tmp_path / "content", content)
        options = BuildOptions(jobs=1)
        report = build(str(tmp_path / "content"), tmp_path / "out", MOMENT, options)
        assert not report.failed
        return (tmp_path / "out/index.html").read_text()

    assert "<bdi>First</bdi>" in home_page("First")
    assert "<bdi>Second</bdi>" in home_page("Second")
    assert 'href="/sub/docs/api/"' in home_page("Second", base_url="https://registry.example/sub")
    assert "Zum Inhalt" in home_page("Second", language="de")
    texts.write_text('{"site": {"skip": "To what counts"}}')
    assert "To what counts" in home_page("Second")
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["templates.bin"]
