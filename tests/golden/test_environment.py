"""The same content gives the same bytes, whatever the machine and the process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import commands, registries
from support.lanes import fast_first

CONTENT = Path(__file__).parent / "content"
#: Variables of the environment.
MACHINES: dict[str, dict[str, str | None]] = {
    "C, no hash seed, another zone": {
        "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONHASHSEED": "0",
        "TZ": "Pacific/Kiritimati",
    },
    "Turkish, optimized": {
        "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "1",
        "PYTHONOPTIMIZE": "2", "TZ": "America/Adak",
    },
    "no user, a narrow terminal": {
        "LC_ALL": None, "LANG": None, "LANGUAGE": "de", "PYTHONHASHSEED": "4242",
        "HOME": "/nonexistent", "USER": "nobody", "COLUMNS": "20", "TERM": "xterm",
    },
}  # fmt: skip


def built(folder: Path, anew: bool = False, umask: int = -1, **machine: str | None) -> Path:
    """A build with a cache of its own, outside of a repository."""
    content = shutil.copytree(CONTENT, folder / "content")
    env = {"GIT_CEILING_DIRECTORIES": str(folder), "REGISTRY_CACHE": str(folder / "cache")}
    options = {"umask": umask} if anew else {}
    return commands.build(
        content, folder / "out", "--as-of", commands.TODAY, site=True, anew=anew,
        env=env | machine, **options,
    )  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return commands.files(built(tmp_path_factory.mktemp("here")))


@pytest.mark.parametrize("name", fast_first(2, MACHINES))
def test_bytes_do_not_depend_on_the_machine(
    name: str, here: dict[str, bytes], tmp_path: Path
) -> None:
    out = built(tmp_path, anew=True, umask=0o077, **MACHINES[name])
    assert commands.differing(here, commands.files(out)) == []
    assert_modes(out, 0o700, 0o600)


def test_nobody_else_may_write_files_even_without_a_umask(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    out = commands.build(content, tmp_path / "out", umask=0, anew=True)
    assert_modes(out, 0o755, 0o644)


def assert_modes(out: Path, folder: int, file: int) -> None:
    for path in [out, *out.rglob("*")]:
        assert path.stat().st_mode & 0o777 == (folder if path.is_dir() else file), path
