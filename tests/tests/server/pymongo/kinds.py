"""Reads and writes each kind of collection and each kind of index by pymongo, beside a Rust program.

arguments: the address of the server, the database.
Each line of the input is the name of a function below; the answer is one line.
"""
import datetime
import sys

from bson import Int64
from pymongo import MongoClient
from pymongo.collation import Collation
from pymongo.errors import DuplicateKeyError, OperationFailure

client = MongoClient(sys.argv[1], tz_aware=True)
db = client[sys.argv[2]]
streams = {}


def at(second):
    return datetime.datetime.fromtimestamp(1_700_000_000 + second, datetime.timezone.utc)


def event(number):
    return {"_id": Int64(number), "number": Int64(number), "body": f"word{number} running", "place": [number * 1.0, 0.0]}


def capped():
    stored = [one["_id"] for one in db.events.find().sort("$natural", 1)]
    db.events.insert_many([event(number) for number in (4, 5)])
    return stored, [one["_id"] for one in db.events.find().sort("$natural", -1)]


def clustered():
    before = db.sessions.find_one({"_id": at(0)})
    db.sessions.insert_one({"_id": at(9), "name": "pymongo", "tags": {"color": "red"}})
    plan = db.sessions.find({"_id": at(9)}).explain()["queryPlanner"]["winningPlan"]
    return before["name"], "CLUSTERED_IXSCAN" in str(plan)


def series():
    before = [(one["sensor"]["name"], one["celsius"]) for one in db.readings.find().sort("at", 1)]
    db.readings.insert_one({"_id": Int64(9), "at": at(9), "sensor": {"name": "p", "place": [3.0, 3.0]}, "celsius": 31})
    near = db.readings.count_documents({"sensor.place": {"$geoWithin": {"$center": [[3, 3], 1]}}})
    return before, near


def view():
    seen = sorted(one["celsius"] for one in db.warm.find())
    try:
        db.warm.insert_one({"_id": Int64(1), "celsius": 40})
    except OperationFailure as error:
        return seen, error.code


def collated():
    found = db.sessions.find_one({"name": "PYMONGO"}, collation=Collation("en", strength=2))
    try:
        db.sessions.insert_one({"_id": at(10), "name": "PyMongo", "tags": {}})
    except DuplicateKeyError as error:
        return found["name"], list(error.details["keyPattern"])


def text():
    found = db.events.find({"$text": {"$search": "word4"}}, {"score": {"$meta": "textScore"}})
    return [(one["_id"], one["score"] > 0) for one in found]


def wildcard():
    query = db.sessions.find({"tags.color": "red"})
    return [one["name"] for one in query], "tags.color" in str(query.explain()["queryPlanner"]["winningPlan"])


def plane():
    return [one["_id"] for one in db.events.find({"place": {"$near": [5.1, 0.0], "$maxDistance": 2}})]


def watch():
    streams["orders"] = db.orders.watch(full_document_before_change="required", full_document="required")
    return "watching"


def images():
    change = next(streams["orders"])
    db.orders.update_one({"_id": 1}, {"$inc": {"total": Int64(1)}})
    return change["fullDocumentBeforeChange"]["total"], change["fullDocument"]["total"]


for line in sys.stdin:
    print(repr(globals()[line.strip()]()), flush=True)
