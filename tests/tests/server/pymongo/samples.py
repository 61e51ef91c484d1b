"""Writes random samples by pymongo, prints the JSON of each sample, and compares samples that another program wrote.

arguments: the address of the server, the database, the number of samples, the seed of the random values; `plain` for
values without extended JSON.
Each further line of the input is a database whose samples are compared, and whether the field `hidden` was written.
"""
import base64
import datetime
import ipaddress
import json
import random
import struct
import sys
import uuid
from decimal import ROUND_HALF_UP, Context, Decimal

import pymongo
from bson import Binary, CodecOptions, DatetimeMS, Decimal128, Int64, ObjectId, Timestamp
from bson.codec_options import DatetimeConversion

URI, DATABASE, COUNT, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
PLAIN = len(sys.argv) > 5
pick = random.Random(SEED)

SECOND, DAY = 1000, 86_400_000
LEAST, GREATEST = -(2**63), 2**63 - 1
YEAR_0, YEAR_10000 = -62_167_219_200_000, 253_402_300_800_000
NEARLY_10000_BC, BEFORE_10000 = -377_600_000_000_000, 253_402_200_000_000


def whole(least, greatest):
    """A whole number: an extreme, a small number, or any number."""
    near = max(least, min(greatest, pick.randint(-3, 3)))
    return pick.choice([least, greatest, near, pick.randint(least, greatest), pick.randint(least, greatest)])


def text(most=6, without=""):
    ranges = [(0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF)]
    letters = (chr(pick.randint(*pick.choice(ranges))) for _ in range(pick.randint(0, most)))
    return "".join(letter for letter in letters if letter not in without)


