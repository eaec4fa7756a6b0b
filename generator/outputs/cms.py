"""`/admin/`: a page to edit the records with, for people who never open an editor (Sveltia CMS,
sveltiacms.app), where registry.yaml says `cms` and `repository`.

It is the one page that loads a script from elsewhere: of one version, and refused by the browser
where its bytes are others (W3C, Subresource Integrity).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from generator.contract import templates
from generator.contract.artifact import Artifact
from generator.contract.input_schema import Schema, input_schema, resolved
from generator.grammar.headers import editing
from generator.grammar.paths import ADMIN
from generator.model.fields import PATTERN_FAULTS
from generator.model.kinds import REFERENCES
from generator.model.settings.registry import Settings
from generator.model.settings.site import Repository, is_gitlab
from generator.model.symbols import Symbols

VERSION = "0.221.1"
SCRIPT = f"https://unpkg.com/@sveltia/cms@{VERSION}/dist/sveltia-cms.js"
INTEGRITY = "sha384-JQ+XsKx/UzwdTiNnFStza3XtqqQoVtyNPApkfvwlzZDfhe7giE9CnfQrpHqgv3k6"
SCHEMA = f"https://unpkg.com/@sveltia/cms@{VERSION}/schema/sveltia-cms.json"

_UNFIT = "is not written as it must be"
#: Where the APIs of hosts lie that are not gitlab.com and github.com.
_GITLAB_API, _GITHUB_API = ("api", "v4"), ("api", "v3")
#: Bound in the schema -> in the CMS.
_BOUNDS = {"minimum": "min", "maximum": "max"}


def render(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    cms, repository = settings.cms, settings.repository
    if cms is None or repository is None:
        return
    import yaml

    config = configuration(settings, symbols)
    text = yaml.safe_dump(config, allow_unicode=True, sort_keys=False, width=100)
    yield Artifact(f"{ADMIN}/config.yml", text.encode())
    hosts = {_origin(url) for url in _asked(config["backend"])}
    page = templates.render(
        "admin.html",
        name=settings.name,
        language=settings.language,
        script=SCRIPT,
        integrity=INTEGRITY,
        policy=editing(*sorted(hosts)),
    )
    yield Artifact(f"{ADMIN}/index.html", page)


def configuration(settings: Settings, symbols: Symbols) -> dict[str, Any]:
    """The configuration of the CMS: a collection of each kind, with the fields that its records
    have in this registry.
    """
    assert settings.cms is not None and settings.repository is not None
    folder = settings.repository.folder.strip("/")
    begin = "" if folder in ("", ".") else f"{folder}/"
    return {
        "backend": _backend(settings.repository, settings.cms.auth, settings.cms.app_id),
        "publish_mode": "editorial_workflow" if settings.cms.review else "simple",
        "app_title": settings.name,
        **({"site_url": settings.base_url} if settings.base_url else {}),
        "media_folder": "media",  # asked for, and of no use: no field is a file
        "slug": {"encoding": "ascii", "clean_accents": True},
        "output": {"omit_empty_optional_fields": True},
        "collections": [
            _collection(name, f"{begin}{name}", symbols, settings.cms.folders)
            for name in symbols.grammar.collections
        ],
    }


def _backend(repository: Repository, auth: str | None, app: str | None) -> dict[str, Any]:
    parts = urlsplit(repository.url)
    origin, name = _origin(repository.url), parts.path.strip("/").removesuffix(".git")
    backend: dict[str, Any] = {"name": "github", "repo": name, "branch": repository.branch}
    if is_gitlab(repository.url):
        backend["name"] = "gitlab"
        if parts.hostname != "gitlab.com":
            backend |= {"api_root": "/".join((origin, *_GITLAB_API)), "base_url": origin}
        if app is not None:
            backend |= {"auth_type": "pkce", "app_id": app}
    elif parts.hostname != "github.com":
        backend["api_root"] = "/".join((origin, *_GITHUB_API))
    if auth is not None:
        backend["base_url"] = _origin(auth)
    if auth is None and app is None:
        backend["auth_methods"] = ["token"]
    return backend


def _asked(backend: dict[str, Any]) -> Iterator[str]:
    """What the page asks: the host's API, and for avatars and states of it."""
    if backend["name"] == "github":
        yield from (
            backend.get("api_root", "https://api.github.com"),
            "https://www.githubstatus.com",
        )
    else:
        yield from (
            backend.get("api_root", "https://gitlab.com"),
            "https://status-api.hostedstatus.com",
        )
    if "base_url" in backend:
        yield backend["base_url"]


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _collection(name: str, folder: str, symbols: Symbols, folders: bool) -> dict[str, Any]:
    """A collection of the CMS.  Where records lie in folders below the collection's, the CMS calls
    an entry by its folder and name, which is no slug: references are chosen from a list then.
    """
    of = symbols.grammar.collections[name]
    schema = input_schema(of.kind, symbols)
    form = _Form(schema, symbols, name, relations=not folders)
    return {
        "name": name,
        "label": of.label,
        "label_singular": of.one,
        "folder": folder,
        "extension": "yaml",
        "format": "yaml",
        "identifier_field": "name",
        "summary": "{{name}}",
        "slug": {"template": "{{name}}", "editable": ["create"]},
        "aliases_field": False,
        **({"nested": {"subfolders": False}, "meta": {"path": {}}} if folders else {}),
        "fields": form.fields(schema),
    }


