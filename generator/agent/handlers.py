"""Answer calls of tools: a registry and arguments -> a text of a bounded size.

Each answer except a context is a JSON object with `source`, `data`, `truncated` and `next`, the
call for more, or null. A refusal has `code`, `detail` and `next`, a call that helps.
Knows nothing about the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from generator.agent import texts
from generator.agent.arguments import check_arguments, with_defaults
from generator.agent.excerpts import (
    ROOM,
    Call,
    Document,
    encode_answer,
    encoded_size,
    fit_all_rows,
    fit_object,
    fit_parts,
    fit_rows,
    start_error,
)
from generator.agent.tools import Tool
from generator.contract.listing import MAX_PER
from generator.feature import hooks
from generator.grammar.grammar import MAX_BY, Collection
from generator.grammar.limits import MAX_ANSWER, MAX_CONTEXT, clip
from generator.grammar.paths import (
    AGENT_CATALOG,
    AGENT_OVERVIEW,
    AGENT_SCHEMA,
    DASHBOARD,
    agent_context,
)
from generator.grammar.query import Count, Query
from generator.grammar.refusals import QueryError
from generator.grammar.row_fields import MAX_FIELDS as MAX_ROW_FIELDS
from generator.grammar.row_fields import MAX_ROWS
from generator.reader.answers import ClientError
from generator.reader.client import Client
from generator.reader.proof import make_proof
from generator.reader.suggestions import RecordNotFound, UnknownValue
from generator.text.words import is_slug

#: Values in a refusal, values found for one filter, alternatives beside selected values, and bytes
#: of the filters of a collection.
_MAX_ALLOWED, _MAX_VALUES, _MAX_BESIDE, _MAX_FILTERS_BYTES = 50, 20, 10, 6 * 1024
#: How many values of the filter in `per` each value shows, the most that fit; bytes of the notes of
#: a cut answer; arguments that the count of one of these values does not have.
_MAX_PER, _ROOM_OF_NOTES, _NARROW = (MAX_PER, 5, 3, 1, 0), 1024, ("per", "like")
Arguments = Mapping[str, Any]
#: Answers a call; the arguments are valid, and have the defaults of what is missing.
AnswerTool = Callable[[Client, Call, Arguments], str]


def answer_call(tool: Tool, arguments: Any, client: Client) -> str:
    """The answer to a call. Raises QueryError and, also if it is too long, ClientError."""
    checked = check_arguments(arguments, tool.input)
    values = with_defaults(checked, tool.input)
    text = _answers()[tool.name](client, Call(tool.name, checked), values)
    if encoded_size(text) > ROOM:
        raise ClientError(f"{client.where}: the answer cannot be cut to {MAX_ANSWER // 1024} KiB.")
    return text


def describe_refusal(tool: Tool, arguments: Any, error: QueryError) -> str:
    """The answer to an invalid call: the problem, accepted values, and a call that helps."""
    document: Document = {"code": error.code, "detail": clip(error.detail, 2000)}
    if error.allowed:
        document["allowed"] = [clip(word, 250) for word in error.allowed[:_MAX_ALLOWED]]
        document["truncated"] = len(error.allowed) > _MAX_ALLOWED
    document["next"] = _help(tool, arguments, error)
    return encode_answer(document)


def _help(tool: Tool, arguments: Any, error: QueryError) -> Document | None:
    """A call that helps to correct a refused call."""
    if isinstance(error, UnknownValue):
        collection = error.collection.name
        word = clip(max(error.value.split("-"), key=len), 50)
        if word and error.name in error.collection.listed_filters:
            return _call("find_values", collection=collection, like=word, filter=error.name)
        if word and error.name not in error.collection.filters:
            return _call("find_values", collection=collection, like=word)
        return _call("count_records", collection=collection, by=[error.name])
    if isinstance(error, RecordNotFound):
        q = clip(" ".join(error.slug.split("-")[:8]), 200)
        return _call("search_records", collection=error.collection.name, q=q)
    match arguments:
        case {"collection": str(name), "filters": _} if name in tool.templates:
            if error.code == "unknown-parameter":
                return _call("dataset_catalog", collection=name)
    return None


def _call(tool: str, **arguments: Any) -> Document:
    return Call(tool, arguments).with_changes()


def answer_head(client: Client, path: str) -> Document:
    """The beginning of an answer from the document at a path."""
    return {"source": _source(client, client.grammar.url(path))}


def _query_head(client: Client, document: Document, query: Document, total: int) -> Document:
    return {
        "source": _source(client, document["links"]["self"]),
        "query": query,
        **({"as_of": document["as_of"]} if "as_of" in document else {}),
        "total_items": total,
    }


def _source(client: Client, url: str) -> str:
    """The URL of the whole answer: absolute for a host, root-relative for a folder."""
    return client.where + url.removeprefix(client.grammar.prefix) if "://" in client.where else url


# --- the tools ------------------------------------------------------------------------------------


def _catalog(client: Client, call: Call, args: Arguments) -> str:
    if "collection" in args:
        return _filters(client, call, client.grammar.collections[args["collection"]], args)
    catalog = client.document(AGENT_CATALOG)["data"]
    keys = ("name", "description", "license", "contact", "page_size")
    registry = {key: catalog[key] for key in keys} | {"as_of": catalog["freshness"]["as_of"]}
    head = {**answer_head(client, AGENT_CATALOG), "registry": registry}
    # The filters of a collection without records, and those without values, say nothing.
    for max_values in (5, 3, 1, 0):
        data = {
            dataset["name"]: {
                "count": dataset["count"],
                "sorts": dataset["sorts"] if dataset["count"] else [],
                "ranges": _ranges(client.grammar.collections[dataset["name"]], dataset["count"]),
                "filters": {
                    f["name"]: {
                        "total_values": f["total_values"],
                        "top": {v["value"]: v["count"] for v in f["values"][:max_values]},
                    }
                    for f in dataset["filters"]
                    if f["values"]
                },
            }
            for dataset in catalog["datasets"]
        }
        if encoded_size(encode_answer({**head, "data": data})) <= ROOM:
            break
    # A truncated catalogue does not have every filter.
    return fit_object(head, data, "collection", call, list(data) if catalog["truncated"] else [])


def _ranges(collection: Collection, count: int) -> list[str]:
    """The filters that take a range, such as years and numbers."""
    return [name for name, f in collection.query_filters.items() if f.range_form] if count else []


def _filters(client: Client, call: Call, collection: Collection, args: Arguments) -> str:
    if "filter" not in args:
        return _every_filter(client, call, collection)
    name = _checked_filter(collection, args["filter"])
    path = collection.filter_path(name)
    data = client.document(path)["data"]
    head = {**answer_head(client, path), "filter": name, "total_values": data["total_values"]}
    values = list(map(_bare, data["values"]))
    if name == "program":
        _add_kinds(client, values)
        head["program_note"] = texts.PROGRAMS
    return fit_all_rows(head, values, args["start"], call)


def _every_filter(client: Client, call: Call, collection: Collection) -> str:
    """The filters of a collection with their most frequent values, and the filters for numbers."""
    filters = client.document(collection.filters_path)["data"]
    total = client.answer(Count(collection))["total_items"]
    head = {
        **answer_head(client, collection.filters_path),
        "total_items": total,
        "sorts": list(collection.sorts),
        "ranges": _ranges(collection, total),
    }
    for max_values in (10, 5, 3, 1, 0):
        data = {
            name: {
                "label": f["label"],
                "total_values": f["total_values"],
                "top": {v["value"]: v["count"] for v in f["values"][:max_values]},
            }
            for name, f in filters.items()
        }
        if encoded_size(encode_answer({**head, "data": data})) <= _MAX_FILTERS_BYTES:
            break
    if data.get("program", {}).get("top"):
        programs = [{"value": value} for value in data["program"]["top"]]
        _add_kinds(client, programs)
        of_kind = [program["value"] for program in programs if program.get("kind") == "program"]
        data["program"]["of_kind_program"] = of_kind
        head["program_note"] = texts.PROGRAMS
    every = {
        name: data.get(name, {"label": f.label}) for name, f in collection.query_filters.items()
    }
    return fit_object(head, every, "filter", call)


def _checked_filter(collection: Collection, name: str) -> str:
    """The name of a filter that has a list of values. Raises QueryError."""
    if name not in collection.listed_filters:
        raise QueryError(
            "unknown-parameter",
            f'{collection.name.capitalize()} have no filter "{name}" with a list of values.',
            tuple(collection.listed_filters),
        )
    return name


def _bare(value: Arguments) -> Document:
    """The value without keys that only readers of files need."""
    return {key: part for key, part in value.items() if key not in ("href", "truncated")}


def _count(client: Client, call: Call, args: Arguments) -> str:
    collection = client.grammar.collections[args["collection"]]
    count = client.count_query(
        collection,
        args.get("filters", {}).items(),
        q=args.get("q"),
        by=args.get("by", ()),
        per=args.get("per"),
        like=args.get("like"),
    )
    document = client.answer(count)
    query = {key: value for key, value in document["query"].items() if key != "mode"}
    head = _query_head(client, document, query, document["total_items"])
    head |= _alternatives(document)
    if twins := _twins(client, count):
        head |= {"twins": twins, "twins_note": texts.TWINS}
    data = {name: _with_selected_first(found) for name, found in document["counts"].items()}
    if any("selected" in found for found in data.values()):
        head["selected_note"] = texts.SELECTED
    if "program" in data:
        _add_kinds(client, data["program"]["values"])
        head["program_note"] = texts.PROGRAMS
    if count.per is not None:
        return _fit_per(head, data, count.per, call)
    return fit_object(head, data, "by", call)


def _fit_per(head: Document, data: Document, per: str, call: Call) -> str:
    """Counts of one filter with the counts of another in each value, as value -> count: the most
    frequent of these, as many as fit. `next` counts all of the first value that lacks some.
    """
    [(name, found)] = data.items()
    for most in _MAX_PER:
        shown, lacking = dict(found), list[str]()
        for part in ("selected", "values"):
            if part in found:
                shown[part] = [_clip_per(value, most) for value in found[part]]
                lacking += [v["value"] for v in found[part] if len(v["per"]) > most]
        if encoded_size(encode_answer({**head, "data": {name: shown}})) <= ROOM - _ROOM_OF_NOTES:
            break
    if not lacking:
        return fit_object(head, {name: shown}, "by", call)
    filters = {**call.arguments.get("filters", {}), name: lacking[0]}
    arguments = {**call.arguments, "filters": filters, "by": [per]}
    more = {
        "tool": call.tool,
        "arguments": {k: v for k, v in arguments.items() if k not in _NARROW},
    }
    note = {"per_note": f"{most} {texts.PER}"}
    return fit_object({**head, **note}, {name: shown}, "by", call, [name], more)


def _clip_per(value: Document, most: int) -> Document:
    """The value with the first counts of the other filter."""
    return {**value, "per": {of["value"]: of["count"] for of in value["per"][:most]}}


def _with_selected_first(found: Document) -> Document:
    """The counts of a filter: if the query asks for some of its values, first these, and fewer
    alternatives.
    """
    others = {key: part for key, part in found.items() if key != "selected"}
    if not found.get("selected"):
        return others
    values = found["values"][:_MAX_BESIDE]
    shown = {"truncated": len(values) < found["total_values"], "values": values}
    return {"selected": found["selected"], **others, **shown}


def _twins(client: Client, count: Count) -> list[Document]:
    """For a query with one tag: the same tag in other families, with the number of records that
    match with it instead; none if the query has several tags.
    """
    tags = [(name, value) for name, value in count.filters if name.startswith("tag_")]
    families = [name for name in count.collection.prepared_filters if name.startswith("tag_")]
    if len(tags) != 1 or not is_slug(tags[0][1]):
        return []
    [(family, tag)] = tags
    others = tuple(name for name in families if name != family)[:MAX_BY]
    if not others:
        return []
    rest = tuple(pair for pair in count.filters if pair[0] != family)
    like = " ".join(tag.split("-"))
    try:
        query = client.count_query(count.collection, rest, q=count.q, by=others, like=like)
        counts = client.answer(query)["counts"]
    except (QueryError, ClientError):  # beyond the bounds of a query: the answer stands without
        return []
    return [
        {"filter": name, "value": tag, "total_items": value["count"]}
        for name in others
        for value in counts[name]["values"]
        if value["value"] == tag
    ]


def _add_kinds(client: Client, values: list[Document], key: str = "value") -> None:
    """Add to programs, whose slug is under `key`, whether each is a program or a cohort; not if
    there are too many programs for one page.
    """
    programs = client.grammar.programs
    try:
        document = client.answer(Query(programs, (("kind", "program"),)))
    except (QueryError, ClientError):  # no program has this kind
        return
    if document["page"]["total_pages"] == 1:
        slugs = {record["slug"] for record in document["data"]}
        for value in values:
            value["kind"] = "program" if value[key] in slugs else "cohort"


def _alternatives(document: Document) -> Document:
    """For a list or a count without records: similar queries that find records."""
    keys = ("q", "filters", "total_items")
    alternatives = [{key: other[key] for key in keys} for other in document.get("alternatives", ())]
    return (
        {"alternatives": alternatives, "alternatives_note": texts.ALTERNATIVES}
        if alternatives
        else {}
    )


def _values(client: Client, call: Call, args: Arguments) -> str:
    collection = client.grammar.collections[args["collection"]]
    names = [_checked_filter(collection, args["filter"])] if "filter" in args else None
    values = client.values(collection, args["like"], names)
    data = {
        name: {
            "total_values": len(found),
            "truncated": len(found) > _MAX_VALUES,
            "values": list(map(_bare, found[:_MAX_VALUES])),
        }
        for name, found in values.items()
        if found
    }
    head = answer_head(client, collection.filters_path)
    if not data:
        head["note"] = texts.NO_VALUES
    return fit_object(head, data, "filter", call)


def _schema(client: Client, call: Call, args: Arguments) -> str:
    kinds = client.document(AGENT_SCHEMA)["data"]["kinds"]
    if "collection" in args:
        kinds = [kind for kind in kinds if kind["dataset"] == args["collection"]]
    return fit_all_rows(answer_head(client, AGENT_SCHEMA), kinds, args["start"], call)


def _dashboard(client: Client, call: Call, args: Arguments) -> str:
    document = client.document(DASHBOARD)
    head = {**answer_head(client, DASHBOARD), "as_of": document["as_of"]}
    if document["data"]["top_programs"]:
        _add_kinds(client, document["data"]["top_programs"], "slug")
        head["program_note"] = texts.PROGRAMS
    return fit_parts(head, document["data"], "section", call, args["start"])


def _list(client: Client, call: Call, args: Arguments) -> str:
    """Records from number `start` on, up to the limit, as many as fit."""
    start = args["start"]
    collection = client.grammar.collections[args.get("collection", "events")]
    query = client.query(
        collection,
        args.get("filters", {}).items(),
        q=args.get("q"),
        sort=args.get("sort", ""),
    )
    document, total, records = _records(client, query, args)
    if start > max(1, total):
        raise start_error(total)
    echo = {key: document["query"][key] for key in ("q", "filters", "sort")}
    head = _query_head(client, document, echo, total)
    if not total:
        if "alternatives" in document:
            head |= _alternatives(document)
        else:  # a prepared page
            with suppress(ClientError):
                head |= _alternatives(client.answer(Count(collection, query.filters)))
        if suggestions := document.get("suggestions"):
            head["suggestions"] = suggestions
    if collection is client.grammar.programs and echo["sort"] == "-year" and len(records) > 1:
        head["sort_note"] = texts.NEWEST
    indexed, reachable = _indexed(collection, args), total
    if indexed and total > MAX_ROWS:
        reachable = MAX_ROWS
        if start + args["limit"] > MAX_ROWS:
            head["fields_note"] = _only_first(indexed)
    return fit_rows(head, records, start, reachable, call)


def _records(client: Client, query: Query, args: Arguments) -> tuple[Document, int, list[Document]]:
    """A document of the query, its number of records, and the asked records with their fields.

    Fields are read as rows if all records and fields can be. Raises QueryError.
    """
    collection, start, limit = query.collection, args["start"], args["limit"]
    fields = [name for name in dict.fromkeys(args.get("fields", ())) if name != "slug"]
    if indexed := _indexed(collection, args):
        if start > MAX_ROWS:
            raise QueryError("invalid-parameter", _only_first(indexed))
        limit = min(limit, MAX_ROWS + 1 - start)
    last = start - 1 + limit
    are_rows = all(name in collection.row_fields for name in fields)
    if are_rows and 0 < len(fields) <= MAX_ROW_FIELDS and last <= MAX_ROWS:
        document = _rows(client, query, fields, max(1, last))
        if total := document["total_items"]:
            return document, total, document["data"][start - 1 : last]
    document, records = client.window(query, start, limit)
    if "fields" in args and records:
        _check_fields(args["fields"], [*records, collection.row_fields])
        records = _with_rows(client, query, records, last, args)
        records = [_pick(collection, record, args["fields"]) for record in records]
    return document, document["page"]["total_items"], records


def _indexed(collection: Collection, args: Arguments) -> list[str]:
    """The asked fields that rows have and summaries do not."""
    known = collection.row_fields
    fields = dict.fromkeys(args.get("fields", ()))
    return [name for name in fields if name in known and not known[name].path]


def _only_first(fields: list[str]) -> str:
    return (
        f"{', '.join(fields)}: only for the first {MAX_ROWS} records. Use a filter or another sort."
    )


def _rows(client: Client, query: Query, fields: list[str], limit: int) -> Document:
    """The rows of the first records, each as an object in `data`; `self` is the list itself."""
    rows = client.rows_query(
        query.collection, query.filters, q=query.q, sort=query.sort, fields=fields, limit=limit
    )
    document = client.answer(rows)
    data = [dict(zip(document["columns"], row, strict=True)) for row in document["rows"]]
    return {**document, "links": {"self": document["links"]["list"]}, "data": data}


def _search(client: Client, call: Call, args: Arguments) -> str:
    """Records of a collection, or the best of all collections, up to the limit of each."""
    if "collection" in args:
        return _list(client, call, args)
    document = client.answer(client.search_query(args["q"]))
    found = document["data"]
    head = _query_head(client, document, document["query"], document["total_items"])
    if document["suggestions"]:
        head["suggestions"] = document["suggestions"]
    best = {name: found[name]["data"][: args["limit"]] for name in found}
    if "fields" in args:
        best = _best_fields(client, best, args)
    data = {
        name: {"total_items": found[name]["total_items"], "data": records}
        for name, records in best.items()
    }
    # The next call is of the collection with the most records, if it has more than the best.
    more = [name for name, best in found.items() if best["total_items"] > len(best["data"])]
    most = max(more, key=lambda name: found[name]["total_items"], default=None)
    onward = call.with_changes(collection=most) if most is not None else None
    return fit_object(head, data, "collection", call, instead=onward)


def _best_fields(
    client: Client, best: Mapping[str, list[Document]], args: Arguments
) -> dict[str, list[Document]]:
    """The best records of each collection with the asked fields that it has. Raises QueryError."""
    collections = client.grammar.collections
    known = [collections[name].row_fields for name in best]
    _check_fields(args["fields"], [*known, *(r for records in best.values() for r in records)])
    shown = {}
    for name, records in best.items():
        collection = collections[name]
        query = client.query(collection, q=args["q"])
        with_rows = _with_rows(client, query, records, len(records), args)
        shown[name] = [_pick(collection, record, args["fields"]) for record in with_rows]
    return shown


def _with_rows(
    client: Client, query: Query, records: list[Document], last: int, args: Arguments
) -> list[Document]:
    """Records, among the first `last` of a query, with the asked fields that only rows have."""
    indexed = _indexed(query.collection, args)
    if not indexed or not records:
        return records
    more = {row["slug"]: row for row in _rows(client, query, indexed, last)["data"]}
    return [{**record, **more.get(record["slug"], {})} for record in records]


def _check_fields(fields: list[str], records: Iterable[Mapping[str, Any]]) -> None:
    """Raises QueryError for a field that no record has."""
    known = dict.fromkeys(name for record in records for name in record)
    for name in fields:
        if name not in known:
            message = f'No record here has the field "{clip(name, 100)}".'
            raise QueryError("invalid-parameter", message, tuple(known))


def _pick(collection: Collection, record: Document, fields: list[str]) -> Document:
    """The slug of a record, and those of these fields that it has."""
    known = collection.row_fields
    paths = {name: known[name].path or (name,) if name in known else (name,) for name in fields}
    picked = {name: _value(record, path) for name, path in paths.items() if path[0] in record}
    return {"slug": record["slug"], **picked}


def _value(record: Document, path: Sequence[str]) -> Any:
    """The value below these keys; None if a key is missing."""
    value: Any = record
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _record(client: Client, call: Call, args: Arguments) -> str:
    collection = client.grammar.collections[args["collection"]]
    data = client.record(collection, args["slug"])["data"]
    if args.get("proof"):
        return _proved_record(client, collection, data, args)
    head = {
        **answer_head(client, collection.record_path(data["slug"])),
        "collection": collection.name,
        "slug": data["slug"],
    }
    return fit_parts(head, data, "field", call, args["start"])


def _proved_record(client: Client, collection: Collection, data: Document, args: Arguments) -> str:
    """A whole record with its proof. Raises QueryError if they are too long, or for a field."""
    if "field" in args:
        raise QueryError("invalid-parameter", texts.WHOLE_PROOF)
    proof = make_proof(client.read, collection.record_path(data["slug"]))
    document = {"collection": collection.name, "slug": data["slug"], "truncated": False}
    text = encode_answer({**document, "data": data, "proof": proof, "next": None})
    if (size := encoded_size(text)) > ROOM:
        raise QueryError(
            "invalid-parameter",
            f"The record and its proof take {size:,} bytes, more than the {ROOM:,} of an answer. "
            f"Check it with registry get {collection.name} {data['slug']} --verify --from ADDRESS.",
        )
    return text


def _context(client: Client, call: Call, args: Arguments) -> str:
    path = agent_context(args["collection"], args["slug"]) if "slug" in args else AGENT_OVERVIEW
    [context] = client.read([path])
    if context is None and "slug" in args:  # a former or an unknown slug
        record = client.record(client.grammar.collections[args["collection"]], args["slug"])
        [context] = client.read([agent_context(args["collection"], record["data"]["slug"])])
    if context is None:
        raise QueryError("not-found", texts.NO_CONTEXT)
    return clip(context[: MAX_CONTEXT + 4].decode(errors="replace"), MAX_CONTEXT)


_ANSWERS: Mapping[str, AnswerTool] = {
    "dataset_catalog": _catalog,
    "count_records": _count,
    "find_values": _values,
    "describe_schema": _schema,
    "dashboard": _dashboard,
    "search_records": _search,
    "list_records": _list,
    "get_record": _record,
    "calendar_events": _list,
    "build_context": _context,
}


def _answers() -> Mapping[str, AnswerTool]:
    """Name of a tool -> what answers it, with the tools of features."""
    every = dict(_ANSWERS)
    for more in hooks("tools", "ANSWERS"):
        every |= more
    return every
