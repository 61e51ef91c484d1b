//! Parents with their children, joined on the server.

mod selected;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

#[tokio::test]
async fn one_round_trip_put_back_into_array_order() {
    let (db, log) = database_with_log().await;
    let parts = parts(300);
    insert(&db, &parts).await;
    let gone = part("gone");
    let products = [
        product(parts.iter().rev().chain(&parts[5..8])),
        product([]),
        product([&parts[2], &gone, &parts[1], &gone, &parts[2]]),
    ];
    insert(&db, &products).await;
    log.clear();

    let rows = Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap();
    assert_eq!(log.commands().len(), 1, "one round trip");
    assert_eq!((rows.len(), rows.is_empty(), rows.failed().len()), (3, false, 0));
    let rows = rows.into_vec().unwrap();
    assert_eq!(rows.iter().map(|(product, _)| product).collect::<Vec<_>>(), products.iter().collect::<Vec<_>>());
    assert_eq!(rows[0].1.iter().collect::<Vec<_>>(), parts.iter().rev().chain(&parts[5..8]).collect::<Vec<_>>());
    assert!(rows[1].1.is_complete() && rows[1].1.is_empty(), "a parent without children is a row");
    assert_eq!(rows[2].1.iter().collect::<Vec<_>>(), [&parts[2], &parts[1], &parts[2]]);
    assert_eq!(rows[2].1.missing().collect::<Vec<_>>(), [&gone.id, &gone.id]);
}

#[tokio::test]
async fn the_filter_and_the_projection_are_sent() {
    let (db, log) = database_with_log().await;
    let parts = parts(3);
    insert(&db, &parts).await;
    let products = [product(&parts), product(&parts[..1])];
    insert(&db, &products).await;
    log.clear();
    let filter = || Product::F.id.eq(products[1].id);
    let rows = Product::PARTS.select::<PartName>().lookup(filter()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows.len(), 1);
    let name = PartName { id: parts[0].id, name: parts[0].name.clone() };
    assert_eq!(rows[0].1.iter().collect::<Vec<_>>(), [&name]);
    let sent = log.named("aggregate").remove(0);
    let pipeline: Vec<&Document> = sent.get_array("pipeline").unwrap().iter().filter_map(Bson::as_document).collect();
    assert_eq!(pipeline[0], &doc! { "$match": { "_id": products[1].id } });
    let joins = doc! { "$lookup": {
        "from": "parts", "localField": "r", "foreignField": "_id", "as": "c",
        "pipeline": [{ "$project": { "_id": 1, "name": 1 } }],
    } };
    assert_eq!(pipeline[3], &joins);
    assert!(pipeline[4].contains_key("$unwind"), "an array over 16 MB ends the connection");

    let explain = Product::PARTS.lookup(filter()).explain(&db).await.unwrap();
    let stages: Vec<&Document> = explain.get_array("stages").unwrap().iter().filter_map(Bson::as_document).collect();
    assert_index_scan(stages[0].get_document("$cursor").unwrap(), 1);
    let join = stages.iter().find(|stage| stage.contains_key("$lookup")).unwrap();
    assert_eq!(join.get_array("indexesUsed").unwrap(), &[Bson::from("_id_")]);
    assert_eq!(examined(join, "collectionScans"), 0);
    assert!(join.get_document("$lookup").unwrap().contains_key("unwinding"), "unwound at once");
}

#[tokio::test]
async fn a_row_over_16_mb() {
    let db = database().await;
    // 15 MB of parent and 20 MB of parts.
    let parts: Vec<Part> = (0..20).map(|_| part(&"x".repeat(1_000_000))).collect();
    for parts in parts.chunks(10) {
        insert(&db, parts).await;
    }
    let big = Product { name: "y".repeat(15_000_000), ..product(parts.iter().rev()) };
    insert(&db, std::slice::from_ref(&big)).await;
    let rows = Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].0 == big);
    assert!(rows[0].1.is_complete());
    assert!(rows[0].1.iter().eq(parts.iter().rev()));
}

#[tokio::test]
async fn what_does_not_fit_is_reported_and_the_rest_is_there() {
    let db = database().await;
    let [good, bad] = [part("good"), part("bad")];
    insert(&db, std::slice::from_ref(&good)).await;
    insert_raw::<Part>(&db, [doc! { "_id": bad.id, "name": "bad", "qty": "many" }]).await;
    let products = [product([&bad, &good]), product([&good])];
    insert(&db, &products).await;
    let odd = ObjectId::new();
    insert_raw::<Product>(&db, [doc! { "_id": odd, "name": 7, "partIds": [good.id] }, doc! { "name": "no array" }])
        .await;

    let rows = Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap();
    let [Error::Decode { collection, id, path, .. }] = rows.failed() else { panic!("{:?}", rows.failed()) };
    assert_eq!((collection.as_str(), &**id, path.as_str()), ("products", &Bson::from(odd), "name"));
    let (rows, failed) = rows.into_parts();
    assert_eq!((rows.len(), failed.len()), (3, 1));
    let (first, second, bare) = (&rows[0].1, &rows[1].1, &rows[2]);
    assert_eq!((first.len(), first.failed().count(), first.missing().count()), (1, 1, 0));
    assert!(second.is_complete());
    assert!(bare.0.name == "no array" && bare.1.is_complete() && bare.1.is_empty());
    assert!(Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap().into_vec().is_err());
    assert!(Product::PARTS.lookup(Product::F.name.eq("none")).fetch_all(&db).await.unwrap().is_empty());
}

/// All references of a parent go to the server in a single `$in`, as large as the array.
#[tokio::test]
async fn an_array_of_nearly_16_mb() {
    let db = database().await;
    let parts = parts(3);
    insert(&db, &parts).await;
    let gone = part("gone");
    let references = std::iter::repeat_n(&gone, 800_000).chain(&parts);
    let big = product(references);
    insert(&db, std::slice::from_ref(&big)).await;
    let rows = Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows[0].1.iter().collect::<Vec<_>>(), parts.iter().collect::<Vec<_>>());
    assert_eq!(rows[0].1.missing().count(), 800_000);
}
