//! Histories: the newest entries stay, an interval ends where the next interval begins, and no intervals overlap, also
//! with concurrent writers.

use mongodb::bson::{Document, doc};
use schema_runtime::{Throttle, prelude::*, schema, transaction};
use schema_tests::{Fault, Proxy, database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    cents: i64,
    #[serde(rename = "priceHistory")]
    #[history(keep = 4, order = desc(date_start), interval(date_start, date_end))]
    prices: Vec<Price>,
    #[history(keep = 3, interval(from, to))]
    owners: Vec<Owner>,
    #[history(keep = 3, order = asc(at))]
    views: Vec<View>,
    #[history(keep = 2)]
    searches: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    cents: i64,
    #[serde(rename = "from")]
    date_start: DateTime,
    #[serde(rename = "to")]
    date_end: Option<DateTime>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    from: DateTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<DateTime>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct View {
    #[serde(rename = "when")]
    at: i64,
}

fn product(id: i64) -> Product {
    Product { id, cents: 0, prices: vec![], owners: vec![], views: vec![], searches: vec![] }
}

fn time(at: i64) -> DateTime {
    DateTime::from_millis(at)
}

fn price(from: i64, to: Option<i64>) -> Price {
    Price { cents: from, date_start: time(from), date_end: to.map(time) }
}

/// Returns the stored intervals.
fn intervals(product: &Product) -> Vec<(i64, Option<i64>)> {
    let millis = |time: DateTime| time.timestamp_millis();
    product.prices.iter().map(|price| (millis(price.date_start), price.date_end.map(millis))).collect()
}

async fn record(db: &Database, price: &Price) -> Result<()> {
    Product::update_by_id(1).record(Product::F.prices, price).execute(db).await.map(drop)
}

#[tokio::test]
async fn the_newest_stay_in_their_order() {
    let (db, log) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Product::insert(&db, &product(1)).await.unwrap();
    log.clear();
    for at in [5, 1, 9, 7, 3] {
        let update = Product::update_by_id(1).record(Product::F.views, &View { at });
        update.record(Product::F.searches, format!("number {at}")).execute(&db).await.unwrap();
    }
    assert_eq!(log.commands().len(), 5, "one command each");
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!(stored.views, [5, 7, 9].map(|at| View { at }));
    assert_eq!(stored.searches, ["number 7", "number 3"]);
}

#[tokio::test]
async fn an_interval_ends_where_the_next_begins() {
    let (db, log) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Product::insert(&db, &product(1)).await.unwrap();
    record(&db, &price(10, None)).await.unwrap();
    log.clear();
    let update = Product::update_by_id(1).set(Product::F.cents, 20).record(Product::F.prices, &price(20, None));
    assert_eq!(update.execute(&db).await.unwrap().modified, 1);
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["find", "update"]);
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!((stored.cents, intervals(&stored)), (20, vec![(20, None), (10, Some(20))]));
    // An entry that has ended already, before all stored entries.
    record(&db, &price(1, Some(5))).await.unwrap();
    record(&db, &price(30, None)).await.unwrap();
    record(&db, &price(40, Some(45))).await.unwrap();
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!(
        intervals(&stored),
        [(40, Some(45)), (30, Some(40)), (20, Some(30)), (10, Some(20))],
        "the oldest is gone"
    );
    let cents = |at: i64| stored.prices_at(time(at)).map(|price| price.cents);
    assert_eq!([9, 10, 19, 20, 40, 44, 45].map(cents), [None, Some(10), Some(10), Some(20), Some(40), Some(40), None]);
    let found = async |at: i64| Product::find(Product::F.prices.at(time(at))).count(&db).await.unwrap();
    assert_eq!((found(9).await, found(10).await, found(44).await, found(45).await), (0, 1, 1, 0));
    let owner = |name: &str, from| Owner { name: name.to_owned(), from: time(from), to: None };
    for (name, from) in [("a", 1), ("b", 2)] {
        Product::update_by_id(1).record(Product::F.owners, &owner(name, from)).execute(&db).await.unwrap();
    }
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!(stored.owners_at(time(7)), Some(&owner("b", 2)), "without an order, the newest first");
    assert_eq!(Product::find(Product::F.owners.at(time(1))).count(&db).await.unwrap(), 1);
}

