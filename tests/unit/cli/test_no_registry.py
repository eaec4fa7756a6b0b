"""In a folder without a registry, commands that need one say so and name `registry init`."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from generator.cli import commands
from support.commands import run_forked

#: Arguments without which a command asks for them first.
ARGUMENTS = {
    "approve": ("0123456789abcdef", "--reason", "Meant"),
    "export": ("project",),
    "forms": (".",),
    "host": ("netlify",),
    "import": ("table.csv", "--kind", "project"),
    "merge": ("project", "a", "b"),
    "new": ("project", "--name", "X"),
    "remove": ("project", "a"),
    "rename": ("project", "a", "b"),
    "schema": ("--editor", "."),
    "submit": ("table.csv",),
}
COMMANDS = [
    name
    for name in commands.list_commands(click.Context(commands))
    for command in [commands.get_command(click.Context(commands), name)]
    if command and any("--content" in option.opts for option in command.params)
]


def test_each_command_is_tried() -> None:
    assert ARGUMENTS.keys() < {*COMMANDS} and len(COMMANDS) > 15


# `registry diff` can compare remote builds, and a build may be published
# without its content.
@pytest.mark.parametrize("name", sorted({*COMMANDS, "upgrade"} - {"diff", "publish"}))
@pytest.mark.parametrize("folder", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_message_names_registry_init_and_nothing_is_written(
    tmp_path: Path, name: str, folder: bool
) -> None:
    (tmp_path / "table.csv").write_text("name\nX\n")
    if folder:
        (tmp_path / "content").mkdir()
        (tmp_path / "content/README.md").write_text("Nothing yet.\n")
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    done = run_forked(name, *ARGUMENTS.get(name, ()), cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "There is no registry here: " in done.err and "`registry init .`" in done.err
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == before