def double():
    special = [0.0, -0.0, 1e16, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")]
    while True:
        number = pick.choice(special + [None] * 12)
        if number is None:
            number = struct.unpack("<d", pick.randbytes(8))[0]
            if number != number:
                continue
        if not PLAIN or double_json(number) == number:
            return number


def single():
    while True:
        number = struct.unpack("<f", pick.randbytes(4))[0]
        if number == number and (not PLAIN or double_json(number) == number):
            return number


def decimal(digits, exponents):
    number = pick.randint(1, 10 ** pick.randint(1, digits) - 1)
    return Decimal128(Decimal((pick.randint(0, 1), tuple(map(int, str(number))), pick.randint(*exponents))))


def wide_decimal():
    return pick.choice([Decimal128("Infinity"), Decimal128("-0"), Decimal128("NaN")] + [decimal(34, (-6143, 6077))] * 7)


def date(least, greatest):
    if PLAIN:
        least, greatest = max(least, YEAR_0), min(greatest, YEAR_10000 - 1)
    near = pick.randint(YEAR_0, YEAR_10000 - 1)
    return DatetimeMS(whole(least, greatest) if pick.random() < 0.5 else max(least, min(greatest, near)))


def day():
    return DatetimeMS(pick.randint((YEAR_0 if PLAIN else NEARLY_10000_BC) // DAY, BEFORE_10000 // DAY) * DAY)


def binary():
    data = pick.randbytes(pick.randint(0, 9))
    subtype = 0 if PLAIN else pick.choice([0, 0, 5, 0x80, 0xFF])
    return Binary(data, subtype) if subtype else data


def address():
    if pick.random() < 0.5:
        return str(ipaddress.IPv4Address(pick.randint(0, 2**32 - 1)))
    groups = [pick.choice([0, 0, pick.randint(0, 0xFFFF)]) for _ in range(7)]
    return str(ipaddress.IPv6Address(":".join(f"{group:x}" for group in [pick.randint(1, 0xFFFF), *groups])))


def link():
    letters = "".join(pick.choice("abcdefghijklmnopqrstuvwxyz0123456789-_~") for _ in range(pick.randint(1, 8)))
    return f"https://example.com/{letters}?{letters}=1"


# The types: how a random value is made, and the type of a value that this crate has written.
TYPES = {
    "object_id": (lambda: ObjectId(pick.randbytes(12)), ObjectId),
    "text": (text, str),
    "letter": (lambda: (text(1) or "x"), str),
    "flag": (lambda: pick.random() < 0.5, bool),
    "byte": (lambda: whole(-128, 127), int),
    "int": (lambda: whole(-(2**31), 2**31 - 1), int),
    "long": (lambda: whole(LEAST, GREATEST), Int64),
    "unsigned": (lambda: whole(0, 2**32 - 1), Int64),
    "large": (lambda: whole(0, GREATEST), Int64),
    "double": (double, float),
    "single": (single, float),
    "date": (lambda: date(LEAST, GREATEST), DatetimeMS),
    "price": (wide_decimal, Decimal128),
    "uuid": (lambda: Binary(pick.randbytes(16), 4), Binary),
    "bytes": (binary, (bytes, Binary)),
    "clock": (lambda: Timestamp(whole(0, 2**32 - 1), whole(0, 2**32 - 1)), Timestamp),
    "language": (lambda: pick.choice(["old_norse", "latin"]), str),
    "owner": (lambda: whole(LEAST, GREATEST), Int64),
    "chrono_time": (lambda: date(-8_000_000_000_000_000, 8_000_000_000_000_000), DatetimeMS),
    "chrono_day": (day, DatetimeMS),
    "jiff_time": (lambda: date(NEARLY_10000_BC, BEFORE_10000), DatetimeMS),
    "jiff_day": (day, DatetimeMS),
    "time_time": (lambda: date(NEARLY_10000_BC, BEFORE_10000), DatetimeMS),
    "system": (lambda: date(0, 100 * YEAR_10000), DatetimeMS),
    "other_uuid": (lambda: Binary(pick.randbytes(16), 4), Binary),
    "decimal": (lambda: decimal(28, (-28, 0)), Decimal128),
    "address": (address, str),
    "link": (link, str),
}


# The fields of a variant of an enum.
IN_VARIANT = ["date", "price", "uuid", "bytes", "single", "owner", "chrono_day", "jiff_time", "time_time"]
IN_VARIANT += ["other_uuid", "decimal", "link"]


def alone():
    return {name: make() for name, (make, _) in TYPES.items()}


def key():
    return text(5, without="\0")


def mapped(make):
    return {key(): make() for _ in range(pick.randint(0, 2))}


def body():
    return pick.choice(
        [
            lambda: {"kind": "text", "text": text(), "date": pick.choice([None, date(LEAST, GREATEST)])},
            lambda: {"kind": "number", "text": whole(LEAST, GREATEST)},
            lambda: {"kind": "values", **{name: TYPES[name][0]() for name in IN_VARIANT}},
            lambda: {"kind": "nothing"},
        ]
    )()


def sample(number):
    optional = {name: pick.choice([None, make()]) for name, (make, _) in TYPES.items()}
    # A document may lack the field of an `Option`.
    optional = {name: value for name, value in optional.items() if value is not None or pick.random() < 0.5}
    return {
        "_id": Int64(number),
        "alone": alone(),
        "optional": optional,
        "lists": {name: [make() for _ in range(pick.randint(0, 3))] for name, (make, _) in TYPES.items()},
        "maps": {name: mapped(make) for name, (make, _) in TYPES.items()},
        "maybe": pick.choice([None, alone()]),
        "several": [alone() for _ in range(pick.randint(0, 2))],
        "by_name": mapped(alone),
        "body": body(),
        "text": text(),
        "note": text(),
        "hidden": text(),
    }


# JSON, by the rules of the manual.


def date_text(value):
    milliseconds = int(value)
    if not YEAR_0 <= milliseconds < YEAR_10000:
        return {"$date": {"$numberLong": str(milliseconds)}}
    # Python's calendar begins with the year 1; the calendar repeats after 400 years of 146097 days.
    moved = milliseconds + 146_097 * DAY if milliseconds < 0 else milliseconds
    seconds, rest = divmod(moved, SECOND)
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    year = at.year - (400 if milliseconds < 0 else 0)
    return f"{year:04}-{at:%m-%dT%H:%M:%S}.{rest:03}Z"


def double_json(value):
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def single_json(value):
    if double_json(value) != value:
        return double_json(value)
    as_single = struct.pack("<f", value)
    for digits in range(1, 12):
        rounded = Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(value))
        short = float(rounded)
        if abs(short) <= 3.4028235677973366e38 and struct.pack("<f", short) == as_single:
            return short
    raise ValueError(value)


def scalar_json(name, value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, ObjectId):
        return str(value)
    if isinstance(value, DatetimeMS):
        return date_text(value)
    if isinstance(value, Decimal128):
        return str(value)
    if isinstance(value, Timestamp):
        return {"$timestamp": {"t": value.time, "i": value.inc}}
    if isinstance(value, Binary) and value.subtype == 4:
        return str(uuid.UUID(bytes=bytes(value)))
    if isinstance(value, Binary):
        return {"$binary": {"base64": base64.b64encode(value).decode(), "subType": f"{value.subtype:02x}"}}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, float):
        return single_json(value) if name == "single" else double_json(value)
    return int(value)


def alone_json(values):
    return {name: scalar_json(name, value) for name, value in values.items()}


def sample_json(sample):
    lists, maps = sample["lists"], sample["maps"]
    return {
        "id": int(sample["_id"]),
        "alone": alone_json(sample["alone"]),
        "optional": {name: scalar_json(name, sample["optional"].get(name)) for name in TYPES},
        "lists": {name: [scalar_json(name, value) for value in lists[name]] for name in TYPES},
        "maps": {name: {key: scalar_json(name, value) for key, value in maps[name].items()} for name in TYPES},
        "maybe": sample["maybe"] and alone_json(sample["maybe"]),
        "several": [alone_json(values) for values in sample["several"]],
        "by_name": {key: alone_json(values) for key, values in sample["by_name"].items()},
        "body": alone_json(sample["body"]),
        "label": sample["text"],
        "note": sample["note"],
    }


# Comparison.


def is_same(name, given, found, path):
    """Raises unless the value is the value that was given, in the type of the field."""
    if given is None:
        expected = type(None)
    elif path == "body.text" and not isinstance(given, str):
        expected = Int64
    else:
        expected = TYPES[name][1]
    if not isinstance(found, expected) or type(found) is int and expected is Int64:
        raise AssertionError(f"{path} has the type {type(found)}, expected {expected}: {given!r}")
    if isinstance(given, float):
        equal = struct.pack("<d", given) == struct.pack("<d", found) or given != given and found != found
    elif isinstance(given, Decimal128):
        equal = given.bid == found.bid
    else:
        equal = given == found
    if not equal:
        raise AssertionError(f"{path} is {found!r}, expected {given!r}")


def are_same(given, found, path):
    if list(given) != list(found):
        raise AssertionError(f"{path} has the fields {list(found)}, expected {list(given)}")
    for name in given:
        is_same(name, given[name], found[name], f"{path}.{name}")


def are_same_keys(given, found, path):
    if sorted(given) != sorted(found):
        raise AssertionError(f"{path} has the keys {list(found)}, expected {list(given)}")
    return sorted(given)


def compare(given, found, has_hidden):
    optional = {name: given["optional"].get(name) for name in TYPES}
    are_same(given["alone"], found["alone"], "alone")
    are_same(optional, found["optional"], "optional")
    for name in TYPES:
        one, other = given["lists"][name], found["lists"][name]
        assert len(one) == len(other), (name, one, other)
        for at, value in enumerate(one):
            is_same(name, value, other[at], f"lists.{name}.{at}")
        one, other = given["maps"][name], found["maps"][name]
        for key in are_same_keys(one, other, f"maps.{name}"):
            is_same(name, one[key], other[key], f"maps.{name}.{key}")
    assert (given["maybe"] is None) == (found["maybe"] is None)
    if given["maybe"] is not None:
        are_same(given["maybe"], found["maybe"], "maybe")
    assert len(given["several"]) == len(found["several"])
    for one, other in zip(given["several"], found["several"]):
        are_same(one, other, "several")
    for key in are_same_keys(given["by_name"], found["by_name"], "by_name"):
        are_same(given["by_name"][key], found["by_name"][key], "by_name")
    assert given["body"]["kind"] == found["body"]["kind"]
    fields = {name: value for name, value in given["body"].items() if name != "kind"}
    are_same(fields, {name: value for name, value in found["body"].items() if name != "kind"}, "body")
    assert (given["text"], given["note"]) == (found["text"], found["note"])
    assert found["hidden"] == (given["hidden"] if has_hidden else "")


def main():
    client = pymongo.MongoClient(URI)
    options = CodecOptions(datetime_conversion=DatetimeConversion.DATETIME_MS)
    samples = [sample(number) for number in range(COUNT)]
    client[DATABASE].samples.insert_many(samples)
    for each in samples:
        print(json.dumps(sample_json(each)))
    sys.stdout.flush()
    for line in sys.stdin:
        database, has_hidden = line.split()
        stored = client[database].get_collection("samples", codec_options=options)
        found = list(stored.find().sort("_id", 1))
        assert len(found) == COUNT, len(found)
        for given, other in zip(samples, found):
            compare(given, other, has_hidden == "True")
        print("equal", flush=True)


main()
