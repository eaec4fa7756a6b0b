"""Sites of the awkward registry for hosts with scripts at their edge."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from support.edges import Site
from support.engines import need


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Site]:
    """The site below a prefix.  Do not change it."""
    need()
    return functools.cache(lambda prefix: Site(tmp_path_factory.mktemp("edge"), prefix, "netlify"))


@pytest.fixture(params=["", "/registry"], ids=["root", "prefix"])
def site(request: pytest.FixtureRequest, sites: Callable[[str], Site]) -> Site:
    return sites(request.param)


@pytest.fixture(scope="session")
def plain(sites: Callable[[str], Site]) -> Site:
    return sites("")
