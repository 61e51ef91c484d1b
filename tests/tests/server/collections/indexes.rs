//! Each index on each kind of collection: a server of 6.0 accepts and refuses the same indexes as the rules. A test of
//! the derive reads the same rows.

use mongodb::bson::doc;
use schema_tests::database;

use super::*;

const ROWS: &str = include_str!("indexes_of_kinds.txt");

/// The options of the kinds, in the order of the columns.
fn kinds() -> [Document; 4] {
    [
        doc! {},
        doc! { "capped": true, "size": 4096 },
        doc! { "clusteredIndex": { "key": { "_id": 1 }, "unique": true } },
        doc! { "timeseries": { "timeField": "at", "metaField": "meta", "granularity": "minutes" } },
    ]
}

#[tokio::test]
async fn the_server_refuses_the_indexes_that_the_rules_refuse() {
    let db = database().await;
    for (at, options) in kinds().into_iter().enumerate() {
        let name = format!("things{at}");
        let mut create = doc! { "create": &name };
        create.extend(options);
        db.run_command(create).await.expect("made");
        for row in ROWS.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = row.split(" | ").collect();
            let [verdicts, _, index] = columns[..] else { panic!("{row}") };
            let mut index: Document = serde_json::from_str(index).expect("an index");
            index.insert("name", "tried");
            let made = db.run_command(doc! { "createIndexes": &name, "indexes": [index] }).await;
            let verdict = if made.is_ok() { "works" } else { "refused" };
            assert_eq!(Some(verdict), verdicts.split(' ').nth(at), "{name} | {row}: {made:?}");
            if made.is_ok() {
                db.run_command(doc! { "dropIndexes": &name, "index": "tried" }).await.expect("dropped");
            }
        }
    }
}
