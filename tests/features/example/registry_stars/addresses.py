from generator.contract.addresses import PathPattern, path_form

STARS = "/api/stars.json"
FORMS = (path_form("other", STARS), PathPattern("site", "stars", r"index\.html"))
