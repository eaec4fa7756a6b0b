"""The MCP server: the answer to a message, in the versions of the protocol with and without a
handshake.

A message comes by POST (streamable HTTP without sessions) or as a line of standard input. On hosts,
search/js/source/mcp.mjs gives the same answers to a POST.
"""

from __future__ import annotations

import base64
import binascii
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson

from generator.agent import protocol, texts
from generator.agent.excerpts import ROOM, encode_answer, encoded_size, most_that_fit
from generator.agent.handlers import answer_call, describe_refusal
from generator.agent.protocol import MODERN, RESOURCES, SUPPORTED, VERSIONS
from generator.agent.tools import tools
from generator.grammar.limits import MAX_ANSWER, clip
from generator.grammar.refusals import FAILED, QueryError
from generator.reader.answers import ClientError
from generator.reader.client import Client

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700, -32600, -32601, -32602, -32603,
)  # fmt: skip
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
#: In the versions with a handshake; later ones have INVALID_PARAMS.
NO_RESOURCE = -32002
_META = "io.modelcontextprotocol/"
_ENVELOPE = (f"{_META}protocolVersion", f"{_META}clientCapabilities")
#: The parameter that the header Mcp-Name repeats.
_NAMED = {"tools/call": "name", "resources/read": "uri"}
#: Integers up to this are exact in every JSON implementation (RFC 8259 section 6).
_MAX_ID = (1 << 53) - 1
_is_encoded = re.compile(r"=\?base64\?(.*)\?=").fullmatch

Result = dict[str, Any]


class Reply(NamedTuple):
    """The status of an answer, and its JSON; no body for what needs no answer."""

    status: int
    body: bytes = b""


class Request(NamedTuple):
    """A message that needs an answer."""

    id: str | int
    method: str
    params: dict[str, Any]


class Failed(Exception):
    """An error of JSON-RPC. `status` is that of HTTP for errors before a method is called."""

    def __init__(self, code: int, message: str, data: Any = None, status: int = 400):
        super().__init__(message)
        self.code, self.message, self.data, self.status = code, message, data, status


def answer_post(headers: Mapping[str, str], body: bytes, client: Client) -> Reply:
    """The answer to a POST with these headers, whose names are like Mcp-Name."""
    return _answer(body, client, headers)


def answer_line(line: bytes, client: Client) -> bytes:
    """The answer to a line of standard input, without the end of the line; b"" for what needs none.

    A line has no headers: what they repeat is in the message.
    """
    return _answer(line, client).body


def _answer(body: bytes, client: Client, headers: Mapping[str, str] | None = None) -> Reply:
    request_id = None
    try:
        if headers is not None:
            _check_media_types(headers)
        request = _request(body)
        if request is None:
            return Reply(202)
        request_id = request.id
        is_modern = _is_modern(request, _headers(request) if headers is None else headers)
        result = _result(request, is_modern, client)
        return Reply(200, orjson.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}))
    except Failed as failed:
        error = {"code": failed.code, "message": failed.message}
        error |= {} if failed.data is None else {"data": failed.data}
        answer = {"jsonrpc": "2.0", "id": request_id, "error": error}
        return Reply(failed.status, orjson.dumps(answer))


def _check_media_types(headers: Mapping[str, str]) -> None:
    """Raises Failed if the body is not JSON, or JSON is not accepted."""
    accepted = (
        t.partition(";")[0].strip().lower() for t in headers.get("Accept", "*/*").split(",")
    )
    if not {"application/json", "application/*", "*/*"}.intersection(accepted):
        raise Failed(INVALID_REQUEST, texts.NOT_ACCEPTABLE, status=406)
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Failed(INVALID_REQUEST, texts.NOT_JSON, status=415)


def _request(body: bytes) -> Request | None:
    """The request of a message; None for what needs no answer. Raises Failed."""
    if len(body) > protocol.MAX_REQUEST:
        detail = f"Body must have at most {protocol.MAX_REQUEST} bytes"
        raise Failed(INVALID_REQUEST, detail, status=413)
    try:
        message = orjson.loads(body)
    except ValueError:
        raise Failed(PARSE_ERROR, texts.PARSE_ERROR) from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise Failed(INVALID_REQUEST, texts.NO_MESSAGE)
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, params = message.get("method"), message.get("params")
    params = {} if params is None else params
    if not isinstance(method, str) or not isinstance(params, dict):
        raise Failed(INVALID_REQUEST, texts.NO_MESSAGE)
    if "id" not in message:
        return None
    request_id = message["id"]
    if not isinstance(request_id, str) and (
        type(request_id) is not int or abs(request_id) > _MAX_ID
    ):
        raise Failed(INVALID_REQUEST, texts.NO_MESSAGE)
    return Request(request_id, method, params)


