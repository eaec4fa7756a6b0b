"""The JSON Schema of events for editors: which times each kind of event has."""

from __future__ import annotations

from typing import Any

from generator.model.kinds.event_times import REQUIRED_TIME, TIME_FIELDS, zone_names

_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?$"
_TIMES = ("opens", "closes", "due", "starts", "ends")


def describe_times(schema: Any) -> None:
    """Add the times of each kind of event, their form, and the time zones."""
    properties = schema["properties"]
    for name in _TIMES:
        properties[name]["anyOf"][0] = {
            "type": "string",
            "pattern": _TIME,
            "errorMessage": "Write YYYY-MM-DD, YYYY-MM-DD HH:MM or YYYY-MM-DD HH:MM:SS.",
        }
    zones = ["AoE", *sorted(zone_names())]
    properties["timezone"]["anyOf"][0] = {"type": "string", "enum": zones}
    schema["allOf"] = []
    for kind, times in TIME_FIELDS.items():
        required = REQUIRED_TIME[kind]
        others: Any = {name: {"type": "null"} for name in _TIMES if name not in times}
        then = {"required": [required], "properties": {required: {"type": "string"}, **others}}
        condition = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
        schema["allOf"].append({"if": condition, "then": then})
    _let_windows_roll(schema["allOf"])


def _let_windows_roll(conditions: list[Any]) -> None:
    """An application window has `closes` or `rolling: true`; other kinds do not have `rolling`."""
    rolling: Any = {"properties": {"rolling": {"const": True}}, "required": ["rolling"]}
    for condition in conditions:
        then = condition["then"]
        if "closes" in then["required"]:
            dated = {"required": then.pop("required")}
            dated["properties"] = {"closes": then["properties"].pop("closes")}
            endless = {"properties": {"closes": {"type": "null"}}}
            then |= {"if": rolling, "then": endless, "else": dated}
        else:
            then["properties"]["rolling"] = {"enum": [False, None]}
