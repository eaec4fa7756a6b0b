"""/mcp where a function runs, in node and in workerd, and /mcp of `registry serve`."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.agent import protocol
from generator.features.verify.files import check_answer
from generator.grammar.limits import MAX_ANSWER
from generator.reader.verified import Trust
from support import registries, talk
from support.engines import need, workerd
from support.mcp_sites import Published
from support.serving import serving
from support.talk import POST, conversation, message

# --- in node --------------------------------------------------------------------------------------


def test_a_proof_proves_the_record(published: Callable[[str], Published]) -> None:
    site = published("content")
    called = message(
        "tools/call",
        name="get_record",
        arguments={"collection": "organizations", "slug": slug(site), "proof": True},
    )
    # Only the compressed bytes may differ from those of Python.
    [answer] = site.in_node([("POST", site.path, POST, json.dumps(called))])
    [content] = json.loads(answer["text"])["result"]["content"]
    assert check_answer(content["text"].encode(), Trust([])).path.startswith("/api/organizations/")


def slug(site: Published) -> str:
    folder = site.out / "api/organizations/slug"
    return min(folder.glob("*.json"), key=lambda path: path.stat().st_size).stem


#: A value in JSON, and whether it is accepted: JavaScript takes some others.
VALUES = {
    "1.": False, "1.e5": False, "-1.5.2": False, "1e400": False, "-1e999": False, "01": False,
    "+1": False, r'"\ud800"': False, "[" * 1023 + "]" * 1023: False, '1."' + '\\"' * 30_000: False,
    "1e-999": True, "1.0e+2": True, "-0": True, '{"1":2,"1":3,"0 ":{"2" : 1}}': True,
    "[" * 1022 + "]" * 1022: True,
}  # fmt: skip


def test_messages_are_json(published: Callable[[str], Published]) -> None:
    head = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":'
    found = published("").posted([f"{head}{value}}}}}" for value in VALUES])
    assert [status for status, _ in found] == [200 if right else 400 for right in VALUES.values()]


def test_a_request_that_is_too_long_is_refused(published: Callable[[str], Published]) -> None:
    bodies = [json.dumps(message("ping", text="x" * size)) for size in (60_000, 70_000)]
    assert [status for status, _ in published("").posted(bodies)] == [200, 413]


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


def test_a_resource_as_long_as_an_answer_is_whole_and_a_longer_one_is_cut(
    published: Callable[[str], Published],
) -> None:
    site = published("")
    file = site.out / "skill.md"
    body = json.dumps(message("resources/read", uri="registry:///skill.md"))
    longest = MAX_ANSWER - 1024 - len('""')  # the rest is for the envelope
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
    last = f"Cut to 24 KiB. All of it: {site.client.where}/skill.md"
    assert cut["text"].splitlines()[-1] == last and cut["mimeType"] == "text/plain"


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


# --- over HTTP ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_real_client_in_workerd(published: Callable[[str], Published], tmp_path: Path) -> None:
    need("miniflare")
    out = published("content").out
    assets = {"directory": str(out), "binding": "ASSETS", "run_worker_first": True,
              "html_handling": "none", "not_found_handling": "none"}  # fmt: skip
    config = tmp_path / "wrangler.json"
    settings = {"name": "mcp", "main": str(out / "_worker.js"), "assets": assets}
    config.write_text(json.dumps(settings | {"compatibility_date": "2025-10-01"}))
    with workerd(tmp_path, config=str(config)) as port:
        talk.talk(f"http://127.0.0.1:{port}/mcp", conversation)


def asked(
    origin: str, body: str = "", path: str = "/mcp", method: str = "POST", **headers: str
) -> tuple[int, str | None]:
    """The status of an answer, and its header Allow."""
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=60)
    connection.request(method, path, body, POST | headers)
    with contextlib.closing(connection), connection.getresponse() as response:
        return response.status, response.getheader("Allow")


def test_the_development_server_has_it_for_its_own_pages_only(tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    with serving(tmp_path) as origin:
        talk.talk(f"{origin}/mcp", conversation)
        ping = json.dumps(message("ping"))
        assert asked(origin, ping) == asked(origin, ping, "/mcp/") == (200, None)
        assert asked(origin, ping, Origin=origin)[0] == 200
        assert asked(origin, ping, Origin="https://any.example")[0] == 403
        assert asked(origin, ping, Host="any.example")[0] == 421
        assert asked(origin, ping + " " * protocol.MAX_REQUEST)[0] == 413
        for method, status in (("GET", 405), ("DELETE", 405), ("OPTIONS", 204)):
            assert asked(origin, method=method) == (status, "POST, OPTIONS")
