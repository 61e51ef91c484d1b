//! Types of other crates as fields: the stored form in each position, each operand, and the values that BSON cannot
//! hold. No field has a function of serde (`with`).

mod extremes;
mod kept;
mod managed;
mod positions;
mod related;
mod values;

use mongodb::{
    Database,
    bson::{Bson, DateTime as Date, Document, doc},
};

/// Returns the stored document with this `_id`.
async fn raw(db: &Database, collection: &str, id: impl Into<Bson>) -> Document {
    let found = db.collection::<Document>(collection).find_one(doc! { "_id": id.into() }).await;
    found.unwrap().expect("a stored document")
}

/// Returns a date of this number of milliseconds.
fn date(milliseconds: i64) -> Bson {
    Bson::DateTime(Date::from_millis(milliseconds))
}
