"""Pages that are made of several files of the API, one view a module (see generator.site.frame).

A view has `sources(site)`, the paths of the files that it is made of, and `render(site)`, which
yields its pages; it is found by being there.  It is rendered again where one of its sources is
another, or the day.
"""
