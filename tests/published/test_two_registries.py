"""Two registries of different kinds in one process: one of the first four, and one with none of
them.

The kinds of a registry are those of its content folder: a test says which, and which kinds the
index of a published registry means.
"""

from __future__ import annotations

import gc
import json
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from serve.test_live import Silent

import generator.kinds
from generator.build import build
from generator.build.options import Against, BuildOptions
from generator.dialect import folder
from generator.dialect.folder import Content
from generator.engine.context import Request
from generator.features.diff.comparison import as_json, as_text, compare
from generator.grammar.grammar import Grammar
from generator.guard.published import PublishedState
from generator.guard.state import state_of_published
from generator.kinds import Kinds, built_in, kinds_of
from generator.model.settings.registry import settings_model
from generator.published.history.provenance import Moment
from generator.reader import documents
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from generator.serve.live import Live
from support import copies

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)
OPTIONS = BuildOptions(site=False)


@pytest.fixture(scope="module")
def kitchen() -> Iterator[Kinds]:
    """The kinds of the kitchen, beside those of this package."""
    first = built_in()
    with pytest.MonkeyPatch.context() as patch:
        where = [*generator.kinds.__path__, str(copies.DECLARED / "kitchen")]
        patch.setattr(generator.kinds, "__path__", where)
        assert built_in() is first
        yield kinds_of(copies.KITCHEN, "")


@pytest.fixture(scope="module")
def registries(
    kitchen: Kinds, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Path]]:
    """The builds of both registries, in folders with their content."""
    root = tmp_path_factory.mktemp("two")
    with pytest.MonkeyPatch.context() as patch:
        everywhere(patch, folder.open_content, lambda where, planned=None: Content(
            where, kitchen if Path(where, "recipes").is_dir() else built_in(), planned=planned or {}
        ))  # fmt: skip
        everywhere(patch, documents.published_kinds, lambda index=None: (
            kitchen if index and index["data"]["name"] == "Kitchen" else built_in()
        ))  # fmt: skip
        for name in ("kitchen", "base"):
            shutil.copytree(copies.CONTENT / name, root / name / "content")
            report = build(str(root / name / "content"), root / name / "build", MOMENT, OPTIONS)
            assert not report.failed, report.problems
        yield {name: root / name for name in ("kitchen", "base")}


def everywhere(patch: pytest.MonkeyPatch, function: Any, other: Callable[..., Any]) -> None:
    """Replace a function in all modules that have it."""
    for module in list(sys.modules.values()):
        name = function.__name__
        if module.__name__.startswith("generator.") and getattr(module, name, None) is function:
            patch.setattr(module, name, other)


def test_grammars_and_settings_have_their_own_kinds(kitchen: Kinds) -> None:
    nouns = {"recipes": {"one": "dish", "many": "dishes"}}
    for kinds in (built_in(), kitchen):
        assert [*Grammar(kinds).collections] == [*kinds]
        assert pickle.loads(pickle.dumps(kinds)) is kinds
        given = {"name": "A", "description": "B", "nouns": nouns}
        if kinds is kitchen:
            assert settings_model(kinds).model_validate(given).nouns
        else:
            with pytest.raises(ValueError, match="recipes"):
                settings_model(kinds).model_validate(given)


def counts(root: Path) -> dict[str, int]:
    """The number of records in a build by collection."""
    found: dict[str, int] = json.loads((root / "build/api/build.json").read_bytes())["counts"]
    return found


def test_each_build_is_of_its_own_kinds(registries: dict[str, Path]) -> None:
    assert counts(registries["kitchen"]) == {
        "recipes": 3, "ingredients": 3, "cooks": 2, "tools": 1,
    }  # fmt: skip
    assert [*counts(registries["base"])] == ["projects", "programs", "organizations", "events"]
    for root in registries.values():
        read = Deployment.open(root / "build")
        for collection in read.grammar.collections.values():
            answer = read.respond(Request(f"{collection.root}?mode=count"))
            assert json.loads(answer.body)["total_items"] == counts(root)[collection.name]


def test_each_server_sees_saves_of_its_own_kinds(
    registries: dict[str, Path], tmp_path: Path
) -> None:
    lives = {}
    for name, root in registries.items():
        content = shutil.copytree(root / "content", tmp_path / name)
        lives[name] = Live(str(content), Silent())
        lives[name].start()
    for name, path in (("kitchen", "cooks/cai.yaml"), ("base", "projects/cai.yaml")):
        (tmp_path / name / path).write_text("name: Cai\n")
        lives[name].update(frozenset([path]))
        found = {
            other: answer("GET", f"/api/{path.partition('/')[0]}?mode=page&q=cai", live.deployment)
            for other, live in lives.items()
        }
        assert {other: found[other].status for other in found} == {
            other: 200 if other == name else 404 for other in lives
        }
    gc.unfreeze()


def test_published_states_of_both_are_compared(registries: dict[str, Path]) -> None:
    kitchen, base = (PublishedState.open(str(registries[name] / "build")) for name in registries)
    for old, new in ((base, kitchen), (kitchen, base)):
        settings = settings_model(new.grammar.kinds)(name="A", description="B")
        done = compare(old, new, settings, {}, released=True)
        assert {*done.records} == {*kitchen.grammar.collections, *base.grammar.collections}
        for name, records in done.records.items():
            gone = [*old.slugs(old.grammar[name])] if name in old.grammar.kinds else []
            assert [*records.removed] == gone
        lost = {f.subject for f in done.findings if f.rule == "records-lost"}
        assert lost == {*old.grammar.collections}
        assert "records" in as_text(done) and json.loads(as_json(done))


def test_a_build_is_guarded_by_a_state_of_other_kinds(
    registries: dict[str, Path], tmp_path: Path
) -> None:
    """Each collection that is gone is lost."""
    for name, other in (("kitchen", "base"), ("base", "kitchen")):
        state = PublishedState.open(str(registries[other] / "build"))
        options = replace(OPTIONS, against=Against(state_of_published(state)))
        out = tmp_path / name
        report = build(str(registries[name] / "content"), out, MOMENT, options)
        lost = {problem.message for problem in report.problems if problem.code == "records-lost"}
        assert report.failed and len(lost) == len(state.grammar.collections), report.problems
