"""The records that names mean, as the Reconciliation Service API of a registry answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from generator.features.matching.questions import (
    MAX_BATCH,
    MAX_CHARACTERS,
    PLACE_PROPERTIES,
    SITE_PROPERTIES,
)
from generator.grammar.paths import RECONCILE
from generator.reader.client import Client, Listed


class Question(NamedTuple):
    """A name, or what stands for one, with websites and places of what it names.

    `limit` is the maximum number of candidates; None gives the usual number, if one is likely.
    """

    name: str
    sites: Sequence[str] = ()
    places: Sequence[str] = ()
    limit: int | None = None


def match_names(
    client: Client, of: Listed, questions: Sequence[Question]
) -> Iterator[list[dict[str, Any]]]:
    """The candidates of each question, as the Reconciliation Service API has them.

    Raises QueryError and ClientError.
    """
    for start in range(0, len(questions), MAX_BATCH):
        asked = questions[start : start + MAX_BATCH]
        batch = {str(n): _query(question) for n, question in enumerate(asked)}
        raw = client.post_form(f"{RECONCILE}/{of.name}", [("queries", json.dumps(batch))])
        results = json.loads(raw)
        yield from (results[key]["result"] for key in batch)


def _query(question: Question) -> dict[str, Any]:
    properties = [
        {"pid": pid, "v": [*values]}
        for pid, values in (
            (SITE_PROPERTIES[0], question.sites),
            (PLACE_PROPERTIES[0], question.places),
        )
        if values
    ]
    limit = {} if question.limit is None else {"limit": question.limit}
    return {"query": question.name[:MAX_CHARACTERS], "properties": properties, **limit}
