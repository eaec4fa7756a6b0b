"""The address of feeds: what OpenAPI and JavaScript need of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.contract.listing import LEFT_OUT
from generator.features.feeds import ALARM, ALARM_ENDS, ALARM_HOURS, CURRENT, MAX_EVENTS, SELECTION
from generator.grammar.grammar import Grammar
from generator.grammar.headers import MEDIA_TYPES
from generator.grammar.routes import Service
from generator.outputs.openapi import MISSING, REFUSED, parameter, query_parameter, response
from generator.search.manifest import FEEDS


def services(grammar: Grammar) -> Iterator[Service]:
    if grammar.kinds.timed:
        yield Service((SELECTION,), re.escape(SELECTION), name="feed")


def edge(grammar: Grammar, in_browser: bool) -> dict[str, Any]:
    """What JavaScript needs; browsers only check the files of feeds in the index."""
    about = {"of": grammar.kinds.timed, "lines": FEEDS[0]}
    if in_browser or not grammar.kinds.timed:
        return {"feeds": about}
    return {
        "feed": SELECTION,
        "feeds": {
            "of": grammar.kinds.timed,
            "type": MEDIA_TYPES["ics"],
            "most": MAX_EVENTS,
            "pattern": ALARM,
            "hours": ALARM_HOURS,
            "ends": ALARM_ENDS,
            "lines": FEEDS[0],
            "left": LEFT_OUT,
            "current": CURRENT,
        },
    }


def operations(grammar: Grammar) -> Iterator[tuple[str, dict[str, Any]]]:
    """The address in OpenAPI, if the registry has a calendar."""
    if not grammar.kinds.timed:
        return
    events = grammar.timed
    words = f"How long before the start, or before the end of a window: {' to '.join(ALARM_ENDS)}."
    alarm = {"type": "string", "pattern": f"^{ALARM}$", "examples": ["7d", "12h"]}
    filters = (query_parameter(name, events, grammar) for name in events.query_filters)
    calendar = response("An iCalendar feed (RFC 5545)", "text/calendar", {"type": "string"})
    operation = {
        "operationId": "read_selection_feed",
        "tags": ["queries"],
        "summary": f"A calendar feed of matching {events.many}",
        "description": f"The {events.many} that match all filters, of which one is required; "
        f"upcoming and of the past year, at most {MAX_EVENTS}. Only hosts with a function answer.",
        "parameters": [*filters, parameter("alarm", "query", words, alarm, False)],
        "responses": calendar | REFUSED | MISSING,
    }
    yield SELECTION, {"get": operation}