#[tokio::test]
async fn what_overlaps_is_refused() {
    let db = database().await;
    Product::insert(&db, &product(1)).await.unwrap();
    for entry in [price(10, Some(20)), price(30, None)] {
        record(&db, &entry).await.unwrap();
    }
    for entry in [
        price(15, None),
        price(10, None),
        price(5, Some(11)),
        price(5, None),
        price(30, None),
        price(25, None),
        price(25, Some(31)),
        price(40, Some(40)),
        price(40, Some(39)),
    ] {
        let error = record(&db, &entry).await.unwrap_err();
        assert!(
            matches!(error, Error::IntervalOverlap { model: "Product", field: "priceHistory" }),
            "{entry:?}: {error}"
        );
    }
    assert_eq!(
        record(&db, &price(5, None)).await.unwrap_err().to_string(),
        "the interval of the entry overlaps an entry in `priceHistory` of `Product`, or does not end after the begin"
    );
    record(&db, &price(20, Some(30))).await.unwrap();
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!(intervals(&stored), [(30, None), (20, Some(30)), (10, Some(20))]);
    let twice = Product::update_by_id(1).record(Product::F.prices, &price(50, None));
    let twice = twice.record(Product::F.prices, &price(60, None)).execute(&db).await.unwrap_err();
    assert!(twice.to_string().contains("`record` of `priceHistory` is there twice"), "{twice}");
    let missing = Product::update_by_id(2).record(Product::F.prices, &price(1, None)).execute(&db).await.unwrap_err();
    assert!(matches!(missing, Error::NotFound { .. }), "{missing}");
    let upsert =
        Product::update_by_id(2).record(Product::F.prices, &price(1, None)).upsert().execute(&db).await.unwrap_err();
    assert_eq!(upsert.to_string(), "this update cannot be sent: an upsert records no interval: insert the document");
    let bulk = Product::bulk().update(Product::update_by_id(1).record(Product::F.prices, &price(99, None)));
    let bulk = bulk.execute(&db).await.unwrap_err().to_string();
    assert!(bulk.contains("a bulk write does not read the open entry of `priceHistory`"), "{bulk}");
    let views = Product::bulk().update(Product::update_by_id(1).record(Product::F.views, &View { at: 1 }));
    views.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(Product::get_by_id(&db, 1).await.unwrap().views, [View { at: 1 }]);
}

