"""Read a published registry from a build's folder, or over HTTP from any base URL.

Reads only canonical files and the index, so any file host works, and checks each answer against the
query. Knows nothing about content and builds. `remote.py` has the HTTP code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from generator.contract.files import ReadFiles
from generator.disk.output_state import OutputError, missing_features, recover_output
from generator.grammar.grammar import Collection, Grammar
from generator.grammar.nearest import near_values_or_few
from generator.grammar.paths import AGENT_CATALOG, AGENT_SCHEMA, BUILD, DASHBOARD, INDEX
from generator.grammar.query import Count, Query, Rows, Search, Slice
from generator.grammar.refusals import QueryError
from generator.grammar.row_fields import DEFAULT_FIELDS, DEFAULT_ROWS
from generator.problems.diagnostic import printable
from generator.reader.answers import Answers, ClientError
from generator.reader.deployment import (
    BuildNotFound,
    Deployment,
    is_moved,
    missing_page_error,
    read_grammar,
)
from generator.reader.documents import Unreadable, parse_document
from generator.reader.location import base_url, host_reader, is_url
from generator.reader.suggestions import (
    RecordNotFound,
    explain_unknown_value,
    find_near_slugs,
    matching_values,
)
from generator.text.words import is_slug

if TYPE_CHECKING:
    from generator.reader.verified import Trust
    from generator.search.engine import Engine


CHANGED_MEANWHILE = (
    "The registry was published again during this read: records may be missing or repeated. "
    "Try again."
)


class Client:
    """The registry at `where`, a folder or base URL. Paths are without the base URL's path."""

    def __init__(self, where: str, grammar: Grammar, read: ReadFiles):
        #: Reads files, in parallel over HTTP; None for a missing file. Raises ClientError.
        self.read = read
        self.where, self.grammar = where, grammar
        self._answers = Answers(where, grammar)
        #: Records per page; None before the first page is read.
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
        """Open the registry in a build's folder or at a base URL (https://x.github.io/registry).

        Over HTTP, `timeout` is the longest time without a byte in seconds, `retries` the number of
        further attempts, and `cache` a folder for answers with their ETags. With `trust`, every
        file is verified against the registry's manifest. Raises ClientError.
        """
        if is_url(where):
            return cls._open_host(base_url(where), timeout, retries, cache, trust)

        def read_files(paths: Sequence[str]) -> Sequence[bytes | None]:
            _settle(where)
            return deployment.read_files(paths)

        _settle(where)
        try:
            deployment = Deployment.open(Path(where))
        except BuildNotFound as error:
            raise ClientError(
                f"There is no build in {printable(where)}: run `registry build`, or name with "
                "--from the folder of a build or the base URL of a registry, which begins with "
                "https://"
            ) from error
        read = _verified(where, read_files, trust)
        try:
            return cls(where.rstrip("/"), _grammar_of(read) if trust else deployment.grammar, read)
        except Unreadable as error:
            raise ClientError(f"{where} is no build: {error}") from error

    @classmethod
    def _open_host(
        cls, base: str, timeout: float, retries: int, cache: Path | None, trust: Trust | None
    ) -> Client:
        read = _verified(base, host_reader(base, timeout, retries, cache), trust)
        try:
            return cls(base, _grammar_of(read), read)
        except Unreadable as error:
            raise ClientError(
                f"There is no registry at {base}: {base}{INDEX} is missing or is not an index "
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
        """The query with these parameters, checked like a URL. Raises QueryError."""
        query = self._parse(
            collection, filters, mode="page", q=q, sort=sort or None, page=str(page)
        )
        assert isinstance(query, Query)
        return query

    def count_query(
        self,
        collection: Collection,
        filters: Iterable[tuple[str, str]] = (),
        *,
        q: str | None = None,
        by: Iterable[str] = (),
        per: str | None = None,
        like: str | None = None,
    ) -> Count:
        """The count with these parameters. Raises QueryError as `query` does."""
        names = tuple(by)
        count = self._parse(
            collection, filters, mode="count", q=q, by=",".join(names) or None, per=per, like=like
        )
        assert isinstance(count, Count)
        return count

    def rows_query(
        self,
        collection: Collection,
        filters: Iterable[tuple[str, str]] = (),
        *,
        q: str | None = None,
        sort: str = "",
        fields: Iterable[str] = DEFAULT_FIELDS,
        limit: int = DEFAULT_ROWS,
    ) -> Rows:
        """The query for rows with these parameters. Raises QueryError as `query` does."""
        names = ",".join(fields)
        rows = self._parse(
            collection, filters, mode="rows", q=q, sort=sort or None, fields=names, limit=str(limit)
        )
        assert isinstance(rows, Rows)
        return rows

    def search_query(self, q: str) -> Search:
        """The search for these words over all collections. Raises QueryError."""
        return self.grammar.parse_search(f"q={quote(q, safe='', errors='surrogatepass')}")

    def _parse(
        self, collection: Collection, filters: Iterable[tuple[str, str]], **others: str | None
    ) -> Query | Rows | Count:
        filters = list(filters)
        labels = {name: known.words for name, known in collection.query_filters.items()}
        names = tuple(labels)
        for name, _ in filters:
            if name not in labels:
                near = near_values_or_few(name, labels.items())
                hint = f' Did you mean "{near[0]}"?' if near and near != names else ""
                raise QueryError(
                    "unknown-parameter",
                    f'{collection.name.capitalize()} have no filter "{name}".{hint}',
                    near or names,
                )
        pairs = [*filters, *((key, text) for key, text in others.items() if text is not None)]
        # Command line arguments may not be valid Unicode; the grammar refuses their encoded form.
        parts = (f"{name}={quote(value, safe='', errors='surrogatepass')}" for name, value in pairs)
        try:
            return self.grammar.parse(collection, "&".join(parts))
        except QueryError as error:
            raise self.explain(error, collection) from error

    def document(self, path: str) -> dict[str, Any]:
        """A document that every registry has. Raises ClientError."""
        return self.document_with_bytes(path)[1]

    def document_with_bytes(self, path: str) -> tuple[bytes, dict[str, Any]]:
        """The bytes and the content of a document that every registry has. Raises ClientError."""
        raw = self._read_one(path)
        if raw is None:
            raise self._answers.missing_error(path)
        return raw, self._answers.parse(path, raw, self._kinds[path])

    def record(self, collection: Collection, slug: str) -> dict[str, Any]:
        """A record's document; a former slug gives the document of the current slug.

        Raises QueryError `not-found`, with the nearest slugs if a search finds them, and
        ClientError.
        """
        return self.record_with_bytes(collection, slug)[1]

    def record_with_bytes(self, collection: Collection, slug: str) -> tuple[bytes, dict[str, Any]]:
        """The bytes and the content of a record's document. Raises like `record`."""
        current = slug
        for _ in range(2):
            path = collection.record_path(current)
            raw = self._read_one(path) if is_slug(current) else None
            if raw is None:
                break
            document = self._answers.parse(path, raw, collection.kind, "moved")
            if document["kind"] == "moved":
                current = document["data"]["replaced_by"]
            elif document["data"]["slug"] == current:
                return raw, document
            else:
                raise self._answers.wrong_answer_error(
                    path, f"  asked: the {collection.kind} {current}"
                )
        raise RecordNotFound(
            collection, slug, find_near_slugs(self.engine.answer, collection, slug)
        )

    def answer(self, query: Query | Rows | Count | Search) -> dict[str, Any]:
        """The document that answers a query. Raises QueryError and ClientError."""
        return self.answer_with_bytes(query)[1]

    def answer_with_bytes(
        self, query: Query | Rows | Count | Search
    ) -> tuple[bytes, dict[str, Any]]:
        """The bytes and the content of the document that answers a query. Raises like `answer`."""
        if isinstance(query, Query) and query.slice is not None:
            raw = self._prepared_page(query, query.slice)
        else:
            raw = self._search(query)
        return raw, self._answers.parse_answer(raw, query)

    def ask(self, path: str, parameters: Iterable[tuple[str, str]]) -> bytes:
        """The answer of a feature at a query address.  Raises QueryError and ClientError."""
        from generator.reader.services import Asked, answer_service

        parts = (f"{k}={quote(text, safe='', errors='surrogatepass')}" for k, text in parameters)
        asked = Asked(path, "&".join(parts), self.grammar, self.engine, self._read_one)

        def answer() -> bytes:
            reply = answer_service(asked)
            if reply is None:
                raise ClientError(f"Nothing answers {path}: its feature is not installed.")
            return reply.body

        return self.from_index(answer)

    def pages(self, query: Query) -> Iterator[dict[str, Any]]:
        """All pages from the page of the query on. Raises QueryError and ClientError."""
        [before] = self.read([BUILD])
        last = query.page
        while query.page <= last:
            try:
                document = self.answer(query)
            except (QueryError, ClientError):
                if self.read([BUILD]) == [before]:
                    raise
                break
            yield document
            last, query = document["page"]["total_pages"], replace(query, page=query.page + 1)
        if self.read([BUILD]) != [before]:
            raise ClientError(CHANGED_MEANWHILE)

    def window(
        self, query: Query, start: int, most: int
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """At most `most` records of a query from number `start` on (1 is the first), from as many
        pages as needed.

        Returns the list document of the first of these pages, or of page 1 if there are no such
        records, and the records. Raises QueryError and ClientError.
        """
        document, size_was_known = None, self.page_size is not None
        if self.page_size is None:
            document = self.answer(query)
            self.page_size = document["page"]["size"]
        size = self.page_size
        number = 1 + (start - 1) // size
        if document is None or 1 < number <= document["page"]["total_pages"]:
            try:
                document = self.answer(replace(query, page=number))
            except QueryError:
                if number == 1:
                    raise
                document = self.answer(query)
        if document["page"]["size"] != size:
            if not size_was_known:
                raise ClientError(CHANGED_MEANWHILE)
            self.page_size = None
            return self.window(query, start, most)
        page = document["page"]
        if page["number"] != number:
            return document, []
        rows = document["data"][start - 1 - (number - 1) * size :][:most]
        for next_number in range(number + 1, page["total_pages"] + 1):
            if len(rows) == most:
                break
            next_document = self.answer(replace(query, page=next_number))
            if next_document["page"]["total_items"] != page["total_items"]:
                raise ClientError(CHANGED_MEANWHILE)
            rows += next_document["data"][: most - len(rows)]
        return document, rows

    def values(
        self, collection: Collection, like: str, names: Iterable[str] | None = None
    ) -> dict[str, list[Mapping[str, Any]]]:
        """The values of each filter that match `like` (see `matching_values`), most frequent first.
        Without `names`, all filters that have a document of values. Raises ClientError.
        """
        filters: dict[str, Any] = {}
        if names is None:
            filters = self.document(collection.filters_path)["data"]
            names = [name for name, values in filters.items() if values["truncated"]]
        for name in names:
            filters[name] = self.document(collection.filter_path(name))["data"]
        return {name: matching_values(values["values"], like) for name, values in filters.items()}

    # --- one file ---------------------------------------------------------------------------------

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """Path -> kind, for the documents that every registry has, without lists."""
        kinds = {
            DASHBOARD: "dashboard",
            AGENT_CATALOG: "agent_catalog",
            AGENT_SCHEMA: "agent_schema",
        }
        for collection in self.grammar.collections.values():
            kinds[collection.filters_path] = "filter_list"
            for name in collection.listed_filters:
                kinds[collection.filter_path(name)] = "filter"
        return kinds

    def _read_one(self, path: str) -> bytes | None:
        return self.read([path])[0]

    def explain(self, error: QueryError, collection: Collection) -> QueryError:
        """The error; if it is about a filter value, with the current slug or near values."""
        return explain_unknown_value(error, collection, self.grammar, self._read_one)

    # --- lists ------------------------------------------------------------------------------------

    @cached_property
    def engine(self) -> Engine:
        from generator.search.engine import Engine

        return Engine(self.grammar, self.read)

    def _prepared_page(self, query: Query, part: Slice) -> bytes:
        path = part.path(query.page)
        page = self._read_one(path)
        if page is not None and not is_moved(page):
            return page
        try:
            error = missing_page_error(part, query.page, self.grammar, self._read_one)
        except Unreadable:
            error = None
        if error is None:
            raise self._answers.missing_error(path)
        raise self.explain(error, query.collection)

    def _search(self, query: Query | Rows | Count | Search) -> bytes:
        """The answer from the index."""
        try:
            return self.from_index(lambda: self.engine.answer(query))
        except QueryError as error:
            if isinstance(query, Search):
                raise
            raise self.explain(error, query.collection) from error

    def from_index(self, answer: Callable[[], bytes]) -> bytes:
        """What `answer` makes with the engine.  Raises as `answer` does, and ClientError."""
        from generator.search.manifest import Unavailable

        try:
            return answer()
        except Unavailable as error:
            missing = ", ".join(missing_features(self.where))
            lacks = f"\nIt was built with the feature {missing}, which is not installed here."
            raise ClientError(f"{self.where}: {error}{lacks if missing else ''}") from error


def _grammar_of(read: ReadFiles) -> Grammar:
    return read_grammar(lambda path, kind: parse_document(read([path])[0] or b"", kind))


def _verified(where: str, read: ReadFiles, trust: Trust | None) -> ReadFiles:
    """With `trust`, a reader that verifies all files; else `read` itself."""
    if trust is None:
        return read
    from generator.reader.verified import VerifiedReader

    return VerifiedReader(where, read, trust)


def _settle(where: str) -> None:
    """Raises ClientError if a killed build left an incomplete output."""
    try:
        recover_output(where)
    except OutputError as error:
        raise ClientError(str(error)) from error
