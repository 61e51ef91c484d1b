//! Numbers with a text or size at an edge: decimals as keys, and sums that lose a large number.

use mongodb::bson::{Decimal128, Document, doc};
use schema_runtime::{MaintenanceKind, Throttle, prelude::*, schema, transaction};
use schema_tests::{database, rollups::leave_differences};

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "prices")]
#[inverse(lines = Line::price)]
struct Price {
    #[serde(rename = "_id")]
    id: Decimal128,
    #[copied_to(Line::n)]
    n: i32,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "lines")]
struct Line {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    price: Ref<Price>,
    #[denormalize(from = price.n)]
    n: i32,
}

fn decimal(text: &str) -> Decimal128 {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_decimal_is_the_same_key_however_it_is_written() {
    let db = database().await;
    schema![Price, Line].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    for (at, [stored, written]) in
        [["1.5", "1.50"], ["1E+2", "100.00"], ["7", "7.0"], ["0", "-0E-10"], ["1E+300", "10E+299"]]
            .into_iter()
            .enumerate()
    {
        let id = at as i32;
        Price::insert(&db, &Price { id: decimal(stored), n: id }).await.unwrap();
        Line::insert(&db, &Line { id, price: Ref::new(decimal(written)), n: 0 }).await.unwrap();
        let (line, price) =
            (Line::get_by_id(&db, id).await.unwrap(), Price::find_by_id(&db, decimal(written)).await.unwrap().unwrap());
        assert_eq!(line.n, id);
        assert_eq!(line.price().fetch_one(&db).await.unwrap().n, id);
        assert_eq!(price.lines().latest(9).fetch_all(&db).await.unwrap().len(), 1);
        assert_eq!(Price::LINES.load(&db, [&price]).await.unwrap().of(&price).len(), 1);
        assert_eq!(Line::PRICE.load(&db, [&line]).await.unwrap().of(&line).iter().next().unwrap().n, id);
    }
    let upserted =
        Price::upsert_many(&db, [Price { id: decimal("1.500"), n: 9 }, Price { id: decimal("15"), n: 9 }]).await;
    let upserted = upserted.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (1, 1));
    assert!(schema![Price, Line].verify(&db).await.unwrap().is_clean());
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "sums")]
struct Sums {
    #[serde(rename = "_id")]
    id: i32,
    #[computed(sum(Summand::of, f))]
    sum: f64,
    #[computed(avg(Summand::of, f))]
    average: Option<f64>,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "summands")]
struct Summand {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    of: Ref<Sums>,
    f: f64,
}

async fn summed(numbers: &[f64]) -> Database {
    let db = database().await;
    schema![Sums, Summand].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Sums::insert(&db, &Sums { id: 1, sum: 0.0, average: None }).await.unwrap();
    for (id, f) in (1..).zip(numbers) {
        Summand::insert(&db, &Summand { id, of: Ref::new(1), f: *f }).await.unwrap();
    }
    db
}

#[track_caller]
fn is(sums: &Sums, sum: f64, count: i32) {
    assert_eq!(sums.sum, sum);
    assert_eq!(sums.average, (count > 0).then(|| sum / f64::from(count)));
}

#[tokio::test]
async fn a_sum_is_right_after_a_large_number_goes() {
    let large = [1e16, 1.0, 1.0];
    let (db, get) = (summed(&large).await, async |db: &Database| Sums::get_by_id(db, 1).await.unwrap());
    Summand::delete_by_id(&db, 1).await.unwrap();
    is(&get(&db).await, 2.0, 2);
    assert!(schema![Sums, Summand].verify(&db).await.unwrap().is_clean());

    let db = summed(&large).await;
    Summand::update_by_id(1).set(Summand::F.f, 3.0).execute(&db).await.unwrap();
    is(&get(&db).await, 5.0, 3);

    let db = summed(&[1.0, -1e300, 2.5, 1e16]).await;
    Summand::update_by_id(2).set(Summand::F.f, 0.0).execute(&db).await.unwrap();
    Summand::delete_many(&db, Summand::F.f.gt(1e10)).await.unwrap();
    is(&get(&db).await, 3.5, 3);
    assert!(schema![Sums, Summand].verify(&db).await.unwrap().is_clean());

    let db = summed(&large).await;
    for id in [2, 3, 1] {
        Summand::delete_by_id(&db, id).await.unwrap();
    }
    is(&get(&db).await, 0.0, 0);
    assert_eq!(db.collection::<Document>("summands").count_documents(doc! {}).await.unwrap(), 0);
}

#[tokio::test]
async fn a_parent_that_a_transaction_inserts_counts_the_children_that_are_there() {
    let db = summed(&[2.5, 1.0]).await;
    Sums::delete_by_id(&db, 1).await.unwrap();
    transaction(&db, async |db| Sums::insert(&db, &Sums { id: 1, sum: 0.0, average: None }).await).await.unwrap();
    is(&Sums::get_by_id(&db, 1).await.unwrap(), 3.5, 2);
    transaction(&db, async |db| {
        Sums::delete_by_id(&db, 1).await?;
        Sums::upsert(&db, &Sums { id: 1, sum: 0.0, average: None }).await
    })
    .await
    .unwrap();
    is(&Sums::get_by_id(&db, 1).await.unwrap(), 3.5, 2);
    assert!(schema![Sums, Summand].verify(&db).await.unwrap().is_clean());
}

/// A difference of a stopped client removes a large number: the fold computes the sum from the children again.
#[tokio::test]
async fn a_fold_counts_again_where_a_large_number_goes() {
    let db = summed(&[1e16, 1.0, 1.0]).await;
    let small = doc! { "$set": { "f": 3.0 } };
    db.collection::<Document>("summands").update_one(doc! { "_id": 1 }, small).await.unwrap();
    let change = doc! { "plus": [3.0], "minus": [1e16] };
    leave_differences(&db, "summands_of", [1], doc! { "sum": &change, "average": change.clone() }).await;
    transaction(&db, async |db| Summand::update_by_id(1).set(Summand::F.f, 4.0).execute(&db).await).await.unwrap();
    let schema = schema![Sums, Summand];
    let recovered = schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(recovered.found(MaintenanceKind::PendingDifference), 1, "{recovered}");
    is(&Sums::get_by_id(&db, 1).await.unwrap(), 6.0, 3);
    assert!(schema.verify(&db).await.unwrap().is_clean());
}
