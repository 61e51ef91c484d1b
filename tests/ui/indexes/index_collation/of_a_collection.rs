// 4 messages: the collation of the collection, of two indexes, and a pattern in a query that inherits the collation.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "words", collation(locale = "simple"))]
struct Word {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people", collation(locale = "nb", strength = 2))]
#[index(town, collation(locale = "norsk"))]
#[index(road, collation(locale = "simple", strength = 1))]
#[query(begins(starts_with(name)))]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[index(collation(locale = "simple"))]
    street: String,
    town: String,
    road: String,
}

fn main() {}
