"""Writes the site: a page for each API file that people visit, and views, which use several files.

The build records what each page reads while it is rendered ("reads"), and renders a page again when
one of its reads gives a different result.  An "item" is the path of an API file or the name of a
view.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache as once
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.build.cache.store import Cache
from generator.build.cohorts import cohorts_of, parents_of
from generator.build.executors import Executor, InProcess
from generator.build.landscape import Landscape
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.report import Cause, ChangedInputs, FromFile
from generator.build.similar import similar_records
from generator.contract.artifact import Artifact, Details
from generator.contract.manifest import is_listed
from generator.dialect.folder import is_record, slug_of
from generator.disk.digests import digest, digest_repr
from generator.disk.output_state import OutputError
from generator.grammar.paths import INDEX
from generator.hosts._patterns import former_lists
from generator.model.settings.registry import Settings
from generator.model.tables.table import Registry
from generator.outputs.pages import list_length
from generator.problems.extras import how_to_install
from generator.site import pages
from generator.site.drawing import card
from generator.site.fit import Fit
from generator.site.page_context import Memo, Site
from generator.site.theme import Theme
from generator.site.views import View

if TYPE_CHECKING:
    from jinja2 import BytecodeCache

#: Items in a chunk of work.
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Work:
    """The data for rendering pages, and the function that writes them; `arguments` are those of
    `_work`."""

    site: Site
    views: Mapping[str, View]
    write: Callable[[Artifact], Sequence[Written]]
    arguments: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        """For workers on other machines."""
        return _work, self.arguments


def _work(
    files: Files, made: SiteInputs, theme: Mapping[str, bytes], compiled: BytecodeCache
) -> Work:
    arguments = files, made, theme, compiled
    return Work(_site(*arguments), pages.load_views(), files.write, arguments)


class SiteInputs(NamedTuple):
    """Results of the build that the site needs: the registry, the paths of the content, what the
    site has to show, the filters of each collection that can narrow its list, and what the last
    commits changed.
    """

    registry: Registry
    inputs: Sequence[str]
    fit: Fit
    filters: Mapping[str, Sequence[str]]
    details: Details = Details()


#: The result for an item: the item, its pages as written, and its reads.
_Done = tuple[str, list[Written], list[str]]


def write(
    files: Files,
    workers: Callable[[int], Executor],
    made: SiteInputs,
    theme: Mapping[str, bytes],
    key: tuple[str, bytes],
    cache: Cache,
) -> None:
    """Write the pages with changed reads, and keep the others.

    `theme` has the registry's own files; `key` is the fingerprint of the build and the digest of
    the settings.
    """
    from generator.build.cache.compiled_templates import Compiled

    compiled = Compiled("site", key[0].partition(" ")[0])
    work = _work(files, made, theme, compiled)
    reads = Reads(work.site, files, cache.get("site") if cache.get("site-key") == key[1] else None)
    kept, stale = list[str](), dict[str, Cause]()
    items = dict.fromkeys(
        (*_moved(made.registry), *filter(pages.may_have_page, list(files.all)), *work.views)
    )
    for item in items:
        cause, paths = reads.cause_of(item), reads.pages_of(item)
        if cause is None and paths is not None and files.has(paths):
            kept.append(item)
            for path in paths:
                files.keep(_surface(path), [path])
            reads.keep(item)
        else:
            stale[item] = cause or files.other
    reads.note_removals(kept, stale)
    executor = workers(len(stale))
    if not isinstance(executor, InProcess):
        with _theme_errors(work.site.theme):
            work.site.theme.compile_templates()  # here once, instead of in each worker
    for results in executor.run(make, list(stale), work, _CHUNK):
        for item, written, read in results:
            for page in written:
                files.account(_surface(page[0]), [page], stale[item])
            reads.note(item, [path for path, *_ in written], read)
    compiled.write()
    cache.put("site", reads.packed())
    cache.put("site-key", key[1])


class Reads:
    """The reads of all pages.  A read is a text, an accessor with arguments such as
    `file /api/dashboard.json`, with a digest of its result.
    """

    def __init__(self, site: Site, files: Files, known: Any):
        self._site, self._files = site, files
        # Results stay the same: all files that pages read are written.
        self._current = once(self._digest)
        # The last build: reads, their digests, and item -> (numbers of its reads, its pages).
        self._texts: list[str] = known[0] if known else []
        self._digests: list[bytes] = known[1] if known else []
        self._pages: dict[str, tuple[bytes, list[str]]] = known[2] if known else {}
        self._changed = {
            number
            for number, (text, last) in enumerate(zip(self._texts, self._digests, strict=True))
            if self._current(text) != last
        }
        self._numbers: dict[str, int] = {}
        self._made: dict[str, tuple[bytes, list[str]]] = {}

    def cause_of(self, item: str) -> Cause | None:
        """The cause to render an item again; None if its reads are unchanged, and for new views."""
        known = self._pages.get(item)
        if known is None:
            return FromFile(item) if item.startswith("/") else None
        if not self._changed:
            return None
        number = next((n for n in array("I", known[0]) if n in self._changed), None)
        if number is None:
            return None
        accessor, _, argument = self._texts[number].partition(" ")
        return FromFile(argument) if accessor == "file" else ChangedInputs((self._texts[number],))

    def pages_of(self, item: str) -> list[str] | None:
        """The paths of the pages of an item in the last build; None for a new item."""
        known = self._pages.get(item)
        return known[1] if known is not None else None

    def note_removals(self, kept: Iterable[str], stale: Mapping[str, Cause]) -> None:
        """Note the causes for pages that may be removed: their items changed or are gone."""
        for item in self._pages.keys() - set(kept):
            for path in self._pages[item][1]:
                self._files.note_removal(path, stale.get(item, FromFile(item)))

    def keep(self, item: str) -> None:
        """Note the reads and pages of the last build again."""
        numbers, paths = self._pages[item]
        self.note(item, paths, [self._texts[number] for number in array("I", numbers)])

    def note(self, item: str, paths: list[str], read: Iterable[str]) -> None:
        """Note the pages and the reads of an item in this build."""
        numbers = self._numbers
        ids = array("I", [numbers.setdefault(text, len(numbers)) for text in read])
        self._made[item] = ids.tobytes(), paths

    def packed(self) -> tuple[list[str], list[bytes], dict[str, tuple[bytes, list[str]]]]:
        """All reads of this build, for the cache."""
        texts = list(self._numbers)
        return texts, [self._current(text) for text in texts], self._made

    def _digest(self, text: str) -> bytes:
        """A digest of the current result of a read."""
        accessor, *arguments = text.split(" ")
        if accessor == "file":
            noted = self._files.all.get(arguments[0])
            return noted[2] if noted is not None and _is_read(arguments[0]) else b""
        value: Any
        match accessor:
            case "target":
                value = self._site.symbols.targets(arguments[0]).get(arguments[1])
            case "renamed":
                value = self._site.symbols.current_slugs[arguments[0]].get(arguments[1])
            case "day":
                value = self._site.as_of
            case "similar":
                return digest(*self._site.similar(*arguments))
            case "cohorts":
                return digest(*self._site.cohorts(*arguments))
            case _:
                value = getattr(self._site, accessor)(*arguments)
        return digest_repr(value)


class _Recorded(Mapping[str, Any]):
    """A mapping that logs which keys are looked up."""

    def __init__(self, name: str, mapping: Mapping[str, Any], log: list[str]):
        self._name, self._mapping, self._log = name, mapping, log

    def __getitem__(self, key: str) -> Any:
        self._log.append(f"{self._name} {key}")
        return self._mapping[key]

    def get(self, key: str, default: Any = None) -> Any:
        self._log.append(f"{self._name} {key}")
        return self._mapping.get(key, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping)

    def __len__(self) -> int:
        return len(self._mapping)


def notes(settings: Settings) -> tuple[str, ...]:
    """Notes on the site for the report of a full build."""
    if not settings.origin or card.pillow_version() is not None:
        return ()
    return (
        "Previews of links have no picture, which Pillow would draw: " + how_to_install("cards"),
    )


def _site(
    files: Files, made: SiteInputs, theme: Mapping[str, bytes], compiled: BytecodeCache
) -> Site:
    """The data that pages read; their reads are added to the log of its memo."""
    settings, registry, memo = made.registry.settings, made.registry, Memo()
    symbols, log = registry.symbols, memo.log
    parents = parents_of(symbols.programs)
    cohorts = cohorts_of(registry.programs, parents)
    similar = {
        table.collection.name: similar_records(table, parents if table is registry.programs else {})
        for table in registry.tables
    }
    projects = Landscape(registry.projects)
    families = projects.families()

    @once
    def sources() -> dict[str, str]:
        records = filter(is_record, made.inputs)
        return {f"{path.partition('/')[0]}/{slug_of(path)}": path for path in records}

    def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: str) -> Any:
            log.append(" ".join((name, *arguments)))
            return function(*arguments)

        return call

    def read(path: str) -> bytes:
        data = files.read(path) if _is_read(path) else b""
        if not data:
            raise LookupError(path)
        return data

    return Site(
        settings,
        replace(
            symbols,
            programs=_Recorded("target programs", symbols.programs, log),
            organizations=_Recorded("target organizations", symbols.organizations, log),
            current_slugs={
                name: _Recorded(f"renamed {name}", known, log)
                for name, known in symbols.current_slugs.items()
            },
        ),
        registry.as_of,
        Theme(settings.language, theme, settings.site.accent, settings.name, compiled),
        read=recorded("file", read),
        source=recorded("source", lambda collection, slug: sources().get(f"{collection}/{slug}")),
        similar=recorded("similar", lambda collection, slug: similar[collection].get(slug, ())),
        cohorts=recorded("cohorts", lambda program: cohorts.get(program, ())),
        details=recorded("details", lambda: made.details),
        families=recorded("families", lambda: families),
        landscape=recorded("landscape", projects.of),
        fit=recorded("fit", lambda: made.fit),
        modified=recorded("modified", registry.modified.get),
        narrowing=recorded("narrowing", made.filters.__getitem__),
        memo=memo,
    )


def _moved(registry: Registry) -> Iterator[str]:
    """The former paths of lists, which are not files of the API if all hosts redirect them."""
    for table in registry.tables:
        for slug, aliases in sorted(table.aliases.items()):
            for alias in aliases:
                renamed = [(table.collection.name, alias, slug)]
                for _, before, after in former_lists(registry.symbols.grammar, renamed):
                    yield from map(before.path, range(1, list_length(registry, after) + 1))


def _is_read(path: str) -> bool:
    """Whether pages may read a file.  They may not read files that differ in every build."""
    return is_listed(path) and path != INDEX


def _surface(path: str) -> str:
    """The surface of a page, such as `site/projects`, `site/assets` or `site/index.html`."""
    return f"site/{path.split('/', 2)[1]}"


def make(items: list[str], work: Work) -> list[_Done]:
    """Write the pages of items.  Raises OutputError for errors in the registry's own theme."""
    with _theme_errors(work.site.theme):
        return [_make(item, work) for item in items]


@contextlib.contextmanager
def _theme_errors(theme: Theme) -> Iterator[None]:
    """Turn an exception that the registry's own templates cause into an OutputError."""
    try:
        yield
    except Exception as error:
        message = theme.describe_error(error)
        if message is None:
            raise
        raise OutputError(
            f"In the registry's own templates: {message}\nNothing was written."
        ) from error


def _make(item: str, work: Work) -> _Done:
    memo = work.site.memo
    memo.log.clear()
    if not work.site.theme.is_plain:
        memo.log.append("day")  # the registry's own templates may show it
    rendered = list(work.site.theme.limit_pages(_render(item, work)))
    written = [file for artifact in rendered for file in work.write(artifact)]
    return item, written, list(dict.fromkeys(memo.log))


def _render(item: str, work: Work) -> Iterator[Artifact]:
    if item in work.views:
        yield from work.views[item].render(work.site)
    else:
        yield from pages.render(work.site, item)
