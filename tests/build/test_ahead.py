"""Pages that workers write while the rest is linked: of an error nobody sees them."""

from __future__ import annotations

from pathlib import Path

from support import caches, commands, registries


def test_of_an_error_that_shows_when_all_is_read_no_page_is_left(tmp_path: Path) -> None:
    content, out = registries.write(tmp_path / "content"), tmp_path / "out"
    build = ("build", "--content", content, "--out", out, "--jobs", "2", "--no-site")
    assert commands.run_forked(*build).status == 0
    # With its cache gone all is built anew.
    caches.forget()
    before = commands.stamps(tmp_path / "out"), commands.files(tmp_path / ".registry")
    # That an alias is the slug of another record shows when all records are read.
    (content / "projects/new.yaml").write_text("name: New\naliases: [cairn]\n")
    done = commands.run_forked(*build)
    assert done.status == 1
    assert "cairn" in done.err and "Nothing was written" in done.err
    assert (commands.stamps(tmp_path / "out"), commands.files(tmp_path / ".registry")) == before
