"""Every problem of content, as `registry check` prints it.

tests/content/base is a registry without a problem.  Each case of tests/content/bad replaces files
of it: `<code>-<what>.yaml`, in which a line `# at: PATH` begins each file, or a folder
`<code>-<what>/`; this file creates the cases that no editor could save.  Beside each case,
`<code>-<what>.txt` has the output of the command; `pytest --regenerate` rewrites these files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli.publishing.check import command
from generator.dialect.folder import COLLECTIONS
from generator.problems.codes import codes, groups
from support.commands import ROOT

BASE, BAD = (ROOT / "tests/content" / name for name in ("base", "bad"))

MADE: dict[str, Callable[[Path], object]] = {}


def made(name: str) -> Callable[[Callable[[Path], object]], None]:
    """Register a function that creates a case in a content folder."""

    def register(make: Callable[[Path], object]) -> None:
        MADE[name] = make

    return register


def write(content: Path, path: str, raw: bytes) -> None:
    (content / path).parent.mkdir(parents=True, exist_ok=True)
    (content / path).write_bytes(raw)


#: name -> bytes of projects/bad.yaml
RAW = {
    "not-utf8-latin-1": b"name: Bad\nsummary: Fj\xc3\xa5rd caf\xe9\n",
    "not-utf8-quote": b"name: Bad\nsummary: The world\x92s first\n",
    "not-utf8-first-byte": b"\xffname: Bad\n",
    "not-utf8-utf-16": "name: Bad\n".encode("utf-16"),
    "yaml-syntax-utf-16-without-mark": "name: Bad\n".encode("utf-16-le"),
    "yaml-syntax-nul": b"name: Bad\nsummary: heat\0pumps\n",
    "yaml-syntax-nul-after-crlf": b"name: Bad\r\nsummary: heat\0pumps\r\n",
    "yaml-syntax-control": b"name: B\x07ad\n",
    "yaml-syntax-c1-control": "name: B\x9bad\n".encode(),
    "yaml-syntax-c1-control-copied": "name: Bad\nsummary: Fast \x96 and warm\n".encode(),
    "yaml-syntax-mark-inside": "name: Bad\nsummary: \ufeffHeat pumps\n".encode(),
    "yaml-syntax-mark-twice": "\ufeff\ufeffname: Bad\n".encode(),
    "yaml-syntax-noncharacter": "name: Bad\nsummary: \uffff\n".encode(),
    "yaml-not-a-mapping-empty": b"",
    "yaml-not-a-mapping-blank": b" \n\n",
    "yaml-not-a-mapping-null": b"~\n",
    "file-too-large": b"name: Bad\ndescription: |\n" + b"  heat pumps\n" * 25_000,
    "file-too-large-by-one-byte": b"name: Bad\n".ljust(256 * 1024 + 1, b"#"),
    "yaml-too-deep-brackets": b"name: " + b"[" * 200_000,
    "yaml-too-deep-braces": b"founders: " + b"{a: " * 60_000,
    "yaml-too-deep-dashes": b"founders:\n " + b"- " * 100_000,
    "yaml-too-deep-indentation": b"".join(b" " * i + b"a:\n" for i in range(700)),
    "yaml-anchor-bomb": b"name: Bad\nfounders:\n  - &a [x, x]\n"
    + b"".join(b"  - &%c [*%c, *%c]\n" % (98 + i, 97 + i, 97 + i) for i in range(3)),
    "unknown-field-after-a-mark": b"\xef\xbb\xbfnam: Bad\nname: Bad\n",
    "unknown-field-with-crlf": b"name: Bad\r\nsumary: |\r\n  Heat\r\nyear: 20\r\n",
    "unknown-field-very-long": b'name: Bad\n? "' + b"x" * 5_000 + b'"\n: 1\n',
    "invalid-length-very-long-line": b"name: " + b"x" * 250_000 + b"\n",
    "invalid-slug-right-to-left": (
        "name: Bad\ntags: {\u202eeilatip: [\u202ex], topic: [\u202ex]}\n".encode()
    ),
    "yaml-syntax-unclosed-bracket-at-the-end": b"name: Bad\nfounders: [Ada",
}
for _name, _raw in RAW.items():
    made(_name)(partial(write, path="projects/bad.yaml", raw=_raw))


SHAPE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>\n'
#: name -> bytes of projects/bad.svg, which a record names
LOGOS = {
    "invalid-logo": b"\x89PNG\r\n\x1a\n",
    "invalid-logo-jpeg": b"\xff\xd8\xff\xe0",
    "invalid-logo-unclosed": SHAPE.replace(b"</svg>", b""),
    "invalid-logo-without-size": SHAPE.replace(b' viewBox="0 0 8 8"', b""),
    "logo-too-large": SHAPE.replace(b"0 0 8 8", b"0 0 9000 8"),
    "logo-too-large-bytes": SHAPE + b" " * 65_536,
    "unsafe-svg": SHAPE.replace(b"<path", b"\n  <script>alert(1)</script>\n  <path"),
    "unsafe-svg-attribute": SHAPE.replace(b"<path", b'\n  <path onclick="alert(1)"'),
    "unsafe-svg-reference": SHAPE.replace(b"<path", b'\n  <path fill="url(https://evil.example/)"'),
    "unused-logo": SHAPE,
}


def write_logo(content: Path, raw: bytes, *, named: bool) -> None:
    write(content, "projects/bad.svg", raw)
    if named:
        write(content, "projects/bad.yaml", b"name: Bad\nlogo: bad.svg\n")


def write_elsewhere(content: Path, path: str) -> None:
    write(content, path, SHAPE)
    write(content, "projects/bad.yaml", b"name: Bad\nlogo: bad.svg\n")


for _name, _raw in LOGOS.items():
    made(_name)(partial(write_logo, raw=_raw, named=_name != "unused-logo"))


@made("stray-file-logos")
def _(content: Path) -> None:
    for name in ("events/call.png", "projects/BAD.SVG", "projects/bad.jpg"):
        write(content, name, SHAPE)
    (content / "projects/link.svg").symlink_to("/etc/hostname")


for _name, _path in (
    ("missing-logo-in-another-folder", "projects/logos/bad.svg"),
    ("missing-logo-in-other-letters", "projects/Bad.svg"),
):
    made(_name)(partial(write_elsewhere, path=_path))


@made("missing-registry")
def _(content: Path) -> None:
    (content / "registry.yaml").unlink()


@made("missing-registry-other-ending")
def _(content: Path) -> None:
    (content / "registry.yaml").rename(content / "registry.yml")


@made("empty-registry")
def _(content: Path) -> None:
    for collection in COLLECTIONS:
        shutil.rmtree(content / collection)


@made("unreadable-file-folder-as-registry")
def _(content: Path) -> None:
    (content / "registry.yaml").unlink()
    (content / "registry.yaml").mkdir()


@made("unreadable-file-link-to-nothing")
def _(content: Path) -> None:
    (content / "projects/bad.yaml").symlink_to("gone.yaml")


@made("unreadable-file-link-to-itself")
def _(content: Path) -> None:
    (content / "projects/bad.yaml").symlink_to("bad.yaml")
    (content / "programs/here").symlink_to("here")
    (content / "more").symlink_to("more")


@made("unreadable-file-pipe")
def _(content: Path) -> None:
    os.mkfifo(content / "projects/bad.yaml")


@made("unreadable-file-endless")
def _(content: Path) -> None:
    (content / "projects/bad.yaml").symlink_to("/dev/zero")


def symlink_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


@made("stray-file-link-to-a-folder")
def _(content: Path) -> None:
    (content / "projects/more").symlink_to(".")
    (content / "projects/more.yaml").symlink_to("..")


@made("stray-file-in-place-of-a-folder")
def _(content: Path) -> None:
    for collection, make in (("projects", Path.touch), ("events", symlink_to_nothing)):
        shutil.rmtree(content / collection)
        make(content / collection)


@made("invalid-slug-line-break-in-the-name")
def _(content: Path) -> None:
    write(content, "projects/two\nlines.yaml", b"nam: Bad\n")


@made("invalid-slug-bytes-that-are-no-text")
def _(content: Path) -> None:
    for folder, text in (
        (b"a", b"nam: Bad\n"),
        (b"b", b"nam: Bad\n"),
        (b"c\xe9", b"name: Good but for the name of its file\n"),
    ):
        path = os.path.join(os.fsencode(content), b"projects", folder)
        os.mkdir(path)
        with open(os.path.join(path, b"caf\xe9.yaml"), "wb") as file:
            file.write(text)


@made("unreadable-file-permissions")
def _(content: Path) -> None:
    write(content, "projects/bad.yaml", b"name: Bad\n")
    (content / "projects/bad.yaml").chmod(0)
    (content / "events").chmod(0)


KEPT = {
    path.stem if path.suffix == ".yaml" else path.name: path
    for path in BAD.iterdir()
    if path.suffix != ".txt"
}
CASES = sorted(KEPT.keys() | MADE.keys())


def lay(name: str, content: Path) -> None:
    """A copy of the base with the files of a case."""
    shutil.copytree(BASE, content)
    if name in MADE:
        MADE[name](content)
    elif KEPT[name].is_dir():
        shutil.copytree(KEPT[name], content, dirs_exist_ok=True)
    else:
        for raw in re.split(rb"^(?=# at: )", KEPT[name].read_bytes(), flags=re.M)[1:]:
            write(content, raw.partition(b"\n")[0].removeprefix(b"# at: ").decode(), raw)


def check(*options: str) -> Result:
    """Run the command; an exception in it is raised here."""
    return CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)


@pytest.mark.parametrize("name", CASES)
def test_bad_content_is_reported_with_its_place_and_a_hint(
    name: str, regenerate: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "unreadable-file-permissions" and os.geteuid() == 0:
        pytest.skip("root reads everything")
    lay(name, tmp_path / "content")
    monkeypatch.chdir(tmp_path)
    done = check()
    for folder in (tmp_path / "content").glob("*/"):
        folder.chmod(0o755)  # lets pytest remove the folder
    expected = BAD / f"{name}.txt"
    if regenerate:
        expected.write_text(done.stderr, "utf-8", newline="")
    assert done.stderr == expected.read_bytes().decode()
    assert done.stdout == ""
    assert done.return_value == (1 if ": error[" in done.stderr else 0)
    code = max((code for code in codes() if f"{name}-".startswith(f"{code}-")), key=len)
    assert f"[{code}]\n" in done.stderr


def test_the_base_has_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BASE.parent)
    done = check("--content", BASE.name)
    assert (done.return_value, done.stdout, done.stderr) == (0, "5 records, no problem.\n", "")


def test_every_problem_of_content_has_a_case() -> None:
    reported = {
        code
        for path in BAD.glob("*.txt")
        for code in re.findall(r" (?:error|warning)\[(.+)\]\n", path.read_text("utf-8"))
    }
    # The size, the previous state and the host of an output do not depend on the content, nor do
    # installed packages, and tables are not content.
    of_tables = next(group.codes for group in groups() if group.title == "Tables")
    of_outputs = {"data-file-limit", "host-limit", "missing-package", "no-base-url", "records-lost"}
    assert codes().keys() - reported == {*of_outputs, *of_tables}
    assert reported <= codes().keys()


def test_no_expected_text_is_left_without_a_case() -> None:
    assert sorted(path.stem for path in BAD.glob("*.txt")) == CASES


def test_many_bad_files_are_reported_the_same_by_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = tmp_path / "content"
    shutil.copytree(BASE, content)
    for number in range(4):
        write(content, f"projects/{number}/good-{number}.yaml", b"name: Good %d\n" % number)
        for name, raw in RAW.items():
            if len(raw) < 5_000:
                write(content, f"projects/{number}/{name}-{number}.yaml", raw)
    monkeypatch.chdir(tmp_path)
    alone, together = check("--jobs", "1"), check("--jobs", "2")
    assert alone.stderr == together.stderr
    assert alone.stderr.count("error[not-utf8]") == 4 * 4
    assert "good" not in alone.stderr


def test_strict_turns_warnings_into_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay("stray-file-at-the-top", tmp_path / "content")
    monkeypatch.chdir(tmp_path)
    done = check("--strict")
    assert done.stderr.startswith("content/bad.yaml:1:1: error[stray-file]\n")
    assert done.return_value == 1


@pytest.mark.parametrize("form", ["json", "sarif"])
@pytest.mark.parametrize(
    "name",
    [
        "invalid-slug-bytes-that-are-no-text",
        "invalid-slug-right-to-left",
        "control-character-terminal",
    ],
)
def test_every_format_can_be_written_for_any_name_and_value(
    name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(name, tmp_path / "content")
    monkeypatch.chdir(tmp_path)
    done = check("--format", form)
    assert json.loads(done.stdout)
    assert done.stdout.replace("\n", "").isprintable()
    assert done.stderr == ""
