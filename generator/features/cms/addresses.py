"""The addresses of the page for editing records, the only page with a script of another site."""

from generator.contract.addresses import PathPattern

ADMIN = "/admin"
FORMS = (PathPattern("site", ADMIN[1:], r"(?:index\.html|config\.yml)"),)


def editor_policy(*hosts: str) -> str:
    """The policy of the page, which connects to these hosts and to unpkg.com."""
    return (
        "default-src 'none'; script-src https://unpkg.com/@sveltia/; "
        "style-src 'self' 'unsafe-inline' https://unpkg.com/@sveltia/; "
        "img-src 'self' data: blob: https:; media-src blob:; "
        "font-src 'self' data: https://cdn.jsdelivr.net/fontsource/; "
        f"connect-src 'self' data: blob: https://unpkg.com {' '.join(hosts)}; "
        "frame-src blob:; worker-src blob:; form-action 'none'; base-uri 'none'"
    )


#: With any host of a repository: the rules of hosts are the same for all registries.  The page
#: itself names the hosts it connects to.
POLICIES = {ADMIN: f"{editor_policy('https:')}; frame-ancestors 'none'"}
