//! A snapshot is the value of the source at the time of the write of the reference: an order keeps the price of a
//! product.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::prelude::*;
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "products")]
#[inverse(readings = Reading::product)]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Review::product_name)]
    name: String,
    #[serde(rename = "priceCents")]
    price: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 5)]
    lines: Vec<Line>,
    #[relation(one_to_few, embed, max = 5)]
    gifts: BTreeMap<String, Line>,
    coupon: Option<Ref<Product>>,
    #[denormalize(from = coupon.name, snapshot)]
    coupon_name: Option<String>,
    #[relation(one_to_one, embed)]
    main: Option<Line>,
    state: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Line {
    product: Ref<Product>,
    #[denormalize(from = product.name, snapshot)]
    name: String,
    #[serde(rename = "cents")]
    #[denormalize(from = product.price, snapshot)]
    price: i64,
    #[denormalize(from = product.price, snapshot, given)]
    agreed: i64,
    count: i32,
}

/// A review with a followed copy beside its snapshot.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    product: Ref<Product>,
    #[denormalize(from = product.name)]
    product_name: String,
    #[denormalize(from = product.price, snapshot)]
    price_then: i64,
    stars: i32,
}

/// A note that refers to another note.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    text: String,
    #[reference(may_dangle)]
    answers: Option<Ref<Note>>,
    #[denormalize(from = answers.text, snapshot)]
    quoted: Option<String>,
}

/// A reading in buckets.
#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "reading_buckets", bucket(size = 10), insert_only)]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(number), inverse = readings)]
    product: Ref<Product>,
    #[denormalize(from = product.name, snapshot)]
    product_name: String,
    number: i64,
}

fn line(product: i64) -> Line {
    Line { product: Ref::new(product), name: String::new(), price: 0, agreed: 7, count: 1 }
}

fn order(id: i64, lines: Vec<Line>) -> Order {
    let (gifts, state) = (BTreeMap::new(), "new".to_owned());
    Order { id, lines, gifts, coupon: None, coupon_name: None, main: None, state }
}

async fn prepared() -> Database {
    let db = database().await;
    store_products(&db).await;
    db
}

async fn store_products(db: &Database) {
    schema![Product, Order, Review, Note, Reading].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let product = |id, name: &str, price| Product { id, name: name.to_owned(), price };
    Product::insert_many(db, &[product(1, "lamp", 100), product(2, "bulb", 20)]).await.unwrap();
}

async fn raw(db: &Database, collection: &str, id: i64) -> Document {
    db.collection::<Document>(collection).find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

/// Returns the stored name, cents and agreed value of each line.
async fn lines(db: &Database, id: i64) -> Vec<(String, i64, i64)> {
    let order = raw(db, "orders", id).await;
    let line = |line: &Bson| {
        let line = line.as_document().unwrap();
        let text = |name: &str| line.get_str(name).unwrap().to_owned();
        (text("name"), line.get_i64("cents").unwrap(), line.get_i64("agreed").unwrap())
    };
    order.get_array("lines").unwrap().iter().map(line).collect()
}

fn lamp() -> (String, i64, i64) {
    ("lamp".to_owned(), 100, 7)
}

fn bulb() -> (String, i64, i64) {
    ("bulb".to_owned(), 20, 7)
}

#[tokio::test]
async fn every_insert_fills_it() {
    let (db, log) = database_with_log().await;
    store_products(&db).await;
    log.clear();
    Order::insert(&db, &order(1, vec![line(1), line(2)])).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["find", "insert"], "one read of all sources");
    assert_eq!(lines(&db, 1).await, [lamp(), bulb()]);

    Order::insert_many(&db, [order(2, vec![line(2)]), order(3, vec![])]).await.unwrap();
    assert_eq!((lines(&db, 2).await, lines(&db, 3).await), (vec![bulb()], vec![]));
    let mut created = order(4, vec![line(1)]);
    Order::create(&db, &mut created).await.unwrap();
    assert_eq!((created.lines[0].name.as_str(), created.lines[0].price), ("lamp", 100));
    Order::upsert(&db, &order(5, vec![line(1)])).await.unwrap();
    Order::bulk().insert(&order(6, vec![line(2)])).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((lines(&db, 5).await, lines(&db, 6).await), (vec![lamp()], vec![bulb()]));

    let mut everywhere = order(7, vec![]);
    everywhere.gifts.insert("to Ann".to_owned(), line(2));
    (everywhere.main, everywhere.coupon) = (Some(line(1)), Some(Ref::new(1)));
    Order::insert(&db, &everywhere).await.unwrap();
    let stored = raw(&db, "orders", 7).await;
    let of = |path: &[&str]| path.iter().fold(&stored, |it, name| it.get_document(name).unwrap()).clone();
    assert_eq!(of(&["gifts", "to Ann"]).get_str("name").unwrap(), "bulb");
    assert_eq!(of(&["main"]).get_str("name").unwrap(), "lamp");
    assert_eq!(stored.get_str("coupon_name").unwrap(), "lamp");
}

