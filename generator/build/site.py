"""The site: a page for each file of the API that people visit, and the views, which are made of
several.

What a page reads while it is rendered is recorded; it is rendered again when something that it read
is not what it was.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache as once
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.build.cache.store import Cache
from generator.build.executors import Executor
from generator.build.executors.here import Here
from generator.build.neighbours import Beside
from generator.build.output.files import Files
from generator.build.output.write import Written
from generator.build.report import Cause, Follows, Values
from generator.contract.artifact import Artifact
from generator.contract.manifest import lists
from generator.dialect.folder import is_record
from generator.disk.digests import digest_repr
from generator.disk.output_state import OutputError
from generator.grammar.paths import INDEX
from generator.hosts._patterns import former
from generator.model.settings.registry import Settings
from generator.model.tables.table import Registry
from generator.outputs.pages import length
from generator.site import pages
from generator.site.drawing import card
from generator.site.page_context import Memo, Site
from generator.site.theme import Theme
from generator.site.views import View

if TYPE_CHECKING:
    from jinja2 import BytecodeCache

#: Files, or views, that one worker makes pages of before it reports.
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
    return Work(
        _site(files, made, theme, compiled),
        pages.views(),
        files.write,
        (files, made, theme, compiled),
    )


class Made(NamedTuple):
    """What a build has made when its pages are: the tables, and the paths of the content."""

    registry: Registry
    inputs: Sequence[str]


#: What came of a file or a view: its path or name, its pages as they were written, what was read.
_Done = tuple[str, list[Written], list[str]]


def write(
    files: Files,
    workers: Callable[[int], Executor],
    made: Made,
    theme: Mapping[str, bytes],
    key: tuple[str, bytes],
    cache: Cache,
) -> None:
    """Write the pages of which something that they read differs.  `theme` has the registry's own
    files; `key` is the fingerprint of the build, and the digest of the settings.
    """
    from generator.build.cache.compiled_templates import Compiled

    compiled = Compiled("site", key[0].partition(" ")[0])
    work = _work(files, made, theme, compiled)
    reads = Reads(work.site, files, cache.get("site") if cache.get("site-key") == key[1] else None)
    kept, stale = list[str](), dict[str, Cause]()
    items = dict.fromkeys(
        (*_moved(made.registry), *filter(pages.may, list(files.all)), *work.views)
    )
    for item in items:
        cause = reads.why(item)
        if cause is None and files.has(reads.pages_of(item)):
            kept.append(item)
        else:
            stale[item] = cause or files.other
    for item in kept:
        for path in reads.pages_of(item):
            files.keep(_surface(path), [path])
        reads.keep(item)
    reads.say_gone(kept, stale)
    executor = workers(len(stale))
    if not isinstance(executor, Here):
        with _blaming(work.site.theme):
            work.site.theme.compile()  # so that no worker has to
    for results in executor.run(make, list(stale), work, _CHUNK):
        for item, written, read in results:
            for one in written:
                files.account(_surface(one[0]), [one], stale[item])
            reads.note(item, [path for path, *_ in written], read)
    compiled.write()
    cache.put("site", reads.packed())
    cache.put("site-key", key[1])


class Reads:
    """What pages read: accessor and arguments in a text, as `file /api/dashboard.json`, each with a
    digest of what it gave.
    """

    def __init__(self, site: Site, files: Files, known: Any):
        self._site, self._files = site, files
        #: What each page of the last build read, by numbers; and those that give something else.
        self._texts: list[str] = known[0] if known else []
        self._digests: list[bytes] = known[1] if known else []
        self._pages: dict[str, tuple[bytes, list[str]]] = known[2] if known else {}
        self._changed = {
            number
            for number, (text, was) in enumerate(zip(self._texts, self._digests, strict=True))
            if self._now(text) != was
        }
        self._numbers: dict[str, int] = {}
        self._made: dict[str, tuple[bytes, list[str]]] = {}

    def why(self, item: str) -> Cause | None:
        """Something that a file's or view's pages read and that differs; None if nothing does.
        Nothing is known of what is new.
        """
        known = self._pages.get(item)
        if known is None:
            return Follows(item) if item.startswith("/") else None
        if not self._changed:
            return None
        number = next((n for n in array("I", known[0]) if n in self._changed), None)
        if number is None:
            return None
        accessor, _, argument = self._texts[number].partition(" ")
        return Follows(argument) if accessor == "file" else Values((self._texts[number],))

    def pages_of(self, item: str) -> list[str]:
        """The paths of the pages that were made of a file or a view; one that no build writes if
        that is not known.
        """
        known = self._pages.get(item)
        return known[1] if known is not None else [""]

    def say_gone(self, kept: Iterable[str], stale: Mapping[str, Cause]) -> None:
        """Say why pages may be gone: what they were made of differs, or is gone."""
        for item in self._pages.keys() - set(kept):
            for path in self._pages[item][1]:
                self._files.goes(path, stale.get(item, Follows(item)))

    def keep(self, item: str) -> None:
        """Note again what was read."""
        numbers, paths = self._pages[item]
        self.note(item, paths, [self._texts[number] for number in array("I", numbers)])

    def note(self, item: str, paths: list[str], read: Iterable[str]) -> None:
        numbers = self._numbers
        ids = array("I", [numbers.setdefault(text, len(numbers)) for text in read])
        self._made[item] = ids.tobytes(), paths

    def packed(self) -> tuple[list[str], list[bytes], dict[str, tuple[bytes, list[str]]]]:
        """All of it for the next build."""
        texts = list(self._numbers)
        return texts, [self._now(text) for text in texts], self._made

    def _now(self, text: str) -> bytes:
        """A digest of what a read gives now."""
        accessor, *arguments = text.split(" ")
        if accessor == "file":
            noted = self._files.all.get(arguments[0])
            return noted[2] if noted is not None and _is_read(arguments[0]) else b""
        value: Any = self._site.as_of
        if accessor == "source":
            value = self._site.source(*arguments)
        elif accessor == "beside":
            value = self._site.neighbours(*arguments)
        elif accessor == "target":
            value = self._site.symbols.targets(arguments[0]).get(arguments[1])
        elif accessor == "renamed":
            value = self._site.symbols.renamed[arguments[0]].get(arguments[1])
        return digest_repr(value)


class _Recorded(Mapping[str, Any]):
    """A mapping that records which keys are looked up, under a name."""

    def __init__(self, name: str, of: Mapping[str, Any], log: list[str]):
        self._name, self._of, self._log = name, of, log

    def __getitem__(self, key: str) -> Any:
        self._log.append(f"{self._name} {key}")
        return self._of[key]

    def get(self, key: str, default: Any = None) -> Any:
        self._log.append(f"{self._name} {key}")
        return self._of.get(key, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)


def notes(settings: Settings) -> tuple[str, ...]:
    """What a whole build tells of the site besides."""
    if not settings.origin or card.drawn_by() is not None:
        return ()
    return (
        "Previews of links have no picture, which Pillow would draw: "
        "pip install 'registry-generator[cards]'",
    )


def _site(files: Files, made: Made, theme: Mapping[str, bytes], compiled: BytecodeCache) -> Site:
    """What pages are made with; what they ask of it is recorded in its memo's log."""
    settings, registry, memo = made.registry.settings, made.registry, Memo()
    symbols, log = registry.symbols, memo.log
    beside = Beside(registry.projects)

    @once
    def sources() -> dict[str, str]:
        return {_slug(path): path for path in made.inputs if is_record(path)}

    def read(path: str) -> bytes:
        log.append(f"file {path}")
        return _read(files, path)

    def source(collection: str, slug: str) -> str | None:
        log.append(f"source {collection} {slug}")
        return sources().get(f"{collection}/{slug}")

    def neighbours(slug: str, program: str) -> Any:
        log.append(f"beside {slug} {program}")
        return beside.of(slug, program)

    return Site(
        settings,
        replace(
            symbols,
            programs=_Recorded("target programs", symbols.programs, log),
            organizations=_Recorded("target organizations", symbols.organizations, log),
            renamed={
                name: _Recorded(f"renamed {name}", known, log)
                for name, known in symbols.renamed.items()
            },
        ),
        registry.as_of,
        Theme(settings.language, theme, settings.site.accent, settings.name, compiled),
        read,
        source,
        neighbours,
        memo,
    )


