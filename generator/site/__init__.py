"""The site: HTML pages rendered from the files of the API (see generator.site.page_context)."""
