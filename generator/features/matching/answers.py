"""Answers of the services that match names, from the search index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from generator.features.matching.candidates import find_candidates
from generator.features.matching.extension import find_cells
from generator.features.matching.questions import MAX_BATCH, Extension, Question
from generator.features.matching.reconcile import (
    MAX_SUGGESTED,
    parse_request,
    render_extension,
    render_results,
    render_suggestions,
)
from generator.grammar.grammar import Collection, Query
from generator.grammar.refusals import QueryError
from generator.reader.client import Client
from generator.search.engine import Engine
from generator.search.reading import Reading


def match_names(
    client: Client, collection: Collection, questions: Sequence[Question]
) -> Iterator[list[dict[str, Any]]]:
    """The candidates of each question, as the Reconciliation Service API has them.

    Raises QueryError and ClientError.
    """
    for start in range(0, len(questions), MAX_BATCH):
        batch = {str(n): each for n, each in enumerate(questions[start : start + MAX_BATCH])}
        raw = client.from_index(partial(match, client.engine, collection, batch))
        results = orjson.loads(raw)
        yield from (results[key]["result"] for key in batch)


def answer_request(engine: Engine, collection: Collection, raw: str) -> bytes:
    """The answer to a query string or a form.  Raises as `Engine.answer` does, and TooLarge."""
    asked = parse_request(collection, raw)
    if isinstance(asked, Extension):
        return _extend(engine, collection, asked)
    return match(engine, collection, asked)


def match(engine: Engine, collection: Collection, questions: Mapping[str, Question]) -> bytes:
    """The result batch of these questions.  Raises as `Engine.answer` does."""

    def answer(readings: Sequence[Reading]) -> bytes:
        found = find_candidates([*questions.values()], readings[0])
        return render_results(dict(zip(questions, found, strict=True)), collection)

    return engine.retry_if_mixed([collection], answer)


def _extend(engine: Engine, collection: Collection, asked: Extension) -> bytes:
    """The data extension response."""

    def answer(readings: Sequence[Reading]) -> bytes:
        return render_extension(asked, find_cells(asked, readings[0], engine.grammar), collection)

    return engine.retry_if_mixed([collection], answer)


def suggest(engine: Engine, collection: Collection, prefix: str, cursor: int) -> bytes:
    """The suggest response.  Raises as `Engine.answer` does."""
    [index] = engine.manifests([collection])
    query = Query(collection, q=prefix, page=1 + cursor // index.size)
    try:
        rows = orjson.loads(engine.answer(query))["data"]
    except QueryError as error:
        if error.code != "not-found":
            raise
        rows = []
    return render_suggestions(rows[cursor % index.size :][:MAX_SUGGESTED], collection)
