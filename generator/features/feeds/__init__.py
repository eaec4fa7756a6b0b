"""Feeds of selections: a calendar feed of the events that match filters, with an alarm if asked.

For people who follow some deadlines in their own calendar.  Adds `/api/calendar/selection.ics`,
the choices of the calendar page that lead there, and `registry calendar --alarm`.  The core writes
the prepared feeds of the calendar and of single values.  The JavaScript is in the bundles of the
core, also without this folder.
"""
