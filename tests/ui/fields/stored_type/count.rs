use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(i64)]
struct Number(i64);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(Visit::host))]
    visits: Number,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
}

fn main() {}
