//! An update of many documents that sets a reference and counts: each matched document is changed exactly once, with
//! concurrent changes of its markers and its sources.

use std::sync::atomic::{AtomicBool, Ordering};

use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "brands")]
struct Brand {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(Item::brand_name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    brand: Ref<Brand>,
    #[denormalize(from = brand.name)]
    brand_name: String,
    times: i32,
}

const UPDATES: i32 = 40;

#[tokio::test]
async fn an_update_of_many_counts_once() {
    let db = database().await;
    let schema = schema![Brand, Item];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Brand::insert_many(&db, [1, 2].map(|id| Brand { id, name: format!("brand {id}") })).await.unwrap();
    let item = |id| Item { id, brand: Ref::new(1), brand_name: String::new(), times: 0 };
    Item::insert_many(&db, (0..20).map(item)).await.unwrap();
    let done = AtomicBool::new(false);
    let update = async {
        for round in 0..UPDATES {
            let all = Item::update_many(Filter::all()).set(Item::F.brand, Ref::new(1 + i64::from(round) % 2));
            assert_eq!(all.inc(Item::F.times, 1).execute(&db).await.unwrap().matched, 20, "round {round}");
        }
        done.store(true, Ordering::Relaxed);
    };
    let recover = async {
        while !done.load(Ordering::Relaxed) {
            schema.recover(&db, &Throttle::new()).await.unwrap();
        }
    };
    let rename = async {
        let mut round = 0;
        while !done.load(Ordering::Relaxed) {
            round += 1;
            let name = format!("renamed {round}");
            Brand::update_by_id(1 + round % 2).set(Brand::F.name, name).execute(&db).await.unwrap();
        }
    };
    futures_util::future::join3(update, recover, rename).await;
    schema.recover(&db, &Throttle::new()).await.unwrap();
    for item in Item::find(Filter::all()).fetch_all(&db).await.unwrap() {
        assert_eq!(item.times, UPDATES, "item {}", item.id);
    }
    assert!(schema.verify(&db).await.unwrap().is_clean());
}
