"""The windows that all other tests of the site use report every fault of a page."""

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


def test_every_fault_is_reported(browser: Browser, awkward_site: str) -> None:
    window = Visit(browser, awkward_site)
    window.go("/404.html").evaluate(_WRONG)
    faults = "\n".join(window.faults)
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
        assert fault in faults, faults