/// Each of eight writers records 10 entries: in every order of the writes, an entry ends where the next entry begins.
#[tokio::test]
async fn many_writers() {
    let db = database().await;
    Product::insert(&db, &product(1)).await.unwrap();
    let write = async |writer: i64| {
        let mut recorded = 0;
        for at in 0..10 {
            match record(&db, &price(1 + at * 8 + writer, None)).await {
                Ok(()) => recorded += 1,
                // A later entry was faster.
                Err(Error::IntervalOverlap { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        recorded
    };
    let recorded: i64 = futures_util::future::join_all((0..8).map(write)).await.into_iter().sum();
    let stored = intervals(&Product::get_by_id(&db, 1).await.unwrap());
    assert_eq!((stored.len(), stored[0]), (4, (80, None)));
    assert!(stored.windows(2).all(|pair| pair[1].1 == Some(pair[0].0)), "{stored:?}");
    assert!(recorded >= 10, "{recorded}");
}

/// Another client records an entry between the read and the write, or deletes the document.
#[tokio::test]
async fn what_was_read_has_changed() {
    for is_deleted in [false, true] {
        let db = database().await;
        Product::insert(&db, &product(1)).await.unwrap();
        let proxy = Proxy::start([(1, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let recorded = tokio::spawn(async move { record(&slow, &price(20, None)).await });
        proxy.reached().await;
        match is_deleted {
            true => drop(Product::delete_by_id(&db, 1).await.unwrap()),
            false => record(&db, &price(10, None)).await.unwrap(),
        }
        proxy.release();
        let recorded = recorded.await.unwrap();
        if is_deleted {
            assert!(matches!(recorded, Err(Error::NotFound { .. })), "{recorded:?}");
        } else {
            recorded.unwrap();
            assert_eq!(proxy.names(), ["find", "update", "find", "update"]);
            let stored = Product::get_by_id(&db, 1).await.unwrap();
            assert_eq!(intervals(&stored), [(20, None), (10, Some(20))]);
        }
    }
}

/// A record in a transaction, and a record in a document that another program has written without the list.
#[tokio::test]
async fn in_a_transaction_and_without_a_list() {
    let db = database().await;
    Product::insert(&db, &product(1)).await.unwrap();
    let unset = doc! { "$unset": { "priceHistory": "" } };
    db.collection::<Document>("products").update_one(doc! { "_id": 1_i64 }, unset).await.unwrap();
    transaction(&db, |tx| async move {
        Product::update_by_id(1).record(Product::F.prices, &price(10, None)).execute(&tx).await?;
        Product::update_by_id(1).record(Product::F.prices, &price(20, None)).execute(&tx).await.map(drop)
    })
    .await
    .unwrap();
    assert_eq!(intervals(&Product::get_by_id(&db, 1).await.unwrap()), [(20, None), (10, Some(20))]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "brands")]
struct Brand {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Article::brand, stock))]
    stock: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Article::offers, fan_out = 10)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    brand: Ref<Brand>,
    stock: i64,
    #[version]
    version: i64,
    #[updated_at]
    updated: DateTime,
    #[history(keep = 10, interval(from, to))]
    offers: Vec<Offer>,
    #[history(keep = 2, order = desc(from))]
    seen: Vec<Seen>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Offer {
    shop: Ref<Shop>,
    #[denormalize(from = shop.name)]
    shop_name: String,
    from: DateTime,
    to: Option<DateTime>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Seen {
    from: i64,
}

/// Copies in the entries, the value that a parent keeps of the document, the version and the time of the document.
#[tokio::test]
async fn beside_all_that_the_crate_keeps() {
    let db = database().await;
    let schema = schema![Brand, Shop, Article];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Brand::insert(&db, &Brand { id: 1, stock: 0 }).await.unwrap();
    for (id, name) in [(1, "corner"), (2, "market")] {
        Shop::insert(&db, &Shop { id, name: name.to_owned() }).await.unwrap();
    }
    let article =
        Article { id: 1, brand: Ref::new(1), stock: 5, version: 0, updated: time(0), offers: vec![], seen: vec![] };
    Article::insert(&db, &article).await.unwrap();
    for (shop, from) in [(1, 10), (2, 20)] {
        let offer = Offer { shop: Ref::new(shop), shop_name: "?".to_owned(), from: time(from), to: None };
        let update = Article::update_by_id(1).record(Article::F.offers, &offer).record(Article::F.seen, &Seen { from });
        update.inc(Article::F.stock, 1).execute(&db).await.unwrap();
    }
    Shop::update_by_id(1).set(Shop::F.name, "round the block").execute(&db).await.unwrap();
    let stored = Article::get_by_id(&db, 1).await.unwrap();
    let names: Vec<&str> = stored.offers.iter().map(|offer| offer.shop_name.as_str()).collect();
    assert_eq!((names, stored.offers[1].to), (vec!["market", "round the block"], Some(time(20))));
    assert_eq!((stored.version, stored.stock, stored.seen.len()), (2, 7, 2));
    assert!(stored.updated > time(20));
    assert_eq!(Brand::get_by_id(&db, 1).await.unwrap().stock, 7);
    assert!(schema.verify(&db).await.unwrap().is_clean());
    // The marks of the two updates are cleared in a batch.
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(schema.recover(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to recover");
    // A save stores the list of the value.
    let mut saved = stored.clone();
    saved.offers.truncate(1);
    Article::save(&db, &mut saved).await.unwrap();
    assert_eq!(Article::get_by_id(&db, 1).await.unwrap().offers.len(), 1);
}
