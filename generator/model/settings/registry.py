"""registry.yaml: the name, vocabularies, own fields and publishing options of a registry."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import Field
from pydantic_core import PydanticCustomError

from generator.feature import publishing
from generator.grammar.grammar import OPTIONAL_FILES, Grammar
from generator.kinds import Kinds
from generator.kinds.declare import Declared
from generator.kinds.marks import After, Limits
from generator.kinds.models import Input, of_each_kind, with_fields
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
from generator.model.settings.colours import accent_of
from generator.model.settings.guards import Guards, guards_model
from generator.model.settings.keys import with_keys
from generator.model.settings.own_fields import Declarations, KindDeclarations
from generator.model.settings.signing import Signing
from generator.model.settings.site import Repo, SiteSettings, pages_type, site_model
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
    labels: dict[Slug, Line] | None = None


class Nouns(Input):
    one: Noun
    many: Noun


class Release(Input):
    """The latest version to cite, and its day; `registry release` writes it."""

    version: Line
    date: Date


@lru_cache(maxsize=8)
def origin_of(base_url: str) -> str:
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
    """The fields of registry.yaml, without those that have a key for each kind: see
    `settings_model`.
    """

    #: The kinds of its registry without own fields.
    bare: ClassVar[Kinds]

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
    nouns: Any = None
    labels: Any = None
    language: Annotated[str, Limits(pattern=LANGUAGE)] = "en"
    slugs: Literal["plain", "german"] = "plain"
    fields: Any = None
    declared_kinds: KindDeclarations | None = Field(None, alias="kinds")
    without_kinds: list[Line] | None = None
    feeds: list[Line] | None = None
    hosts: list[Slug] | None = None
    publish: Publish = Field(default_factory=Publish)
    leave_out: list[LeftOut] | None = None
    accept: dict[Code, Line] | None = None
    release: Release | None = None
    allow_loss: bool | None = None
    guards: Guards = Field(default_factory=Guards)
    site: SiteSettings = Field(default_factory=SiteSettings)
    repository: Repo | None = None
    signing: Signing | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Its class, and those of some of its parts, are made at run time.
        site = {} if self.has_site else {"site": False}
        return _restored, (self.bare, self.model_dump(exclude_unset=True) | site)

    @cached_property
    def kinds(self) -> Kinds:
        """Those of its registry, with own fields."""
        return self.bare.having(self.own_fields, self.own_kinds, self.without_kinds or ())

    @property
    def own_fields(self) -> dict[str, dict[str, Any]]:
        """Collection -> key -> settings, of the kinds that registry.yaml does not declare."""
        return {
            collection: {key: of.model_dump() for key, of in declarations.items()}
            for collection, declarations in self.fields or ()
            if declarations
        }

    @property
    def own_kinds(self) -> dict[str, dict[str, Any]]:
        """Collection -> settings, of the kinds that registry.yaml declares."""
        return {name: of.model_dump() for name, of in (self.declared_kinds or {}).items()}

    @property
    def has_site(self) -> bool:
        return self.site is not type(self.site).no_site

    @property
    def accent(self) -> str:
        """The colour of links and buttons: that of the settings, else that of the name."""
        return self.site.accent or accent_of(self.name)

    @property
    def families(self) -> dict[str, TagFamily]:
        return self.tag_families or {}

    def label(self, kind: Declared, name: str) -> str:
        """The registry's own label of a shared field, by its name or that of its filter; "" if it
        has none.
        """
        labels: dict[str, str] = getattr(self.labels, kind.name, None) or {}
        fields = (kind.common[key] for key in labels if key in kind.common)
        return next((labels[f.name] for f in fields if name in (f.name, f.filter)), "")

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
        return origin_of(self.base_url) if self.base_url else ""

    @property
    def prefix(self) -> str:
        """The path of the base URL without its last slash; "" without a base URL."""
        return urlsplit(self.base_url).path.rstrip("/") if self.base_url else ""

    @property
    def contact_url(self) -> str | None:
        if self.contact is None or is_url(self.contact):
            return self.contact
        return f"mailto:{self.contact}"

    def grammar(self, filled: Set[str] | None = None, *, site: bool = True) -> Grammar:
        """The grammar of a registry that has records in the collections `filled`; None means all.

        Without `site` the build leaves out the site.
        """
        language = self.language.partition("-")[0].lower()
        kinds = self.kinds
        nouns = {name: of.nouns[language] for name, of in kinds.items() if language in of.nouns}
        nouns |= {
            name: (words.one, words.many) for name, words in self.nouns or () if words is not None
        }
        labels = {family: f.label for family, f in self.families.items()}
        return Grammar(
            kinds,
            labels,
            self.prefix,
            nouns,
            frozenset(self.leave_out or ()),
            filled,
            tuple(self.feeds or ()),
            self.publish.asked,
            site and self.has_site,
        )


if not TYPE_CHECKING:
    Settings = with_keys(Settings)


def _restored(kinds: Kinds, data: dict[str, Any]) -> Settings:
    return settings_model(kinds).model_validate(data)


@cache
def settings_model(kinds: Kinds) -> type[Settings]:
    """The model of registry.yaml in a registry with these kinds; own fields make no difference."""
    if kinds is not kinds.bare:
        return settings_model(kinds.bare)
    nouns: Any = of_each_kind("CollectionNouns", Nouns, kinds)
    first = (name for name, kind in kinds.items() if not kind.is_own)
    fields: Any = of_each_kind("CollectionFields", Declarations, first)
    labels: Any = of_each_kind("CollectionLabels", dict[Line, Line], kinds)
    guards = guards_model(kinds)
    model = with_fields(
        Settings,
        nouns=(nouns | None, None),
        labels=(labels | None, None),
        fields=(fields | None, None),
        guards=(guards, Field(default_factory=guards)),
        site=(pages_type(kinds), Field(default_factory=site_model(kinds))),
    )
    model.bare = kinds
    return model
