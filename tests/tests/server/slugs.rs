//! Slugs: an insert with an empty slug gets a unique slug, also with concurrent inserts.

mod derived;
mod follow;
mod kept;

use mongodb::bson::{Document, doc};
use schema_runtime::{FailedRule, Throttle, prelude::*, schema, transaction};
use schema_tests::{Fault, Proxy, database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "title")]
    name: String,
    #[slug(from = name, max_len = 24)]
    #[serde(rename = "slugText")]
    slug: String,
}

fn product(id: i64, name: &str) -> Product {
    Product { id, name: name.to_owned(), slug: String::new() }
}

async fn start() -> Database {
    let db = database().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

async fn slugs(db: &Database) -> Vec<String> {
    let all = Product::find(Filter::all()).sort(Product::F.id.asc()).fetch_all(db).await.unwrap();
    all.into_iter().map(|product| product.slug).collect()
}

#[tokio::test]
async fn every_insert_makes_one() {
    let db = start().await;
    Product::insert(&db, &product(1, "Left-handed Smoke Shifter")).await.unwrap();
    let mut created = product(2, "Left-handed smoke shifter!");
    Product::create(&db, &mut created).await.unwrap();
    assert_eq!(created.slug, "left-handed-smoke-shif-2", "it comes back");
    Product::insert_many(&db, [product(3, "Bolt"), product(4, "bolt"), product(5, "BOLT"), product(6, "?!")])
        .await
        .unwrap();
    Product::bulk()
        .insert(&product(7, "Bolt"))
        .insert(&product(8, "Nut"))
        .execute(&db)
        .await
        .unwrap()
        .complete()
        .unwrap();
    assert!(Product::upsert(&db, &product(9, "Nut")).await.unwrap());
    transaction(&db, |tx| async move {
        Product::insert(&tx, &product(10, "Nut")).await?;
        Product::insert(&tx, &product(11, "Nut")).await
    })
    .await
    .unwrap();
    let made = slugs(&db).await;
    let (random, made): (Vec<_>, Vec<_>) = made.iter().enumerate().partition(|(at, _)| *at == 5);
    assert_eq!(random[0].1.len(), 8, "of no letters: {random:?}");
    assert_eq!(
        made.into_iter().map(|(_, slug)| slug.as_str()).collect::<Vec<_>>(),
        [
            "left-handed-smoke-shifte",
            "left-handed-smoke-shif-2",
            "bolt",
            "bolt-2",
            "bolt-3",
            "bolt-4",
            "nut",
            "nut-2",
            "nut-3",
            "nut-4"
        ]
    );
    assert_eq!(Product::by_slug("bolt-3").fetch_optional(&db).await.unwrap().unwrap().id, 5);
    assert_eq!(Product::by_slug("bolts").fetch_optional(&db).await.unwrap(), None);
    assert!(schema![Product].verify(&db).await.unwrap().is_clean());
}

/// A slug of the user stays. A taken or malformed slug is refused. A new name leaves the slug unchanged.
#[tokio::test]
async fn one_that_is_given_stays() {
    let db = start().await;
    let given = |id, slug: &str| Product { slug: slug.to_owned(), ..product(id, "Bolt") };
    Product::insert(&db, &given(1, "my-own")).await.unwrap();
    let taken = Product::insert(&db, &given(2, "my-own")).await.unwrap_err();
    assert!(matches!(&taken, Error::DuplicateKey { index, .. } if index == "slugText_1"), "{taken}");
    let no_slug = Product::insert(&db, &given(2, "My own")).await.unwrap_err();
    let rule = |failure: &FailedRule| failure.rule == "pattern" && failure.field == "slugText";
    assert!(matches!(&no_slug, Error::DocumentInvalid { failures, .. } if failures.iter().any(rule)), "{no_slug:?}");
    Product::update_by_id(1).set(Product::F.name, "Nut").execute(&db).await.unwrap();
    Product::insert_many(&db, [product(2, "my own"), given(3, "bolt"), product(4, "bolt")]).await.unwrap();
    assert_eq!(slugs(&db).await, ["my-own", "my-own-2", "bolt", "bolt-2"]);
    Product::update_by_id(1).set(Product::F.slug, "another").execute(&db).await.unwrap();
    let mut value = Product::get_by_id(&db, 1).await.unwrap();
    value.name = "Washer".to_owned();
    Product::save(&db, &mut value).await.unwrap();
    assert_eq!(Product::get_by_id(&db, 1).await.unwrap().slug, "another");
    // The value of a document that was inserted by reference has no slug.
    let value = Product { name: "Screw".to_owned(), ..product(1, "") };
    Product::replace(&db, &value).await.unwrap();
    assert!(!Product::upsert(&db, &value).await.unwrap());
    Product::bulk().replace(&value).execute(&db).await.unwrap().complete().unwrap();
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!((stored.slug.as_str(), stored.name.as_str()), ("another", "Screw"));
    let bulk = Product::bulk().upsert(&value).execute(&db).await.unwrap_err().to_string();
    assert!(bulk.contains("this `Product` has no slug yet"), "{bulk}");
    Product::bulk().upsert(&given(7, "seven")).execute(&db).await.unwrap().complete().unwrap();
    let new = [product(20, "Seven"), value];
    assert_eq!(Product::upsert_many(&db, &new).await.unwrap().inserted, 1);
    assert_eq!(Product::get_by_id(&db, 20).await.unwrap().slug, "seven-2");
}

/// A thousand documents with the same name: eight slugs have a number, and the rest are random.
#[tokio::test]
async fn a_name_that_is_taken_a_thousand_times() {
    let (db, log) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    log.clear();
    Product::insert_many(&db, (0..1_000).map(|id| product(id, "Bolt"))).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["find", "find", "insert"]);
    let made = slugs(&db).await;
    assert_eq!((made[0].as_str(), made[1].as_str(), made[8].as_str()), ("bolt", "bolt-2", "bolt-9"));
    assert!(made[9..].iter().all(|slug| slug.starts_with("bolt-") && slug.len() == 13), "{:?}", &made[..12]);
    Product::insert(&db, &product(1_000, "bolt")).await.unwrap();
    // Many names: the commands stay small.
    log.clear();
    Product::insert_many(&db, (2_000..4_500).map(|id| product(id, &format!("nut {id}")))).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["find", "find", "find", "insert"]);
}

