//! The code of a user of this crate.

use schema_runtime::prelude::*;

use crate::models::{Article, Part, article};

pub(crate) async fn call(operation: &str, db: &Database, call: i64) -> Result<()> {
    let f = Article::F;
    let id = call % 100;
    match operation {
        "insert" => Article::insert(db, &article(1_000 + call)).await,
        "find_one" => Article::find_one(db, f.id.eq(id).and(f.views.gte(0))).await.map(drop),
        "find_100" => Article::find(f.views.gte(0)).fetch_all(db).await.map(drop),
        "update" => Article::update_by_id(id).set(f.title, "new").inc(f.views, 1).execute(db).await.map(drop),
        "push" => Article::update_by_id(id).push(f.tags, "new").execute(db).await.map(drop),
        "replace" => Article::replace(db, &article(id)).await,
        "delete" => Article::delete_by_id(db, &(1_000 + call)).await.map(drop),
        // A field without copies, in a model with copied fields and with copies.
        "uncopied" => Part::update_by_id(id).inc(Part::F.qty, 1).execute(db).await.map(drop),
        other => panic!("no call `{other}`"),
    }
}
