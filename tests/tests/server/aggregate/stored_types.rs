//! Literals, decimals and lookups against the stored types: the results are those of the values, not of the forms of
//! numbers.

use mongodb::bson::doc;
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "prices")]
struct Price {
    #[serde(rename = "_id")]
    id: i64,
    city: String,
    price: Decimal128,
    weight: f32,
    discount: Option<Decimal128>,
    #[relation(one_to_squillions, parent_ref)]
    maker: Ref<Maker>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

fn price(id: i64, price: &str, discount: Option<&str>) -> Price {
    let decimal = |text: &str| text.parse().unwrap();
    Price {
        id,
        city: "oslo".to_owned(),
        price: decimal(price),
        weight: 0.7,
        discount: discount.map(decimal),
        maker: Ref::new(1),
    }
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Price)]
struct Compared {
    #[count(where(gte(price, 9.99)))]
    at_least: i64,
    #[count(where(lte(price, 9.99)))]
    at_most: i64,
    #[count(where(eq(price, 9.99)))]
    equal: i64,
    #[count(where(gte(weight, 0.7)))]
    heavy: i64,
    #[count(where(eq(weight, 0.7)))]
    same_weight: i64,
}

/// The server takes the decimal 9.99 for greater than the double 9.99, and the double of an `f32` for less than the
/// double 0.7.
#[tokio::test]
async fn a_number_of_a_condition_has_the_type_of_the_field() {
    let db = database().await;
    let prices = [price(1, "9.99", None), price(2, "9.98", None), price(3, "10", None)];
    Price::insert_many(&db, &prices).await.unwrap();
    let raw = doc! { "$expr": { "$eq": ["$price", 9.99] } };
    assert_eq!(db.collection::<Price>("prices").count_documents(raw).await.unwrap(), 0, "the trap");
    let row = Price::aggregate::<Compared>().fetch_one(&db).await.unwrap();
    assert_eq!((row.at_least, row.at_most, row.equal), (2, 2, 1));
    assert_eq!((row.heavy, row.same_weight), (3, 3));
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Price, by(city))]
struct Discounts {
    city: String,
    #[avg(or(discount, 0))]
    mean: Decimal128,
    #[max(or(discount, 0))]
    most: Decimal128,
    #[min(price - or(discount, 0))]
    least: Decimal128,
}

/// The server answers the integer 0 where the number of an `or(..)` is the value of each document.
#[tokio::test]
async fn the_number_of_an_or_is_a_decimal_among_decimals() {
    let db = database().await;
    Price::insert_many(&db, &[price(1, "5", None), price(2, "6", None)]).await.unwrap();
    let row = Price::aggregate::<Discounts>().fetch_one(&db).await.unwrap();
    let texts = [row.mean, row.most, row.least].map(|number| number.to_string());
    assert_eq!((row.city.as_str(), texts), ("oslo", ["0", "0", "5"].map(str::to_owned)));
    Price::insert(&db, &price(3, "4", Some("-1.50"))).await.unwrap();
    let row = Price::aggregate::<Discounts>().fetch_one(&db).await.unwrap();
    assert_eq!([row.most, row.least].map(|number| number.to_string()), ["0", "5"], "the greatest is the number");
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Price, by(maker))]
struct OfMaker {
    maker: Ref<Maker>,
    #[count]
    l0: i64,
    #[lookup(maker.name)]
    name: Option<String>,
}

#[tokio::test]
async fn a_lookup_leaves_a_value_of_the_name_of_its_own_field() {
    let db = database().await;
    Maker::insert(&db, &Maker { id: 1, name: "acme".to_owned() }).await.unwrap();
    Price::insert(&db, &price(1, "5", None)).await.unwrap();
    let row = Price::aggregate::<OfMaker>().fetch_one(&db).await.unwrap();
    assert_eq!((row.maker, row.l0, row.name.as_deref()), (Ref::new(1), 1, Some("acme")));
}
