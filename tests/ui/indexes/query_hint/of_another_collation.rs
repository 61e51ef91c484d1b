// 4 messages: a message for each query.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[query(by_email(email), hint = "by_email")]
#[query(by_town(town), case_insensitive, hint = "by_town")]
#[query(by_name(name), collation(locale = "nb"), hint = "by_name")]
#[query(all_of(town), case_insensitive, hint = "_id_")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(name = "by_email", unique, case_insensitive)]
    email: String,
    #[index(name = "by_town")]
    town: String,
    #[index(name = "by_name", collation(locale = "sv"))]
    name: String,
}

fn main() {}
