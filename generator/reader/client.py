"""Read a published registry from a build's folder, or over HTTP from any base URL.

The engine answers queries, from files and the index that any file host has; an answer that is a
file of the host is checked against the question.  Knows nothing about content and builds.
`remote.py` has the HTTP code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import orjson

from generator.contract.files import ReadFiles
from generator.disk.output_state import missing_features, read_state_file, recover_output
from generator.engine.bundles import NOTE, make_table, noted_table
from generator.engine.context import Engine, Request, Response
from generator.grammar.paths import BUILD, INDEX
from generator.grammar.refusals import QueryError
from generator.problems.diagnostic import nearest_word, printable
from generator.reader.documents import (
    ClientError,
    Unreadable,
    check_page,
    parse,
    parse_document,
    published_kinds,
    wrong_answer,
)
from generator.reader.location import FolderReader, base_url, host_reader, is_url

if TYPE_CHECKING:
    from generator.grammar.grammar import Grammar
    from generator.kinds import Kinds
    from generator.reader.verified import Trust

#: Parameters of a query that have a value, by name.
Parameters = Iterable[tuple[str, str]]

CHANGED_MEANWHILE = (
    "The registry was published again during this read: records may be missing or repeated. "
    "Try again."
)


class ListedCollection(NamedTuple):
    """A collection: its name, kind, address and default sort, and the labels of its filters."""

    name: str
    kind: str
    root: str
    sort: str
    filters: Mapping[str, str]


class Client:
    """The registry at `where`, a folder or base URL. Paths are without the base URL's path.

    `make_table` gives the table of the engine.
    """

    def __init__(self, where: str, read: ReadFiles, make_table: Callable[[], str] | None = None):
        #: Reads files, in parallel over HTTP; None for a missing file. Raises ClientError.
        self.read, self.where = read, where
        self._make_table = make_table
        self.engine = Engine(lambda: self._table_text)

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
        read: ReadFiles
        table = None
        if is_url(where):
            where = base_url(where)
            read = host_reader(where, timeout, retries, cache)
        else:
            recover_output(where)
            read, where = FolderReader(Path(where)), where.rstrip("/")
            if trust is None:  # the index may be another's with `trust`
                table = partial(noted_table, read_state_file(Path(where), NOTE), read)
        if trust is not None:
            from generator.reader.verified import VerifiedReader

            read = VerifiedReader(where, read, trust)
        client = cls(where, read, table)
        _ = client.table  # whether there is a registry
        return client

    # --- what the registry has --------------------------------------------------------------------

    @cached_property
    def grammar(self) -> Grammar:
        """Every address of the registry.  Raises ClientError."""
        from generator.reader.deployment import read_grammar

        try:
            return read_grammar(self.read)
        except Unreadable as error:
            raise self._no_registry(error) from error

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of the registry, for which its other addresses need not be known.  Raises
        ClientError.
        """
        if "grammar" in self.__dict__:
            return self.grammar.kinds
        try:
            return published_kinds(parse_document(self.read([INDEX])[0] or b"", "index"))
        except Unreadable as error:
            raise self._no_registry(error) from error

    def _no_registry(self, error: Unreadable) -> ClientError:
        if is_url(self.where):
            return ClientError(
                f"There is no registry at {self.where}: {self.where}{INDEX} is missing or is not "
                f"an index ({error}). A registry's base URL is what {INDEX} follows."
            )
        if self.read([INDEX])[0] is None:
            return ClientError(
                f"There is no build in {printable(self.where)}: run `registry build`, or name with "
                "--from the folder of a build or the base URL of a registry, which begins with "
                "https://"
            )
        return ClientError(f"{self.where} is no build: {error}")

    @cached_property
    def table(self) -> dict[str, Any]:
        found = self._make_table() if self._make_table is not None else ""
        table: dict[str, Any] = orjson.loads(found or make_table(self.grammar))
        table["terse"] = True  # details for a terminal, without addresses
        if not is_url(self.where):
            table["mcp"]["origin"] = ""  # links without a host
        return table

    @cached_property
    def _table_text(self) -> str:
        return orjson.dumps(self.table).decode()

    @cached_property
    def collections(self) -> Mapping[str, ListedCollection]:
        kinds, about = self.table["kinds"], self.table["mcp"]["lists"]
        return {
            name: ListedCollection(name, kinds[name], root, sorts[0], about[name]["filters"])
            for name, root, sorts in (
                (each["name"], each["root"], each["sorts"]) for each in self.table["lists"]
            )
        }

    @property
    def timed(self) -> ListedCollection:
        """The collection of the calendar.  Raises ClientError."""
        for each in self.table["lists"]:
            if "upcoming" in each["fixed"]:
                return self.collections[each["name"]]
        raise ClientError(f"{self.where} has no calendar.")

    @property
    def origin(self) -> str:
        """The scheme and host of the base URL; of a folder, a host that does not exist."""
        # Without a path: the copy of a registry may be below another than its prefix.
        return "/".join(self.where.split("/")[:3]) if is_url(self.where) else Request("").origin

    # --- questions --------------------------------------------------------------------------------

    def respond(self, request: Request) -> Response:
        """The answer to a request.  Raises what reading files raises."""
        response = self.engine.respond(request, self.read)
        if response.unread is not None and response.status >= 500:
            raise response.unread
        return response

    def ask(self, path: str, parameters: Parameters = ()) -> bytes:
        """The answer at an address.  Raises QueryError and ClientError."""
        return self._ask(_address(path, parameters)).body

    def _ask(self, address: str, **more: Any) -> Response:
        response = self.respond(Request(address, origin=self.origin, **more))
        if response.status in (200, 308):
            return response
        try:
            problem = orjson.loads(response.body)
            detail = problem["detail"]
        except (ValueError, KeyError, TypeError):
            raise ClientError(f"{self.where}{address} cannot be read.") from None
        if "code" not in problem:
            missing = ", ".join(missing_features(self.where))
            lacks = f"\nIt was built with the feature {missing}, which is not installed here."
            raise ClientError(f"{self.where}: {detail}{lacks if missing else ''}")
        raise QueryError(problem["code"], detail, tuple(problem["allowed"] or ()))

    def post_form(self, path: str, parameters: Parameters) -> bytes:
        """The answer to a form.  Raises QueryError and ClientError."""
        form = _address("", parameters)[1:].encode()
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return self._ask(path, method="POST", body=form, headers=headers).body

    def query(
        self, of: ListedCollection, filters: Parameters, mode: str, **others: str | None
    ) -> tuple[bytes, dict[str, Any]]:
        """The bytes and the content of the answer of a list. Raises QueryError and ClientError."""
        filters = list(filters)
        for name, _ in filters:
            if name not in of.filters:
                near = nearest_word(name, of.filters)
                raise QueryError(
                    "unknown-parameter",
                    f'{of.name.capitalize()} have no filter "{printable(name)}".'
                    + (f' Did you mean "{near}"?' if near else ""),
                    (near,) if near else tuple(of.filters),
                )
        given = {name: text for name, text in others.items() if text is not None}
        address = _address(of.root, [("mode", mode), *filters, *given.items()])
        try:
            response = self._ask(address)
        except QueryError as error:
            if error.code == "not-found":
                self._refuse_former(of, filters)
            raise
        path = response.headers.get("content-location")
        if response.status == 308:
            raise _moved(filters, response.headers["location"])
        if path is None:
            return response.body, orjson.loads(response.body)
        # A file of the host, which may be another's.
        path = path.removeprefix(self.table["prefix"])
        document = self._parsed(path, response.body, f"{of.kind}_list")
        wanted = {
            "mode": mode,
            "page": int(given.get("page", "1")),
            "sort": given.get("sort", of.sort),
            "q": None,
            "filters": dict(filters),
        }
        check_page(self.where, path, document, wanted)
        return response.body, document

    def _refuse_former(self, of: ListedCollection, filters: Parameters) -> None:
        """Raise the QueryError for the first filter whose value is a former slug, if any is."""
        refers = self.table["index"]["refers"][of.name]
        for name, value in filters:
            if name in refers:
                try:
                    alone = self._ask(_address(of.root, [("mode", "page"), (name, value)]))
                except (QueryError, ClientError):
                    continue
                if alone.status == 308:
                    raise _moved([(name, value)], alone.headers["location"])

    def pages(
        self, of: ListedCollection, filters: Parameters, **others: str | None
    ) -> Iterator[dict[str, Any]]:
        """All pages of a query. Raises QueryError and ClientError."""
        [before] = self.read([BUILD])
        number, last, filters = 1, 1, list(filters)
        while number <= last:
            try:
                document = self.query(of, filters, "page", page=str(number), **others)[1]
            except (QueryError, ClientError):
                if self.read([BUILD]) == [before]:
                    raise
                break
            yield document
            last, number = document["page"]["total_pages"], number + 1
        if self.read([BUILD]) != [before]:
            raise ClientError(CHANGED_MEANWHILE)

    def record(self, of: ListedCollection, slug: str) -> tuple[bytes, dict[str, Any]]:
        """The bytes and the content of a record's document; of a former slug, those of the current
        one.

        Raises QueryError `not-found`, with the nearest slugs if a search finds them, and
        ClientError.
        """
        from generator.text.words import is_slug

        if not is_slug(slug):
            missing = f'There is no {of.kind} "{printable(slug)}".'
            near = self._near_slugs(of, slug.lower()) if is_slug(slug.lower()) else ()
            raise QueryError("not-found", missing, near)
        for _ in range(2):
            path = f"{of.root}/{slug}"
            response = self._ask(path)
            if response.status == 308:
                slug = response.headers["location"].rpartition("/")[2]
                continue
            file = response.headers["content-location"].removeprefix(self.table["prefix"])
            document = self._parsed(file, response.body, of.kind)
            if document["data"]["slug"] == slug:
                return response.body, document
            break
        raise wrong_answer(self.where, path, f"  asked: the {of.kind} {slug}")

    def _near_slugs(self, of: ListedCollection, slug: str) -> tuple[str, ...]:
        """This slug if a record has it, else the nearest."""
        try:
            self._ask(f"{of.root}/{slug}")
        except QueryError as error:
            return error.allowed
        return (slug,)

    def document(self, path: str, kind: str) -> tuple[bytes, dict[str, Any]]:
        """The bytes and the content of a document that every registry has. Raises ClientError."""
        [raw] = self.read([path])
        if raw is None:
            raise ClientError(
                f"{self.where}{path} is missing, or something else is sent in its place: the "
                "registry is damaged or its host does not have every file. Build and publish it "
                "again."
            )
        return raw, self._parsed(path, raw, kind)

    def _parsed(self, path: str, raw: bytes, kind: str) -> dict[str, Any]:
        """The document of this kind at a path. Raises ClientError."""
        return parse(self.where, path, raw, kind, self.table["prefix"], self.kinds)


def _address(path: str, parameters: Parameters) -> str:
    """An address with parameters; the engine refuses what is not valid Unicode."""
    parts = (f"{name}={quote(text, safe='', errors='surrogatepass')}" for name, text in parameters)
    query = "&".join(parts)
    return f"{path}?{query}" if query else path


def _moved(filters: Sequence[tuple[str, str]], location: str) -> QueryError:
    """The refusal of a former slug, of which a list is at another address."""
    [(name, value)] = filters
    current = location.partition(f"/by/{name}/")[2].partition("/")[0]
    return QueryError("not-found", f'The {name} "{value}" is now called "{current}".', (current,))
