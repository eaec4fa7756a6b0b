"""The settings of registry.yaml for the site and the repository of the content."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic_core import PydanticCustomError

from generator.kinds import KINDS
from generator.kinds.marks import Before, Limits
from generator.kinds.models import Input
from generator.kinds.types import Line, Text, Url
from generator.model.settings.colours import DEFAULT_ACCENT, is_colour, nearest_readable

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


Collection: Any = Literal[tuple(KINDS)]


class SiteSettings(Input):
    """How the pages for people look: the colour of links and buttons, the collection that the home
    page begins with, more links in the header, and a few words of Markdown at the foot.
    """

    accent: Annotated[str, Before(_accent)] = DEFAULT_ACCENT
    lead: Collection | None = None
    navigation: Annotated[list[Link], Limits(max_length=_MOST_LINKS)] | None = None
    footer: Text | None = None


#: The settings if no site is published, only the API.
NO_SITE = SiteSettings()


def _site(value: Any) -> Any:
    if isinstance(value, bool):
        return SiteSettings() if value else NO_SITE
    if not isinstance(value, dict | SiteSettings):
        raise PydanticCustomError(
            "site", "must be false, or have accent, lead, navigation or footer"
        )
    return value


Pages = Annotated[SiteSettings, Before(_site, bool | SiteSettings)]


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