#[tokio::test]
async fn updates_that_put_a_reference_in_fill_it_and_others_leave_it() {
    let db = prepared().await;
    Order::insert(&db, &order(1, vec![line(1)])).await.unwrap();
    Product::update_by_id(1).set(Product::F.price, 900).execute(&db).await.unwrap();
    Order::update_by_id(1).push(Order::F.lines, &line(2)).execute(&db).await.unwrap();
    assert_eq!(lines(&db, 1).await, [lamp(), bulb()], "what is there stays");
    Order::update_by_id(1).set(Order::F.state, "paid").execute(&db).await.unwrap();
    Order::update_by_id(1).set(Order::F.coupon, 2_i64).execute(&db).await.unwrap();
    assert_eq!(raw(&db, "orders", 1).await.get_str("coupon_name").unwrap(), "bulb");
    Order::update_by_id(1).set(Order::F.main, &line(1)).execute(&db).await.unwrap();
    assert_eq!(raw(&db, "orders", 1).await.get_document("main").unwrap().get_i64("cents").unwrap(), 900);
    let push = Order::update_by_id(1).push(Order::F.lines, &line(1));
    Order::bulk().update(push).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(lines(&db, 1).await[2], ("lamp".to_owned(), 900, 7));
    // An upsert that inserts.
    let upsert = Order::update_one(Order::F.id.eq(8) & Order::F.coupon.eq(1_i64));
    upsert
        .set(Order::F.state, "new")
        .set(Order::F.lines, Vec::new())
        .set(Order::F.gifts, BTreeMap::new())
        .upsert()
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(raw(&db, "orders", 8).await.get_str("coupon_name").unwrap(), "lamp");
    schema_runtime::transaction(&db, |tx| async move {
        Product::update_by_id(2).set(Product::F.price, 21).execute(&tx).await?;
        Order::insert(&tx, &order(9, vec![line(2)])).await
    })
    .await
    .unwrap();
    assert_eq!(lines(&db, 9).await, [("bulb".to_owned(), 21, 7)], "as the transaction sees it");
}

/// A value that was read and changed keeps its snapshots.
#[tokio::test]
async fn a_write_of_the_whole_value_leaves_it() {
    let db = prepared().await;
    Order::insert(&db, &order(1, vec![line(1)])).await.unwrap();
    Review::insert(&db, &Review { id: 1, product: Ref::new(1), product_name: String::new(), price_then: 0, stars: 4 })
        .await
        .unwrap();
    Product::update_by_id(1).set(Product::F.price, 900).set(Product::F.name, "torch").execute(&db).await.unwrap();

    let mut order = Order::get_by_id(&db, 1).await.unwrap();
    order.state = "paid".to_owned();
    Order::replace(&db, &order).await.unwrap();
    Order::save(&db, &mut order).await.unwrap();
    Order::upsert(&db, &order).await.unwrap();
    Order::bulk().replace(&order).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(lines(&db, 1).await, [lamp()]);

    let mut review = Review::get_by_id(&db, 1).await.unwrap();
    assert_eq!((review.product_name.as_str(), review.price_then), ("torch", 100));
    review.stars = 5;
    Review::replace(&db, &review).await.unwrap();
    Review::save(&db, &mut review).await.unwrap();
    Review::bulk().replace(&review).execute(&db).await.unwrap().complete().unwrap();
    let stored = raw(&db, "reviews", 1).await;
    assert_eq!((stored.get_i64("price_then").unwrap(), stored.get_str("product_name").unwrap()), (100, "torch"));
    assert_eq!(stored.get_i32("stars").unwrap(), 5);
}

#[tokio::test]
async fn what_is_not_there_is_a_dangling_reference() {
    let db = prepared().await;
    Order::insert(&db, &order(1, vec![])).await.unwrap();
    let insert = Order::insert(&db, &order(2, vec![line(1), line(9)])).await.unwrap_err();
    let push = Order::update_by_id(1).push(Order::F.lines, &line(9)).execute(&db).await.unwrap_err();
    for (error, of) in [(insert, 2_i64), (push, 1)] {
        let Error::DanglingReference { model: "Order", field, collection: "products", id, holder, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!((field.as_str(), &**id, &**holder), ("lines.product", &Bson::Int64(9), &Bson::Int64(of)));
    }
    assert_eq!(db.collection::<Document>("orders").count_documents(doc! {}).await.unwrap(), 1);
}

#[tokio::test]
async fn in_one_insert_and_of_nothing() {
    let db = prepared().await;
    let note = |id, answers: Option<i64>, quoted: Option<&str>| Note {
        id,
        text: format!("text {id}"),
        answers: answers.map(Ref::new),
        quoted: quoted.map(str::to_owned),
    };
    let notes = [
        note(1, None, Some("by hand")),
        note(2, Some(3), None),
        note(3, Some(1), None),
        note(4, Some(99), Some("gone")),
    ];
    Note::insert_many(&db, &notes).await.unwrap();
    let mut quoted = Vec::new();
    for id in 1..=4 {
        quoted.push(raw(&db, "notes", id).await.get_str("quoted").unwrap().to_owned());
    }
    // A note without a reference, or with a dangling reference that may dangle, keeps the given value.
    assert_eq!(quoted, ["by hand", "text 3", "text 1", "gone"]);
}

#[tokio::test]
async fn children_in_buckets_have_it() {
    let db = prepared().await;
    let reading = |id, product| Reading { id, product: Ref::new(product), product_name: String::new(), number: id };
    Reading::insert(&db, &reading(1, 1)).await.unwrap();
    Reading::insert_many(&db, [reading(2, 1), reading(3, 2)]).await.unwrap();
    let mut names = Vec::new();
    for id in 1..=3 {
        names.push(Reading::find_by_id(&db, id).await.unwrap().unwrap().product_name);
    }
    assert_eq!(names, ["lamp", "lamp", "bulb"]);
    let gone = Reading::insert(&db, &reading(4, 9)).await.unwrap_err();
    assert!(matches!(gone, Error::DanglingReference { model: "Reading", .. }), "{gone}");
}
