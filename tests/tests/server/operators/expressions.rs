//! Values of other fields (`set_expr`): the pipeline, the changes beside an expression, the documents that match, and
//! the limits of the result. Random expressions have the values of Rust.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Expression, prelude::*, transaction};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    price: i64,
    quantity: u32,
    small: i8,
    total: i64,
    rate: f64,
    exact: Decimal128,
    discount: Option<i64>,
    #[check(max = 1_000)]
    limited: i64,
    first: String,
    last: String,
    name: Option<String>,
    due: DateTime,
    paid: Option<DateTime>,
    open: bool,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    #[relation(one_to_one, embed)]
    box_of: Option<Box3>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Box3 {
    width: i32,
    height: i32,
    area: i32,
}

fn order(id: i64) -> Order {
    let at = DateTime::from_millis(5);
    Order {
        id,
        version: 1,
        created: at,
        updated: at,
        price: 7,
        quantity: 3,
        small: 100,
        total: 0,
        rate: 1.5,
        exact: "2.5".parse().unwrap(),
        discount: None,
        limited: 0,
        first: "$price".to_owned(),
        last: "B".to_owned(),
        name: None,
        due: at,
        paid: None,
        open: true,
        tags: Vec::new(),
        box_of: Some(Box3 { width: 2, height: 5, area: 0 }),
    }
}

async fn stored(db: &Database) -> Order {
    Order::get_by_id(db, &1).await.unwrap()
}

#[tokio::test]
async fn one_command_with_all_changes() {
    let (db, log) = database_with_log().await;
    Order::insert(&db, &order(1)).await.unwrap();
    let before = stored(&db).await;
    let f = Order::F;
    log.clear();
    Order::update_by_id(1)
        .set_expr(f.total, f.price.times(f.quantity).plus(Expression::value(1_i64)))
        .set_expr(f.name, f.first.concat(Expression::text(" $last ")).concat(f.last))
        .set(f.last, "$first")
        .inc(f.price, 5)
        .unset(f.discount)
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(log.commands().len(), 1);
    let update = log.named("update")[0].get_array("updates").unwrap()[0].as_document().unwrap().clone();
    assert_eq!(update.get_array("u").unwrap().len(), 2, "a pipeline of two stages");
    let after = stored(&db).await;
    assert_eq!((after.total, after.price), (22, 12), "an expression reads the document before the update");
    assert_eq!(after.name.as_deref(), Some("$price $last B"));
    assert_eq!(after.last, "$first");
    assert_eq!(after.version, before.version + 1);
    assert!(after.updated > before.updated || after.updated >= before.created);
    assert_eq!(after.created, before.created);
}

#[tokio::test]
async fn each_class_of_values() {
    let db = database().await;
    Order::insert(&db, &order(1)).await.unwrap();
    let (f, update) = (Order::F, || Order::update_by_id(1));
    update().set_expr(f.rate, f.price.times(f.quantity)).execute(&db).await.unwrap();
    let raw = db.collection::<Document>("orders").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(raw.get("rate"), Some(&Bson::Double(21.0)), "an integer in a float is a double");
    update().set_expr(f.exact, f.exact.times(f.quantity)).execute(&db).await.unwrap();
    assert_eq!(stored(&db).await.exact.to_string(), "7.5");
    let mixed = update().set_expr(f.exact, f.exact.times(f.rate)).execute(&db).await.unwrap_err();
    assert!(matches!(mixed, Error::Update { .. }), "{mixed}");
    let mixed = update().set_expr(f.rate, f.exact).execute(&db).await.unwrap_err();
    assert!(matches!(mixed, Error::Update { .. }), "{mixed}");
    update().set_expr(f.paid, f.due).set_expr(f.discount, f.price.minus(f.total)).execute(&db).await.unwrap();
    update()
        .set_expr(f.total, f.price.lesser_of(f.quantity).plus(f.price.greater_of(f.quantity)))
        .execute(&db)
        .await
        .unwrap();
    update().set_expr(f.box_of.area, f.box_of.width.times(f.box_of.height)).execute(&db).await.unwrap();
    let after = stored(&db).await;
    assert_eq!((after.paid, after.discount, after.total), (Some(after.due), Some(7), 10));
    assert_eq!(after.box_of.unwrap().area, 10);
}

