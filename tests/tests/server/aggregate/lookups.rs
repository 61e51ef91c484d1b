//! Fields of the documents that keys refer to, and the options of an aggregation.

use std::time::Duration;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{Collation, CollationStrength},
};
use schema_runtime::{AggregateError, check_indexed, prelude::*, transaction};
use schema_tests::{Spans, database, database_with_log};

use super::models::{Order, Status, order};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: String,
    #[serde(rename = "fullName")]
    name: String,
    city: Option<String>,
    #[relation(one_to_one, embed)]
    home: Home,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Home {
    zone: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sales")]
struct Sale {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    customer: Option<Ref<Customer>>,
    total: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale, by(customer))]
struct OfCustomer {
    customer: Option<Ref<Customer>>,
    #[sum(total)]
    revenue: i64,
    #[lookup(customer.name)]
    name: Option<String>,
    #[lookup(customer.city)]
    city: Option<String>,
    #[lookup(customer.home.zone)]
    zone: Option<i32>,
}

#[tokio::test]
async fn a_field_of_the_referenced_document_is_read_after_the_limit() {
    let (db, log) = database_with_log().await;
    for (id, name, city) in [("a", "Ada", Some("Oslo")), ("b", "Bo", None), ("c", "Cy", None)] {
        let (id, name, city) = (id.to_owned(), name.to_owned(), city.map(str::to_owned));
        Customer::insert(&db, &Customer { id, name, city, home: Home { zone: 7 } }).await.unwrap();
    }
    // A document with the `_id` null: a plain `$lookup` of a null or an absent reference finds the document.
    let raw = db.collection::<Document>("customers");
    raw.insert_one(doc! { "_id": null, "fullName": "nobody", "city": "nowhere", "home": { "zone": 0 } }).await.unwrap();
    let sales = [(Some("a"), 50), (Some("b"), 40), (Some("gone"), 30), (None, 20), (Some("c"), 10), (Some("a"), 5)];
    for (id, (customer, total)) in sales.into_iter().enumerate() {
        let customer = customer.map(|id| Ref::new(id.to_owned()));
        Sale::insert(&db, &Sale { id: id as i64, customer, total }).await.unwrap();
    }
    db.collection::<Document>("sales")
        .update_one(doc! { "_id": 3 }, doc! { "$unset": { "customer": "" } })
        .await
        .unwrap();
    let naive = [
        doc! { "$match": { "_id": 3 } },
        doc! { "$lookup": {
            "from": "customers", "localField": "customer", "foreignField": "_id", "as": "found",
        } },
    ];
    let mut rows = db.collection::<Document>("sales").aggregate(naive).await.unwrap();
    assert!(rows.advance().await.unwrap());
    assert!(rows.deserialize_current().unwrap().get_array("found").unwrap().len() == 1);

    log.clear();
    let top = || Sale::aggregate::<OfCustomer>().sort(OfCustomer::F.revenue.desc()).limit(4);
    let found = top().fetch_all(&db).await.unwrap();
    let row = |id: Option<&str>, revenue, name: Option<&str>, city: Option<&str>| OfCustomer {
        customer: id.map(|id| Ref::new(id.to_owned())),
        revenue,
        name: name.map(str::to_owned),
        city: city.map(str::to_owned),
        zone: name.map(|_| 7),
    };
    let expected = [
        row(Some("a"), 55, Some("Ada"), Some("Oslo")),
        row(Some("b"), 40, Some("Bo"), None),
        row(Some("gone"), 30, None, None),
        row(None, 20, None, None),
    ];
    assert_eq!(found, expected);
    let commands = log.commands();
    assert_eq!(commands.len(), 1);
    let stages: Vec<String> = commands[0].1.get_array("pipeline").unwrap().iter().map(stage_name).collect();
    assert_eq!(stages, ["$group", "$project", "$sort", "$limit", "$lookup", "$set", "$unset"]);
    let text = top().to_mongosh().unwrap();
    assert!(text.starts_with("db.getCollection(\"sales\").aggregate(["), "{text}");
    assert!(top().explain(&db).await.unwrap().contains_key("stages"));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    shop: Ref<Shop>,
    guest: String,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Visit, by(shop, guest))]
struct OfShop {
    shop: Ref<Shop>,
    guest: String,
    #[count]
    visits: i64,
    #[lookup(shop.name)]
    name: Option<String>,
}

