//! Collections with a collation: the plan, reads under the collation, and the comparisons of this crate by bytes.

#![allow(clippy::duplicated_attributes, reason = "two queries have the same collation")]

mod derived;
mod faults;
mod hints;
mod kinds;
mod pages;
mod plan;
mod reads;
mod writes;

use futures_util::TryStreamExt;
use mongodb::bson::{Document, doc};
use schema_runtime::{Schema, prelude::*};

/// The parent of people. The ids `no` and `NO` differ by their bytes, and are equal without case.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "countries")]
#[inverse(people = Person::country)]
struct Country {
    #[serde(rename = "_id")]
    #[bound(max_len = 8)]
    id: String,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "people", collation(locale = "nb", strength = 2))]
#[query(by_email(email), one)]
#[query(in_town(town), order = asc(name), page = 2)]
#[query(exact(name), collation(locale = "simple"))]
#[query(begins(starts_with(name)), collation(locale = "simple"))]
#[query(in_country(country))]
#[index(text(bio))]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    email: String,
    name: String,
    town: String,
    bio: String,
    #[relation(one_to_many, parent_ref, inverse = people, order = asc(name))]
    country: Ref<Country>,
}

const SCHEMA: Schema = schema![Country, Person];

fn country(id: &str) -> Country {
    Country { id: id.to_owned(), name: id.to_owned() }
}

fn person(id: i64, name: &str, country: &str) -> Person {
    let (email, town) = (format!("{name}{id}@x.no"), "Oslo".to_owned());
    Person {
        id,
        email,
        name: name.to_owned(),
        town,
        bio: "A long bio".to_owned(),
        country: Ref::new(country.to_owned()),
    }
}

async fn applied(schema: Schema, db: &Database) {
    schema.plan(db).await.expect("a plan").apply(db).await.and_then(|report| report.complete()).expect("applied");
}

async fn is_settled(schema: Schema, db: &Database) {
    let plan = schema.plan(db).await.expect("a plan");
    assert!(plan.is_empty(), "{plan}");
}

/// Returns the commands on a collection that read the whole collection, since [`watch`].
async fn whole_reads(db: &Database, collection: &str) -> Vec<Document> {
    db.run_command(doc! { "profile": 0 }).await.expect("switched off");
    let whole = doc! { "ns": format!("{}.{collection}", db.name()), "planSummary": "COLLSCAN" };
    db.collection::<Document>("system.profile").find(whole).await.expect("read").try_collect().await.expect("read")
}

/// Lets the server record each command.
async fn watch(db: &Database) {
    db.run_command(doc! { "profile": 2 }).await.expect("switched on");
}
