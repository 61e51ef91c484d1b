//! Reads and writes under collations: indexes and declared queries without case, pages, a second client.

mod pages;
mod python;
mod queries;
mod writes;

use mongodb::Database;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "users")]
#[query(by_email(email), one, case_insensitive)]
#[query(in_town(town), order = asc(name), collation(locale = "nb", strength = 1))]
#[query(listed(town), order = asc(name), page = 2, collation(locale = "nb", strength = 2))]
#[query(by_town(town))]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique, case_insensitive)]
    email: String,
    name: String,
    town: String,
}

fn user(id: i64, email: &str, name: &str) -> User {
    User { id, email: email.to_owned(), name: name.to_owned(), town: "Oslo".to_owned() }
}

async fn prepare(db: &Database) {
    schema![User].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
}
