"""registry.yaml: the name, vocabularies, own fields and publishing options of a registry."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, PrivateAttr
from pydantic_core import PydanticCustomError

from generator.feature import publishing
from generator.grammar.grammar import OPTIONAL_FILES, Grammar
from generator.kinds import KIND_OF
from generator.kinds import KINDS as DECLARED
from generator.kinds.marks import After, Limits
from generator.kinds.models import Input, model_of, of_each_kind
from generator.kinds.record import Record
from generator.kinds.types import (
    LANGUAGE,
    Code,
    Date,
    Family,
    Line,
    Name,
    Noun,
    Slug,
    Text,
    Url,
    is_url,
)
from generator.model.kinds import KINDS
from generator.model.settings.guards import Guards
from generator.model.settings.keys import with_keys
from generator.model.settings.own_fields import (
    CollectionFields,
    declared_fields,
    with_own_fields,
    with_unchecked_fields,
)
from generator.model.settings.signing import Signing
from generator.model.settings.site import NO_SITE, Pages, Repo, SiteSettings
from generator.text.characters import DIRECTION_MARKS

# --- what is published on request -----------------------------------------------------------------
#
# What a registry publishes on request, besides the files that every registry has.


class Publish(Input):
    """Each key is that of a feature."""

    @property
    def asked(self) -> dict[str, Any]:
        """The keys that ask for files, with their values."""
        return {name: value for name, value in self if value}


if not TYPE_CHECKING:
    Publish = with_keys(Publish)


# --- registry.yaml --------------------------------------------------------------------------------


_LOCAL_PART = rf"[^\s\x00-\x1f\x7f-\x9f{DIRECTION_MARKS}@<>()\[\],;:\\\x22]+"
_EMAIL = rf"{_LOCAL_PART}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
_PATH = r"(?:/[A-Za-z0-9._~-]+)*/?"


class TagFamily(Input):
    label: Line
    description: Text | None = None
    tags: dict[Slug, Line] | None = None


class Nouns(Input):
    one: Noun
    many: Noun


CollectionNouns: Any = of_each_kind(__name__, "CollectionNouns", Nouns)


class Release(Input):
    """The latest version to cite, and its day; `registry release` writes it."""

    version: Line
    date: Date


@lru_cache(maxsize=8)
def _origin(base_url: str) -> str:
    """Scheme and host.  Cached, because each page needs it several times."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


def _license(value: str) -> str:
    from generator.model.settings.spdx import LICENSES

    if value not in LICENSES:
        raise PydanticCustomError("invalid-license", "is not a licence on the SPDX list")
    return value


def _contact(value: str) -> str:
    if not is_url(value) and not re.fullmatch(_EMAIL, value):
        raise PydanticCustomError("invalid-contact", "is neither a URL nor an e-mail address")
    return value


def _base_url(value: str) -> str:
    if "?" in value or "#" in value:
        raise PydanticCustomError("invalid-url", 'is not a valid base URL: it has a "?" or a "#"')
    try:
        path = urlsplit(value).path
    except ValueError:
        raise PydanticCustomError(
            "invalid-url", "is not a valid base URL: its host is missing or wrong"
        ) from None
    # The path is copied into documents and the rules of hosts, where it must not need escapes.
    if not re.fullmatch(_PATH, path) or {".", ".."} & set(path.split("/")):
        message = "is not a valid base URL: its path may have only letters, digits, hyphens, dots, "
        raise PydanticCustomError("invalid-url", f"{message}_ and ~")
    return value


if TYPE_CHECKING:
    LeftOut = str
else:
    LeftOut = Literal[(*OPTIONAL_FILES, *publishing())]


class Settings(Input):
    """The fields of registry.yaml."""

    name: Name
    description: Text
    base_url: Annotated[Url, After(_base_url)] | None = None
    license: Annotated[str, Limits(max_length=100), After(_license)] | None = None
    contact: Annotated[str, Limits(max_length=300), After(_contact)] | None = None
    page_size: Annotated[int, Limits(ge=10, le=100)] = 50
    tag_families: dict[Family, TagFamily] | None = None
    organization_categories: dict[Slug, Line] | None = None
    program_types: dict[Slug, Line] | None = None
    event_stages: dict[Slug, Line] | None = None
    nouns: CollectionNouns | None = None
    language: Annotated[str, Limits(pattern=LANGUAGE)] = "en"
    slugs: Literal["plain", "german"] = "plain"
    fields: CollectionFields | None = None
    feeds: list[Line] | None = None
    hosts: list[Slug] | None = None
    publish: Publish = Field(default_factory=Publish)
    leave_out: list[LeftOut] | None = None
    accept: dict[Code, Line] | None = None
    release: Release | None = None
    allow_loss: bool | None = None
    guards: Guards = Field(default_factory=Guards)
    site: Pages = Field(default_factory=SiteSettings)
    repository: Repo | None = None
    signing: Signing | None = None
    _models: dict[str, type[Record]] | None = PrivateAttr(None)

    @property
    def has_site(self) -> bool:
        return self.site is not NO_SITE

    @property
    def families(self) -> dict[str, TagFamily]:
        return self.tag_families or {}

    @property
    def declared_language(self) -> str:
        """The language that registry.yaml states; "" if it states none."""
        return self.language if "language" in self.model_fields_set else ""

    @property
    def license_url(self) -> str:
        """The page of the licence in the SPDX License List; "" without a licence."""
        return f"https://spdx.org/licenses/{self.license}.html" if self.license else ""

    @property
    def origin(self) -> str:
        """The scheme and host of the base URL; "" without a base URL."""
        return _origin(self.base_url) if self.base_url else ""

    @property
    def prefix(self) -> str:
        """The path of the base URL without its last slash; "" without a base URL."""
        return urlsplit(self.base_url).path.rstrip("/") if self.base_url else ""

    @property
    def contact_url(self) -> str | None:
        if self.contact is None or is_url(self.contact):
            return self.contact
        return f"mailto:{self.contact}"

    def grammar(self, filled: Iterable[str] = KIND_OF, *, site: bool = True) -> Grammar:
        """The grammar of a registry that has records in the collections `filled`.

        Without `site` the build leaves out the site.
        """
        language = self.language.partition("-")[0].lower()
        nouns = {name: of.nouns[language] for name, of in DECLARED.items() if language in of.nouns}
        nouns |= {
            name: (words.one, words.many) for name, words in self.nouns or () if words is not None
        }
        labels = {family: f.label for family, f in self.families.items()}
        return Grammar(
            labels, self.prefix, nouns, declared_fields(self.fields), self.leave_out or (), filled,
            self.feeds or (), self.publish.asked, site and self.has_site,
        )  # fmt: skip

    def models(self, unknown: Container[str] = ()) -> dict[str, type[Record]]:
        """collection -> the model of its records, with the registry's own fields.

        `unknown` has the fields of registry.yaml that could not be read.
        """
        if self._models is None:
            own = declared_fields(self.fields)
            self._models = {}
            for name, kind in KINDS.items():
                if "fields" in unknown:
                    self._models[name] = with_unchecked_fields(kind.model)
                elif own:
                    self._models[name] = with_own_fields(kind.model, name, own.get(name, {}))
                else:
                    self._models[name] = model_of(kind.model)
        return self._models


if not TYPE_CHECKING:
    Settings = with_keys(Settings)
