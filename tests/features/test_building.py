"""A feature of another package adds options to registry build, and acts in a build and after it."""

from __future__ import annotations

import re
from pathlib import Path

from support.commands import ROOT, files
from support.installed import House, installed

IMPORTS = """from __future__ import annotations

import shutil

import click

from generator.build.options import Asked

"""
#: The example of the documentation.
[EXAMPLE] = re.findall(r"(?s)```python\n(import.*?)```", (ROOT / "docs/extending.md").read_text())


def house(folder: Path, building: str) -> House:
    return installed(folder, {"building.py": IMPORTS + building})


def test_a_feature_acts_after_a_build_that_succeeds(tmp_path: Path) -> None:
    one = house(tmp_path, EXAMPLE)
    assert "Copy the build into this new folder." in one.run("build", "--help")
    one.run("build", "--copy-to", "copy")
    assert files(tmp_path / "copy") == files(tmp_path / "build")
    (tmp_path / "content/projects/acme.yaml").write_text("name: [1]\n")
    one.run("build", "--copy-to", "other", status=1)
    assert not (tmp_path / "other").exists()


def test_two_options_of_one_name_are_refused(tmp_path: Path) -> None:
    for name, owner in (("--jobs", "the generator"), ("--precompress", "precompressed")):
        (tmp_path / owner).mkdir()
        one = house(tmp_path / owner, EXAMPLE.replace("--copy-to", name))
        said = one.run("build", status=2)
        assert f"has the option {name} of registry build, which {owner} has too" in said
