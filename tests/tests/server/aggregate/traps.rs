//! What the server does and a person does not expect, on the raw driver and through this crate.

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{AggregateError, check_indexed, definition::CollationDefinition, prelude::*};
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

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order)]
struct Total {
    #[sum(total)]
    total: i64,
    #[avg(share)]
    mean: Option<f64>,
    #[sum(share)]
    shares: f64,
}

#[tokio::test]
async fn a_sum_over_64_bits_keeps_its_digits_or_is_an_error() {
    let db = database().await;
    Order::insert_many(&db, [Order { total: i64::MAX, ..order(1) }, Order { total: 5, ..order(2) }]).await.unwrap();
    let sum = raw(&db, vec![doc! { "$group": { "_id": null, "total": { "$sum": "$total" } } }]).await.remove(0);
    // 9223372036854775807 + 5 = 9223372036854775812
    assert_eq!(sum.get_f64("total").unwrap(), 9_223_372_036_854_775_808.0, "the server answers a double");
    let error = Order::aggregate::<Total>().fetch_one(&db).await.unwrap_err();
    assert!(matches!(error, Error::Aggregate(AggregateError::Overflow { .. })), "{error:?}");
}

#[tokio::test]
async fn a_sum_of_texts_is_no_zero_and_an_average_of_nothing_is_none() {
    let db = database().await;
    Order::insert_many(&db, [order(1), order(2)]).await.unwrap();
    let group = doc! { "$group": {
        "_id": null, "texts": { "$sum": "$status" }, "mean": { "$avg": "$share" }, "nulls": { "$sum": "$share" },
    } };
    let naive = raw(&db, vec![group]).await.remove(0);
    assert_eq!(naive.get_i32("texts").unwrap(), 0, "a sum of texts does not compile: `aggregate_type/sum_of_a_text`");
    assert_eq!((naive.get("mean"), naive.get_i32("nulls").unwrap()), (Some(&Bson::Null), 0));
    let found = Order::aggregate::<Total>().fetch_one(&db).await.unwrap();
    assert_eq!(found, Total { total: 30, mean: None, shares: 0.0 });
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status))]
struct Cities {
    status: Status,
    #[collect(city, max = 3)]
    cities: Vec<Option<String>>,
}

#[tokio::test]
async fn a_list_of_a_group_has_a_bound() {
    let db = database().await;
    let text = |id: i64| format!("{id:02}{}", "x".repeat(1_000_000));
    for id in 0..17 {
        Order::insert(&db, &Order { city: Some(text(id)), ..order(id) }).await.unwrap();
    }
    let group = doc! { "$group": { "_id": "$status", "cities": { "$push": "$city" } } };
    let refused = async {
        let cursor = db.collection::<Document>("orders").aggregate(vec![group]).await?;
        cursor.try_collect::<Vec<_>>().await
    };
    assert!(refused.await.is_err(), "a reply holds at most 16 MB");
    let found = Order::aggregate::<Cities>().fetch_one(&db).await.unwrap();
    assert_eq!(found.cities.len(), 3);
}

#[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = Order)]
struct Numbers {
    #[count_by(status)]
    statuses: Vec<FacetCount<Status>>,
    #[count]
    orders: i64,
}

#[tokio::test]
async fn facets_filter_before_the_facets() {
    let db = database().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, (0..200).map(order)).await.unwrap();
    let inside = doc! { "$facet": { "a": [{ "$match": { "total": { "$gte": 1_900 } } }, { "$count": "n" }] } };
    let command = doc! { "aggregate": "orders", "pipeline": [inside], "cursor": {} };
    let plan = db.run_command(doc! { "explain": command, "verbosity": "executionStats" }).await.unwrap();
    assert!(plan.to_string().contains("COLLSCAN"), "the server reads each document: {plan}");
    let search = || Order::facets::<Numbers>().filter(Order::F.total.gte(1_900));
    assert_eq!(check_indexed(&search(), &db).await.unwrap(), []);
    assert_eq!(search().fetch(&db).await.unwrap().orders, 10);
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(week = week(placed), day = day(placed, tz = "Europe/Oslo")))]
struct Week {
    week: DateTime,
    day: DateTime,
    #[count]
    orders: i64,
}

#[tokio::test]
async fn a_week_begins_on_monday_and_a_day_in_its_zone() {
    let db = database().await;
    // Sunday, 2024-03-03 23:30 in UTC, and Monday 00:30 in Oslo.
    let placed = DateTime::from_millis(1_709_508_600_000);
    Order::insert(&db, &Order { placed, ..order(1) }).await.unwrap();
    let of = |unit: &str| doc! { "$dateTrunc": { "date": "$placed", "unit": unit } };
    let naive = raw(&db, vec![doc! { "$project": { "week": of("week"), "day": of("day") } }]).await.remove(0);
    let sunday = DateTime::from_millis(1_709_424_000_000);
    assert_eq!((naive.get_datetime("week").unwrap(), naive.get_datetime("day").unwrap()), (&sunday, &sunday));
    let found = Order::aggregate::<Week>().fetch_one(&db).await.unwrap();
    let six_days_before = DateTime::from_millis(sunday.timestamp_millis() - 6 * 86_400_000);
    // The day begins at 23:00 in UTC.
    let day = DateTime::from_millis(1_709_506_800_000);
    assert_eq!(found, Week { week: six_days_before, day, orders: 1 });
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(city))]
struct OfCityAlone {
    city: Option<String>,
    #[count]
    orders: i64,
}

/// Equal keys are one group: the read says by which comparison.
#[tokio::test]
async fn equal_keys_under_a_collation_are_one_group() {
    let db = database().await;
    let orders = [(1, "a"), (2, "A")].map(|(id, city)| Order { city: Some(city.to_owned()), ..order(id) });
    Order::insert_many(&db, orders).await.unwrap();
    let numbers = db.collection::<Document>("numbers");
    let one: Decimal128 = "1".parse().unwrap();
    numbers.insert_many([doc! { "n": 1 }, doc! { "n": 1.0 }, doc! { "n": one }]).await.unwrap();
    let group = vec![doc! { "$group": { "_id": "$n" } }];
    let found: Vec<Document> = numbers.aggregate(group).await.unwrap().try_collect().await.unwrap();
    assert_eq!(found.len(), 1, "numbers of three types are one group: a key has one type here");
    let all = || Order::aggregate::<OfCityAlone>();
    assert_eq!(all().fetch_all(&db).await.unwrap().len(), 2);
    let insensitive = all().collation(CollationDefinition::CASE_INSENSITIVE);
    assert!(insensitive.to_mongosh().unwrap().contains("collation"));
    assert_eq!(insensitive.fetch_all(&db).await.unwrap().iter().map(|row| row.orders).collect::<Vec<_>>(), [2]);
}