def _headers(request: Request) -> Mapping[str, str]:
    """The headers with which a client would post a request."""
    meta = request.params.get("_meta")
    version = meta.get(_ENVELOPE[0]) if isinstance(meta, dict) else None
    name = request.params.get(_NAMED.get(request.method, ""))
    given = {"Mcp-Protocol-Version": version, "Mcp-Method": request.method, "Mcp-Name": name}
    return {header: value for header, value in given.items() if isinstance(value, str)}


def _is_modern(request: Request, headers: Mapping[str, str]) -> bool:
    """Whether a request is of the protocol without a handshake. Raises Failed if it is of no
    version that is answered.
    """
    _, method, params = request
    version = headers.get("Mcp-Protocol-Version")
    if version is None or version in VERSIONS:
        return False
    meta = params.get("_meta")
    missing = [key for key in _ENVELOPE if not isinstance(meta, dict) or key not in meta]
    unsupported = Failed(
        UNSUPPORTED_VERSION,
        texts.NO_VERSION,
        {"supported": SUPPORTED, "requested": version},
    )
    if missing and version != MODERN:
        raise unsupported
    if missing:
        detail = f"params._meta is missing the required envelope key(s): {', '.join(missing)}"
        raise Failed(INVALID_PARAMS, detail)
    if params["_meta"][_ENVELOPE[0]] != version:
        raise _mismatch("mcp-protocol-version", "envelope's protocol version")
    if headers.get("Mcp-Method") != method:
        raise _mismatch("mcp-method", "body's method")
    name = params.get(_NAMED.get(method, ""))
    if isinstance(name, str) and _header_text(headers.get("Mcp-Name")) != name:
        raise _mismatch("mcp-name", f"body's '{_NAMED[method]}' parameter")
    if version != MODERN:
        raise unsupported
    return True


def _mismatch(header: str, what: str) -> Failed:
    return Failed(HEADER_MISMATCH, f"{header} header does not match the request {what}")


