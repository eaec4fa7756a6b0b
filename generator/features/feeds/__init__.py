"""Feeds of selections: a calendar feed of the events that match filters, with an alarm if asked.

For people who follow some deadlines in their own calendar.  Adds `/api/calendar/selection.ics`,
the choices of the calendar page that lead there, and `registry calendar --alarm`.  The core writes
the prepared feeds of the calendar and of single values.  The JavaScript is in the bundles of the
core, also without this folder.
"""

#: The address of the calendar feeds of selections; no file has this path.
SELECTION = "/api/calendar/selection.ics"
#: The pattern of an alarm, in hours or days; its most hours; the shortest and longest alarm.
ALARM, ALARM_HOURS, ALARM_ENDS = "[1-9][0-9]{0,3}[hd]", 60 * 24, ("1h", "60d")
#: The events of a feed.
MAX_EVENTS = 500
#: Like a filter and its value: the events that feeds have.
CURRENT = "feed", "true"
