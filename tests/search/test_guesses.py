"""Refused requests lead on: guesses of people who do not know the API, with the recorded address
that each probably meant.

`guesses/*.txt` has a line for each guess, with ` => ` and the `try` of its refusal; `--regenerate`
writes it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.engine.table import MAX_READS
from support import commands, recorded, registries, shapes
from support.answers import function, served
from support.once import once

LISTS = sorted((Path(__file__).parent / "guesses").glob("*.txt"))
#: The least share of guesses that lead on.  Others mean nothing, or something that is not there.
LEAST = 0.9


@pytest.fixture(scope="session")
def guessed(built_content: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The build of a registry, by the name of its guesses/*.txt.  Do not change it."""

    def build(folder: Path, name: str) -> Path:
        made = {"tools": shapes.tools, "conferences": shapes.conferences}[name](150)
        content = registries.write(folder / "content", made)
        return commands.build(content, folder / "out", "--as-of", commands.TODAY)

    def find(name: str) -> Path:
        if name == "content":
            return built_content
        return once(tmp_path_factory, f"guessed-{name}", lambda folder: build(folder, name))

    return find


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_guesses_lead_to_the_recorded_addresses(
    path: Path, guessed: Callable[[str], Path], regenerate: bool
) -> None:
    out, guesses = guessed(path.stem), recorded.targets(path)
    refused = {
        guess: (status, json.loads(body))
        for guess, (status, body) in zip(guesses, served(out, *guesses), strict=True)
    }
    assert {status for status, _ in refused.values()} <= {400, 404}
    tried = {guess: problem["try"] for guess, (_, problem) in refused.items()}
    lines = [
        f"{guess} => {tried[guess] or 'null'}"
        if (guess := line.partition(" => ")[0]) in tried
        else line
        for line in path.read_text("utf-8").splitlines()
    ]
    if regenerate:
        path.write_text("\n".join(lines) + "\n", "utf-8")
    assert lines == path.read_text("utf-8").splitlines()
    leading = [address for address in tried.values() if address]
    assert len(leading) >= LEAST * len(tried)
    assert [
        (address, status)
        for address, (status, _) in zip(leading, served(out, *leading), strict=True)
        if status != 200
    ] == []


def test_a_refused_request_reads_no_more_than_a_query(guessed: Callable[[str], Path]) -> None:
    guesses = recorded.targets(LISTS[0])
    found = function(guessed("content"), *guesses)
    assert max(len(answer.reads) for answer in found) <= MAX_READS
