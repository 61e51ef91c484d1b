"""Validates schemas, values and descriptions of APIs. Each line of the input is an object with one name:

`schema`: a JSON Schema for the following values; `value`: a value; `api`: a description of an API by OpenAPI.
"""
import datetime
import json
import re
import sys

from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import validate

DATE = re.compile(r"^(\d{4})-(\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))$")
formats = FormatChecker(["uuid"])


@formats.checks("date-time", raises=ValueError)
def is_date(value):
    if not isinstance(value, str):
        return True
    found = DATE.match(value)
    if not found:
        return False
    # Python's calendar begins with the year 1.
    year = "2000" if found[1] == "0000" else found[1]
    datetime.datetime.fromisoformat(f"{year}-{found[2]}".replace("Z", "+00:00"))
    return True


validator = None
for line in sys.stdin:
    ((name, content),) = json.loads(line).items()
    if name == "schema":
        Draft202012Validator.check_schema(content)
        validator = Draft202012Validator(content, format_checker=formats)
        print("a schema", flush=True)
    elif name == "value":
        error = next(validator.iter_errors(content), None)
        print("valid" if error is None else " ".join(error.message.split()), flush=True)
    else:
        validate(content)
        print("an api", flush=True)
