// 4 messages: each report has another attribute.
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
#[model(collection = "immutable")]
struct Immutable {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    #[immutable]
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Immutable)]
struct OfImmutable {
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "judged")]
struct Judged {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    #[check(with = small)]
    revenue: i64,
}

fn small(revenue: &i64) -> Result<(), &'static str> {
    if *revenue < 10 { Ok(()) } else { Err("the revenue is large") }
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Judged)]
struct OfJudged {
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "versioned")]
struct Versioned {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    revenue: i64,
    #[version]
    version: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Versioned)]
struct OfVersioned {
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "timed")]
struct Timed {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    #[updated_at]
    last: DateTime,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Timed)]
struct OfTimed {
    status: String,
    #[max(placed)]
    last: DateTime,
}

fn main() {}
