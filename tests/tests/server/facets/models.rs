//! The models of the tests of facets, and random documents.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
#[index(category, rank, id, name = "by_category_and_rank")]
#[index(brand, name = "by_brand")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) brand: String,
    pub(crate) category: Category,
    pub(crate) color: Option<String>,
    pub(crate) rank: i64,
    pub(crate) price: f64,
    pub(crate) cost: Decimal128,
    pub(crate) weight: Option<i32>,
    pub(crate) in_stock: bool,
    #[bound(max_items = 6)]
    pub(crate) tags: Vec<String>,
    #[bound(max_items = 3)]
    pub(crate) marks: Option<Vec<i32>>,
    #[relation(one_to_few, embed, max = 4)]
    pub(crate) variants: Vec<Variant>,
    #[relation(one_to_one, embed)]
    pub(crate) maker: Maker,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    HandTool,
    Screw,
    Paint,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Variant {
    pub(crate) sku: String,
    pub(crate) size: Option<i32>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Maker {
    #[serde(rename = "landCode")]
    pub(crate) country: String,
}

#[derive(Projection, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Product)]
pub(crate) struct Card {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) brand: String,
    pub(crate) price: f64,
}

#[derive(Facets, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = Product)]
pub(crate) struct Search {
    #[page(limit = 7, order(desc(price), brand))]
    pub(crate) found: Vec<Card>,
    #[count_by(brand, limit = 3)]
    pub(crate) brands: Vec<FacetCount<String>>,
    #[count_by(category)]
    pub(crate) categories: Vec<FacetCount<Category>>,
    #[count_by(color, limit = 20)]
    pub(crate) colors: Vec<FacetCount<Option<String>>>,
    #[count_by(in_stock)]
    #[serde(rename = "inStock")]
    pub(crate) stock: Vec<FacetCount<bool>>,
    #[count_by(tags, limit = 20)]
    pub(crate) tags: Vec<FacetCount<String>>,
    #[count_by(marks, limit = 20)]
    pub(crate) marks: Vec<FacetCount<i32>>,
    #[count_by(variants.size, limit = 20)]
    pub(crate) sizes: Vec<FacetCount<i32>>,
    #[count_by(maker.country, limit = 20)]
    pub(crate) countries: Vec<FacetCount<String>>,
    #[ranges(price, [0, 10, 50.5, 100])]
    pub(crate) prices: Vec<FacetCount<f64>>,
    #[ranges(weight, [0, 5])]
    pub(crate) weights: Vec<FacetCount<i32>>,
    #[ranges(cost, [1, 20])]
    pub(crate) costs: Vec<FacetCount<Decimal128>>,
    #[count]
    pub(crate) total: i64,
    #[sum(rank)]
    pub(crate) ranks: i64,
    #[sum(cost)]
    pub(crate) cost: Decimal128,
    #[avg(price)]
    pub(crate) mean: Option<f64>,
    #[min(price)]
    pub(crate) cheapest: Option<f64>,
    #[max(weight)]
    pub(crate) heaviest: Option<i32>,
}

fn one_of<T: Clone>(random: &mut fastrand::Rng, all: &[T]) -> T {
    all[random.usize(0..all.len())].clone()
}

/// Returns a random product. Each choice has few values, so that the facets have several documents.
pub(crate) fn random(random: &mut fastrand::Rng, id: i64) -> Product {
    let texts = |random: &mut fastrand::Rng, all: &[&str], most: usize| -> Vec<String> {
        (0..random.usize(0..most)).map(|_| one_of(random, all).to_owned()).collect()
    };
    let tags = texts(random, &["new", "New", "sale", "eco", "$price"], 6);
    let variants = texts(random, &["a", "b", "c"], 4);
    let variants =
        variants.into_iter().map(|sku| Variant { sku, size: random.bool().then(|| random.i32(1..4)) }).collect();
    Product {
        id,
        brand: one_of(random, &["Acme", "acme", "Bolt", "", "$brand"]).to_owned(),
        category: one_of(random, &[Category::HandTool, Category::Screw, Category::Paint]),
        color: one_of(random, &[None, Some("red".to_owned()), Some("blue".to_owned()), Some("null".to_owned())]),
        rank: random.i64(-5..30),
        price: match random.usize(0..12) {
            0 => f64::NAN,
            1 => -1.0,
            _ => f64::from(random.i32(0..1_200)) / 8.0,
        },
        cost: format!("{}.{:02}", random.i32(-5..50), random.u32(0..100)).parse().unwrap(),
        weight: random.bool().then(|| random.i32(-3..12)),
        in_stock: random.bool(),
        tags,
        marks: random.bool().then(|| (0..random.usize(0..4)).map(|_| random.i32(0..3)).collect()),
        variants,
        maker: Maker { country: one_of(random, &["NO", "SE"]).to_owned() },
    }
}

/// Stores random products. Some of the nulls are absent in the stored documents.
pub(crate) async fn fill(db: &Database, seed: u64, count: i64) -> Vec<Product> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let products: Vec<Product> = (0..count).map(|id| random(&mut rng, id)).collect();
    Product::insert_many(db, &products).await.unwrap();
    let raw = db.collection::<Document>("products");
    for path in ["color", "weight", "marks"] {
        let some: Vec<Bson> = (0..count).filter(|_| rng.bool()).map(Bson::from).collect();
        let filter = doc! { "_id": { "$in": some }, path: null };
        raw.update_many(filter, doc! { "$unset": { path: "" } }).await.unwrap();
    }
    products
}
