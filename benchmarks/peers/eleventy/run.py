"""The project pages by Eleventy.

    python benchmarks/peers/eleventy/run.py CONTENT OUT

Installs Eleventy and js-yaml from npm on first use; needs node 20 or newer.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import tree  # noqa: E402

CACHE = HERE.parents[1] / ".cache" / "eleventy"
SOURCES = ["package.json", "eleventy.config.js", "registry.js", "site"]


def setup() -> None:
    """Copy the site beside its packages and install them, once for each package.json."""
    CACHE.mkdir(parents=True, exist_ok=True)
    wanted, installed = HERE / "package.json", CACHE / "installed.json"
    fresh = installed.exists() and installed.read_bytes() == wanted.read_bytes()
    for name in SOURCES:
        if (HERE / name).is_dir():
            shutil.copytree(HERE / name, CACHE / name, dirs_exist_ok=True)
        else:
            shutil.copyfile(HERE / name, CACHE / name)
    if not fresh:
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
            cwd=CACHE,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        shutil.copyfile(wanted, installed)


def version() -> str:
    node = (
        subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
        .stdout.strip()
        .lstrip("v")
    )
    text = subprocess.run(
        ["node", "node_modules/@11ty/eleventy/cmd.cjs", "--version"],
        cwd=CACHE,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    return f"Eleventy {text} on Node {node}"


def command(content: Path, out: Path) -> tuple[list[str], dict[str, str], Path]:
    """The command, what it adds to the environment, and the folder to run it in."""
    words = [
        "node",
        "--max-old-space-size=12288",
        "node_modules/@11ty/eleventy/cmd.cjs",
        "--quiet",
        f"--output={out.resolve()}",
    ]
    return words, {"CONTENT": str(content.resolve())}, CACHE


if __name__ == "__main__":
    setup()
    tree.run_peer(command, Path(sys.argv[1]), Path(sys.argv[2]))
