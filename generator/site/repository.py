"""Links to edit a record and to report an error in it, at the host of the repository."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from generator.grammar.grammar import Collection
from generator.model.settings.site import is_gitlab
from generator.site.fields import Record
from generator.site.page_context import Site

#: URLs at GitHub, and at hosts with the same URLs: to edit a file, to read it, and a new issue.
_GITHUB = (
    "{url}/edit/{branch}/{file}",
    "{url}/blob/{branch}/{file}",
    "{url}/issues/new?title={title}&body={body}",
)
#: URLs at GitLab (https://docs.gitlab.com/user/project/issues/create_issues/).
_GITLAB = (
    "{url}/-/edit/{branch}/{file}",
    "{url}/-/blob/{branch}/{file}",
    "{url}/-/issues/new?issue%5Btitle%5D={title}&issue%5Bdescription%5D={body}",
)


class Edits(NamedTuple):
    """The URL of a record's editor, None if its file is unknown, and the URL of a new issue."""

    edit: str | None
    report: str


def edits(site: Site, collection: Collection, record: Record) -> Edits | None:
    """The links of a record; None if registry.yaml names no repository."""
    repository, t = site.settings.repository, site.theme.texts
    if repository is None:
        return None
    edit, read, report = _GITLAB if is_gitlab(repository.url) else _GITHUB
    file = site.source(collection.name, record["slug"])
    url = repository.url.rstrip("/")
    # Addresses in an issue are absolute: the host of the repository is not that of the site.
    lines, edit_url = [f"{collection.name}/{record['slug']}"], None
    page = site.record_page(collection.name, record["slug"])
    if site.settings.origin and page:
        lines.append(site.absolute(page))
    if file:
        path, branch = _quoted_path(repository.folder, file), quote(repository.branch)
        edit_url = edit.format(url=url, branch=branch, file=path)
        lines.append(read.format(url=url, branch=branch, file=path))
    body = "\n".join([*lines, "", ""])
    title = t("record.issue", name=record["name"])
    return Edits(
        edit_url,
        report.format(url=url, title=quote(title, safe=""), body=quote(body, safe="")),
    )


def _quoted_path(folder: str, file: str) -> str:
    parts = f"{folder}/{file}".split("/")
    return quote("/".join(part for part in parts if part not in ("", ".")))