#[tokio::test]
async fn many_writers_of_one_name() {
    let db = start().await;
    let write = async |writer: i64| {
        for at in 0..10 {
            Product::insert(&db, &product(writer * 100 + at, "Bolt")).await.unwrap();
        }
        let many = (50..60).map(|at| product(writer * 100 + at, "Bolt"));
        Product::insert_many(&db, many).await.unwrap();
    };
    futures_util::future::join_all((0..8).map(write)).await;
    let mut made = slugs(&db).await;
    made.sort();
    made.dedup();
    assert_eq!(made.len(), 160);
    assert!((2..=9).all(|number| made.contains(&format!("bolt-{number}"))), "{made:?}");
}

/// A numbered slug equals the slug of another name. The numbers of the second name were not read.
#[tokio::test]
async fn a_number_that_is_a_name() {
    let db = start().await;
    let taken = Product { slug: "bolt-2-2".to_owned(), ..product(1, "") };
    Product::insert(&db, &taken).await.unwrap();
    let bulk = Product::bulk().insert_many([product(2, "Bolt"), product(3, "Bolt"), product(4, "Bolt 2")]);
    bulk.execute(&db).await.unwrap().complete().unwrap();
    let made = slugs(&db).await;
    assert_eq!(made[..3], ["bolt-2-2", "bolt", "bolt-2"]);
    assert!(made[3].starts_with("bolt-2-") && made[3].len() == 15, "{made:?}");
}

/// Another program gave the index its name.
#[tokio::test]
async fn an_index_of_another_name() {
    let db = database().await;
    let keys = mongodb::IndexModel::builder().keys(doc! { "slugText": 1 });
    let options = mongodb::options::IndexOptions::builder().unique(true).name("theirs".to_owned()).build();
    db.collection::<Document>("products").create_index(keys.options(options).build()).await.unwrap();
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let inserted = tokio::spawn(async move { Product::insert(&slow, &product(2, "Bolt")).await });
    proxy.reached().await;
    Product::insert(&db, &product(9, "Bolt")).await.unwrap();
    proxy.release();
    inserted.await.unwrap().unwrap();
    assert_eq!(slugs(&db).await, ["bolt-2", "bolt"]);
}

