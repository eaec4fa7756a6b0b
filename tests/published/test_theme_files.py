"""The files of a registry's own theme that stop a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.disk.output_state import OutputError
from generator.published.content.theme_files import read_theme


def theme(folder: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    for path, data in files.items():
        (folder / "templates" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "templates" / path).write_bytes(data)
    return read_theme(str(folder / "content"))


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        ("site/home.html.j2", b"a\n\xfc", "site/home.html.j2:2: the file is not saved as UTF-8"),
        ("site/assets/own.css", b"\xff\xfe", "site/assets/own.css:1: the file is not saved as"),
        ("site/hom.html.j2", b"", "no page uses; nothing was written.\nDid you mean home.html.j2?"),
        ("site/home.html", b"", "no page uses; nothing was written.\nDid you mean home.html.j2?"),
        ("site/zzz.j2", b"", "no page uses; nothing was written.\nRemove it, or name it in"),
        ("site/Home.md", b"", "nothing reads; nothing was written.\nDid you mean home.md?"),
        ("site/own.css", b"", "nothing reads; nothing was written.\nDid you mean assets/own.css?"),
        ("site/logos.svg", b"", "nothing reads; nothing was written.\nDid you mean logo.svg?"),
        ("home.html.j2", b"", "has no effect there; nothing was written.\nMove it to "),
    ],
)
def test_a_file_without_effect_or_in_another_encoding_stops_the_build(
    tmp_path: Path, path: str, data: bytes, message: str
) -> None:
    with pytest.raises(OutputError) as raised:
        theme(tmp_path, {path: data})
    assert message in str(raised.value)


def test_pages_parts_of_templates_and_other_files_are_a_theme(tmp_path: Path) -> None:
    files = {
        "site/home.html.j2": b'{% include "parts/top.j2" %}',
        "site/parts/top.j2": "ü".encode(),
        "site/record/page.html.j2": b"",
        "site/map.html.j2": b"",  # of a feature
        "site/home.md": b"",
        "site/logo.png": b"\xff",
        "site/logo-2024.png": b"\xff",
        "site/assets/home.md": b"",
        "site/README": b"\xff",
    }
    assert theme(tmp_path, files).keys() == {path.removeprefix("site/") for path in files}


def test_templates_of_something_else_beside_the_content_are_no_theme(tmp_path: Path) -> None:
    assert theme(tmp_path, {"letter.html.j2": b"", "index.html": b""}) == {}
