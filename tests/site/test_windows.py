"""What the other tests here stand on: a window tells of whatever is wrong with a page."""

from __future__ import annotations

from playwright.sync_api import Browser

from support.browser import Visit

_WRONG = """async () => {
  console.error("a bug");
  document.body.setAttribute("style", "color: red");
  for (const where of ["/api/nothing.json", "http://other.invalid/"])
    await fetch(where).catch(() => {});
  alert("hello");
  setTimeout(() => { throw new Error("uncaught") });
  await new Promise(done => setTimeout(done, 50));
}"""


def test_whatever_is_wrong_is_told(browser: Browser, awkward_site: str) -> None:
    window = Visit(browser, awkward_site)
    window.go("/404.html").evaluate(_WRONG)
    told = "\n".join(window.faults)
    window.close()
    for fault in (
        "error at",
        "a bug",
        "policy at",
        "style-src-attr: inline",
        "connect-src: http://other.invalid/",
        "status of 404 (Not Found) (",
        "/api/nothing.json)",
        "dialog at",
        "hello",
        "uncaught",
    ):
        assert fault in told, told


def test_a_request_to_another_host_is_told(browser: Browser, awkward_site: str) -> None:
    window = Visit(browser, awkward_site, bypass_csp=True)
    window.go("/404.html").evaluate("() => fetch('http://other.invalid/').catch(() => {})")
    told = "\n".join(window.faults)
    window.close()
    assert "asked another host at" in told
    assert "failed at" in told
