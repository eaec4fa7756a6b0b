"""A part of a list, by the numbers of its records and not by its pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generator.api.grammar import Query
from generator.api.problems import QueryError
from generator.reader.client import ANEW, Client
from generator.reader.held import ClientError


def window(
    client: Client, query: Query, start: int, most: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """At most so many records of a query from number `start` on (1 is the first), over as many
    pages as they lie on; with the list document of the first of these pages, and of page 1
    where there are no such records.  Raises QueryError and ClientError.
    """
    document, known = None, client.page_size is not None
    if client.page_size is None:
        document = client.page(query)
        client.page_size = document["page"]["size"]
    size = client.page_size
    number = 1 + (start - 1) // size
    if document is None or 1 < number <= document["page"]["total_pages"]:
        try:
            document = client.page(replace(query, page=number))
        except QueryError:
            if number == 1:
                raise
            document = client.page(query)
    if document["page"]["size"] != size:
        if not known:
            raise ClientError(ANEW)
        client.page_size = None
        return window(client, query, start, most)
    page = document["page"]
    if page["number"] != number:
        return document, []
    rows = document["data"][start - 1 - (number - 1) * size :][:most]
    for following in range(number + 1, page["total_pages"] + 1):
        if len(rows) == most:
            break
        more = client.page(replace(query, page=following))
        if more["page"]["total_items"] != page["total_items"]:
            raise ClientError(ANEW)
        rows += more["data"][: most - len(rows)]
    return document, rows
