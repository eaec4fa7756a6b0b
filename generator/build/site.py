"""The site: the pages that follow from the files of the API which this build wrote and removed.

A page is made of one file of the API, or belongs to a view, which is made of several.  A build of
everything and one of what changed ask the same: which files are others, and what follows from them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.api.artifact import Artifact
from generator.api.paths import BUILD, INDEX
from generator.build.executors import Executor
from generator.build.executors.here import Here
from generator.build.files import Files
from generator.build.report import Cause, Follows, Values
from generator.build.scope import Last
from generator.build.write import Written
from generator.disk.beside import OutputError
from generator.records.settings import Settings
from generator.site import card, pages, paths
from generator.site.frame import Site, View, views
from generator.site.theme import Theme
from generator.tables.table import Registry

#: What a view is called among the documents of a build log.
_NAMED = "site."
#: Files, or views, that one worker makes pages of before it says so.
_CHUNK = 64


class Work(NamedTuple):
    """What pages are made with, and what writes them."""

    site: Site
    views: Mapping[str, View]
    write: Callable[[Artifact], Sequence[Written]]


#: What came of a file or a view: its path or name, its pages, and what was written.
_Done = tuple[str, list[str], list[Written]]


def write(
    files: Files,
    executor: Executor,
    registry: Registry,
    theme: Mapping[str, bytes],
    last: Last,
    *,
    new_day: bool,
) -> dict[str, list[str]]:
    """Write the pages of what was written, and remove those of what is gone; the paths of each
    view, as documents.  `theme` has the registry's own files.
    """
    settings, symbols = registry.settings, registry.symbols
    site = Site(
        settings,
        symbols,
        registry.as_of,
        Theme(settings.language, theme, settings.site.accent, settings.name),
        lambda path: _read(files, path),
    )
    causes: dict[str, Cause] = {path: Follows(path) for path, _, _ in files.new}
    causes |= {path: Follows(path) for path in files.removed}
    also = {of: Follows(path) for path in causes for of in pages.following(site, path)}
    every, before, why = views(), dict[str, list[str]](), dict[str, Cause]()
    for path, cause in {**also, **causes}.items():
        page = pages.made(symbols.grammar, path)
        if page is not None:
            before[path], why[path] = [paths.file(page.path)], cause
    documents = {}
    for name, view in every.items():
        its = last.documents.get(_NAMED + name)
        followed = [causes[path] for path in view.sources(site) if path in causes]
        if its is None or followed or new_day:
            before[name], why[name] = its or [], next(iter(followed), Values(("as_of",)))
        else:
            documents[_NAMED + name] = its
    if not isinstance(executor, Here):
        with _blaming(site.theme):
            site.theme.compile()  # so that no worker has to
    for results in executor.run(make, list(before), Work(site, every, files.write), _CHUNK):
        for item, its, written in results:
            for one in written:
                files.account(_surface(one[0]), [one], why[item])
            for path in set(before[item]).difference(its):
                files.drop(_surface(path), path, why[item])
            if item in every:
                documents[_NAMED + item] = its
    return documents


def notes(settings: Settings) -> tuple[str, ...]:
    """What a whole build tells of the site besides."""
    if not settings.origin or card.drawn_by() is not None:
        return ()
    return (
        "Previews of links have no picture, which Pillow would draw: "
        "pip install 'registry-generator[cards]'",
    )


def _read(files: Files, path: str) -> bytes:
    """A file as it will be published.  Raises LookupError."""
    data = files.now(path) if path not in (INDEX, BUILD) else b""
    if not data:
        raise LookupError(path)
    return data


def _surface(path: str) -> str:
    """What a file of the site is counted as: `site/projects`, `site/assets`, `site/index.html`."""
    return f"site/{path.split('/', 2)[1]}"


def make(items: list[str], work: Work) -> list[_Done]:
    """Write the pages of some files and views.  Raises OutputError where one of the registry's own
    templates is at fault.
    """
    with _blaming(work.site.theme):
        return [_made(item, work) for item in items]


@contextlib.contextmanager
def _blaming(theme: Theme) -> Iterator[None]:
    """What comes of the registry's own files is told as that."""
    try:
        yield
    except Exception as error:
        told = theme.fault(error)
        if told is None:
            raise
        raise OutputError(
            f"In the registry's own templates: {told}\nNothing was written."
        ) from error


def _made(item: str, work: Work) -> _Done:
    if item in work.views:
        rendered = list(work.views[item].render(work.site))
    else:
        page = pages.render(work.site, item)
        rendered = [page] if page is not None else []
    written = [one for artifact in rendered for one in work.write(artifact)]
    return item, [artifact.path for artifact in rendered], written
