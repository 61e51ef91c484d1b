//! Unversioned fields beside derived data: copies, rollups, links, references, and copies in the elements of a list.

use schema_runtime::Throttle;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shops")]
#[inverse(products = Product::shop, on_delete = nullify)]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Product::shop, stock))]
    stock: i64,
    #[computed(count(Product::shop))]
    products: i64,
    #[version]
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Product::reviews)]
    #[changes(seldom)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Order::product_name)]
    #[changes(seldom)]
    name: String,
    #[unversioned]
    #[relation(one_to_many, parent_ref)]
    shop: Option<Ref<Shop>>,
    #[unversioned]
    stock: i64,
    #[unversioned]
    #[relation(one_to_few, embed, max = 20)]
    reviews: Vec<Review>,
    #[unversioned]
    #[relation(many_to_many, two_way, inverse = products, max = 20)]
    labels: Vec<Ref<Label>>,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Review {
    user: Ref<User>,
    #[denormalize(from = user.name)]
    user_name: String,
    stars: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "labels")]
struct Label {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(many_to_many, two_way, of = Product::labels, max = 50)]
    products: Vec<Ref<Product>>,
    #[version]
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    product: Ref<Product>,
    #[denormalize(from = product.name)]
    product_name: String,
}

const SCHEMA: schema_runtime::Schema = schema![Shop, User, Product, Label, Order];

fn product(id: i64, shop: i64) -> Product {
    let (shop, reviews, labels) = (Some(Ref::new(shop)), Vec::new(), vec![Ref::new(1)]);
    Product { id, name: format!("product {id}"), shop, stock: 10, reviews, labels, version: 0, created: THEN }
}

fn review(user: i64, stars: i32) -> Review {
    Review { user: Ref::new(user), user_name: String::new(), stars }
}

async fn begin() -> Database {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    for id in [1, 2] {
        Shop::insert(&db, &Shop { id, stock: 0, products: 0, version: 0 }).await.unwrap();
        User::insert(&db, &User { id, name: format!("user {id}") }).await.unwrap();
        Label::insert(&db, &Label { id, products: Vec::new(), version: 0 }).await.unwrap();
    }
    Product::insert_many(&db, [product(1, 1), product(2, 1)]).await.unwrap();
    Order::insert(&db, &Order { id: 1, product: Ref::new(1), product_name: String::new() }).await.unwrap();
    db
}

async fn assert_right(db: &Database, stock: [i64; 2]) {
    SCHEMA.recover(db, &Throttle::new()).await.unwrap();
    let report = SCHEMA.verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
    for (id, stock) in [1, 2].into_iter().zip(stock) {
        let shop = Shop::get_by_id(db, id).await.unwrap();
        assert_eq!((shop.stock, shop.version), (stock, 0));
    }
}

#[tokio::test]
async fn a_save_keeps_them_and_what_follows_from_them() {
    let db = begin().await;
    let mut value = Product::get_by_id(&db, 1).await.unwrap();
    let at = || Product::update_by_id(1);
    at().inc(Product::F.stock, -3).execute(&db).await.unwrap();
    at().push(Product::F.reviews, &review(1, 5)).push(Product::F.reviews, &review(2, 1)).execute(&db).await.unwrap();
    assert!(Product::SHOP.reassign(&db, 1, 2).await.unwrap());
    assert!(Product::LABELS.link(&db, 1, 2).await.unwrap() && Product::LABELS.unlink(&db, 1, 1).await.unwrap());
    assert_right(&db, [10, 7]).await;
    value.name = "renamed".to_owned();
    (value.stock, value.reviews, value.labels) = (0, vec![review(2, 3)], Vec::new());
    let created = value.created;
    Product::save(&db, &mut value).await.unwrap();
    let reviews = [review(1, 5), review(2, 1)].map(|of| Review { user_name: format!("user {}", of.user.id()), ..of });
    let (shop, labels, name) = (Some(Ref::new(2)), vec![Ref::new(2)], "renamed".to_owned());
    let expected = Product { id: 1, name, shop, stock: 7, reviews: reviews.to_vec(), labels, version: 1, created };
    assert_eq!(value, expected);
    assert_eq!(Product::get_by_id(&db, 1).await.unwrap(), expected);
    assert_eq!(Order::get_by_id(&db, 1).await.unwrap().product_name, "renamed");
    assert_right(&db, [10, 7]).await;

    // A copy in an element follows its source, and still makes no version.
    User::update_by_id(1).set(User::F.name, "Ann").execute(&db).await.unwrap();
    assert_right(&db, [10, 7]).await;
    let stored = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!((stored.reviews[0].user_name.as_str(), stored.version), ("Ann", 1));
    // The delete rule removes the reference.
    Shop::delete_by_id(&db, 2).await.unwrap();
    Product::save(&db, &mut value).await.unwrap();
    assert_eq!((value.shop, value.version, value.stock), (None, 2, 7));
    assert_eq!(Label::get_by_id(&db, 2).await.unwrap(), Label { id: 2, products: vec![Ref::new(1)], version: 0 });
}

#[tokio::test]
async fn every_way_to_put_a_value() {
    let db = begin().await;
    let mut value = Product::get_by_id(&db, 1).await.unwrap();
    Product::update_by_id(1).inc(Product::F.stock, 5).execute(&db).await.unwrap();
    let mut put = 0;
    for way in 0..4 {
        value.name = format!("name {way}");
        value.version = put;
        match way {
            0 => Product::replace(&db, &value).await.unwrap(),
            1 => assert!(!Product::upsert(&db, &value).await.unwrap()),
            2 => drop(Product::upsert_many(&db, [&value]).await.unwrap()),
            _ => drop(Product::bulk().replace(&value).execute(&db).await.unwrap().complete().unwrap()),
        }
        put += 1;
        let stored = Product::get_by_id(&db, 1).await.unwrap();
        assert_eq!((stored.stock, stored.version, &stored.name), (15, put, &value.name), "{way}");
        assert_right(&db, [25, 0]).await;
    }
    assert!(Product::upsert(&db, &product(3, 2)).await.unwrap());
    let inserted = Product::get_by_id(&db, 3).await.unwrap();
    assert_eq!((inserted.stock, inserted.shop, inserted.labels), (10, Some(Ref::new(2)), vec![Ref::new(1)]));
    assert_right(&db, [25, 10]).await;
}
