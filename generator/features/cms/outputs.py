"""`/admin/`: a page to edit records in a browser with Sveltia CMS (sveltiacms.app).  A registry has
it if registry.yaml has `cms` and `repository`.

No other page loads a script from another site.  Its version is fixed, and browsers check its digest
(W3C, Subresource Integrity).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from generator.contract import templates
from generator.contract.artifact import Artifact
from generator.contract.input_schema import Schema, input_schema, value_schema
from generator.features.cms.addresses import ADMIN, editor_policy
from generator.features.cms.settings import Cms, Settings
from generator.kinds.added import pattern_faults
from generator.model.settings.registry import Settings as Registry
from generator.model.settings.registry import origin_of
from generator.model.settings.site import Repository, is_gitlab
from generator.model.symbols import Symbols

ADDRESSES = (f"{ADMIN}/",)

VERSION = "0.221.1"
SCRIPT = f"https://unpkg.com/@sveltia/cms@{VERSION}/dist/sveltia-cms.js"
INTEGRITY = "sha384-JQ+XsKx/UzwdTiNnFStza3XtqqQoVtyNPApkfvwlzZDfhe7giE9CnfQrpHqgv3k6"
_GITLAB_API, _GITHUB_API = "api/v4", "api/v3"
SCHEMA = f"https://unpkg.com/@sveltia/cms@{VERSION}/schema/sveltia-cms.json"

_UNFIT = "is not written as it must be"
#: Bound in JSON Schema -> in the CMS.
_BOUNDS = {"minimum": "min", "maximum": "max"}


def render(settings: Registry, symbols: Symbols) -> Iterator[Artifact]:
    cms, repository = Settings.of(settings).cms, settings.repository
    if cms is None or repository is None:
        return
    import yaml

    config = configuration(settings, repository, cms, symbols)
    text = yaml.safe_dump(config, allow_unicode=True, sort_keys=False, width=100)
    yield Artifact(f"{ADMIN}/config.yml", text.encode())
    origins = {origin_of(url) for url in _requested(config["backend"])}
    page = templates.render_template(
        "admin.html",
        name=settings.name,
        language=settings.language,
        script=SCRIPT,
        integrity=INTEGRITY,
        policy=editor_policy(*sorted(origins)),
    )
    yield Artifact(f"{ADMIN}/index.html", page)


def configuration(
    settings: Registry, repository: Repository, cms: Cms, symbols: Symbols
) -> dict[str, Any]:
    """The configuration of the CMS: each kind of record with its fields in this registry."""
    folder = repository.folder.strip("/")
    parent = "" if folder in ("", ".") else f"{folder}/"
    return {
        "backend": _backend(repository, cms.auth, cms.app_id),
        "publish_mode": "editorial_workflow" if cms.review else "simple",
        "app_title": settings.name,
        **({"site_url": settings.base_url} if settings.base_url else {}),
        "media_folder": "media",  # required, but unused: no field is a file
        "slug": {"encoding": "ascii", "clean_accents": True},
        "output": {"omit_empty_optional_fields": True},
        "collections": [
            _collection(name, f"{parent}{name}", symbols, cms.folders)
            for name in symbols.grammar.collections
        ],
    }


def _backend(repository: Repository, auth: str | None, app_id: str | None) -> dict[str, Any]:
    """The repository and how editors log in; own hosts have their API at a path of their own."""
    parts = urlsplit(repository.url)
    origin, name = origin_of(repository.url), parts.path.strip("/").removesuffix(".git")
    backend: dict[str, Any] = {"name": "github", "repo": name, "branch": repository.branch}
    if is_gitlab(repository.url):
        backend["name"] = "gitlab"
        if parts.hostname != "gitlab.com":
            backend |= {"api_root": f"{origin}/{_GITLAB_API}", "base_url": origin}
        if app_id is not None:
            backend |= {"auth_type": "pkce", "app_id": app_id}
    elif parts.hostname != "github.com":
        backend["api_root"] = f"{origin}/{_GITHUB_API}"
    if auth is not None:
        backend["base_url"] = origin_of(auth)
    if auth is None and app_id is None:
        backend["auth_methods"] = ["token"]
    return backend


def _requested(backend: dict[str, Any]) -> Iterator[str]:
    if backend["name"] == "github":
        yield backend.get("api_root", "https://api.github.com")
        yield "https://www.githubstatus.com"
    else:
        yield backend.get("api_root", "https://gitlab.com")
        yield "https://status-api.hostedstatus.com"
    if "base_url" in backend:
        yield backend["base_url"]


def _collection(name: str, folder: str, symbols: Symbols, folders: bool) -> dict[str, Any]:
    """A collection of the CMS.  If records are in subfolders, the CMS identifies an entry by folder
    and name, which is no slug.  Then references are chosen from a list.
    """
    collection = symbols.grammar.collections[name]
    schema = input_schema(collection.kind, symbols.grammar.kinds, symbols)
    form = _EditorForm(schema, symbols, name, relations=not folders)
    return {
        "name": name,
        "label": collection.label,
        "label_singular": collection.one,
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


class _EditorForm(NamedTuple):
    """Makes fields of the CMS from the input schema of a kind; `relations` if references are chosen
    among entries.
    """

    schema: Schema
    symbols: Symbols
    collection: str
    relations: bool

    def fields(self, schema: Schema, above: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        """The fields of an object at a place of files, without objects that have none."""
        fields = (
            self.field((*above, name), part, name in schema.get("required", ()))
            for name, part in schema.get("properties", {}).items()
        )
        return [field for field in fields if field.get("fields") != []]

    def field(self, place: tuple[str, ...], schema: Schema, required: bool) -> dict[str, Any]:
        label, hint = self.label(place, schema), schema.get("description")
        return {
            "name": place[-1],
            "label": label,
            **({"hint": hint} if hint and hint != label else {}),
            "required": required,
            **self.widget(place, value_schema(schema, self.schema)),
        }

    def widget(self, place: tuple[str, ...], schema: Schema) -> dict[str, Any]:
        many = schema.get("type") == "array"
        items = value_schema(schema["items"], self.schema) if many else schema
        multiple = {"multiple": True} if many else {}
        field = self.symbols.grammar.kinds[self.collection].places.get(place)
        if field is not None and field.refers and self.relations:
            return {"widget": "relation", "collection": field.refers, "value_field": "{{slug}}",
                    "display_fields": ["{{name}}"], "search_fields": ["name"],
                    **multiple}  # fmt: skip
        if "enum" in items:
            values: list[Any] = items["enum"]
            labels: list[str] = items.get("enumDescriptions") or values
            options = [
                {"label": label, "value": value}
                for value, label in zip(values, labels, strict=True)
            ]
            return {"widget": "select", "options": options, **multiple}
        if many and items.get("type") == "object":
            return {"widget": "list", "fields": self.fields(items, place)}
        if many:
            return {"widget": "list", "field": {"name": "item", **_text(items)}}
        match schema.get("type"):
            case "object" if "patternProperties" in schema:
                return {"widget": "keyvalue"}
            case "object":
                return {"widget": "object", "collapsed": True, "fields": self.fields(schema, place)}
            case "boolean":
                return {"widget": "boolean"}
            case "integer" | "number" as kind:
                value = {"value_type": "int" if kind == "integer" else "float"}
                bounds = {to: schema[key] for key, to in _BOUNDS.items() if key in schema}
                return {"widget": "number", **value, **bounds}
        return _text(schema)

    def label(self, place: tuple[str, ...], schema: Schema) -> str:
        """The label of an own field or tag family in registry.yaml, else the name of the field."""
        words, grammar, name = schema.get("description"), self.symbols.grammar, place[-1]
        field = grammar.kinds[self.collection].places.get(place)
        if field is not None and field.is_own:
            return field.label
        if name in grammar.tag_families and words == grammar.tag_families[name]:
            return grammar.tag_families[name]
        return name.replace("_", " ").capitalize()


def _text(schema: Schema) -> dict[str, Any]:
    if schema.get("format") == "date":
        return {"widget": "datetime", "type": "date", "format": "YYYY-MM-DD"}
    pattern = schema.get("pattern")
    widget: dict[str, Any] = {"widget": "text" if pattern is None else "string"}
    if "maxLength" in schema:
        widget["maxlength"] = schema["maxLength"]
    if pattern is not None:
        _, message, hint = pattern_faults().get(pattern, ("", _UNFIT, None))
        widget["pattern"] = [pattern, schema.get("errorMessage") or hint or message]
    return widget
