"""Reads two trees with the queries of the articles, by a client that knows nothing of the crate; a line for each question."""

import sys

from pymongo import MongoClient

uri, name = sys.argv[1:]
db = MongoClient(uri)[name]


def say(document, question, answer):
    print(document["_id"], question, *answer)


def ids(found):
    return sorted(str(document["_id"]) for document in found)


for category in db.categories.find().sort("_id"):
    say(category, "children", ids(db.categories.find({"parent": category["_id"]})))
    say(category, "below", ids(db.categories.find({"ancestors.id": category["_id"]})))
    say(category, "breadcrumb", [ancestor["name"] for ancestor in category["ancestors"]])

for comment in db.comments.find().sort("_id"):
    above = comment["path"].split(":")[:-1]
    say(comment, "children", ids(db.comments.find({"parent": comment["_id"]})))
    say(comment, "below", ids(db.comments.find({"path": {"$regex": f"^{comment['path']}{comment['_id']}"}})))
    say(comment, "depth", [comment["depth"]])
    say(comment, "breadcrumb", above)
