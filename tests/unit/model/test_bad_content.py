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
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli.publishing.check import check_command as command
from generator.problems.codes import codes, groups
from support.commands import ROOT
from support.kinds import COLLECTIONS

BASE, BAD = (ROOT / "tests/content" / name for name in ("base", "bad"))

#: name -> bytes of projects/bad.yaml
RAW = {
    "not-utf8-latin-1": b"name: Bad\nsummary: Fj\xc3\xa5rd caf\xe9\n",
    "not-utf8-quote": b"name: Bad\nsummary: The world\x92s first\n",
    "not-utf8-first-byte": b"\xffname: Bad\n",
    "not-utf8-picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "not-utf8-spreadsheet": b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0\xb5\x9a",
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
    "unsafe-svg-in-several-places": SHAPE.replace(
        b"<path", b"\n  <style/>\n  <path onload='x'"
    ).replace(b"viewBox", b'height="297mm" viewBox'),
    "unsafe-svg-reference": SHAPE.replace(b"<path", b'\n  <path fill="url(https://evil.example/)"'),
}


class Link(str):
    """The target of a symbolic link."""


GONE, FOLDER, PIPE, UNREADABLE = ("gone", "folder", "pipe", "unreadable")
LOGO = b"name: Bad\nlogo: bad.svg\n"
#: name -> the paths that a case changes: bytes of a file, or what is there
MADE: dict[str, dict[str, bytes | str]] = {
    **{name: {"projects/bad.yaml": raw} for name, raw in RAW.items()},
    **{name: {"projects/bad.svg": raw, "projects/bad.yaml": LOGO} for name, raw in LOGOS.items()},
    "unused-logo": {"projects/bad.svg": SHAPE},
    "missing-logo-in-another-folder": {"projects/logos/bad.svg": SHAPE, "projects/bad.yaml": LOGO},
    "missing-logo-in-other-letters": {"projects/Bad.svg": SHAPE, "projects/bad.yaml": LOGO},
    "stray-file-logos": {
        **dict.fromkeys(("events/call.png", "projects/BAD.SVG", "projects/bad.jpg"), SHAPE),
        "projects/link.svg": Link("/etc/hostname"),
    },
    "missing-registry": {"registry.yaml": GONE},
    "missing-registry-other-ending": {"registry.yaml": GONE, "registry.yml": b"name: R\n"},
    "empty-registry": dict.fromkeys(COLLECTIONS, GONE),
    "unreadable-file-folder-as-registry": {"registry.yaml": FOLDER},
    "unreadable-file-link-to-nothing": {"projects/bad.yaml": Link("gone.yaml")},
    "unreadable-file-link-to-itself": {
        "projects/bad.yaml": Link("bad.yaml"),
        "programs/here": Link("here"),
        "more": Link("more"),
    },
    "unreadable-file-pipe": {"projects/bad.yaml": PIPE},
    "unreadable-file-endless": {"projects/bad.yaml": Link("/dev/zero")},
    "unreadable-file-permissions": {"projects/bad.yaml": UNREADABLE, "events": UNREADABLE},
    "stray-file-link-to-a-folder": {"projects/more": Link("."), "projects/more.yaml": Link("..")},
    "stray-file-in-place-of-a-folder": {"projects": b"", "events": Link("nowhere")},
    "invalid-slug-line-break-in-the-name": {"projects/two\nlines.yaml": b"nam: Bad\n"},
    "invalid-slug-bytes-that-are-no-text": {
        "projects/a/caf\udce9.yaml": b"nam: Bad\n",
        "projects/b/caf\udce9.yaml": b"nam: Bad\n",
        "projects/c\udce9/caf\udce9.yaml": b"name: Good but for the name of its file\n",
    },
}


def put(path: Path, what: bytes | str) -> None:
    """Put in place of whatever is at a path."""
    if what == UNREADABLE:
        path.touch()
        path.chmod(0)
        return
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(what, bytes):
        path.write_bytes(what)
    elif isinstance(what, Link):
        path.symlink_to(what)
    elif what == FOLDER:
        path.mkdir()
    elif what == PIPE:
        os.mkfifo(path)


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
        for path, what in MADE[name].items():
            put(content / path, what)
    elif KEPT[name].is_dir():
        shutil.copytree(KEPT[name], content, dirs_exist_ok=True)
    else:
        for raw in re.split(rb"^(?=# at: )", KEPT[name].read_bytes(), flags=re.M)[1:]:
            put(content / raw.partition(b"\n")[0].removeprefix(b"# at: ").decode(), raw)


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
    hidden = "1 hidden file ignored: content/projects/.hidden.yaml\n"
    assert done.stdout == (hidden if name == "stray-file-others" else "")
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
    of_outputs = {"host-limit", "missing-package", "no-base-url", "records-lost"}
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
        put(content / f"projects/{number}/good-{number}.yaml", b"name: Good %d\n" % number)
        for name, raw in RAW.items():
            if len(raw) < 5_000:
                put(content / f"projects/{number}/{name}-{number}.yaml", raw)
    monkeypatch.chdir(tmp_path)
    alone, together = check("--jobs", "1"), check("--jobs", "2")
    assert alone.stderr == together.stderr
    encodings = sum(name.startswith("not-utf8") for name in RAW)
    assert alone.stderr.count("error[not-utf8]") == 4 * encodings
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
