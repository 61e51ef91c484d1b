//! Lists that keep the first or the last pushed elements: a single command for each push, and never more elements than
//! the limit.

use mongodb::bson::{Bson, doc};
use schema_runtime::{prelude::*, schema};
use schema_tests::{database, database_with_log};

use super::{Person, person, raw};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 5)]
    views: Vec<View>,
    #[bound(max_items = 10, max_len = 40)]
    lines: Vec<String>,
    #[bound(max_items = 3)]
    best: Vec<i32>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct View {
    by: i32,
    #[serde(rename = "when")]
    at: i64,
}

fn product(id: i64) -> Product {
    Product { id, views: Vec::new(), lines: Vec::new(), best: Vec::new() }
}

fn ats(product: &Product) -> Vec<i64> {
    product.views.iter().map(|view| view.at).collect()
}

#[tokio::test]
async fn each_keeps_what_it_says_in_one_command() {
    let (db, log) = database_with_log().await;
    Product::insert(&db, &product(1)).await.unwrap();
    log.clear();
    let (p, update) = (Product::F, || Product::update_by_id(1));
    for at in [3, 9, 1, 7, 5] {
        update().push_capped(p.views, &View { by: 1, at }, |view| view.at.desc(), 3).execute(&db).await.unwrap();
        update().push_last(p.lines, format!("line {at}"), 2).execute(&db).await.unwrap();
        update().push_capped(p.best, at as i32, |number| number.asc(), 3).execute(&db).await.unwrap();
    }
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!((ats(&stored), stored.best), (vec![9, 7, 5], vec![1, 3, 5]));
    assert_eq!(stored.lines, ["line 7", "line 5"]);
    assert_eq!(log.named("update").len(), 15, "nothing else was asked");
    let sent = log.named("update")[0].get_array("updates").unwrap()[0].as_document().unwrap().clone();
    let pushed = doc! { "$each": [{ "by": 1, "when": 3_i64 }], "$sort": { "when": -1 }, "$slice": 3_i64 };
    assert_eq!(sent.get_document("u").unwrap(), &doc! { "$push": { "views": pushed } });
    // A sort by two keys.
    update()
        .push_capped(p.views, &View { by: 0, at: 9 }, |view| [view.at.desc(), view.by.asc()], 3)
        .execute(&db)
        .await
        .unwrap();
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!(stored.views.iter().map(|view| (view.by, view.at)).collect::<Vec<_>>(), [(0, 9), (1, 9), (1, 7)]);
}

/// Eight concurrent writers, and a bound that the list does not reach.
#[tokio::test]
async fn of_many_writers_the_latest_stay() {
    let db = database().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Product::insert(&db, &product(1)).await.unwrap();
    let write = async |by: i32| {
        for at in 0..25_i64 {
            let view = View { by, at: at * 8 + i64::from(by) };
            let update = Product::update_by_id(1).push_capped(Product::F.views, &view, |view| view.at.desc(), 5);
            update.execute(&db).await.unwrap();
        }
    };
    futures_util::future::join_all((0..8).map(write)).await;
    assert_eq!(ats(&Product::get_by_id(&db, 1).await.unwrap()), [199, 198, 197, 196, 195]);
}

#[tokio::test]
async fn in_elements_and_on_an_upsert() {
    let db = database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let floors = Person::update_by_id(1).each(
        Person::F.addresses,
        |address| address.city_name.eq("Oslo"),
        |change, address| change.push_capped(address.floors, 7, |floor| floor.desc(), 1),
    );
    floors.execute(&db).await.unwrap();
    let stored = raw(&db, 1).await;
    let floors = |at: usize| {
        let address = stored.get_array("addresses").unwrap()[at].as_document().unwrap().clone();
        address.get_array("floors").unwrap().clone()
    };
    assert_eq!((floors(0), floors(1)), (vec![Bson::Int32(7)], vec![Bson::Int32(1)]));
    let upsert = Product::update_by_id(2).push_last(Product::F.best, 4, 3).upsert();
    let upsert = upsert.set_on_insert(Product::F.views, vec![]).set_on_insert(Product::F.lines, vec![]);
    upsert.execute(&db).await.unwrap();
    assert_eq!(Product::get_by_id(&db, 2).await.unwrap().best, [4]);
}

/// A senseless update is refused before any command is sent.
#[tokio::test]
async fn what_is_refused() {
    let (db, log) = database_with_log().await;
    log.clear();
    let update = || Product::update_by_id(1);
    let long = "x".repeat(41);
    let refused = [
        (update().push_last(Product::F.best, 1, 4), "`best` is to keep 4 elements, and the bound is 3"),
        (update().push_last(Product::F.best, 1, 0), "`best` is to keep no element: `keep` is from 1 on"),
        (update().push_last(Product::F.best, 1, 2).push(Product::F.best, 2), "`$push` of `best` is there twice"),
        (update().push(Product::F.best, 2).push_last(Product::F.best, 1, 2), "`$push` of `best` is there twice"),
        (
            update().push_last(Product::F.lines, long, 2),
            "a value in `lines` of `Product` has 41 code points, the bound is 40",
        ),
    ];
    for (update, words) in refused {
        let error = update.execute(&db).await.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let too_many = Person::update_by_id(1).each(
        Person::F.addresses,
        |_| Filter::all(),
        |change, address| change.push_last(address.floors, 1, 3),
    );
    let error = too_many.execute(&db).await.unwrap_err().to_string();
    assert!(error.contains("floors"), "{error}");
    assert_eq!(log.commands(), []);
}
