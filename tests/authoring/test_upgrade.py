"""`registry upgrade`: a new generator in a registry keeps the changes of people."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.edit.starting import init, wheel
from support.commands import REGISTRY, environment, files, run_forked, stamps

REPOSITORIES = {"github": "https://github.com/o/r", "gitlab": "https://gitlab.com/o/r"}
OLD = "wheels/registry_generator-0.0.9-py3-none-any.whl"
GIT = "git+https://github.com/o/g@" + "ab" * 20


def older(folder: Path, host: str = "netlify", ci: str = "github") -> Path:
    """A registry of an older generator, with another wheel, requirements.txt, check and Netlify
    file, and with a workflow that no longer exists.
    """
    done = run_forked("init", folder, "--host", host, "--repository", REPOSITORIES[ci])
    assert done.status == 0, done.err
    (folder / wheel.PATH).rename(folder / OLD)
    (folder / OLD).write_bytes(b"PK\0the older wheel")
    requirements = folder / "requirements.txt"
    text = requirements.read_text("utf-8").replace(wheel.PATH, OLD)
    digest = hashlib.sha256(b"PK\0the older wheel").hexdigest()
    requirements.write_text(re.sub(r"[0-9a-f]{64}\n\Z", f"{digest}\n", text), "utf-8")
    checks = folder / (".gitlab-ci.yml" if ci == "gitlab" else ".github/workflows/check.yml")
    checks.write_text(f"{checks.read_text('utf-8')}# of before\n", "utf-8")
    if ci == "github":
        (folder / ".github/workflows/gone.yml").write_text("name: Gone\n")
        (folder / ".github/workflows/comment.yml").write_text("name: Comment\n")
    note = json.loads((folder / ".generator.json").read_bytes())
    written = {*note["files"], ".github/workflows/gone.yml", OLD} - {wheel.PATH}
    note["files"] = {
        path: init.digest((folder / path).read_bytes())
        for path in sorted(written)
        if (folder / path).exists()
    }
    (folder / ".generator.json").write_text(json.dumps(note))
    return folder


def fresh(folder: Path, host: str = "netlify", ci: str = "github") -> dict[str, bytes]:
    done = run_forked("init", folder, "--host", host, "--repository", REPOSITORIES[ci])
    assert done.status == 0, done.err
    return files(folder)


@pytest.mark.parametrize(
    ("host", "ci"), [("netlify", "github"), ("gitlab-pages", "gitlab"), ("cloudflare", "github")]
)
def test_unchanged_files_are_replaced(tmp_path: Path, host: str, ci: str) -> None:
    folder = older(tmp_path / "r", host, ci)
    (folder / "README.md").write_text("Mine.\n")
    done = run_forked("upgrade", folder, "--yes")
    assert (done.status, done.err) == (0, "")
    assert f"Binary files a/{OLD} and /dev/null differ\n" in done.out
    assert "-# of before\n" in done.out and f"removed  {OLD}\n" in done.out
    (tmp_path / "wanted").mkdir()
    wanted = fresh(tmp_path / "wanted" / "r", host, ci)
    assert files(folder) == {**wanted, "README.md": b"Mine.\n"}
    again = run_forked("upgrade", folder, "--yes")
    assert (again.status, again.out) == (0, "Nothing to replace.\n")


def test_without_consent_it_shows_every_difference_and_writes_nothing(tmp_path: Path) -> None:
    folder = older(tmp_path / "r")
    before = stamps(folder)
    done = run_forked("upgrade", cwd=folder)
    assert done.status == 0 and stamps(folder) == before
    assert done.out.endswith("Nothing was written. Add --yes to write it.\n")
    assert "+++ b/requirements.txt\n" in done.out and "+name: Comment\n" not in done.out


@pytest.mark.parametrize(("answer", "written"), [("y", True), ("n", False), ("", False)])
def test_on_a_terminal_it_asks(tmp_path: Path, answer: str, written: bool) -> None:
    folder = older(tmp_path / "r")
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    done = subprocess.run(
        [*REGISTRY, "upgrade"],
        cwd=folder, env=environment(), stdin=theirs, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0 and "Make these changes? [y/N]: " in done.stderr
    assert (folder / wheel.PATH).exists() is written is not (folder / OLD).exists()


def test_changed_files_are_kept_and_shown(tmp_path: Path) -> None:
    folder = older(tmp_path / "r")
    check, submissions = (folder / f".github/workflows/{n}.yml" for n in ("check", "submissions"))
    check.write_text("name: My check\n")
    submissions.write_text("name: My submissions\n")  # without a new version
    (folder / ".github/workflows/gone.yml").write_text("name: My own\n")
    (folder / ".github/workflows/comment.yml").unlink()
    (folder / ".github/workflows/publish.yml").unlink()  # likewise
    done = run_forked("upgrade", folder, "--yes")
    assert done.status == 0
    assert ".github/workflows/check.yml was changed by somebody and is kept." in done.err
    assert "-name: My check\n" in done.err and "+name: Check\n" in done.err
    assert ".github/workflows/comment.yml was removed by somebody" in done.err
    assert ".github/workflows/gone.yml was changed by somebody" in done.err
    told = [line for line in done.err.splitlines() if " by somebody" in line]
    assert len(told) == 3 and not any("submissions" in line or "publish" in line for line in told)
    assert check.read_text() == "name: My check\n"
    assert submissions.read_text() == "name: My submissions\n"
    assert not (folder / ".github/workflows/publish.yml").exists()
    assert (folder / ".github/workflows/gone.yml").read_text() == "name: My own\n"
    assert (folder / wheel.PATH).exists() and not (folder / OLD).exists()
    # The difference is reported once; an option takes the new version.
    assert run_forked("upgrade", folder).out == "Nothing to replace.\n"
    asked = (
        "--replace",
        ".github/workflows/check.yml",
        "--replace",
        ".github/workflows/comment.yml",
    )
    assert run_forked("upgrade", folder, "--yes", *asked).status == 0
    assert check.read_text().startswith("# On every pull request")
    assert (folder / ".github/workflows/comment.yml").exists()


def test_newer_pins_of_actions_stay(tmp_path: Path) -> None:
    folder = older(tmp_path / "r")
    check = folder / ".github/workflows/check.yml"
    text = check.read_text("utf-8")
    newer = re.sub(r"checkout@[0-9a-f]{40} # v6.0.2", f"checkout@{'a' * 40} # v6.10.0", text)
    older_ = re.sub(
        r"setup-python@[0-9a-f]{40} # v6.2.0", f"setup-python@{'b' * 40} # v6.1.9", newer
    )
    assert text != newer != older_
    check.write_text(older_, "utf-8")
    done = run_forked("upgrade", folder, "--yes")
    assert (done.status, done.err) == (0, "")
    text = check.read_text("utf-8")
    assert f"checkout@{'a' * 40} # v6.10.0\n" in text and "# of before" not in text
    assert "b" * 40 not in text and " # v6.2.0\n" in text
    assert run_forked("upgrade", folder).out == "Nothing to replace.\n"


def test_changed_requirements_stop_all(tmp_path: Path) -> None:
    folder = older(tmp_path / "r")
    with (folder / "requirements.txt").open("ab") as file:
        file.write(b"pillow\n")
    before = stamps(folder)
    done = run_forked("upgrade", folder, "--yes")
    assert (done.status, stamps(folder)) == (2, before)
    assert "add --replace requirements.txt" in done.err
    done = run_forked("upgrade", folder, "--yes", "--replace", "requirements.txt")
    assert done.status == 0 and (folder / wheel.PATH).exists()
    assert b"pillow" not in (folder / "requirements.txt").read_bytes()


def test_a_registry_without_a_note_keeps_every_difference(tmp_path: Path) -> None:
    folder = older(tmp_path / "r", "cloudflare")
    (folder / ".generator.json").unlink()
    shutil.rmtree(folder / "wheels")
    asked = ("--yes", "--replace", "requirements.txt")
    done = run_forked("upgrade", folder, "--yes")
    assert done.status == 2 and "--replace requirements.txt" in done.err
    done = run_forked("upgrade", folder, *asked)
    assert done.status == 0 and (folder / wheel.PATH).exists()
    assert "check.yml was changed by somebody" in done.err
    assert json.loads((folder / ".generator.json").read_bytes())["host"] == "cloudflare"


def test_another_source_takes_the_place_of_the_wheel(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    fresh(folder)
    done = run_forked("upgrade", folder, "--yes", "--generator", GIT)
    assert (done.status, done.err) == (0, "") and not (folder / wheel.PATH).exists()
    lines = (folder / "requirements.txt").read_text("utf-8").splitlines()
    assert lines[-1] == f"registry-generator @ {GIT}"


@pytest.mark.parametrize(
    "note",
    [
        {"host": "netlify", "ci": "github", "files": {"../evil": "0"}},
        {"host": "netlify", "ci": "github", "files": {".git/hooks/pre-commit": "0"}},
        {"host": "netlify", "ci": "github", "files": {"content/registry.yaml": "0"}},
        {"host": "elsewhere", "ci": "github", "files": {}},
        {"host": ["netlify"], "ci": "github", "files": {}},
        {"host": "netlify", "ci": "none", "files": {}},
        {"host": "netlify", "ci": "github", "files": {"README.md": 3}},
        [],
    ],
)
def test_a_hostile_note_has_no_effect(tmp_path: Path, note: object) -> None:
    folder = older(tmp_path / "r")
    (folder / ".generator.json").write_text(json.dumps(note))
    before = stamps(folder)
    done = run_forked("upgrade", folder, "--yes")
    assert done.status == 2 and ".generator.json was changed by hand" in done.err
    assert stamps(folder) == before


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = older(tmp_path / "r")
    (tmp_path / "elsewhere").write_text("Mine.\n")
    (folder / "netlify.toml").unlink()
    (folder / "netlify.toml").symlink_to(tmp_path / "elsewhere")
    done = run_forked("upgrade", folder, "--yes")
    assert done.status == 2 and "netlify.toml is not a normal file" in done.err
    assert (tmp_path / "elsewhere").read_text() == "Mine.\n"


def test_files_that_the_generator_never_writes_are_not_replaced(tmp_path: Path) -> None:
    folder = older(tmp_path / "r")
    done = run_forked("upgrade", folder, "--yes", "--replace", "README.md")
    assert done.status == 2 and "README.md is not a file of the generator" in done.err
