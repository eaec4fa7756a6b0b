"""Texts of records in a file are those that were added, in every process that reads it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.model.tables.texts import TextColumn, TextRows
from generator.published.content.text_file import TextFile

ROWS = [(b"one", b"", "Zürich".encode()), (b"two", b"2" * 70_000, b""), (b"", b"3", b"three")]
#: Makers of texts from the path of a file.
PLACES: dict[str, Callable[[Path], TextRows]] = {
    "memory": lambda path: TextRows(),
    "a temporary file": lambda path: TextFile(),
    "a file": TextFile,
}


@pytest.mark.parametrize("place", PLACES)
def test_texts_are_read_as_they_were_added(place: str, tmp_path: Path) -> None:
    texts = PLACES[place](tmp_path / "texts")
    assert texts.add([]) == 0
    assert (texts.add(iter(ROWS[:2])), texts.add(ROWS[2:])) == (0, 2)
    alone = PLACES[place](tmp_path / "alone")
    assert [alone.add([(text,)]) for text in (b"1", b"2", b"3")] == [0, 1, 2]
    assert [*TextColumn(alone, [2, 0], 0)] == [b"3", b"1"]
    for column in range(3):
        wanted = [row[column] for row in ROWS]
        found = TextColumn(texts, [2, 0, 1], column)
        assert [*found] == [wanted[2], wanted[0], wanted[1]] and found[2] == wanted[1]
        assert [*found.sizes()] == [*map(len, found)]
        assert [*found[1:]] == [wanted[0], wanted[1]]
        assert found.at([1, 1, 0]) == [wanted[0], wanted[0], wanted[2]]
        found.keep()
        assert found.at([2, 1]) == [wanted[1], wanted[0]] and found[0] == wanted[2]
    with pytest.raises(IndexError):
        TextColumn(texts, [0], 0)[1]


def test_other_processes_read_a_file_while_more_is_added(tmp_path: Path) -> None:
    texts = TextFile(tmp_path / "texts")
    texts.add(ROWS[:2])
    first = TextColumn(texts, range(2), 0)
    child = os.fork()
    if not child:
        os._exit([*first] != [b"one", b"two"])
    texts.add(ROWS[2:])
    assert os.waitpid(child, 0)[1] == 0 and [*first] == [b"one", b"two"]
    there = TextFile.written(tmp_path / "texts", texts.width, texts.starts)
    assert [*TextColumn(there, range(3), 2)] == [row[2] for row in ROWS]


def test_a_file_of_others_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "texts").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        TextFile(tmp_path / "texts").add(ROWS)
    assert TextFile(tmp_path / "texts").others("more").path == tmp_path / "texts-more"
