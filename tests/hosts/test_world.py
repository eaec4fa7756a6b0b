"""The committed map of the world equals the output of its script."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.engines import need

HOSTS = Path(__file__).parent
MAP = HOSTS.parents[1] / "templates/site/world.json"


def test_the_map_is_what_its_script_writes(tmp_path: Path) -> None:
    """To update the map after a change: node tests/hosts/world.mjs templates/site/world.json"""
    need("world-atlas")
    subprocess.run(["node", HOSTS / "world.mjs", tmp_path / "world.json"], check=True)
    assert (tmp_path / "world.json").read_bytes() == MAP.read_bytes()