#[tokio::test]
async fn a_document_without_an_operand_does_not_match() {
    let db = database().await;
    Order::insert_many(&db, &[order(1), Order { discount: Some(2), box_of: None, ..order(2) }]).await.unwrap();
    let f = Order::F;
    let none = Order::update_by_id(1).set_expr(f.total, f.price.minus(f.discount)).execute(&db).await.unwrap_err();
    assert!(matches!(none, Error::NotFound { .. }), "{none}");
    let many = Order::update_many(Filter::all()).set_expr(f.total, f.price.minus(f.discount)).execute(&db).await;
    assert_eq!(many.unwrap().matched, 1);
    assert_eq!(Order::get_by_id(&db, &2).await.unwrap().total, 5);
    let area = f.box_of.width.times(f.box_of.height);
    let many = Order::update_many(Filter::all()).set_expr(f.box_of.area, area).execute(&db).await.unwrap();
    assert_eq!(many.matched, 1);
}

#[tokio::test]
async fn the_result_stays_within_the_limits_of_the_field() {
    let db = database().await;
    Order::insert(&db, &order(1)).await.unwrap();
    let (f, update) = (Order::F, || Order::update_by_id(1));
    let refused = [
        (update().set_expr(f.quantity, f.quantity.minus(f.price)), "`quantity` is less than 0"),
        (update().set_expr(f.small, f.small.plus(f.small)), "`small` is greater than 127"),
        (update().set_expr(f.limited, f.price.times(Expression::value(143_i64))), "`limited` is greater than 1000"),
        (
            update().set_expr(f.total, f.price.times(Expression::value(i64::MAX))),
            "`total` is greater than 9223372036854775807",
        ),
        (
            update().set_expr(f.total, Expression::value(i64::MIN).minus(f.price)),
            "`total` is less than -9223372036854775808",
        ),
    ];
    let before = stored(&db).await;
    for (update, words) in refused {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(error, Error::DocumentInvalid { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(stored(&db).await, before);
    update().set_expr(f.total, Expression::value(i64::MIN)).execute(&db).await.unwrap();
    update().set_expr(f.limited, f.price.times(Expression::value(100_i64))).execute(&db).await.unwrap();
    assert_eq!((stored(&db).await.total, stored(&db).await.limited), (i64::MIN, 700));
    let in_transaction = transaction(&db, |tx| async move {
        Order::update_by_id(1).set_expr(f.total, f.price).execute(&tx).await?;
        Order::update_by_id(1).set_expr(f.quantity, f.quantity.minus(f.price)).execute(&tx).await.map(drop)
    });
    let error: Error = in_transaction.await.unwrap_err();
    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error}");
    assert_eq!(stored(&db).await.total, i64::MIN);
}

#[tokio::test]
async fn what_no_pipeline_is_equal_to_is_refused_before_it_is_sent() {
    let (db, log) = database_with_log().await;
    Order::insert(&db, &order(1)).await.unwrap();
    let f = Order::F;
    let update = || Order::update_by_id(1).set_expr(f.total, f.price);
    log.clear();
    let refused = [
        update().upsert(),
        update().set(f.total, 1),
        update().set_expr(f.total, f.price),
        update().push(f.tags, "a"),
        update().each(f.tags, |_| Filter::all(), |change, tag| change.set(tag, "b")),
        update().rename(f.name, f.name),
        update().raw(doc! { "$pull": { "tags": "a" } }),
    ];
    for update in refused {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(error, Error::Update { .. }), "{error}");
    }
    let bulk = Order::bulk().update(update()).execute(&db).await.unwrap_err();
    assert!(matches!(bulk.cause(), Error::Update { .. }), "{bulk}");
    assert!(log.commands().is_empty());
    let shown = update().to_mongosh().unwrap();
    assert!(shown.contains("$set") && shown.contains("\"$price\""), "{shown}");
}

#[tokio::test]
async fn random_expressions_have_the_values_of_rust() {
    let db = database().await;
    Order::insert(&db, &order(1)).await.unwrap();
    let (f, orders) = (Order::F, db.collection::<Document>("orders"));
    for _ in 0..150 {
        let number = || fastrand::i64(-1_000_000..1_000_000);
        let (price, quantity, literal) = (number(), fastrand::u32(0..1_000), number());
        let values = doc! { "price": price, "quantity": i64::from(quantity) };
        orders.update_one(doc! { "_id": 1_i64 }, doc! { "$set": values }).await.unwrap();
        let wide = i64::from(quantity);
        let value = Expression::value(literal);
        let (expression, expected) = match fastrand::u8(0..5) {
            0 => (f.price.times(f.quantity).minus(value), price * wide - literal),
            1 => (f.price.plus(value).times(f.quantity), (price + literal) * wide),
            2 => (f.quantity.minus(f.price).lesser_of(value), (wide - price).min(literal)),
            3 => (value.minus(f.price.times(Expression::value(-2_i64))), literal + 2 * price),
            _ => (f.price.greater_of(f.quantity), price.max(wide)),
        };
        Order::update_by_id(1).set_expr(f.total, expression).execute(&db).await.unwrap();
        assert_eq!(stored(&db).await.total, expected);
    }
}