/// Another client takes the slug between the read and the insert. A single insert tries again; a batch keeps the
/// documents that are stored already.
#[tokio::test]
async fn one_that_is_taken_in_between() {
    for many in [false, true] {
        let db = start().await;
        let at = if many { 2 } else { 1 };
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let inserted = tokio::spawn(async move {
            match many {
                true => Product::insert_many(&slow, [product(1, "Nut"), product(2, "Bolt"), product(3, "Bolt")]).await,
                false => Product::insert(&slow, &product(2, "Bolt")).await,
            }
        });
        proxy.reached().await;
        Product::insert(&db, &product(9, "Bolt")).await.unwrap();
        proxy.release();
        inserted.await.unwrap().unwrap();
        let expected = if many { vec!["nut", "bolt-2", "bolt-3", "bolt"] } else { vec!["bolt-2", "bolt"] };
        assert_eq!(slugs(&db).await, expected);
    }
    // In a transaction, the taken slug is a write conflict, and the transaction begins again.
    let db = start().await;
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let inserted = tokio::spawn(async move {
        transaction(&slow, |tx| async move { Product::insert(&tx, &product(2, "Bolt")).await }).await
    });
    proxy.reached().await;
    Product::insert(&db, &product(9, "Bolt")).await.unwrap();
    proxy.release();
    inserted.await.unwrap().unwrap();
    assert_eq!(slugs(&db).await, ["bolt-2", "bolt"]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
#[inverse(articles = Article::shop, on_delete = restrict)]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 40)]
    #[copied_to(Article::shop_slug, fan_out = 10)]
    slug: String,
    #[computed(count(Article::shop))]
    articles: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    shop: Ref<Shop>,
    #[denormalize(from = shop.slug)]
    shop_slug: String,
    title: String,
    #[slug(from = title, max_len = 40)]
    slug: String,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
}

/// Slugs together with copies of slugs, kept values of documents with a slug, delete rules (with inserts in a
/// transaction), and a version.
#[tokio::test]
async fn beside_all_that_is_derived() {
    let db = database().await;
    let schema = schema![Shop, Article];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let shop = |id| Shop { id, name: "Corner".to_owned(), slug: String::new(), articles: 7 };
    Shop::insert_many(&db, [shop(1), shop(2)]).await.unwrap();
    let article = |id, shop: i64| Article {
        id,
        shop: Ref::new(shop),
        shop_slug: "?".to_owned(),
        title: "Bolt".to_owned(),
        slug: String::new(),
        version: 0,
        created: DateTime::from_millis(0),
    };
    Article::insert(&db, &article(1, 1)).await.unwrap();
    Article::insert_many(&db, (2..5).map(|id| article(id, 2))).await.unwrap();
    let bulk = Article::bulk().insert(&article(5, 2)).delete_by_id(1);
    bulk.execute(&db).await.unwrap().complete().unwrap();
    Shop::update_by_id(2).set(Shop::F.slug, "market").execute(&db).await.unwrap();
    let stored = Article::find(Filter::all()).sort(Article::F.id.asc()).fetch_all(&db).await.unwrap();
    let of = |article: &Article| (article.slug.clone(), article.shop_slug.clone());
    let expected = ["bolt-2", "bolt-3", "bolt-4", "bolt-5"].map(|slug| (slug.to_owned(), "market".to_owned()));
    assert_eq!(stored.iter().map(of).collect::<Vec<_>>(), expected);
    assert_eq!(Shop::get_by_id(&db, 2).await.unwrap().articles, 4);
    assert!(schema.verify(&db).await.unwrap().is_clean());
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(schema.recover(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to recover");
    let raw = db.collection::<Document>("shops").find_one(doc! { "_id": 2_i64 }).await.unwrap().unwrap();
    assert_eq!(raw.get_str("slug").unwrap(), "market");
}