class _Form(NamedTuple):
    """What the fields of one kind of record become, by the schema of the input."""

    schema: Schema
    symbols: Symbols
    collection: str
    relations: bool

    def fields(self, of: Schema) -> list[dict[str, Any]]:
        """Those of an object, without those that take nothing."""
        made = (
            self.field(name, part, name in of.get("required", ()))
            for name, part in of.get("properties", {}).items()
        )
        return [field for field in made if field.get("fields") != []]

    def field(self, name: str, field: Schema, required: bool) -> dict[str, Any]:
        label, hint = self.label(name, field), field.get("description")
        told = {"hint": hint} if hint and hint != label else {}
        return {
            "name": name,
            "label": label,
            **told,
            "required": required,
            **self.widget(name, resolved(field, self.schema)),
        }

    def widget(self, name: str, of: Schema) -> dict[str, Any]:
        many = of.get("type") == "array"
        items = resolved(of["items"], self.schema) if many else of
        several = {"multiple": True} if many else {}
        referred = REFERENCES[self.collection].get(name)
        if referred is not None and self.relations:
            return {"widget": "relation", "collection": referred, "value_field": "{{slug}}",
                    "display_fields": ["{{name}}"], "search_fields": ["name"],
                    **several}  # fmt: skip
        if "enum" in items:
            values: list[Any] = items["enum"]
            labels: list[str] = items.get("enumDescriptions") or values
            options = [
                {"label": label, "value": value}
                for value, label in zip(values, labels, strict=True)
            ]
            return {"widget": "select", "options": options, **several}
        if many and items.get("type") == "object":
            return {"widget": "list", "fields": self.fields(items)}
        if many:
            return {"widget": "list", "field": {"name": "item", **_text(items)}}
        match of.get("type"):
            case "object" if "patternProperties" in of:
                return {"widget": "keyvalue"}
            case "object":
                return {"widget": "object", "collapsed": True, "fields": self.fields(of)}
            case "boolean":
                return {"widget": "boolean"}
            case "integer" | "number" as kind:
                value = {"value_type": "int" if kind == "integer" else "float"}
                bounds = {to: of[key] for key, to in _BOUNDS.items() if key in of}
                return {"widget": "number", **value, **bounds}
        return _text(of)

    def label(self, name: str, field: Schema) -> str:
        words, grammar = field.get("description"), self.symbols.grammar
        own = grammar.fields.get(self.collection, {}).get(name)
        if own is not None and words == own.words:
            return own.label
        if name in grammar.tag_families and words == grammar.tag_families[name]:
            return grammar.tag_families[name]
        return name.replace("_", " ").capitalize()


def _text(of: Schema) -> dict[str, Any]:
    """The widget of a text, with its bounds."""
    if of.get("format") == "date":
        return {"widget": "datetime", "type": "date", "format": "YYYY-MM-DD"}
    made: dict[str, Any] = {"widget": "string" if "pattern" in of else "text"}
    if "maxLength" in of:
        made["maxlength"] = of["maxLength"]
    if "pattern" in of:
        _, what, hint = PATTERN_FAULTS.get(of["pattern"], ("", _UNFIT, None))
        made["pattern"] = [of["pattern"], of.get("errorMessage") or hint or what]
    return made
