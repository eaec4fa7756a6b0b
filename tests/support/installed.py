"""A feature of another package, installed beside the generator."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from support.commands import ROOT, environment

CONTENT = {
    "registry.yaml": "name: Small\ndescription: Of one record.\n",
    "projects/acme.yaml": "name: Acme\n",
}


class House(NamedTuple):
    """A folder with an installed feature of another package, and a registry."""

    folder: Path

    def run(self, *arguments: str, status: int = 0, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "generator", *arguments],
            cwd=self.folder, input=given, capture_output=True, text=True, check=False,
            env=environment(PYTHONPATH=f"{ROOT}:{self.folder}"),
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def data(self, address: str) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.folder / "build" / address).read_bytes())
        return found


def distribute(
    folder: Path, features: Mapping[str, Mapping[str, str]], name: str = "registry-stars"
) -> str:
    """Install a distribution with features, which have these files; a value of PYTHONPATH."""
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = "".join(f"{feature} = registry_{feature}\n" for feature in features)
    (about / "entry_points.txt").write_text(f"[registry_generator.features]\n{points}")
    for feature, files in features.items():
        for path, text in {
            "__init__.py": '"""Stars."""\n',
            **files,
        }.items():
            file = folder / f"registry_{feature}" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return f"{ROOT}{os.pathsep}{folder}"


def installed(folder: Path, modules: Mapping[str, str]) -> House:
    """A feature with these modules, by file name, and a registry."""
    distribute(folder, {"stars": modules})
    for path, text in CONTENT.items():
        file = folder / "content" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return House(folder)
