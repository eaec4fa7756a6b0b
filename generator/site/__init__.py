"""The site: pages for people, made of the files of the API (see generator.site.page_context)."""