/// A collation that joins two ids would give a reference two documents.
#[tokio::test]
async fn a_collation_and_references_to_texts_are_refused() {
    let (db, log) = database_with_log().await;
    for id in ["b", "B"] {
        let (id, name) = (id.to_owned(), format!("name of {id}"));
        Customer::insert(&db, &Customer { id, name, city: None, home: Home { zone: 7 } }).await.unwrap();
    }
    Sale::insert(&db, &Sale { id: 1, customer: Some(Ref::new("B".to_owned())), total: 5 }).await.unwrap();
    let collation = Collation::builder().locale("en").strength(CollationStrength::Secondary).build();
    let naive = [doc! { "$lookup": {
        "from": "customers", "localField": "customer", "foreignField": "_id", "as": "found",
    } }];
    let mut rows = db.collection::<Document>("sales").aggregate(naive).collation(collation.clone()).await.unwrap();
    assert!(rows.advance().await.unwrap());
    let found = Document::try_from(rows.current()).unwrap();
    assert_eq!(found.get_array("found").unwrap().len(), 2, "the server finds two documents");

    log.clear();
    let all = || Sale::aggregate::<OfCustomer>();
    let refused = all().collation(collation.clone()).fetch_all(&db).await;
    assert!(matches!(refused, Err(Error::Query { .. })), "{refused:?}");
    let options = schema_runtime::OperationOptions::new().case_insensitive();
    assert!(matches!(all().stream(&db.with(options)).await, Err(Error::Query { .. })));
    assert!(log.commands().is_empty());
    let simple = schema_runtime::definition::CollationDefinition::SIMPLE;
    assert_eq!(all().collation(simple).fetch_one(&db).await.unwrap().name.as_deref(), Some("name of B"));

    // References to numbers are the same under each collation.
    Shop::insert(&db, &Shop { id: 3, name: "Oslo".to_owned() }).await.unwrap();
    let visit = |id, guest: &str| Visit { id, shop: Ref::new(3), guest: guest.to_owned() };
    Visit::insert_many(&db, [visit(1, "ada"), visit(2, "ADA")]).await.unwrap();
    let found = Visit::aggregate::<OfShop>().collation(collation).fetch_all(&db).await.unwrap();
    assert_eq!(found.iter().map(|row| (row.visits, row.name.as_deref())).collect::<Vec<_>>(), [(2, Some("Oslo"))]);
}

fn stage_name(stage: &Bson) -> String {
    stage.as_document().unwrap().keys().next().unwrap().clone()
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status))]
struct OfStatus {
    status: Status,
    #[sum(total)]
    revenue: i64,
    #[sum(total * count)]
    product: i64,
}

#[tokio::test]
async fn a_sum_over_64_bits_is_an_error_of_the_group() {
    let db = database().await;
    Order::insert_many(&db, [Order { total: i64::MAX, ..order(1) }, Order { total: 5, ..order(2) }]).await.unwrap();
    let all = || Order::aggregate::<OfStatus>();
    let error = all().fetch_all(&db).await.unwrap_err();
    let is_overflow = |error: &Error, name: &str| matches!(error, Error::Aggregate(AggregateError::Overflow { model: "OfStatus", field }) if field == name);
    assert!(is_overflow(&error, "revenue"), "{error:?}");
    let mut stream = all().stream(&db).await.unwrap();
    assert!(is_overflow(&stream.next().await.unwrap().unwrap_err(), "revenue"));
    assert!(stream.next().await.is_none());
    // A product over 64 bits.
    let found = all().filter(Order::F.id.eq(1)).fetch_one(&db).await.unwrap();
    assert_eq!((found.revenue, found.product), (i64::MAX, i64::MAX));
    Order::update_by_id(1).set(Order::F.count, 2).execute(&db).await.unwrap();
    let error = all().filter(Order::F.id.eq(1)).fetch_one(&db).await.unwrap_err();
    assert!(is_overflow(&error, "product"), "{error:?}");
}

#[tokio::test]
async fn options_transactions_and_spans() {
    let (db, log) = database_with_log().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, (1..=300).map(order)).await.unwrap();
    log.clear();
    let (spans, _guard) = Spans::collect();
    let collation = Collation::builder().locale("en").strength(CollationStrength::Secondary).build();
    let all = || {
        let options = Order::aggregate::<OfStatus>().filter(Order::F.total.lt(40)).hint("by_total");
        options.collation(collation.clone()).comment("report").max_time(Duration::from_secs(30)).allow_disk_use(true)
    };
    assert_eq!(all().fetch_one(&db).await.unwrap().revenue, 60);
    let command = log.named("aggregate").remove(0);
    assert_eq!(command.get_str("hint").ok(), Some("by_total"));
    assert_eq!(command.get_document("collation").unwrap().get_str("locale").ok(), Some("en"));
    assert_eq!(command.get_str("comment").ok(), Some("report"));
    assert!(command.contains_key("maxTimeMS") && command.get_bool("allowDiskUse").unwrap());
    assert_eq!(spans.take().len(), 1);
    let wrong = Order::aggregate::<OfStatus>().hint("by_name").fetch_all(&db).await;
    assert!(matches!(wrong, Err(Error::UnknownIndex { .. })), "{wrong:?}");

    let find = Order::aggregate::<OfStatus>().filter(Order::F.total.lt(40));
    assert_eq!(check_indexed(&find, &db).await.unwrap(), []);
    // The documents of a group count once each, however few groups there are, and a sort of groups is no sort of
    // documents.
    let many = Order::aggregate::<OfStatus>().filter(Order::F.total.gte(40)).sort(OfStatus::F.revenue.desc());
    assert_eq!(many.clone().fetch_all(&db).await.unwrap().len(), 1);
    assert_eq!(check_indexed(&many, &db).await.unwrap(), []);
    let scan = Order::aggregate::<OfStatus>().filter(Order::F.rate.lt(40.0));
    assert_eq!(check_indexed(&scan, &db).await.unwrap(), [schema_runtime::explain::ReadProblem::CollectionScan]);
    assert_eq!(check_indexed(&all(), &db).await.unwrap(), []);

    let inside = transaction(&db, |tx| async move {
        Order::insert(&tx, &Order { total: -1_000_000, ..order(1_000) }).await?;
        Ok::<_, Error>(Order::aggregate::<OfStatus>().fetch_one(&tx).await?.revenue)
    });
    assert_eq!(inside.await.unwrap(), (1..=300).map(|id| 10 * id).sum::<i64>() - 1_000_000);
}
