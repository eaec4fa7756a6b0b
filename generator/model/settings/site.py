"""The settings of registry.yaml for the site and the repository of the content."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic_core import PydanticCustomError

from generator.kinds import Kinds
from generator.kinds.marks import Before, Limits
from generator.kinds.models import Input, with_fields
from generator.kinds.types import Line, Text, Url
from generator.model.settings.colours import is_colour, nearest_readable

_MOST_LINKS = 5  # that a header has room for, in addition to the site's own links


def _accent(value: Any) -> Any:
    if not isinstance(value, str | None):
        return value
    if value is None:  # as in `accent: #0b6e4f`
        raise PydanticCustomError("invalid-colour", "no value: without quotes, # begins a comment")
    if not is_colour(value):
        raise PydanticCustomError("invalid-colour", "is not a colour")
    near = nearest_readable(value)
    if near is not None:
        raise PydanticCustomError(
            "low-contrast", "is too light to read on the site", {"near": near}
        )
    return value.lower()


class Link(Input):
    label: Line
    href: Url


class SiteSettings(Input):
    """How the pages for people look: the colour of links and buttons ("" for that of the name), the
    collection that the home page begins with, more links in the header, and a few words of Markdown
    at the foot.
    """

    #: The settings of a registry that publishes only the API.
    no_site: ClassVar[SiteSettings]

    accent: Annotated[str, Before(_accent)] = ""
    lead: str | None = None
    navigation: Annotated[list[Link], Limits(max_length=_MOST_LINKS)] | None = None
    footer: Text | None = None


def _site(model: type[SiteSettings], value: Any) -> Any:
    if isinstance(value, bool):
        return model() if value else model.no_site
    if not isinstance(value, dict | SiteSettings):
        raise PydanticCustomError(
            "site", "must be false, or have accent, lead, navigation or footer"
        )
    return value


@cache
def site_model(kinds: Kinds) -> type[SiteSettings]:
    """The model of the site's settings in a registry with these kinds."""
    model = with_fields(SiteSettings, lead=(Literal[tuple(kinds)] | None, None))
    model.no_site = model()
    return model


def pages_type(kinds: Kinds) -> Any:
    """The type of the key `site`: these settings, or whether there is a site."""
    model = site_model(kinds)
    return Annotated[model, Before(partial(_site, model), bool | model)]


def is_gitlab(url: str) -> bool:
    """Whether a label of the host is `gitlab`, such as gitlab.com or gitlab.example.org."""
    host = re.match(r"https?://([^/:]*)", url, re.IGNORECASE)
    return host is not None and "gitlab" in host[1].lower().split(".")


class Repository(Input):
    """Where the content is edited: the page of the repository, the branch, and the folder in it
    that has registry.yaml.
    """

    url: Url
    branch: Line = "main"
    folder: Line = "content"


def _repository(value: Any) -> Any:
    return {"url": value} if isinstance(value, str) else value


Repo = Annotated[Repository, Before(_repository, Url | Repository)]
