"""Workers write pages while the main process still links records: no page of a failed build is
visible.
"""

from __future__ import annotations

from pathlib import Path

from support import caches, commands, registries


def test_an_error_found_after_reading_leaves_no_page(tmp_path: Path) -> None:
    content, out = registries.write(tmp_path / "content"), tmp_path / "out"
    build = ("build", "--content", content, "--out", out, "--jobs", "2", "--no-site")
    assert commands.run_forked(*build).status == 0
    # Without a cache, everything is built again.
    caches.forget()
    before = commands.stamps(tmp_path / "out"), commands.files(tmp_path / ".registry")
    # A slug that is also an alias is found only after all records are read.
    (content / "projects/new.yaml").write_text("name: New\naliases: [cairn]\n")
    done = commands.run_forked(*build)
    assert done.status == 1
    assert "cairn" in done.err and "Nothing was written" in done.err
    assert (commands.stamps(tmp_path / "out"), commands.files(tmp_path / ".registry")) == before
