"""A registry that somebody published, read from a build's folder or over HTTP from any base URL.

Only canonical files and the index are asked for, so any host of files will do, and what comes back
is held against what was asked.  Knows nothing of content and of how a build is made; `remote.py`
has the HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from generator.disk.output_state import OutputError, settle
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.nearest import nearest
from generator.grammar.paths import AGENT_CATALOG, AGENT_SCHEMA, BUILD, DASHBOARD, INDEX
from generator.grammar.query import Count, Query
from generator.grammar.refusals import QueryError
from generator.grammar.text import is_slug
from generator.problems.diagnostic import printable
from generator.reader.answers import Answers, ClientError
from generator.reader.documents import MAX_READ, Unreadable, parsed
from generator.reader.location import Read, base_url, host, is_url
from generator.reader.site import NoSite, Site, absent, grammar_of, is_moved
from generator.reader.suggestions import NoRecord, having, near_slugs, unknown

if TYPE_CHECKING:
    from generator.reader.verified import Trust
    from generator.search.engine import Engine


ANEW = (
    "The registry was published anew while it was read: records may be missing or twice. Ask again."
)


class Client:
    """One registry.  Paths are canonical, without the base URL's path; `where` is the folder or
    base URL.
    """

    def __init__(self, where: str, grammar: Grammar, read: Read):
        self.where, self.grammar, self._read = where, grammar, read
        self._answers = Answers(where, grammar)
        #: Records of a full page, since one was read.
        self.page_size: int | None = None

    @classmethod
    def open(
        cls,
        where: str,
        *,
        timeout: float = 10,
        retries: int = 3,
        cache: Path | None = None,
        trust: Trust | None = None,
    ) -> Client:
        """`where` is a build's folder or a base URL (https://x.github.io/registry).

        Over HTTP: `timeout` seconds without a byte are too many, `retries` more attempts are made,
        `cache` is a folder that keeps answers with their ETags.  With `trust`, every file is held
        against the registry's manifest.  Raises ClientError.
        """
        if is_url(where):
            return cls._of_host(base_url(where), timeout, retries, cache, trust)

        def read_files(paths: Sequence[str]) -> list[bytes | None]:
            _settle(where)
            contents: list[bytes | None] = []
            for path in paths:
                contents.append(
                    site.read(path, MAX_READ - sum(len(data) for data in contents if data))
                )
            return contents

        _settle(where)
        try:
            site = Site.open(Path(where))
        except NoSite as error:
            shown = printable(where)
            raise ClientError(
                f"There is no build in {shown}: run `registry build`, or name with --from the "
                "folder of a build or the base URL of a registry, which begins with https://"
            ) from error
        read = _checked(where, read_files, trust)
        try:
            return cls(where.rstrip("/"), _grammar_of(read) if trust else site.grammar, read)
        except Unreadable as error:
            raise ClientError(f"{where} is no build: {error}") from error

    @classmethod
    def _of_host(
        cls, base: str, timeout: float, retries: int, cache: Path | None, trust: Trust | None
    ) -> Client:
        read = _checked(base, host(base, timeout, retries, cache), trust)
        try:
            return cls(base, _grammar_of(read), read)
        except Unreadable as error:
            raise ClientError(
                f"There is no registry at {base}: {base}{INDEX} is not there, or is another thing "
                f"({error}). A registry's base URL is what {INDEX} follows."
            ) from error

    def query(
        self,
        collection: Collection,
        filters: Iterable[tuple[str, str]] = (),
        *,
        q: str | None = None,
        sort: str = "",
        page: int = 1,
    ) -> Query:
        """The query that these parameters ask, as strict as a URL.  Raises QueryError; `allowed`
        has what would do.
        """
        asked = self._asked(
            collection, filters, mode="page", q=q, sort=sort or None, page=str(page)
        )
        assert isinstance(asked, Query)
        return asked

    def counting(
        self,
        collection: Collection,
        filters: Iterable[tuple[str, str]] = (),
        *,
        q: str | None = None,
        by: Iterable[str] = (),
        like: str | None = None,
    ) -> Count:
        """The count that these parameters ask.  Raises likewise."""
        names = tuple(by)
        asked = self._asked(
            collection, filters, mode="count", q=q, by=",".join(names) if names else None, like=like
        )
        assert isinstance(asked, Count)
        return asked

    def _asked(
        self, collection: Collection, filters: Iterable[tuple[str, str]], **others: str | None
    ) -> Query | Count:
        filters = list(filters)
        labels = {name: known.label for name, known in collection.asked.items()}
        known = tuple(labels)
        for name, _ in filters:
            if name not in known:
                near = nearest(name, labels.items())
                hint = f' Did you mean "{near[0]}"?' if near and near != known else ""
                raise QueryError(
                    "unknown-parameter",
                    f'{collection.label} have no filter "{name}".{hint}',
                    near or known,
                )
        pairs = [*filters, *((key, text) for key, text in others.items() if text is not None)]
        # What is no text, as arguments of a command may be, becomes what the grammar refuses.
        raw = (f"{name}={quote(value, safe='', errors='surrogatepass')}" for name, value in pairs)
        try:
            return self.grammar.parse(collection, "&".join(raw))
        except QueryError as error:
            raise self._unknown(error, collection) from error

    def read(self, paths: Sequence[str]) -> list[bytes | None]:
        """Files, in parallel over HTTP; None where there is none.  Raises ClientError."""
        return self._read(paths)

    def document(self, path: str) -> dict[str, Any]:
        """Raises ClientError."""
        return self.as_published(path)[1]

    def as_published(self, path: str) -> tuple[bytes, dict[str, Any]]:
        """The bytes of a document that every registry has, and it.  Raises ClientError."""
        raw = self._one(path)
        if raw is None:
            raise self._answers.missing(path)
        return raw, self._answers.parse(path, raw, self._kinds[path])

    def record(self, collection: Collection, slug: str) -> dict[str, Any]:
        """A record's document; a former slug gives that of the present one.

        Raises QueryError `not-found`, with the nearest slugs in `allowed` where they are cheap to
        know, and ClientError.
        """
        return self.record_as_published(collection, slug)[1]

    def record_as_published(
        self, collection: Collection, slug: str
    ) -> tuple[bytes, dict[str, Any]]:
        """A record's bytes, and what they say.  Raises as `record` does."""
        here = slug
        for _ in range(2):
            path = collection.record_path(here)
            raw = self._one(path) if is_slug(here) else None
            if raw is None:
                break
            document = self._answers.parse(path, raw, collection.kind, "moved")
            if document["kind"] == "moved":
                here = document["data"]["replaced_by"]
            elif document["data"]["slug"] == here:
                return raw, document
            else:
                raise self._answers.refusal(path, f"  asked: the {collection.kind} {here}")
        raise NoRecord(collection, slug, near_slugs(self._engine.answer, collection, slug))

    def page(self, query: Query) -> dict[str, Any]:
        """The list document.  Raises QueryError and ClientError."""
        return self._page(query)[1]

    def page_bytes(self, query: Query) -> bytes:
        """The list document as it is published; its `query` is the one asked.  Raises QueryError
        and ClientError.
        """
        return self._page(query)[0]

    def count(self, count: Count) -> dict[str, Any]:
        """The count document.  Raises QueryError and ClientError."""
        return self.count_as_published(count)[1]

    def count_as_published(self, count: Count) -> tuple[bytes, dict[str, Any]]:
        """The bytes of a count document, and it.  Raises likewise."""
        raw = self._searched(count, lambda: self._engine.count(count))
        return raw, self._answers.counted(raw, count)

    def pages(self, query: Query) -> Iterator[dict[str, Any]]:
        """Every page from that of the query on.  Raises QueryError, and ClientError also when the
        registry changed meanwhile.
        """
        [before] = self.read([BUILD])
        last = query.page
        while query.page <= last:
            try:
                document = self.page(query)
            except (QueryError, ClientError):
                if self.read([BUILD]) == [before]:
                    raise
                break
            yield document
            last, query = document["page"]["total_pages"], replace(query, page=query.page + 1)
        if self.read([BUILD]) != [before]:
            raise ClientError(ANEW)

    def window(
        self, query: Query, start: int, most: int
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """At most so many records of a query from number `start` on (1 is the first), over as many
        pages as they lie on; with the list document of the first of these pages, and of page 1
        where there are no such records.  Raises QueryError and ClientError.
        """
        document, known = None, self.page_size is not None
        if self.page_size is None:
            document = self.page(query)
            self.page_size = document["page"]["size"]
        size = self.page_size
        number = 1 + (start - 1) // size
        if document is None or 1 < number <= document["page"]["total_pages"]:
            try:
                document = self.page(replace(query, page=number))
            except QueryError:
                if number == 1:
                    raise
                document = self.page(query)
        if document["page"]["size"] != size:
            if not known:
                raise ClientError(ANEW)
            self.page_size = None
            return self.window(query, start, most)
        page = document["page"]
        if page["number"] != number:
            return document, []
        rows = document["data"][start - 1 - (number - 1) * size :][:most]
        for following in range(number + 1, page["total_pages"] + 1):
            if len(rows) == most:
                break
            more = self.page(replace(query, page=following))
            if more["page"]["total_items"] != page["total_items"]:
                raise ClientError(ANEW)
            rows += more["data"][: most - len(rows)]
        return document, rows

    def values(
        self, collection: Collection, like: str, names: Iterable[str] | None = None
    ) -> dict[str, list[Mapping[str, Any]]]:
        """The values of each filter that `having` keeps, the most frequent first; of all filters
        that have documents, or of those with these names.  Raises ClientError.
        """
        filters: dict[str, Any] = {}
        if names is None:
            filters = self.document(collection.filters_path)["data"]
            names = [name for name, shown in filters.items() if shown["truncated"]]
        for name in names:
            filters[name] = self.document(collection.filter_path(name))["data"]
        return {name: having(shown["values"], like) for name, shown in filters.items()}

    # --- one file ---------------------------------------------------------------------------------

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """What the documents are that every registry has, but lists."""
        kinds = {
            DASHBOARD: "dashboard",
            AGENT_CATALOG: "agent_catalog",
            AGENT_SCHEMA: "agent_schema",
        }
        for collection in self.grammar.collections.values():
            kinds |= {
                collection.filters_path: "filter_list",
                **dict.fromkeys(map(collection.filter_path, collection.prepared_filters), "filter"),
            }
        return kinds

    def _one(self, path: str) -> bytes | None:
        return self._read([path])[0]

    def _unknown(self, error: QueryError, collection: Collection) -> QueryError:
        return unknown(error, collection, self.grammar, self._one)

    # --- lists ------------------------------------------------------------------------------------

    @cached_property
    def _engine(self) -> Engine:
        from generator.search.engine import Engine

        return Engine(self.grammar, self._read)

    def _page(self, query: Query) -> tuple[bytes, dict[str, Any]]:
        if query.slice is None:
            raw = self._searched(query, lambda: self._engine.answer(query))
            return raw, self._answers.listed(f"{query.collection.root}?{query.string}", raw, query)
        path = query.slice.path(query.page)
        page = self._one(path)
        if page is not None and not is_moved(page):
            return page, self._answers.listed(path, page, query)
        try:
            why = absent(query.slice, query.page, self.grammar, self._one)
        except Unreadable:
            why = None
        raise self._unknown(why, query.collection) if why else self._answers.missing(path)

    def _searched(self, asked: Query | Count, answer: Callable[[], bytes]) -> bytes:
        """An answer from the index."""
        from generator.search.manifest import Unavailable

        try:
            return answer()
        except Unavailable as error:
            raise ClientError(f"{self.where}: {error}") from error
        except QueryError as error:
            raise self._unknown(error, asked.collection) from error


def _grammar_of(read: Read) -> Grammar:
    return grammar_of(lambda path, kind: parsed(read([path])[0] or b"", kind))


def _checked(where: str, read: Read, trust: Trust | None) -> Read:
    """What reads, and holds everything against the manifest where somebody is trusted."""
    if trust is None:
        return read
    from generator.reader.verified import Verified

    return Verified(where, read, trust)


def _settle(where: str) -> None:
    """Raises ClientError where a killed build left an output that is half of an earlier one."""
    try:
        settle(where)
    except OutputError as error:
        raise ClientError(str(error)) from error
