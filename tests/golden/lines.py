# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of JSON as lists of (key, text of the value): numbers keep the digits that were written, and
clocks and checksums of text are left out."""
import json

# clocks, and sums over bytes that are compared themselves
LEFT_OUT = {"seconds", "linear_seconds", "assembly_seconds", "sum", "contacts.jsonl"}


def contact_name(contact):
    """A contact by who touches whom, so that contacts in another order are still the same ones."""
    return "%s:%s>%s" % (contact.get("object"), contact.get("vertex"), contact.get("surface"))


def flatten(value, prefix, out):
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in LEFT_OUT:
                flatten(part, prefix + "." + key if prefix else key, out)
    elif isinstance(value, list) and value and all(isinstance(v, dict) and "vertex" in v for v in value):
        seen = {}
        for part in value:
            name = contact_name(part)
            seen[name] = seen.get(name, 0) + 1
            again = "#%d" % seen[name] if seen[name] > 1 else ""
            flatten(part, "%s[%s%s]" % (prefix, name, again), out)
    elif isinstance(value, list):
        out.append((prefix + ".count", str(len(value))))
        for i, part in enumerate(value):
            flatten(part, "%s[%d]" % (prefix, i), out)
    else:
        out.append((prefix, str(value)))


def parse(text):
    """One list of (key, value) a line."""
    result = []
    for line in text.splitlines():
        out = []
        flatten(json.loads(line, parse_float=str, parse_int=str, parse_constant=str), "", out)
        result.append(out)
    return result
