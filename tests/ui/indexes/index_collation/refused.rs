// 16 messages: each index and each query has a mistake.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[index(unknown, collation(locale = "nb_NO"))]
#[index(variant, collation(locale = "nb@collation=phonebook"))]
#[index(spelled, collation(locale = "eng"))]
#[index(strength, collation(locale = "nb", strength = 6))]
#[index(both, case_insensitive, collation(locale = "nb"))]
#[index(simple, collation(locale = "simple"))]
#[index(bytes, collation(locale = "simple", strength = 2))]
#[index(none, collation(strength = 2))]
#[index(first, collation(locale = "nb", strength = 2, case_first = upper))]
#[index(back, collation(locale = "fr", strength = 1, backwards))]
#[index(danish, collation(locale = "da", strength = 2))]
#[index(canadian, collation(locale = "fr_CA", strength = 1))]
#[index(word, collation(locale = "nb", alternate = shift))]
#[index(switch, collation(locale = "nb", numeric_ordering = 1))]
#[query(by_key(id), case_insensitive)]
#[query(begins(starts_with(word)), collation(locale = "nb"))]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    unknown: String,
    variant: String,
    spelled: String,
    strength: String,
    both: String,
    simple: String,
    bytes: String,
    none: String,
    first: String,
    back: String,
    danish: String,
    canadian: String,
    word: String,
    switch: String,
}

fn main() {}
