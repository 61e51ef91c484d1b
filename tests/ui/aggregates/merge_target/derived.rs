// 3 messages: this crate keeps values of each report.
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
#[model(collection = "customers")]
#[inverse(ruled = Ruled::customer, on_delete = restrict)]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Copied::name)]
    #[changes(seldom)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "slugged")]
struct Slugged {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    #[slug(from = status, max_len = 80)]
    slug: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Slugged)]
struct OfSlugged {
    status: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "copied")]
struct Copied {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    revenue: i64,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
    #[denormalize(from = customer.name)]
    name: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Copied)]
struct OfCopied {
    status: String,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "ruled")]
struct Ruled {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Ruled)]
struct OfRuled {
    status: String,
}

fn main() {}
