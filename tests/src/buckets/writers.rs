//! The work of a client on buckets until the client is killed: eight writers in parallel, or a migration.

use futures_util::future::try_join_all;
use mongodb::Database;
use schema_runtime::{Throttle, prelude::*};

use super::models::{Comment, LinkedComment, comment};

/// The number of concurrent writers.
const WRITERS: i64 = 8;
/// The number of `_id`s of each writer.
const IDS: i64 = 100_000;
/// The number of children in a transaction of a migration.
const CHUNK: u32 = 40;

/// Writes children of two posts, `number` and the next post, for ever: each writer for itself, with a concurrent
/// compact. Reports the begun and the answered writes, each with the `_id`: `inserting`, `inserted`, `updated`,
/// `deleting`, `deleted`.
///
/// # Errors
/// The first error of any writer. No error is expected.
pub async fn write(db: &Database, number: i64, say: fn(&str)) -> Result<()> {
    let writers = (0..WRITERS).map(|writer| {
        let db = db.clone();
        let task = tokio::spawn(async move { one(&db, number, writer, say).await });
        async move { task.await.expect("no panic") }
    });
    try_join_all(writers).await.map(drop)
}

async fn one(db: &Database, number: i64, writer: i64, say: fn(&str)) -> Result<()> {
    let post = number + writer % 2;
    for id in (number + writer * IDS..).step_by(10) {
        // The children of a writer are in the order of time.
        let child = |id: i64| comment(id, post, id);
        say(&format!("inserting {id}"));
        Comment::insert(db, &child(id)).await?;
        say(&format!("inserted {id}"));
        let many: Vec<Comment> = (id + 1..id + 6).map(child).collect();
        many.iter().for_each(|child| say(&format!("inserting {}", child.id)));
        Comment::insert_many(db, &many).await?;
        many.iter().for_each(|child| say(&format!("inserted {}", child.id)));
        Comment::update_by_id(id + 1).inc(Comment::F.likes, 1).execute(db).await?;
        say(&format!("updated {}", id + 1));
        for gone in [id + 2, id + 3] {
            say(&format!("deleting {gone}"));
            Comment::delete_by_id(db, gone).await?;
            say(&format!("deleted {gone}"));
        }
        if id / 10 % WRITERS == writer {
            Comment::compact(db, post).await?;
        }
    }
    Ok(())
}

/// Moves linked comments into buckets, or back.
///
/// # Errors
/// The errors of the migration.
pub async fn migrate(db: &Database, is_back: bool) -> Result<u64> {
    let throttle = Throttle::new().chunk(CHUNK);
    match is_back {
        false => Comment::into_buckets::<LinkedComment>(db, &throttle).await,
        true => Comment::into_documents::<LinkedComment>(db, &throttle).await,
    }
}
