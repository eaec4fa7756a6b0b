"""What is published of a registry whose kinds lack roles: here, only the owners are there."""

from __future__ import annotations

from datetime import date

import orjson

from generator.agent.tools import tools
from generator.contract.addresses import about_dashboard, addresses, is_output_path
from generator.contract.published import documents
from generator.engine.scripts import queries
from generator.features.feeds.routes import operations, services
from generator.grammar.grammar import Grammar
from generator.kinds import kinds_of
from generator.model.symbols import Symbols
from generator.model.tables.table import tabulate
from generator.model.tables.texts import TextRows
from generator.outputs import dashboard, records

GRAMMAR = Grammar(kinds_of(("organization",), ""))
SYMBOLS = Symbols(GRAMMAR, {}, frozenset(), {}, {})
TABLES = {"organizations": tabulate(GRAMMAR.owner, [], TextRows())}
COUNTS = {name: table.counts() for name, table in TABLES.items()}


def test_keys_of_the_dashboard_about_absent_kinds_are_empty() -> None:
    [made] = dashboard.render(SYMBOLS, COUNTS, TABLES, date(2026, 1, 1))
    found = orjson.loads(made.data)
    documents(GRAMMAR.kinds)["dashboard"].model_validate(found)
    assert found["links"].keys() == {"self", "index", "organizations"}
    data = found["data"]
    assert data.pop("counts") == {"organizations": 0}
    assert data.pop("without_year") == {"projects": 0, "programs": 0}
    assert not any(data.pop("totals").values())
    assert not any(data.values()), data
    assert about_dashboard(GRAMMAR) == "Totals, the largest organizations"


def test_without_a_timed_kind_there_is_no_calendar() -> None:
    assert "calendar" not in {address.kind for address in addresses(GRAMMAR)}
    assert not is_output_path("/api/calendar/events.ics", GRAMMAR.kinds)
    assert not [*services(GRAMMAR), *operations(GRAMMAR)]
    assert not [*records.render_calendar(None, SYMBOLS, TABLES, (), date(2026, 1, 1), {})]  # type: ignore[arg-type]
    names = {tool.name for tool in tools(GRAMMAR)}
    assert "list_records" in names and "calendar_events" not in names


def test_the_sample_asks_only_for_what_the_first_collection_has() -> None:
    assert queries(GRAMMAR.first) == (
        "mode=page&q=solar+pump&year=2020&sort=-projects", "mode=page&q=solar&year=2020"
    )  # fmt: skip
