"""`registry host`: its output, its files, and its messages for unknown names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import generator.hosts
from generator.contract.artifact import load_module, module_names
from support import commands, registries
from support.transcripts import Case, Shell, transcript

OUTSIDE = [
    name
    for name in module_names(generator.hosts)
    if hasattr(load_module(generator.hosts, name), "outside")
]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = registries.content(registry={"base_url": "https://registry.example.org/registry"})
    records["projects"]["bloom"]["aliases"] = ["flower"]
    return registries.write(tmp_path_factory.mktemp("content"), records)


def host(*arguments: object) -> commands.Done:
    return commands.run_forked("host", *arguments)


@transcript(Path(__file__).parent / "transcripts/host.txt")
def test_host(case: Case, content: Path, tmp_path: Path, regenerate: bool) -> None:
    case.run(Shell(tmp_path, CONTENT=content), regenerate)


@pytest.mark.parametrize("name", OUTSIDE)
def test_the_written_files_are_the_printed_files(name: str, content: Path, tmp_path: Path) -> None:
    printed = host(name, "--content", content)
    written = host(name, "--content", content, "--out", f"{tmp_path / name}/")
    assert (printed.status, written.status) == (0, 0), printed.err + written.err
    files = commands.files(tmp_path) or {name: (tmp_path / name).read_bytes()}
    parts = re.split(r"\n?==> .* <==\n", printed.out)
    assert sorted(filter(None, parts)) == sorted(data.decode() for data in files.values())


def test_netlify_has_the_folder_of_the_functions() -> None:
    printed, own = (
        tomllib.loads(text)["build"]
        for text in (host("netlify").out, (commands.ROOT / "netlify.toml").read_text())
    )
    *before, build = printed.pop("command").strip().splitlines()
    # This repository is the generator, which no requirement of its own installs.
    assert (
        build == own.pop("command").replace("python -m generator", "registry") + " --host netlify"
    )
    assert before == [
        "if test -f extra.txt; then pip install -r extra.txt; fi &&",
        "registry examples --publish | grep -qx publish=true &&",
    ]
    assert printed == own
