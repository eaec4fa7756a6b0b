"""A feature that needs a missing feature is left out, and standard error says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.feature import features
from support import registries
from support.commands import run
from support.installed import distribute

COMMAND = "import click\n@click.command()\ndef command():\n    click.echo('done')\n"


def installed(folder: Path, needs: dict[str, str]) -> dict[str, str]:
    """An environment with features that have these sources and a command of their name."""
    features = {
        name: {"__init__.py": f'"""{name}."""\n\n{source}\n', "commands/__init__.py": "",
               f"commands/{name}.py": COMMAND}
        for name, source in needs.items()
    }  # fmt: skip
    return {"PYTHONPATH": distribute(folder, features, "more")}


def line(name: str, missing: str) -> str:
    return f"The feature {name} is left out: it needs {missing}, which is not here.\n"


def test_features_without_what_they_need_are_left_out(tmp_path: Path) -> None:
    # `tail` is left out because `stars` is; both are named.
    needs = {
        "apart": "NEEDS = ['diff']",
        "stars": 'NEEDS: tuple[str, ...] = (\n    "diff",\n    "nebula",\n)',
        "tail": "NEEDS = ('stars',)",
    }
    env, told = installed(tmp_path, needs), line("stars", "nebula") + line("tail", "stars")
    listed = run("features", env=env)
    assert (listed.status, listed.err) == (0, told)
    assert "apart (more 1.0): apart." in listed.out
    assert not re.search(r"(?m)^(stars|tail)\b", listed.out)
    assert run("apart", env=env).out == "done\n"
    refused = run("tail", env=env)
    assert refused.status == 2 and refused.err.startswith(told)
    assert "No such command 'tail'" in refused.err and "Traceback" not in refused.err
    content = registries.write(tmp_path / "content")
    built = run("build", "--no-site", "--content", content, "--out", tmp_path / "out", env=env)
    assert built.status == 0 and built.err.count("is left out") == 2


@pytest.mark.parametrize("source", ["", "NEEDS = ()", "def NEEDS(:", "# NEEDS = ('nebula',)"])
def test_a_package_is_not_imported_for_its_needs(tmp_path: Path, source: str) -> None:
    env = installed(tmp_path, {"stars": f"{source}\nraise SystemExit(7)"})
    done = run("list", "--help", env=env)
    assert (done.status, done.err) == (0, "")


def test_features_name_the_features_that_they_import() -> None:
    for feature in (one for one in features() if not one.origin):
        sources = "".join(file.read_text("utf-8") for file in feature.folder.rglob("*.py"))
        imported = {*re.findall(r"generator\.features\.(\w+)", sources)} - {feature.name}
        assert imported == {*feature.needs}, feature.name
