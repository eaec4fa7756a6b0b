"""A feature of another package, installed beside the generator."""

from __future__ import annotations

import json
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


def installed(
    folder: Path, modules: Mapping[str, str], content: Mapping[str, str] = CONTENT
) -> House:
    """A feature with these modules, by file name, and a registry."""
    package, about = folder / "registry_stars", folder / "registry_stars-1.0.dist-info"
    package.mkdir(), about.mkdir()
    (package / "__init__.py").write_text('"""Stars: how large projects are."""\n')
    for name, text in modules.items():
        (package / name).write_text(text)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: registry-stars\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[registry_generator.features]\nstars = registry_stars\n"
    )
    for path, text in content.items():
        file = folder / "content" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return House(folder)
