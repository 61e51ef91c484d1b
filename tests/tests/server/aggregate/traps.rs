//! What the server does and a person does not expect, on the raw driver and through this crate.

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

use super::models::{Address, Line, Order, Status, order};

async fn raw(db: &Database, pipeline: Vec<Document>) -> Vec<Document> {
    db.collection::<Document>("orders").aggregate(pipeline).await.unwrap().try_collect().await.unwrap()
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status, city))]
struct OfCity {
    status: Status,
    city: Option<String>,
    #[count]
    orders: i64,
}

#[tokio::test]
async fn absent_and_null_are_one_group() {
    let db = database().await;
    Order::insert_many(&db, [order(1), order(2)]).await.unwrap();
    db.collection::<Document>("orders").update_one(doc! { "_id": 2 }, doc! { "$unset": { "city": "" } }).await.unwrap();
    let group = doc! { "$group": { "_id": { "status": "$status", "city": "$city" }, "n": { "$sum": 1 } } };
    assert_eq!(raw(&db, vec![group]).await.len(), 2, "the server makes two groups");
    let found = Order::aggregate::<OfCity>().fetch_all(&db).await.unwrap();
    assert_eq!(found, [OfCity { status: Status::New, city: None, orders: 2 }]);
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status))]
struct Values {
    status: Status,
    #[sum(total - or(discount, 0))]
    net: i64,
    #[count(where(lt(discount, 5)))]
    small: i64,
    #[first(id, order = asc(placed))]
    first: i64,
}

#[tokio::test]
async fn null_is_no_number() {
    let db = database().await;
    let dated = |id, placed, discount| Order { placed: DateTime::from_millis(placed), discount, ..order(id) };
    Order::insert_many(&db, [dated(1, 3, Some(4)), dated(2, 1, None), dated(3, 2, Some(9))]).await.unwrap();
    let group = doc! { "$group": {
        "_id": "$status",
        "net": { "$sum": { "$subtract": ["$total", "$discount"] } },
        "small": { "$sum": { "$cond": [{ "$lt": ["$discount", 5] }, 1, 0] } },
        "first": { "$first": "$_id" },
    } };
    let naive = raw(&db, vec![group]).await.remove(0);
    assert_eq!(naive.get_i64("net").unwrap(), 10 - 4 + 30 - 9, "the total of the order without a discount is gone");
    assert_eq!(naive.get_i32("small").unwrap(), 2, "null is less than 5");
    assert_eq!(naive.get_i64("first").unwrap(), 1, "the order of the storage");
    let found = Order::aggregate::<Values>().fetch_one(&db).await.unwrap();
    assert_eq!(found, Values { status: Status::New, net: 10 + 20 + 30 - 13, small: 1, first: 2 });
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, unwind(lines))]
struct Prices {
    #[sum(lines.price)]
    prices: i64,
}

#[tokio::test]
async fn the_sum_of_an_array_is_not_zero() {
    let db = database().await;
    let line = |price| Line { sku: "a".to_owned(), price, qty: 1 };
    Order::insert(&db, &Order { lines: vec![line(3), line(4)], ..order(1) }).await.unwrap();
    Order::insert(&db, &order(2)).await.unwrap();
    let group = doc! { "$group": { "_id": null, "sum": { "$sum": "$lines.price" } } };
    assert_eq!(raw(&db, vec![group]).await[0].get_i32("sum").unwrap(), 0);
    assert_eq!(Order::aggregate::<Prices>().fetch_one(&db).await.unwrap(), Prices { prices: 7 });
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(code = address.post_code))]
struct OfCode {
    code: String,
    #[count]
    orders: i64,
}

/// A value that looks like an operator or a path stays a value.
#[tokio::test]
async fn values_are_operands() {
    let db = database().await;
    let coded = |id, code: &str| Order { address: Address { post_code: code.to_owned(), floor: None }, ..order(id) };
    Order::insert_many(&db, [coded(1, "$status"), coded(2, "0150"), coded(3, "{\"$gt\": \"\"}")]).await.unwrap();
    let codes = async |having: Filter<OfCode>| {
        let rows = Order::aggregate::<OfCode>().having(having).sort(OfCode::F.code.asc()).fetch_all(&db).await.unwrap();
        rows.into_iter().map(|row| row.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(OfCode::F.code.eq("$status")).await, ["$status"]);
    assert_eq!(codes(OfCode::F.code.is_in(["$status", "$gt"])).await, ["$status"]);
    assert_eq!(codes(OfCode::F.code.eq("{\"$gt\": \"\"}")).await, ["{\"$gt\": \"\"}"]);
    assert_eq!(codes(OfCode::F.orders.gte(1)).await.len(), 3);
}

/// The groups do not depend on the indexes of the collection.
#[tokio::test]
async fn each_kind_of_index_gives_the_same_groups() {
    let db = database().await;
    let orders = super::models::fill(&db, 71, 200).await;
    let orders_raw = db.collection::<Document>("orders");
    let groups = async || {
        let f = OfCity::F;
        let sorted = Order::aggregate::<OfCity>().sort([f.status.asc(), f.city.asc()]);
        sorted.fetch_all(&db).await.unwrap()
    };
    let whole = groups().await;
    assert_eq!(whole.iter().map(|group| group.orders).sum::<i64>(), orders.len() as i64);
    let counts = Order::find(Filter::all()).count_by(&db, Order::F.city).await.unwrap();
    let least = Order::find(Filter::all()).min(&db, Order::F.city).await.unwrap();
    let kinds = [
        (doc! { "city": 1 }, doc! {}),
        (doc! { "city": 1 }, doc! { "sparse": true }),
        (doc! { "status": 1, "city": 1 }, doc! {}),
        (doc! { "status": 1, "city": 1 }, doc! { "partialFilterExpression": { "city": { "$exists": true } } }),
        (doc! { "city": "hashed" }, doc! {}),
        (doc! { "$**": 1 }, doc! {}),
        (doc! { "city": 1 }, doc! { "collation": { "locale": "en", "strength": 2 } }),
        (doc! { "city": 1 }, doc! { "hidden": true }),
        (doc! { "city": "text" }, doc! {}),
    ];
    for (keys, options) in kinds {
        let mut index = doc! { "key": keys, "name": "beside" };
        index.extend(options);
        db.run_command(doc! { "createIndexes": "orders", "indexes": [index.clone()] }).await.unwrap();
        assert_eq!(groups().await, whole, "{index}");
        assert_eq!(Order::find(Filter::all()).count_by(&db, Order::F.city).await.unwrap(), counts, "{index}");
        assert_eq!(Order::find(Filter::all()).min(&db, Order::F.city).await.unwrap(), least, "{index}");
        orders_raw.drop_index("beside").await.unwrap();
    }
}

/// Null, NaN and a stored integer in a field of floats.
#[tokio::test]
async fn nan_is_the_least_number() {
    let db = database().await;
    Order::insert_many(&db, [Order { rate: f64::NAN, ..order(1) }, Order { rate: -1.0, ..order(2) }]).await.unwrap();
    let raw = db.collection::<Document>("orders");
    raw.update_one(doc! { "_id": 1 }, doc! { "$set": { "share": Bson::Int32(3) } }).await.unwrap();
    let find = || Order::find(Filter::all());
    assert!(find().min(&db, Order::F.rate).await.unwrap().unwrap().is_nan());
    assert_eq!(find().max(&db, Order::F.rate).await.unwrap(), Some(-1.0));
    assert!(find().sum(&db, Order::F.rate).await.unwrap().is_nan());
    assert_eq!(find().sum(&db, Order::F.share).await.unwrap(), 3.0);
}