def _header_text(value: str | None) -> str | None:
    """The text of a header, which may be `=?base64?…?=`; None if it is not valid."""
    found = _is_encoded(value or "")
    if found is None:
        return value
    try:
        return base64.b64decode(found[1], validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def _result(request: Request, is_modern: bool, client: Client) -> Result:
    """The result of a method. Raises Failed."""
    _, method, params = request
    methods = _METHODS | (_MODERN if is_modern else _HANDSHAKE)
    if method not in methods:
        raise Failed(NO_METHOD, texts.NO_METHOD, method, 404 if is_modern else 200)
    try:
        result = methods[method](params, client)
    except Failed as failed:
        failed.status = 400 if is_modern and failed.code != INTERNAL_ERROR else 200
        if is_modern and failed.code == NO_RESOURCE:
            failed.code = INVALID_PARAMS
        raise
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", method)
        raise Failed(INTERNAL_ERROR, FAILED, status=200) from error
    if not is_modern:
        return result
    kept = {} if method == "tools/call" else {"ttlMs": 0, "cacheScope": "private"}
    about = {f"{_META}serverInfo": protocol.SERVER}
    return {**result, "resultType": "complete", **kept, "_meta": about}


def _invalid_params() -> Failed:
    return Failed(INVALID_PARAMS, texts.INVALID_PARAMS, "")


# --- the methods ----------------------------------------------------------------------------------


def _initialize(params: Mapping[str, Any], _: Client) -> Result:
    version, info = params.get("protocolVersion"), params.get("clientInfo")
    if (
        not isinstance(version, str)
        or not isinstance(params.get("capabilities"), dict)
        or not isinstance(info, dict)
        or not all(isinstance(info.get(key), str) for key in ("name", "version"))
    ):
        raise _invalid_params()
    return {
        "protocolVersion": version if version in VERSIONS else VERSIONS[-1],
        "capabilities": protocol.CAPABILITIES,
        "serverInfo": protocol.SERVER,
        "instructions": protocol.INSTRUCTIONS,
    }


def _discover(_: Mapping[str, Any], __: Client) -> Result:
    return {
        "supportedVersions": SUPPORTED,
        "capabilities": protocol.CAPABILITIES,
        "instructions": protocol.INSTRUCTIONS,
    }


def _call_tool(params: Mapping[str, Any], client: Client) -> Result:
    """The result of a call, with text only: a structured copy would take half of the space."""
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or not (arguments is None or isinstance(arguments, dict)):
        raise _invalid_params()
    known = {tool.name: tool for tool in tools(client.grammar)}
    if name not in known:
        raise Failed(INVALID_PARAMS, f"There is no such tool. One of: {', '.join(known)}")
    arguments = arguments or {}
    try:
        return _tool_result(answer_call(known[name], arguments, client), is_error=False)
    except QueryError as error:
        text = describe_refusal(known[name], arguments, error)
    except ClientError as error:
        text = _failure("unavailable", str(error))
    except Exception:
        logging.getLogger(__name__).exception("%s failed", name)
        text = _failure("internal", FAILED)
    return _tool_result(text, is_error=True)


def _tool_result(text: str, is_error: bool) -> Result:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _failure(code: str, detail: str) -> str:
    """The text if the server cannot answer a valid call."""
    return encode_answer({"code": code, "detail": clip(detail, 2000), "next": None})


def _read_resource(params: Mapping[str, Any], client: Client) -> Result:
    """The content of a resource."""
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise _invalid_params()
    missing = {"uri": clip(uri, 2000)}
    if uri not in RESOURCES:
        raise Failed(NO_RESOURCE, texts.NO_RESOURCE, missing)
    try:
        text, media_type = _resource(uri, client)
    except QueryError as error:
        raise Failed(NO_RESOURCE, clip(error.detail, 2000), missing) from error
    except ClientError as error:
        raise Failed(INTERNAL_ERROR, clip(str(error), 2000)) from error
    return {"contents": [{"uri": uri, "mimeType": media_type, "text": text}]}


def _resource(uri: str, client: Client) -> tuple[str, str]:
    """The text of a resource and its media type. Raises QueryError and ClientError."""
    if uri == protocol.CATALOG:
        return answer_call(tools(client.grammar)[0], {}, client), protocol.media_type(uri)
    path = uri.removeprefix(protocol.SCHEME)
    [content] = client.read([path])
    if content is None:
        raise QueryError("not-found", f"This registry has no {path}.")
    text = content[:ROOM].decode(errors="replace")
    if len(content) <= ROOM and encoded_size(text) <= ROOM:
        return text, protocol.media_type(uri)
    note = f"\nCut to {MAX_ANSWER // 1024} KiB. All of it: {client.where}{path}\n"
    count = most_that_fit(len(text), lambda n: text[:n] + note)
    return text[:count] + note, "text/plain"


def _whole_list(
    make: Callable[[Client], Result],
) -> Callable[[Mapping[str, Any], Client], Result]:
    """A method that gives a whole list at once: no cursor leads further."""

    def answer(params: Mapping[str, Any], client: Client) -> Result:
        if params.get("cursor") is not None:
            raise Failed(INVALID_PARAMS, texts.NO_CURSOR)
        return make(client)

    return answer


#: The methods of every version: parameters and a client -> the result. They raise Failed.
_METHODS: dict[str, Callable[[Mapping[str, Any], Client], Result]] = {
    "tools/list": _whole_list(lambda client: protocol.tool_list(tools(client.grammar))),
    "tools/call": _call_tool,
    "resources/list": _whole_list(lambda _: protocol.resource_list()),
    "resources/templates/list": _whole_list(lambda _: {"resourceTemplates": [protocol.TEMPLATE]}),
    "resources/read": _read_resource,
}
_HANDSHAKE: dict[str, Callable[[Mapping[str, Any], Client], Result]] = {
    "initialize": _initialize,
    "ping": lambda _, __: {},
}
_MODERN: dict[str, Callable[[Mapping[str, Any], Client], Result]] = {"server/discover": _discover}
