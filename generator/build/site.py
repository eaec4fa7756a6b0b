"""The site: the pages that follow from the files of the API which this build wrote and removed.

A page is made of one file of the API, or belongs to a view, which is made of several.  A build of
everything and one of what changed ask the same: which files are others, and what follows from them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.api.artifact import Artifact
from generator.api.manifest import lists
from generator.api.paths import INDEX
from generator.api.query import Slice
from generator.build import inventory
from generator.build.executors import Executor
from generator.build.executors.here import Here
from generator.build.files import Files
from generator.build.lists import showing
from generator.build.neighbours import Beside, others
from generator.build.report import Cause, Follows, Input, Values
from generator.build.scope import Aliases, Scope
from generator.build.write import Written
from generator.disk.beside import OutputError
from generator.hosts._patterns import former
from generator.outputs.pages import length, rows_of
from generator.records.folder import is_record
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.site import card, pages, paths
from generator.site.frame import Site, View, views
from generator.site.theme import Theme
from generator.tables.patch import Patch, position
from generator.tables.table import Registry, Rows, Table

if TYPE_CHECKING:
    from jinja2 import BytecodeCache

#: What a view is called among the documents of a build log.
_NAMED = "site."
#: Files, or views, that one worker makes pages of before it says so.
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Work:
    """What pages are made with, and what writes them; `of` is what this follows from."""

    site: Site
    views: Mapping[str, View]
    write: Callable[[Artifact], Sequence[Written]]
    of: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        """The work as another machine makes it for itself."""
        return _work, self.of


def _work(files: Files, made: Made, theme: Mapping[str, bytes], compiled: BytecodeCache) -> Work:
    of = files, made._replace(patches={}), theme, compiled
    return Work(_site(files, made, theme, compiled), views(), files.write, of)


#: What came of a file or a view: its path or name, its pages, and what was written.
_Done = tuple[str, list[str], list[Written]]


class Made(NamedTuple):
    """What a build has made when its pages are: the tables, what became of them, and the inventory
    of the content.
    """

    registry: Registry
    patches: Mapping[str, Patch]
    inputs: inventory.Inventory


def write(
    files: Files,
    executor: Executor,
    made: Made,
    scope: Scope,
    theme: Mapping[str, bytes],
    fingerprint: str,
    *,
    new_day: bool,
) -> dict[str, list[str]]:
    """Write the pages of what was written, and remove those of what is gone; the paths of each
    view, as documents.  `theme` has the registry's own files; `fingerprint` is of all else that is
    no content.
    """
    from generator.build.compiled import Compiled

    settings = made.registry.settings
    compiled = Compiled(f"{fingerprint} {settings.model_dump()} {card.path(settings)}")
    work, last = _work(files, made, theme, compiled), scope.last
    site = work.site
    every, documents = views(), dict[str, list[str]]()
    # Of each file and view that pages are made of, the pages that there were, and why it is looked
    # at; nothing of these in a build of everything, where there is one reason.
    before, why = dict[str, list[str]](), dict[str, Cause]()
    if scope.whole:
        former = dict(_former(files, made.registry, last.aliases, {}))
        several = (path for path, *_ in files.new if path not in former)
        items = [*filter(pages.may, chain(former, several)), *every]
    else:
        causes = _causes(files, site, made, scope)
        for path, cause in causes.items():
            page = pages.made(site.grammar, path) if pages.may(path) else None
            if page is not None:
                before[path], why[path] = [paths.file(page.path)], cause
        for name, view in every.items():
            its = last.documents.get(_NAMED + name)
            followed = [causes[path] for path in view.sources(site) if path in causes]
            if its is None or followed or new_day:
                before[name], why[name] = its or [], next(iter(followed), Values(("as_of",)))
            else:
                documents[_NAMED + name] = its
        items = list(before)
    if not isinstance(executor, Here):
        with _blaming(site.theme):
            site.settle()
            site.theme.compile()  # so that no worker has to
    for results in executor.run(make, items, work, _CHUNK):
        surfaces: dict[str, list[Written]] = {}
        reasons: dict[str, Cause] = {}
        for item, its, written in results:
            for one in written:
                surfaces.setdefault(_surface(one[0]), []).append(one)
                if why:
                    reasons[one[0]] = why[item]
            if item in every:
                documents[_NAMED + item] = its
        for surface, some in surfaces.items():
            files.account(surface, some, reasons)
        for item, its, _ in results if before else ():
            for path in set(before[item]).difference(its):
                files.drop(_surface(path), path, why[item])
    compiled.write()
    return documents


def _causes(files: Files, site: Site, made: Made, scope: Scope) -> dict[str, Cause]:
    """The files of the API whose pages may be others, and why."""
    causes: dict[str, Cause] = {path: Follows(path) for path, *_ in files.new}
    causes |= {path: Follows(path) for path in files.removed}
    causes = _beside(site, made, scope, causes) | causes
    return dict(_former(files, made.registry, scope.last.aliases, causes)) | causes


def notes(settings: Settings) -> tuple[str, ...]:
    """What a whole build tells of the site besides."""
    if not settings.origin or card.drawn_by() is not None:
        return ()
    return (
        "Previews of links have no picture, which Pillow would draw: "
        "pip install 'registry-generator[cards]'",
    )


def _site(files: Files, made: Made, theme: Mapping[str, bytes], compiled: BytecodeCache) -> Site:
    settings, projects = made.registry.settings, made.registry.projects
    tables = {table.collection.name: table for table in made.registry.tables}
    size, as_of = settings.page_size, made.registry.as_of

    @cache
    def held() -> dict[str, str]:
        return {_slug(path): path for path in inventory.paths(made.inputs) if is_record(path)}

    def numbers(part: Slice, number: int) -> Sequence[int] | None:
        table = tables[part.collection.name]
        if not isinstance(table.rows, Rows):  # of what changed few are asked for
            return None
        return rows_of(table, part, as_of)[(number - 1) * size : number * size]

    return Site(
        settings,
        made.registry.symbols,
        as_of,
        Theme(settings.language, theme, settings.site.accent, settings.name, compiled),
        lambda path: _read(files, path),
        lambda collection, slug: held().get(f"{collection}/{slug}"),
        Beside(projects).of,
        numbers,
        lambda collection, number: tables[collection].summaries[number],
    )


def _beside(site: Site, made: Made, scope: Scope, causes: Mapping[str, Cause]) -> dict[str, Cause]:
    """Files of the API whose pages may be others though they are as they were, and why: they show
    something of a file that is not, have other neighbours, come from another file, or show the name
    of a program or an organization that has another.
    """
    also: dict[str, Cause] = {
        of: Follows(path) for path in causes for of in pages.following(site, path)
    }
    also |= others(made.patches["projects"], scope.last.tables["projects"], scope.gone["projects"])
    if _names(scope.last.symbols) != _names(made.registry.symbols):
        for patch in made.patches.values():
            also |= {
                page: scope.causes[path]
                for path, number in _rows(patch.table, scope.causes)
                for page in showing(patch.table, number, made.registry)
            }
    return also | {path: of for path, of in scope.causes.items() if isinstance(of, Input)}


def _former(
    files: Files, registry: Registry, was: Aliases, causes: Mapping[str, Cause]
) -> Iterator[tuple[str, Cause]]:
    """The pages of the lists of former slugs, which are no files of the API where hosts lead on:
    those of slugs that were not former ones, or lead elsewhere now, and those of lists of which the
    same page is another.  `was` has the aliases of the last build.
    """
    now = {table.collection.name: table.aliases for table in registry.tables}
    before, after = _leading(was), _leading(now)
    touched = {path.rpartition("/")[0] for path in causes}
    for (name, alias), slug in (before | after).items():
        other = before.get((name, alias)) != after.get((name, alias))
        for _, part, present in former(registry.symbols.grammar, [(name, alias, slug)]):
            if not other and f"{present.folder}/page" not in touched:
                continue
            last = length(registry, present)
            for number in count(1):
                if number > last and not files.had(paths.file(paths.list_page(part, number))):
                    break
                cause = causes.get(present.path(number))
                if other or cause is not None:
                    yield part.path(number), cause or Follows(present.path())


def _leading(aliases: Aliases) -> dict[tuple[str, str], str]:
    """(collection, former slug) -> the present one."""
    return {
        (name, alias): slug
        for name, records in aliases.items()
        for slug, of in records.items()
        for alias in of
    }


def _names(symbols: Symbols | None) -> list[dict[str, str]]:
    """What lists call programs and organizations, of which rows have the slugs."""
    every = (symbols.programs, symbols.organizations) if symbols is not None else ()
    return [{slug: target.name for slug, target in of.items()} for of in every]


def _rows(table: Table, files: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The files of records that a table has, each with the number of its row."""
    folder, _, ending = table.collection.record_path("\0").partition("\0")
    for path in files:
        if path.startswith(folder):
            number = position(table, path[len(folder) : -len(ending)])
            if number is not None:
                yield path, number


def _slug(path: str) -> str:
    """Collection and slug of a record's file."""
    collection, _, rest = path.partition("/")
    return f"{collection}/{rest.rpartition('/')[2].rpartition('.')[0]}"


def _read(files: Files, path: str) -> bytes:
    """A file as it will be published.  Raises LookupError."""
    data = files.now(path) if lists(path) and path != INDEX else b""
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
    rendered = list(work.site.theme.bounded(_rendered(item, work)))
    written = [one for artifact in rendered for one in work.write(artifact)]
    return item, [artifact.path for artifact in rendered], written


def _rendered(item: str, work: Work) -> Iterator[Artifact]:
    if item in work.views:
        yield from work.views[item].render(work.site)
    elif (page := pages.render(work.site, item)) is not None:
        yield page
