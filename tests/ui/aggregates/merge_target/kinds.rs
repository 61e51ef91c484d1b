// 7 messages: the server writes no groups into each kind of collection.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    city: Option<String>,
    total: i64,
    placed: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "capped", capped(size = "1MiB"))]
struct Capped {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Capped)]
struct OfCapped {
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readonly", read_only)]
struct ReadOnly {
    #[serde(rename = "_id")]
    status: String,
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = ReadOnly)]
struct OfReadOnly {
    #[serde(rename = "_id")]
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "insertonly", insert_only)]
struct InsertOnly {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = InsertOnly)]
struct OfInsertOnly {
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "seen", view(of = Order, filter(gte(total, 5))))]
struct Seen {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Seen)]
struct OfSeen {
    status: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "series", time_series(time = last))]
struct Series {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    last: DateTime,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Series)]
struct OfSeries {
    status: String,
    #[max(placed)]
    last: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "kinds")]
#[serde(tag = "kind")]
enum Kinds {
    Small {
        #[serde(rename = "_id")]
        id: ObjectId,
        status: String,
    },
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Kinds)]
struct OfKinds {
    status: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "collated", collation(locale = "en", strength = 2))]
struct Collated {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Collated)]
struct OfCollated {
    status: String,
    #[sum(total)]
    revenue: i64,
}

fn main() {}
