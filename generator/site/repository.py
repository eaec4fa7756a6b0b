"""Where a record is edited, and an error in it reported: at the host of the repository."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from generator.grammar.grammar import Collection
from generator.model.settings.site import is_gitlab
from generator.site.fields import Record
from generator.site.page_context import Site

#: The pages of a repository at GitHub, and at hosts that took its addresses over.
_GITHUB = "{url}/edit/{branch}/{file}", "{url}/issues/new?title={title}&body={body}"
#: At GitLab, whose own pages have `/-/` before them
#: (https://docs.gitlab.com/user/project/issues/create_issues/).
_GITLAB = (
    "{url}/-/edit/{branch}/{file}",
    "{url}/-/issues/new?issue%5Btitle%5D={title}&issue%5Bdescription%5D={body}",
)


class Edits(NamedTuple):
    """The URLs of the editor of a record, None where its file is not known, and of a new issue."""

    edit: str | None
    report: str


def edits(site: Site, of: Collection, record: Record) -> Edits | None:
    """None where registry.yaml names no repository."""
    repository, t = site.settings.repository, site.theme.texts
    if repository is None:
        return None
    edit, report = _GITLAB if is_gitlab(repository.url) else _GITHUB
    file = site.source(of.name, record["slug"])
    url = repository.url.rstrip("/")
    where = f"{of.name}/{record['slug']}"
    return Edits(
        edit.format(url=url, branch=quote(repository.branch), file=_file(repository.folder, file))
        if file
        else None,
        report.format(
            url=url,
            title=quote(t("record.issue", name=record["name"]), safe=""),
            body=quote(f"{where}\n{site.settings.origin}{record['href']}\n\n", safe=""),
        ),
    )


def _file(folder: str, file: str) -> str:
    parts = f"{folder}/{file}".split("/")
    return quote("/".join(part for part in parts if part not in ("", ".")))