def _moved(registry: Registry) -> Iterator[str]:
    """The pages of the lists of former slugs, which are no files of the API if hosts redirect."""
    for table in registry.tables:
        for slug, aliases in sorted(table.aliases.items()):
            for alias in aliases:
                known = [(table.collection.name, alias, slug)]
                for _, part, present in former(registry.symbols.grammar, known):
                    yield from map(part.path, range(1, length(registry, present) + 1))


def _slug(path: str) -> str:
    """Collection and slug of a record's file."""
    collection, _, rest = path.partition("/")
    return f"{collection}/{rest.rpartition('/')[2].rpartition('.')[0]}"


def _is_read(path: str) -> bool:
    """Whether pages may read a file: not those that say something of this build."""
    return lists(path) and path != INDEX


def _read(files: Files, path: str) -> bytes:
    """A file as it will be published.  Raises LookupError."""
    data = files.read(path) if _is_read(path) else b""
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
    memo = work.site.memo
    memo.begin()
    if not work.site.theme.is_plain:
        memo.log.append("day")  # a template of the registry's own may show it
    rendered = list(work.site.theme.bounded(_rendered(item, work)))
    written = [one for artifact in rendered for one in work.write(artifact)]
    return item, written, list(dict.fromkeys(memo.log))


def _rendered(item: str, work: Work) -> Iterator[Artifact]:
    if item in work.views:
        yield from work.views[item].render(work.site)
    elif (page := pages.render(work.site, item)) is not None:
        yield page
