//! Several programs apply the same plan concurrently.

use futures_util::future::join_all;
use mongodb::{
    Client, Database,
    bson::{Document, doc},
};
use schema_runtime::{apply::ApplyOptions, prelude::*};
use schema_tests::{database, server};

macro_rules! model {
    ($name:ident, $collection:literal) => {
        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: i32,
            #[index(unique)]
            #[bound(max_len = 50)]
            name: String,
            #[index(ttl = "30d")]
            at: DateTime,
            #[index(unique)]
            #[bound(max_len = 50)]
            mail: Option<String>,
        }
    };
}

model!(A, "c0");
model!(B, "c1");
model!(C, "c2");
model!(D, "c3");
model!(E, "c4");
model!(F, "c5");
model!(G, "c6");
model!(H, "c7");

const COLLECTIONS: [&str; 8] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];

/// Returns a client for each program.
async fn programs(db: &Database, how_many: usize) -> Vec<Database> {
    let client = async || Client::with_uri_str(server().await.uri()).await.unwrap().database(db.name());
    join_all((0..how_many).map(|_| client())).await
}

async fn apply(db: Database) -> Result<()> {
    let plan = schema![A, B, C, D, E, F, G, H].plan(&db).await?;
    plan.apply_with(&db, ApplyOptions::new().rebuild(true)).await?.complete().map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn all_of_them_find_the_indexes_changed() {
    for round in 0..2 {
        let db = database().await;
        for name in COLLECTIONS {
            let rows = (0..500)
                .map(|n| doc! { "_id": n, "name": format!("n{n}"), "at": DateTime::MAX, "mail": format!("m{n}") });
            db.collection::<Document>(name).insert_many(rows).await.unwrap();
            let keys = ["name", "at", "mail"].map(|key| doc! { "key": { key: 1 }, "name": format!("{key}_1") });
            db.run_command(doc! { "createIndexes": name, "indexes": keys.to_vec() }).await.unwrap();
        }
        let all = programs(&db, 4).await.into_iter().map(|db| tokio::spawn(apply(db)));
        for applied in join_all(all).await {
            applied.unwrap().unwrap_or_else(|error| panic!("round {round}: {error}"));
        }
        assert!(schema![A, B, C, D, E, F, G, H].plan(&db).await.unwrap().is_empty());
    }
}
