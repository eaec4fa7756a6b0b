"""The windows that all other tests of the site use report every fault of a page."""

from __future__ import annotations

from playwright.sync_api import Browser

from support.browser import Visit, Windows

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


def test_a_request_to_another_host_is_reported(browser: Browser, awkward_site: str) -> None:
    window = Visit(browser, awkward_site, bypass_csp=True)
    window.go("/404.html").evaluate("() => fetch('http://other.invalid/').catch(() => {})")
    faults = "\n".join(window.faults)
    window.close()
    assert "asked another host at" in faults
    assert "failed at" in faults


def test_a_window_used_again_has_nothing_of_the_former_test(
    windows: Windows, awkward_site: str
) -> None:
    window, kind = windows.visit(awkward_site)
    page = window.go("/projects/")
    page.evaluate("() => { localStorage.a = 1; sessionStorage.a = 1; console.error('a bug') }")
    page.route("**", lambda asked: asked.abort())
    page.set_viewport_size({"width": 400, "height": 400})
    assert window.faults
    windows.leave(window, kind)
    again, _ = windows.visit(awkward_site)
    page = again.go("/projects/")
    stored = "[localStorage.length, sessionStorage.length, history.length, innerWidth]"
    assert again is window and not again.faults
    assert page.evaluate(stored) == [0, 0, 2, 1280]
    again.close()


def test_a_window_with_a_changed_clock_or_context_is_not_used_again(
    windows: Windows, awkward_site: str
) -> None:
    window, kind = windows.visit(awkward_site)
    window.page.clock.set_fixed_time(0)
    window.go("/projects/")
    other, _ = windows.visit(awkward_site)
    other.context.set_offline(True)
    for one in (window, other):
        windows.leave(one, kind)
    third, _ = windows.visit(awkward_site)
    assert third not in (window, other)
    third.close()
