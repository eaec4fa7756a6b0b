from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site.meta import below_home
from generator.site.page_context import Site
from generator.site.rendering import render_page
from registry_stars.addresses import STARS

ADDRESSES = ("/stars/",)


def render(site: Site) -> Iterator[Artifact]:
    stars = site.document(STARS)["data"]
    yield render_page(site, "/stars/", "stars", about=below_home(site, "Stars"), stars=stars)
