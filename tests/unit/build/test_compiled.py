"""Compiled templates: where they are, whose they are, and what becomes of those that are old."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from jinja2 import BytecodeCache, DictLoader

from generator import PACKAGE
from generator.build import build
from generator.build.options import BuildOptions
from generator.published.compiled import compiled_templates, kept_in
from generator.published.history.provenance import Moment
from generator.site.templating import Plain
from generator.site.theme import Theme
from support import registries

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)


@pytest.fixture(autouse=True)
def _may_write(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bytecode may be written, and no case meets what a build before it keeps in this process."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    compiled_templates.cache_clear()
    yield
    compiled_templates.cache_clear()


def rendered(kept: BytecodeCache, source: str = "{{ name }}", compiling: bool = True) -> str:
    environment = Plain(loader=DictLoader({"page": source}), bytecode_cache=kept)
    if not compiling:
        environment.compile = None  # type: ignore[assignment]
    return environment.get_template("page").render(name="<x>")


def test_a_compiled_template_is_not_compiled_again(tmp_path: Path) -> None:
    expected = rendered(kept_in(tmp_path / "new", "1"))
    assert rendered(kept_in(tmp_path / "new", "1"), compiling=False) == expected
    assert rendered(kept_in(tmp_path / "new", "1"), "other") == "other"
    with pytest.raises(TypeError, match="not callable"):
        rendered(kept_in(tmp_path / "new", "2"), compiling=False)


def test_a_new_version_replaces_the_old_version(tmp_path: Path) -> None:
    other = tmp_path / "compiled.cpython-311.pyc"
    other.write_bytes(b"")
    for version in ("1", "2"):
        rendered(kept_in(tmp_path, version))
    assert sorted(file.name[:2] for file in tmp_path.iterdir()) == ["2-", "co"]


def test_an_unwritable_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert rendered(kept_in(tmp_path / "file", "1")) == "<x>"
    assert (tmp_path / "file").read_bytes() == b""


def test_nothing_is_written_if_python_writes_no_bytecode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    rendered(kept_in(tmp_path, "1"))
    assert not [*tmp_path.iterdir()]


def test_only_our_own_templates_are_cached_in_the_package(tmp_path: Path) -> None:
    """An output and its state may come from a clone, and so may a registry's templates."""
    if sys.pycache_prefix is None:
        where = Path(compiled_templates().directory)
        assert where == PACKAGE / "published" / "__pycache__" / "templates"
    kept, own = kept_in(tmp_path, "1"), {"row.html.j2": b""}
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
    assert [*(tmp_path / "cache" / "templates").glob("*.template")]
