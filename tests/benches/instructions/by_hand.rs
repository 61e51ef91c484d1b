//! The code of a careful user of the driver for the same work: a typed collection, and the bound of an array in the
//! filter. Both sides begin with a `Database`.

use futures_util::TryStreamExt;
use mongodb::{Collection, Database, bson::doc, error::Result};

use crate::models::{Article, Part, article};

pub(crate) async fn call(operation: &str, db: &Database, call: i64) -> Result<()> {
    let articles: Collection<Article> = db.collection("articles");
    let id = call % 100;
    match operation {
        "insert" => articles.insert_one(article(1_000 + call)).await.map(drop),
        "find_one" => articles.find_one(doc! { "_id": id, "views": { "$gte": 0_i64 } }).await.map(drop),
        "find_100" => {
            let found = articles.find(doc! { "views": { "$gte": 0_i64 } }).batch_size(1_000_000).await?;
            found.try_collect::<Vec<_>>().await.map(drop)
        }
        "update" => {
            let update = doc! { "$set": { "title": "new" }, "$inc": { "views": 1_i64 } };
            articles.update_one(doc! { "_id": id }, update).await.map(drop)
        }
        "push" => {
            let has_room = doc! { "_id": id, "$nor": [{ "tags.999": { "$exists": true } }] };
            articles.update_one(has_room, doc! { "$push": { "tags": { "$each": ["new"] } } }).await.map(drop)
        }
        "replace" => articles.replace_one(doc! { "_id": id }, article(id)).await.map(drop),
        "delete" => articles.delete_one(doc! { "_id": 1_000 + call }).await.map(drop),
        "uncopied" => {
            let parts: Collection<Part> = db.collection("parts");
            parts.update_one(doc! { "_id": id }, doc! { "$inc": { "qty": 1 } }).await.map(drop)
        }
        other => panic!("no call `{other}`"),
    }
}
