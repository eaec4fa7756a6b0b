"""The grammar: the meaning of a query string, its errors, and the file that answers it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from generator.grammar import paths
from generator.grammar.grammar import Collection, Grammar, Query, Slice
from generator.grammar.limits import MAX_QUERY_CHARACTERS
from generator.grammar.paths import FEED
from generator.grammar.refusals import PROBLEMS, QueryError
from generator.grammar.routes import routes
from generator.text.words import is_slug, slugify
from support.parsing import Parser

GRAMMAR = Grammar({"topic": "Topic", "model": "Model"})
PROJECTS, PROGRAMS, ORGANIZATIONS, EVENTS = (
    GRAMMAR.projects,
    GRAMMAR.programs,
    GRAMMAR.organizations,
    GRAMMAR.events,
)
PARSER = Parser(GRAMMAR)


def refusal(collection: Collection, raw: str, parser: Parser = PARSER) -> dict[str, Any]:
    problem = parser.parse(collection, raw).problem
    assert problem is not None, raw
    return problem


# --- the tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("collection", "filters", "sorts"),
    [
        (
            PROJECTS,
            "tag_topic tag_model program organization organization_category location year status "
            "team_size",
            "name -year year -team_size",
        ),
        (
            PROGRAMS,
            "tag_topic tag_model organization organization_category type kind location year",
            "name -year -projects",
        ),
        (ORGANIZATIONS, "tag_topic tag_model category location", "name -projects -programs"),
        (
            EVENTS,
            "tag_topic tag_model kind program organization organization_category location month "
            "year status stage",
            "starts",
        ),
    ],
    ids=lambda part: part.name if isinstance(part, Collection) else "",
)
def test_filters_and_sorts_are_those_of_the_contract(
    collection: Collection, filters: str, sorts: str
) -> None:
    assert list(collection.filters) == filters.split()
    assert list(collection.sorts) == sorts.split()
    assert all(f.name == name for name, f in collection.filters.items())


def test_events_are_below_the_calendar_and_others_below_their_name() -> None:
    assert {name: c.root for name, c in GRAMMAR.collections.items()} == {
        "projects": "/api/projects",
        "programs": "/api/programs",
        "organizations": "/api/organizations",
        "events": "/api/calendar/events",
    }


@pytest.mark.parametrize("collection", GRAMMAR.collections.values(), ids=lambda c: c.name)
def test_parameters_are_in_canonical_order(collection: Collection) -> None:
    upcoming = ["upcoming"] if collection is EVENTS else []
    families = [name for name in collection.filters if name.startswith("tag_")]
    assert list(GRAMMAR.parameters(collection)) == [
        "mode",
        "q",
        *families,
        "tag",
        *(name for name in collection.filters if name not in families),
        *upcoming,
        "by",
        "per",
        "like",
        "sort",
        "page",
    ]


def test_every_problem_has_a_status_a_title_and_a_remedy() -> None:
    assert {code: problem[0] for code, problem in PROBLEMS.items()} == {
        "mode-required": 400,
        "unknown-parameter": 400,
        "repeated-parameter": 400,
        "invalid-parameter": 400,
        "unsupported-combination": 400,
        "not-found": 404,
    }
    for code, (status, title, advice) in PROBLEMS.items():
        assert QueryError(code, "").status == status
        assert title and not title.endswith(".")
        assert advice.endswith(".")


# --- query strings --------------------------------------------------------------------------------


#: Values that are not written as their form says.  tests/support/requests.txt has the other
#: refusals, and the file of each query.
_INVALID = [
    *(f"year={text}" for text in ("24", "2024%20", "%32024", "٢٠٢٤", "2024%0A", "2024=2025")),
    *(f"tag_topic=climate{rest}" for rest in ("+change", "--change", "_change", "-")),
    *(f"organization={text}" for text in ("..", "..%2F..%2Fetc", "a/b", "A", "a" * 211)),
    *(f"sort={text}" for text in ("team_size", "%2Dyear", "-projects", "relevance")),
    *(f"page={text}" for text in ("0", "-1", "01", "1.5", "1e3", "١", "9" * 10)),
    *(f"q={text}" for text in ("+", "%20%2C_", "%E9", "%ED%A0%80", "100%", "%zz", "%2")),
    "q=a+b+c+d+e+f+g+h+i",
    "q=" + "a" * (MAX_QUERY_CHARACTERS + 1),
]


@pytest.mark.parametrize("raw", _INVALID, ids=lambda raw: repr(raw)[:60])
def test_a_value_of_another_form_is_refused(raw: str) -> None:
    problem = refusal(PROJECTS, f"mode=page&{raw}")
    assert problem["code"] == "invalid-parameter"
    assert problem["detail"]


@pytest.mark.parametrize(
    ("raw", "allowed"),
    [
        ("mode=page&colour=red", GRAMMAR.parameters(PROJECTS)),
        ("mode=page&year=", GRAMMAR.parameters(PROJECTS)),
        ("mode=all", ("page", "count", "rows")),
        ("mode=page&sort=height", PROJECTS.sorts),
        ("mode=page&sort=height&q=heat", ("relevance", *PROJECTS.sorts)),
        ("mode=count&by=colour", tuple(PROJECTS.filters)),
    ],
)
def test_a_refusal_lists_the_choices(raw: str, allowed: tuple[str, ...]) -> None:
    assert refusal(PROJECTS, raw)["allowed"] == list(allowed)


@pytest.mark.parametrize(
    "tokens", list(permutations(["mode=page", "colour=red", "year=2024", "year=2025"]))
)
def test_of_several_errors_the_same_is_reported_in_any_order(tokens: tuple[str, ...]) -> None:
    assert refusal(PROJECTS, "&".join(tokens))["code"] == "unknown-parameter"


def test_a_search_holds_eight_words_and_two_hundred_characters() -> None:
    """Refused are nine words and one character more."""
    for words in ("a+b+c+d+e+f+g+h", "%C3%A9" * MAX_QUERY_CHARACTERS):
        assert PARSER.parse(PROJECTS, f"mode=page&q={words}").problem is None


def test_a_canonical_string_omits_defaults() -> None:
    assert Query(PROJECTS).query_string == "mode=page"
    assert (
        Query(PROJECTS, (("year", "2024"),), "-year", "a&b é", 2).query_string
        == "mode=page&q=a%26b%20%C3%A9&year=2024&sort=-year&page=2"
    )


# --- addresses ------------------------------------------------------------------------------------


def test_a_prefix_is_part_of_urls_and_not_of_paths() -> None:
    grammar = Grammar({}, "/registry")
    assert grammar.url(Slice(grammar.projects).path()) == "/registry/api/projects/page/1.json"
    assert (
        grammar.query_url(Query(grammar.projects, page=2))
        == "/registry/api/projects?mode=page&page=2"
    )
    assert all(
        route.path.startswith("/api/") and route.target.startswith("/api/")
        for route in routes(grammar)
    )
    assert "/registry/api/projects" in refusal(grammar.projects, "", Parser(grammar))["detail"]


def test_feeds_are_next_to_the_slices_of_events() -> None:
    assert Slice(EVENTS).feed == FEED
    assert Slice(EVENTS, "program", "launch").feed == "/api/calendar/events/by/program/launch.ics"


_NO_PATHS = """
/ /api/projects /api/projects/ /api/projects.json /api/projects/page /api/projects/page/
/api/projects/page/1 /api/projects/page/0.json /api/projects/page/01.json /api/projects/page/1.json/
/api/projects//page/1.json /api/projects/page/1.json?mode=page /api/projects/page/x.json
/api/projects/page/1234567890.json /api/projects/upcoming/page/1.json
/api/projects/sort/name/page/1.json /api/projects/sort/-projects/page/1.json
/api/projects/by/year/page/1.json /api/projects/by/year/24/page/1.json
/api/projects/by/colour/red/page/1.json /api/projects/by/tag_topic/../page/1.json
/api/projects/by/tag_topic/Climate/page/1.json /api/projects/by/tag_topic/a/b/page/1.json
/api/projects/slug/page/1.json /api/projects/slug/acme.json /api/projects/filters.json
/api/events/page/1.json /api/calendar/page/1.json /registry/api/projects/page/1.json
api/projects/page/1.json /API/projects/page/1.json
""".split()  # noqa: SIM905
_NO_PATHS += [
    "", "/api/projects/page/1.json\n", f"/api/projects/by/tag_topic/{'a' * 211}/page/1.json"
]  # fmt: skip


@pytest.mark.parametrize("path", _NO_PATHS, ids=lambda path: path[:60])
def test_other_paths_are_not_found(path: str) -> None:
    with pytest.raises(QueryError) as refused:
        GRAMMAR.parse_path(path)
    assert (refused.value.code, refused.value.status) == ("not-found", 404)


def test_addresses_are_unique() -> None:
    fixed = {
        v
        for k, v in vars(paths).items()
        if k.isupper() and isinstance(v, str) and v.startswith("/") and k != "PROJECT_FILTERS"
    }
    assert len(fixed) >= 10
    for collection in GRAMMAR.collections.values():
        # A slug, a value and a page may have any name: they are below a key that names their type.
        for word in ("page", "by", "sort", "slug", "filters", "upcoming", "1"):
            own = {
                collection.record_path(word),
                collection.filter_path(word),
                collection.filters_path,
                Slice(collection).path(),
                *(Slice(collection, name, word).path() for name in collection.filters),
                *(Slice(collection, sort=sort).path() for sort in collection.sorts[1:]),
            }
            assert len(own) == 4 + len(collection.filters) + len(collection.sorts[1:])
            assert not own & fixed


# --- what a host can rewrite ----------------------------------------------------------------------


ROUTES = list(routes(GRAMMAR))
PAGED = [route for route in ROUTES if route.query]


@pytest.mark.parametrize("collection", GRAMMAR.collections.values(), ids=lambda c: c.name)
def test_every_page_tier_query_has_one_route(collection: Collection) -> None:
    default = collection.sorts[0]
    filters = [*collection.prepared_filters, *(["upcoming"] if collection is EVENTS else [])]
    shapes = [["mode"], *(["mode", f"sort={sort}"] for sort in collection.prepared_sorts)]
    shapes += [["mode", name, *rest] for name in filters for rest in ([], [f"sort={default}"])]
    wanted = sorted(sorted([*shape, *page]) for shape in shapes for page in ([], ["page"]))
    found = sorted(
        sorted(f"{k}={v}" if k == "sort" else k for k, v in route.query.items())
        for route in PAGED
        if route.path == collection.root
    )
    assert found == wanted


def test_the_most_parameters_come_first() -> None:
    """A host that matches a subset of the parameters takes the first matching route."""
    counts = [len(route.query) for route in ROUTES]
    assert counts == sorted(counts, reverse=True)


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("San Francisco", "san-francisco"),
        ("São Paulo", "sao-paulo"),
        ("Washington, D.C.", "washington-d-c"),
        ("--A--b--", "a-b"),
        ("Łódź", "lodz"),
        ("Malmö/Lund", "malmo-lund"),
        ("½", "12"),
        ("東京", ""),
        ("!", ""),
        ("", ""),
        ("A_B", "a-b"),
    ],
)
def test_slugs_are_made_of_ascii_letters_and_digits(text: str, slug: str) -> None:
    assert slugify(text) == slug
    assert not slug or is_slug(slug)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("a", True),
        ("2024", True),
        ("a-b-3", True),
        ("a" * 100, True),
        ("a" * 101, False),
        ("", False),
        ("-a", False),
        ("a-", False),
        ("a--b", False),
        ("A", False),
        ("a_b", False),
        ("a b", False),
        ("é", False),
        ("٣", False),
        ("a\n", False),
        ("a.b", False),
        ("..", False),
    ],
)
def test_a_slug_is_lower_case_letters_digits_and_single_hyphens(text: str, good: bool) -> None:
    assert bool(is_slug(text)) is good


@pytest.mark.parametrize(
    "name", ["tag_topic", "organization_category", "location", "status", "stage"]
)
def test_only_the_query_tier_answers_the_other_filters_of_events(name: str) -> None:
    parsed = PARSER.parse(EVENTS, f"mode=page&{name}=x")
    assert parsed.problem is None and parsed.page is None
    assert Query(EVENTS, ((name, "x"),)).slice is None
    assert name in EVENTS.listed_filters and name not in EVENTS.prepared_filters
    assert not any(name in route.query for route in routes(GRAMMAR) if route.path == EVENTS.root)
    with pytest.raises(QueryError):
        GRAMMAR.parse_path(f"{EVENTS.root}/by/{name}/x/page/1.json")
