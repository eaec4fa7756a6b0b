"""The lists of content and output, and the digests of inputs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from generator.build.cache.compare import (
    NO_DIGEST,
    NO_STAT,
    RACY,
    blob_id,
    content_digest,
    list_content,
    list_output,
    stable_stat,
)


def test_content_is_listed_with_the_stats_of_its_input_files(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "a.yaml").write_text("name: A\n")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "projects" / "lost.yaml").symlink_to("nowhere")
    stat = (tmp_path / "projects" / "a.yaml").stat()
    assert list_content(str(tmp_path)) == {
        "notes.txt": NO_STAT,
        "projects/": NO_STAT,
        "projects/a.yaml": (stat.st_mtime_ns, stat.st_ctime_ns, 8),
        "projects/lost.yaml": NO_STAT,
    }


def test_an_output_is_listed_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "a.json").write_text("{}")
    (tmp_path / "link").symlink_to("api")
    listed = list_output(str(tmp_path))
    assert sorted(listed) == ["/api/a.json", "/link"]
    stat = (tmp_path / "api" / "a.json").stat()
    assert listed["/api/a.json"] == (stat.st_mtime_ns, 2)


@pytest.mark.parametrize(
    ("mtime", "ctime", "known"),
    [
        (-RACY - 1, -RACY - 1, True),
        (-RACY, -RACY - 1, False),
        (-RACY - 1, -RACY, False),
        (5, 5, False),
    ],
)
def test_a_file_that_may_change_within_its_time_has_no_stat(
    mtime: int, ctime: int, known: bool
) -> None:
    began = time.time_ns() // 1_000_000_000 * 1_000_000_000 + 500_000_000
    stat = began + mtime, began + ctime, 10
    assert stable_stat(stat, began) == (stat if known else (0, 0, 10))


def test_file_systems_of_whole_seconds_need_longer() -> None:
    began = 10_000_000_000
    assert stable_stat((8_000_000_000, 8_000_000_000, 1), began) == (0, 0, 1)
    assert stable_stat((7_000_000_000, 7_000_000_000, 1), began) != (0, 0, 1)


def test_a_blob_id_is_that_of_git() -> None:
    assert blob_id(b"hello\n").hex() == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_the_content_digest_covers_names_and_bytes() -> None:
    files = {"a/b.yaml": ((1, 1, 1), b"x" * 20), "c.txt": (NO_STAT, NO_DIGEST)}
    assert content_digest(files) == content_digest({"a/b.yaml": ((2, 2, 2), b"x" * 20)})
    assert content_digest(files) != content_digest({"a/b.yaml": ((1, 1, 1), b"y" * 20)})
    assert content_digest(files) != content_digest({"a-b.yaml": ((1, 1, 1), b"x" * 20)})
