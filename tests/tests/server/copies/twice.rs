//! A bulk writes a holder more than once, with a single mark, and a `recover` runs concurrently.

use schema_runtime::{Throttle, prelude::*};
use schema_tests::{Fault, Proxy, database};

use super::{
    models::{Part, Product},
    repair::{assert_in_sync, schema},
    writes::{part, product, refers},
};

/// The bulk is held at its second write and at its look, and `recover` at each of its commands.
#[tokio::test]
async fn a_recover_between_two_writes_of_a_holder() {
    for at in 0.. {
        let db = database().await;
        schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
        Part::insert_many(&db, &[part(1, "bolt"), part(2, "nut")]).await.unwrap();
        Product::insert(&db, &product(9, &[1])).await.unwrap();
        let (writer, worker) =
            (Proxy::start([(3, Fault::Hold), (4, Fault::Hold)]).await, Proxy::start([(at, Fault::Hold)]).await);
        let bulk = {
            let db = writer.database(db.name()).await;
            tokio::spawn(async move {
                let again = Product::update_by_id(10).set(Product::F.parts, vec![refers(1)]);
                Product::bulk().insert(&product(10, &[1])).update(again).execute(&db).await.unwrap().complete()
            })
        };
        writer.reached().await;
        assert_eq!(writer.names(), ["find", "find", "insert", "update"], "the holder is there");
        Part::update_by_id(1).set(Part::F.name, "renamed").execute(&db).await.unwrap();
        let recover = {
            let db = worker.database(db.name()).await;
            tokio::spawn(async move { schema().recover(&db, &Throttle::new()).await })
        };
        let is_held = worker.reached_within(&recover).await;
        writer.release();
        writer.reached().await;
        worker.release();
        recover.await.unwrap().unwrap();
        writer.release();
        bulk.await.unwrap().unwrap();
        assert_in_sync(&db).await;
        let names: Vec<String> =
            Product::get_by_id(&db, &10).await.unwrap().parts.into_iter().map(|part| part.name).collect();
        assert_eq!(names, ["renamed"], "recover held at {at} of {:?}", worker.names());
        if !is_held {
            assert!(at > 4, "{at} commands");
            break;
        }
    }
}
