"""Pages that are made of several files of the API, one view a module (see generator.site.frame).

A view has `render(site)`, which yields its pages; it is found by being there.  The build records
what it reads through `site`, and renders it again when something that it read has changed.
"""
