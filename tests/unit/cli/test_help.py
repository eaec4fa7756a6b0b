"""The help of commands."""

from __future__ import annotations

import pytest

from generator.kinds import KINDS
from support.commands import run_forked


@pytest.mark.parametrize("command", ["get", "list", "rows", "count"])
def test_the_help_of_a_command_for_any_kind_names_no_list_of_kinds(command: str) -> None:
    """A registry may have other kinds than the generator's own."""
    done = run_forked(command, "--help")
    named = [kind.name for kind in KINDS.values() if kind.name in done.out.partition("Options:")[0]]
    assert done.status == 0 and named == ["projects"]
