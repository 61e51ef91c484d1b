"""Groups the stored flights: by a pipeline that is written by hand, and by plain Python. Prints each group as a line.

arguments: the address of the server, the database.
"""
import collections
import sys

import pymongo

flights = pymongo.MongoClient(sys.argv[1])[sys.argv[2]]["flights"]

groups = collections.defaultdict(list)
for flight in flights.find():
    groups[(flight["origin"], flight["date"].strftime("%Y-%m"))].append(flight)
plain = {}
for key, of in groups.items():
    delays = [flight["delay"] for flight in of]
    late = sum(delay >= 15 for delay in delays)
    distance = sum(flight["distance"] for flight in of) / len(of)
    plain[key] = (len(of), sum(delays), max(delays), late, distance)

month = {"$dateToString": {"date": "$date", "format": "%Y-%m"}}
pipeline = [
    {
        "$group": {
            "_id": {"origin": "$origin", "month": month},
            "flights": {"$sum": 1},
            "delay": {"$sum": "$delay"},
            "most": {"$max": "$delay"},
            "late": {"$sum": {"$cond": [{"$gte": ["$delay", 15]}, 1, 0]}},
            "distance": {"$avg": "$distance"},
        }
    }
]
of_server = {}
for row in flights.aggregate(pipeline):
    key = (row["_id"]["origin"], row["_id"]["month"])
    of_server[key] = (row["flights"], row["delay"], row["most"], row["late"], row["distance"])

assert plain.keys() == of_server.keys()
for key, values in plain.items():
    assert values[:4] == of_server[key][:4] and abs(values[4] - of_server[key][4]) < 1e-9, key

print(len(plain), flush=True)
for (origin, begin), values in sorted(plain.items()):
    print(origin, begin, *values, flush=True)
