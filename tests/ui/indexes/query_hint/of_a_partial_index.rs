// 3 messages: a message for each query.
#![allow(clippy::duplicated_attributes)]

use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[index(customer, name = "open", partial(eq(state, "open")))]
#[index(state, qty, name = "stocked", partial(gt(qty, 0)))]
#[query(open_in(customer, state), hint = "open")]
#[query(stocked(state, qty), hint = "stocked")]
#[query(newest(customer), order = desc(time), hint = "open")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: i64,
    state: String,
    qty: i64,
    time: DateTime,
}

fn main() {}
