"""The HTTP cache folder: bounded, and safe for several processes."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from generator.published.history import notes
from generator.reader import etags
from generator.reader.etags import CachedAnswer, Etags, default_cache_folder
from support import registries

URL = "https://x.example/a.json"


def test_cached_answers_are_found_by_url_only(tmp_path: Path) -> None:
    Etags(tmp_path).put(URL, CachedAnswer('W/"1"', b"a\nb\n"))
    assert Etags(tmp_path).get(URL) == CachedAnswer('W/"1"', b"a\nb\n")
    assert Etags(tmp_path).get(URL + "?") is None


def size(folder: Path) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(folder))


def test_the_folder_stays_below_its_bound_and_keeps_recently_used_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(etags, "MAX_BYTES", 100_000)
    kept = Etags(tmp_path)
    kept.put(URL, CachedAnswer('"1"', b"."))
    for n in range(60):
        kept.put(f"{URL}?{n}", CachedAnswer('"1"', b"." * 5_000))
        os.utime(kept._path(f"{URL}?{n}"), (n, n))
        assert kept.get(URL) is not None
        assert size(tmp_path) <= 100_000
    assert kept.get(f"{URL}?59") is not None
    assert kept.get(f"{URL}?0") is None


def test_leftovers_of_killed_processes_are_removed_and_notes_of_builds_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("REGISTRY_CACHE")
    monkeypatch.setattr(etags, "MAX_BYTES", 100_000)
    answers = default_cache_folder()
    assert answers is not None
    content = str(registries.write(tmp_path / "content"))
    notes.save(content, "past", b"." * 200_000)
    answers.mkdir(exist_ok=True)
    (answers / "tmpabc").write_bytes(b"." * 99_999)
    Etags(answers).put(URL, CachedAnswer('"1"', b"." * 5_000))
    assert Etags(answers).get(URL) is not None and not (answers / "tmpabc").exists()
    assert notes.load(content, "past") == b"." * 200_000


def test_an_answer_that_would_fill_the_folder_is_not_cached(tmp_path: Path) -> None:
    Etags(tmp_path).put(URL, CachedAnswer('"1"', b"." * (etags._MAX_ANSWER + 1)))
    assert not list(tmp_path.iterdir())


def _write(folder: Path, mark: str) -> None:
    kept = Etags(folder)
    for _ in range(200):
        kept.put(URL, CachedAnswer(mark, mark.encode() * 20_000))
        found = kept.get(URL)
        assert found is not None
        assert found.body == found.etag.encode() * 20_000


def test_processes_never_read_half_written_answers(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=_write, args=(tmp_path, mark)) for mark in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("caches", "home", "folder"),
    [("/c", "/h", "/c/registry-generator"), ("relative", "/h", "/h/.cache/registry-generator"),
     ("", "relative", None)],
)  # fmt: skip
def test_the_folder_is_in_the_users_cache_folder(
    caches: str, home: str, folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", caches)
    monkeypatch.setenv("HOME", home)
    assert default_cache_folder() == (Path(folder) if folder else None)
