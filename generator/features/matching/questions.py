"""What matching may cost and the points of its scores, which the engine has in its table.

candidates.mjs, names.mjs and reconcile.mjs in search/js/source use them.
"""

from __future__ import annotations

#: Before the name of a collection: the address that matches names with its records.
RECONCILE = "/api/reconcile"
#: The filter with the places of records.
PLACES = "location"
#: The properties of a question: the places, and the website of what is named.
PLACE_PROPERTIES, SITE_PROPERTIES = ("country", PLACES), ("website",)
#: Questions in a batch.
MAX_BATCH = 10
#: Keys that are looked up for one question, so that ten of them stay within the bound on reads.
MAX_KEYS = 4
#: Candidates of one question; suggestions in one answer; proposed properties.
MAX_CANDIDATES, MAX_SUGGESTED, MAX_PROPOSED = 10, 10, 200
#: Values of a property, and characters of one.
MAX_VALUES_OF_PROPERTY, MAX_CHARACTERS = 10, 300
#: Candidates with lower scores are left out.
LEAST = 50
#: The score from which people should look at a candidate that is no match.
LIKELY = 75
#: Without a limit, a question has candidates only if one has a higher score than this, and at most
#: so many.
SURE, USUAL = 90, 5
#: The score of a website of the same host with another path, if one of the two has none.
SAME_HOST = 85
#: Points that a former name has less, unless it is the same.
FORMER = 2
#: Points that a common place adds, and that other places take off.
NEAR, FAR = 3, 20
#: The scores of names with the same words, without legal forms, without spaces, with abbreviations;
#: of one with the initials of the other; of names with some misspelt letters or some common words.
SAME, SAME_CORE, JOINED, SHORTENED, INITIALS, EDITED, SOME_WORDS = 100, 97, 95, 93, 75, 94, 90
#: The minimum number of letters for one edit, and for two.
EDITS = (4, 8)
#: The minimum number of letters of a word that stands for a longer one, and words with initials.
MIN_BEGUN, MIN_INITIALS = 3, 3
