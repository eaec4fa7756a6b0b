"""Random registries keep their records when a kind or a field is renamed, and have their bytes back
when it is named as before.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

import pytest

from generator.dialect.folder import open_content
from generator.edit.changes import apply
from generator.edit.declared import Renamed, remove_empty, rename_field, rename_kind
from generator.kinds import Kinds
from generator.kinds.promised import broken_promises, promised
from generator.problems.diagnostic import is_error
from generator.published.check import check
from generator.published.content.read import read_header
from support import declarations
from support.commands import files
from support.registries import write

DAY = date(2026, 11, 21)


@pytest.mark.parametrize("seed", range(12))
def test_a_rename_and_its_reverse_change_nothing(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    folder = write(tmp_path / "content", declarations.registry(random))
    before, kinds = files(folder), kinds_of(folder)
    assert errors(folder) == []
    for name, of in kinds.own_kinds.items():
        there = made(folder, rename_kind(str(folder), name, "renamed", "renamed-one"))
        remove_empty(str(folder), name)
        assert errors(folder) == [] and f"the kind {name} is gone" in there.lost
        assert not list(broken_promises(promised(kinds_of(folder)), kinds_of(folder), "2026-11"))
        made(folder, rename_kind(str(folder), "renamed", name, of["one"]))
        remove_empty(str(folder), "renamed")
        assert files(folder) == before
    for name in kinds:
        for key in kinds.settings_of(name):
            there = made(folder, rename_field(str(folder), name, key, "renamed"))
            assert errors(folder) == [] and f"the field {key} of {name} is gone" in there.lost
            made(folder, rename_field(str(folder), name, "renamed", key))
            assert files(folder) == before


def made(folder: Path, renamed: Renamed) -> Renamed:
    assert renamed.plan.skipped == []
    apply(str(folder), renamed.plan.changes)
    return renamed


def kinds_of(folder: Path) -> Kinds:
    return read_header(open_content(str(folder)))[0].settings.kinds


def errors(folder: Path) -> list[str]:
    return [str(problem) for problem in check(str(folder), DAY).problems if is_error(problem)]
