"""The site: HTML pages rendered from the JSON files of the API (see generator.site.page_context)."""
