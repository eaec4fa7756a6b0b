"""/mcp where a function runs: the answers of the JavaScript are those of Python, byte for byte, in
node, and in workerd with real clients; and /mcp of `registry serve`.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mcp
import pytest

from generator.agent import protocol
from generator.agent.endpoint import answer_post
from generator.agent.excerpts import ROOM
from generator.agent.tools import tools
from generator.reader.client import Client
from generator.reader.proof import check_answer
from generator.reader.site import Site
from generator.reader.verified import Trust
from generator.serve.answer import mcp_answer
from support import awkward, commands, registries
from support.commands import ROOT
from support.engines import ask, need, workerd
from support.serving import serving
from support.talk import MODES, Mode, talk
from support.tool_calls import Calls

ORIGIN = "https://registry.example.org"
POST = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
META = {
    "io.modelcontextprotocol/protocolVersion": protocol.MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
#: Long texts with letters of every width, keys that are numbers, numbers that are not whole, and
#: own nouns, which no text for a tool has: its arguments have the names of the API.
WIDE = '"\\\U0001f680é漢 \n' * 400
LINE = WIDE.replace("\n", "")
HARD = {
    "registry": {
        "page_size": 10,
        "nouns": {"projects": {"one": "Firma", "many": "Firmen"}},
        "fields": {"projects": {"score": {"label": "Score", "type": "number", "summary": True}}},
    },
    "projects": {
        f"{n}-wide": {
            "name": f"{n} {LINE[:150].strip()}",
            "summary": LINE[:290].strip(),
            "description": f"{WIDE * 3}{n}",
            "year": 2000 + n,
            "founders": [f"{n} {LINE[:100].strip()}"] * 60,
            "fields": {"score": n / 2},
        }
        for n in range(40)
    },
}


class Published(NamedTuple):
    """A build for Cloudflare, its client, and its script for node."""

    out: Path
    client: Client
    script: Path

    @property
    def path(self) -> str:
        return self.client.grammar.prefix + "/mcp"

    def in_node(self, requests: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
        """The answers to (method, target, headers, body)."""
        need()
        asked = {"script": str(self.script), "site": str(self.out), "requests": requests}
        answers: list[dict[str, Any]] = ask(ROOT / "tests/hosts/mcp.mjs", asked)
        return answers

    def posted(self, bodies: Sequence[str], **headers: str) -> list[tuple[int, str]]:
        """The status and the text of answers to messages, in node and in Python the same."""
        given = POST | {name.replace("_", "-"): value for name, value in headers.items()}
        answers = self.in_node([("POST", self.path, given, body) for body in bodies])
        found = [(answer["status"], answer["text"]) for answer in answers]
        for body, answer in zip(bodies, found, strict=True):
            status, expected = answer_post(
                given, body.encode("utf-8", "surrogatepass"), self.client
            )
            assert answer == (status, expected.decode()), body[:500]
        return found


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Published]:
    """A published registry by its name."""

    def build(name: str) -> Published:
        folder = tmp_path_factory.mktemp(name.strip("/") or "mcp")
        if name == "content":
            options = ("--as-of", commands.TODAY, "--host", "cloudflare")
            out = commands.build(ROOT / "content", folder / "out", *options)
        elif name == "hard":
            content = registries.write(folder / "content", registries.content(**HARD))
            out = commands.build(content, folder / "out", "--host", "cloudflare")
        else:
            base = ORIGIN + name if name else None
            out = awkward.build(folder, "cloudflare", base_url=base)
        opened = Client.open(str(out))
        client = Client(ORIGIN + opened.grammar.prefix, opened.grammar, opened.read)
        script = folder / "worker.mjs"
        script.write_bytes((out / "_worker.js").read_bytes())
        return Published(out, client, script)

    return functools.cache(build)


# --- the same answers as Python -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number"), [("content", 250), ("hard", 150), ("", 60), ("/registry", 60)]
)
def test_calls_have_the_same_answers_in_both_languages(
    published: Callable[[str], Published], name: str, number: int
) -> None:
    site = published(name)
    bodies = [json.dumps(message) for message in Calls(site.client, 1).messages(number)]
    found = [json.loads(text)["result"] for _, text in site.posted(bodies)]
    assert min(Counter(result["isError"] for result in found).values()) > number / 5


def test_texts_of_tools_have_the_names_of_the_api(published: Callable[[str], Published]) -> None:
    calls = (
        ("find_values", {"collection": "projects", "like": "x", "filter": "kind"}),
        ("list_records", {"collection": "projects", "filters": {"kind": "x"}}),
    )
    bodies = [
        json.dumps(message("tools/call", name=name, arguments=given)) for name, given in calls
    ]
    for _, text in published("hard").posted(bodies):
        assert "Projects have no filter" in text and "Firm" not in text


LONG = [
    ("list_records", {"collection": "projects", "limit": 50}),
    ("list_records", {"collection": "projects", "limit": 50, "fields": ["name", "field_score"]}),
    ("get_record", {"collection": "projects", "slug": "1-wide"}),
    ("get_record", {"collection": "projects", "slug": "1-wide", "field": "description"}),
    ("get_record", {"collection": "projects", "slug": "1-wide", "field": "founders"}),
    ("search_records", {"q": "1"}),
    ("describe_schema", {}),
    ("dataset_catalog", {"collection": "projects"}),
    ("dashboard", {"section": "projects_by_year"}),
]


def test_shortened_answers_and_what_follows_are_the_same(
    published: Callable[[str], Published],
) -> None:
    site, shortened = published("hard"), 0
    calls: list[dict[str, Any]] = [
        {"name": name, "arguments": arguments} for name, arguments in LONG
    ]
    for _ in range(4):
        found = site.posted([json.dumps(message("tools/call", **call)) for call in calls])
        answers = [
            json.loads(json.loads(text)["result"]["content"][0]["text"]) for _, text in found
        ]
        shortened += sum(answer["truncated"] for answer in answers)
        following = [answer["next"] for answer in answers if answer["next"]]
        calls = [{"name": each["tool"], "arguments": each["arguments"]} for each in following]
    assert shortened >= 5


def test_a_proof_proves_the_record(published: Callable[[str], Published]) -> None:
    site = published("content")
    called = message(
        "tools/call",
        name="get_record",
        arguments={"collection": "organizations", "slug": slug(site), "proof": True},
    )
    [answer] = site.in_node([("POST", site.path, POST, json.dumps(called))])
    [content] = json.loads(answer["text"])["result"]["content"]
    assert check_answer(content["text"].encode(), Trust([])).path.startswith("/api/organizations/")
    # Only the compressed bytes may differ from those of Python.
    wrong = called["params"]["arguments"] | {"field": "name"}
    [(_, refused)] = site.posted(
        [json.dumps(message("tools/call", name="get_record", arguments=wrong))]
    )
    assert "leave out field" in refused


def slug(site: Published) -> str:
    folder = site.out / "api/organizations/slug"
    return min(folder.glob("*.json"), key=lambda path: path.stat().st_size).stem


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "é", "method": method, "params": params}


CLIENT = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
METHODS = [
    ("initialize", {"protocolVersion": "2025-06-18", **CLIENT}),
    ("initialize", {"protocolVersion": "2025-03-26", **CLIENT}),
    ("initialize", {**CLIENT, "protocolVersion": 1}),
    ("initialize", {**CLIENT, "protocolVersion": "2025-06-18", "capabilities": []}),
    *(
        ("initialize", {**CLIENT, "protocolVersion": "2025-06-18", "clientInfo": info})
        for info in (None, {"name": "test"}, {"version": "1"})
    ),
    ("ping", {}),
    ("tools/list", {"cursor": "x"}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    *(("resources/read", {"uri": uri}) for uri in (*protocol.RESOURCES, "registry:///x", 1)),
    ("tools/call", {"name": "nope"}),
    ("tools/call", {"name": "dashboard", "arguments": []}),
    ("tools/call", {"name": "dashboard", "arguments": None}),
    ("server/discover", {}),
    ("prompts/list", {}),
    ("toString", {}),
]
BODIES = [
    "", "{", "[]", "1", '"x"', "null", "NaN", '{"jsonrpc":"2.0"}',
    json.dumps([message("ping")]),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    *(f'{{"jsonrpc":"2.0","id":{n},"method":"ping"}}'
      for n in ("null", "1.0", "true", "-1", "9007199254740991", "9007199254740992", "{}", '"7"')),
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}',
    r'{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}',
    r'{"jsonrpc":"2.0","id":"\ud83d\ude80 \\ud83d","method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    json.dumps(message("ping", text="x" * 70_000)),
]  # fmt: skip


#: A value in JSON, and whether orjson reads it: JavaScript takes some others.
VALUES = {
    "1.": False, "1.e5": False, "-1.5.2": False, "1e400": False, "-1e999": False, "01": False,
    "+1": False, r'"\ud800"': False, "[" * 1023 + "]" * 1023: False, '1."' + '\\"' * 30_000: False,
    "1e-999": True, "1.0e+2": True, "-0": True, '{"1":2,"1":3,"0 ":{"2" : 1}}': True,
    "[" * 1022 + "]" * 1022: True,
}  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_both_languages_read_the_same_json(
    published: Callable[[str], Published], value: str
) -> None:
    body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + value + "}}"
    [(status, _)] = published("").posted([body])
    assert status == (200 if VALUES[value] else 400)


def test_the_protocol_has_the_same_answers_in_both_languages(
    published: Callable[[str], Published],
) -> None:
    site = published("")
    handshake = [json.dumps(message(method, **params)) for method, params in METHODS]
    found = site.posted([*handshake, *BODIES])
    agreed = [json.loads(text)["result"]["protocolVersion"] for _, text in found[:2]]
    assert agreed == ["2025-06-18", "2025-11-25"]
    answers = dict(zip(BODIES, (status for status, _ in found[len(handshake) :]), strict=True))
    assert [*answers.values()].count(202) == 2 and [*answers.values()].count(413) == 1
    assert answers[json.dumps([message("ping")])] == 400
    for method, params in METHODS:
        name = {"Mcp_Name": str(params.get("name") or params.get("uri") or "")}
        body = json.dumps(message(method, **params, _meta=META))
        site.posted([body], Mcp_Protocol_Version=protocol.MODERN, Mcp_Method=method, **name)


#: Arguments as strict clients send them, and the plain arguments that they mean.
_PLAIN = [
    ({"limit": 2.0, "start": 1e0}, {"limit": 2, "start": 1}),
    ({"limit": -0.0}, {"limit": 0}),
    ({"filters": None, "sort": None, "fields": None, "start": None}, {}),
    ({"filters": {"status": "active", "year": None}}, {"filters": {"status": "active"}}),
]


@pytest.mark.parametrize(("given", "plain"), _PLAIN)
def test_null_is_an_absent_argument_and_2_0_a_whole_number(
    published: Callable[[str], Published], given: dict[str, Any], plain: dict[str, Any]
) -> None:
    bodies = [
        message("tools/call", name="list_records", arguments={"collection": "projects", **some})
        for some in (given, plain)
    ]
    found, expected = published("content").posted([json.dumps(body) for body in bodies])
    assert found == expected and '"isError":false' in found[1]


@pytest.mark.parametrize(
    "arguments",
    [
        '{"collection":"projects","limit":2.5}',
        '{"collection":"projects","limit":51.0}',
        '{"collection":null}',
        '{"collection":"projects","limt":null}',
        '{"collection":"projects","fields":[null]}',
    ],
)
def test_other_numbers_names_and_nulls_are_refused(
    published: Callable[[str], Published], arguments: str
) -> None:
    called = message("tools/call", name="list_records", arguments=json.loads(arguments))
    [(_, answer)] = published("content").posted([json.dumps(called)])
    assert json.loads(answer)["result"]["isError"]


@pytest.mark.parametrize("name", ["", "/registry"])
def test_the_address_with_a_slash_at_its_end_answers_alike(
    published: Callable[[str], Published], name: str
) -> None:
    site, ping = published(name), json.dumps(message("ping"))
    plain, slash = (
        site.in_node(
            [("POST", path, POST, ping), ("GET", path, {}, None), ("OPTIONS", path, {}, None)]
        )
        for path in (site.path, f"{site.path}/")
    )
    assert slash == plain and [answer["status"] for answer in plain] == [200, 405, 204]
    served = mcp_answer("GET", {"Host": "registry.example.org"}, b"", Site.open(site.out))
    assert plain[1]["text"] == served.body.decode()


def test_a_resource_as_long_as_an_answer_is_whole_and_a_longer_one_is_cut(
    published: Callable[[str], Published],
) -> None:
    site = published("")
    file = site.out / "skill.md"
    body = json.dumps(message("resources/read", uri="registry:///skill.md"))
    longest = ROOM - len('""')
    kept, found = file.read_bytes(), []
    try:
        for length in (longest, longest + 1):
            file.write_bytes(b"x" * length)
            [(_, answer)] = site.posted([body])
            found += json.loads(answer)["result"]["contents"]
    finally:
        file.write_bytes(kept)
    whole, cut = found
    assert whole["text"] == "x" * longest and whole["mimeType"] == "text/markdown"
    assert "Cut to 24 KiB" in cut["text"] and cut["mimeType"] == "text/plain"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Accept": "text/html"}, 406),
        ({"Accept": "text/html, */*;q=0.1"}, 200),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/json; charset=utf-8"}, 200),
        ({"Mcp_Protocol_Version": "2025-11-25"}, 200),
        ({"Mcp_Protocol_Version": "2025-03-26"}, 400),
        ({"Mcp_Protocol_Version": "2027-01-01"}, 400),
        ({"Mcp_Protocol_Version": protocol.MODERN}, 400),
        ({"Mcp_Protocol_Version": protocol.MODERN, "Mcp_Method": "tools/list"}, 400),
        ({"Mcp_Protocol_Version": protocol.MODERN, "Mcp_Method": "tools/call"}, 400),
        ({"Mcp_Protocol_Version": protocol.MODERN, "Mcp_Method": "tools/call",
          "Mcp_Name": "=?base64?ZGFzaGJvYXJk?="}, 200),
        ({"Mcp_Protocol_Version": protocol.MODERN, "Mcp_Method": "tools/call",
          "Mcp_Name": "=?base64?*?="}, 400),
    ],
)  # fmt: skip
def test_headers_are_checked_the_same_way(
    published: Callable[[str], Published], headers: dict[str, str], status: int
) -> None:
    called = message("tools/call", name="dashboard", arguments={"section": "counts"})
    if headers.get("Mcp_Protocol_Version") == protocol.MODERN:
        called["params"]["_meta"] = META
    [(answered, _)] = published("").posted([json.dumps(called)], **headers)
    assert answered == status


def test_a_public_address_answers_every_page_and_names_post_alone(
    published: Callable[[str], Published],
) -> None:
    site = published("/registry")
    origin = {"Origin": "https://any.example"}
    ping = json.dumps(message("ping"))
    asked = [(method, target, origin, None) for target in ("/mcp", site.path)
             for method in ("OPTIONS", "GET", "DELETE", "PUT", "HEAD")]  # fmt: skip
    *others, posted = site.in_node([*asked, ("POST", site.path, POST | origin, ping)])
    assert [answer["status"] for answer in others] == [204, 405, 405, 405, 405] * 2
    assert posted["status"] == 200
    for answer in (*others, posted):
        headers = answer["headers"]
        assert headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in headers
        assert headers["cache-control"] == "no-store" and "etag" not in headers
    assert {answer["headers"]["allow"] for answer in others} == {"POST, OPTIONS"}
    assert others[0]["headers"]["access-control-allow-methods"] == "POST, OPTIONS"
    [file, near] = site.in_node([("OPTIONS", "/skill.md", {}, None), ("GET", "/mcp/x", {}, None)])
    assert "GET" in file["headers"]["allow"] and near["status"] == 404


def test_a_registry_that_cannot_be_read_is_unavailable(
    published: Callable[[str], Published], tmp_path: Path
) -> None:
    site = published("")._replace(out=tmp_path)
    bodies = [message("tools/list"), message("resources/read", uri=protocol.CATALOG),
              message("tools/call", name="dashboard")]  # fmt: skip
    listed, read, called = site.in_node(
        [("POST", "/mcp", POST, json.dumps(body)) for body in bodies]
    )
    assert json.loads(listed["text"])["error"]["code"] == -32603
    assert json.loads(read["text"])["error"]["code"] == -32603
    assert '\\"unavailable\\"' in called["text"]


# --- real clients ---------------------------------------------------------------------------------


async def use(client: mcp.Client) -> tuple[Any, ...]:
    listed = (await client.list_tools()).tools
    found = await client.call_tool("list_records", {"collection": "projects", "limit": 2})
    onward = json.loads(found.content[0].text)["next"]
    following = await client.call_tool(onward["tool"], onward["arguments"])
    refused = await client.call_tool("list_records", {"collection": "projects", "start": "1"})
    resources = (await client.list_resources()).resources
    read = [(await client.read_resource(resource.uri)).contents[0].text for resource in resources]
    return listed, found.is_error, following.is_error, refused.is_error, all(read)


def check(conversation: tuple[Any, ...], client: Client) -> None:
    listed, *flags = conversation
    assert [tool.name for tool in listed] == [tool.name for tool in tools(client.grammar)]
    assert flags == [False, False, True, True]


@pytest.fixture(scope="module")
def in_workerd(published: Callable[[str], Published], tmp_path_factory: Any) -> Iterator[int]:
    need("miniflare")
    site, folder = published("content"), tmp_path_factory.mktemp("workerd")
    assets = {"directory": str(site.out), "binding": "ASSETS", "run_worker_first": True,
              "html_handling": "none", "not_found_handling": "none"}  # fmt: skip
    config = folder / "wrangler.json"
    main = str(site.out / "_worker.js")
    settings = {"name": "mcp", "main": main, "compatibility_date": "2025-10-01", "assets": assets}
    config.write_text(json.dumps(settings))
    with workerd(folder, config=str(config)) as port:
        yield port


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_real_client_in_workerd(
    published: Callable[[str], Published], in_workerd: int, mode: Mode
) -> None:
    check(talk(f"http://127.0.0.1:{in_workerd}/mcp", use, mode), published("content").client)


@pytest.mark.slow
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_official_inspector_in_workerd(in_workerd: int, era: str) -> None:
    inspector = ROOT / "tests/hosts/node_modules/.bin/mcp-inspector"
    assert inspector.exists(), "npm ci in tests/hosts installs it"
    asked = ["node", inspector, "--cli", f"http://127.0.0.1:{in_workerd}/mcp"]
    options = ["--protocol-era", era, "--method", "tools/list", "--strict", "--format", "json"]
    found = subprocess.run([*asked, *options], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0 and "Warning" not in found.stderr, found.stderr
    assert len(json.loads(found.stdout)["result"]["tools"]) == 11


@pytest.mark.slow
def test_calls_in_workerd_have_the_answers_of_python(
    published: Callable[[str], Published], in_workerd: int
) -> None:
    site, origin = published("content"), f"http://127.0.0.1:{in_workerd}"
    client = Client(origin, site.client.grammar, site.client.read)
    for called in Calls(client, 2).messages(40):
        body = json.dumps(called)
        expected = answer_post(POST, body.encode(), client)
        assert post(origin, body) == expected, body


def post(origin: str, body: str, path: str = "/mcp", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=60)
    try:
        connection.request("POST", path, body, POST | headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


# --- registry serve -------------------------------------------------------------------------------


def test_the_development_server_has_it_for_its_own_pages_only(tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    with serving(tmp_path) as origin:
        site = Client.open(str(tmp_path / "out"))
        client = Client(origin, site.grammar, site.read)
        for mode in MODES:
            check(talk(f"{origin}/mcp", use, mode), client)
        for called in Calls(client, 3).messages(20):
            body = json.dumps(called)
            assert post(origin, body) == answer_post(POST, body.encode(), client), body
        ping = json.dumps(message("ping"))
        assert post(origin, ping, "/mcp/") == post(origin, ping)
        assert post(origin, ping, Origin=origin)[0] == 200
        assert post(origin, ping, Origin="https://any.example")[0] == 403
        assert post(origin, ping, Host="any.example")[0] == 421
        assert post(origin, ping + " " * protocol.MAX_REQUEST)[0] == 413
        for method, status in (("GET", 405), ("DELETE", 405), ("OPTIONS", 204)):
            connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=60)
            connection.request(method, "/mcp")
            with contextlib.closing(connection), connection.getresponse() as response:
                assert (response.status, response.getheader("Allow")) == (status, "POST, OPTIONS")
