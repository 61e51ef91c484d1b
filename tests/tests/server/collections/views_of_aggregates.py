"""Reads the view of the sales, and computes the same numbers from the orders. Prints each group as a line.

arguments: the address of the server, the database.
"""
import collections
import datetime
import sys

import pymongo

database = pymongo.MongoClient(sys.argv[1], tz_aware=True)[sys.argv[2]]
oslo = datetime.timezone(datetime.timedelta(hours=1))  # in winter

plain = collections.defaultdict(list)
for order in database["orders"].find():
    if order["total"] > 0:
        local = order["placed"].astimezone(oslo)
        begin = datetime.datetime(local.year, local.month, 1, tzinfo=oslo)
        plain[(order["customer"], int(begin.timestamp() * 1000))].append(order["total"])
expected = [(*key, len(totals), sum(totals)) for key, totals in sorted(plain.items())]

found = []
for row in database["sales"].find().sort("_id", 1):
    assert row["_id"] == {"customer": row["customer"], "month": row["month"]}, row
    assert list(row) == ["_id", "customer", "month", "orders", "turnover", "last", "slug", "best"], row
    found.append((row["customer"], int(row["month"].timestamp() * 1000), row["orders"], row["turnover"]))
assert found == expected, (found, expected)

for row in found:
    print(*row, flush=True)
print("end", flush=True)
