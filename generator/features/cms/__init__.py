"""Editing of records in the browser with Sveltia CMS (sveltiacms.app).

For people who prefer forms to files.  Adds the key `cms` of registry.yaml and the page `/admin/`.
The policy of this page is in the rules of hosts of every registry: `generator.grammar.headers` has
it.
"""
