//! A small shop with a search: words in titles and descriptions, the best first, and filters over attributes that
//! differ from product to product.
//!
//! One text index has the words of both fields, and a word of the title counts ten times. One wildcard index serves a
//! condition on any attribute, also on an attribute that the first product of a new kind brings.
//!
//! `cargo run --example search` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_search`, and first empties the collection of the example.

use std::collections::BTreeMap;

use schema_runtime::{Error, TextSearch, assert_indexed, field::SortKey, local, prelude::*};

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "products")]
#[index(text(title, description), weights(title = 10), language = "english")]
#[index(wildcard(attributes))]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 80)]
    title: String,
    #[bound(max_len = 400)]
    description: String,
    #[bound(max_items = 20)]
    attributes: BTreeMap<String, String>,
}

fn product(id: i64, title: &str, description: &str, attributes: &[(&str, &str)]) -> Product {
    let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Product { id, title: title.to_owned(), description: description.to_owned(), attributes }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let db = local::connect("schema_example_search").await?;
    Product::delete_many(&db, Filter::all()).await?;
    schema![Product].plan(&db).await?.apply(&db).await?.complete()?;
    let products = [
        product(1, "Coffee grinder", "Grinds beans for filters and machines", &[("colour", "black"), ("watts", "150")]),
        product(2, "Filter", "Paper filters for coffee", &[("size", "4"), ("colour", "white")]),
        product(3, "Tea pot", "A pot of glass, with a filter for leaves", &[("litres", "1.2")]),
        product(4, "Cups", "Two cups for coffee or tea", &[("colour", "black"), ("count", "2")]),
    ];
    Product::insert_many(&db, &products).await?;

    println!("words in titles count more:");
    let read = Product::find(Filter::text("coffee filters")).sort(SortKey::score()).limit(3);
    let found = read.with_score().fetch_all(&db).await?;
    for found in &found {
        println!("  {:5.2}  {}", found.score, found.document.title);
    }
    assert_eq!(found[0].document.title, "Filter");

    let search = TextSearch::words("coffee").without("paper");
    let without = Product::find(Filter::text(search)).sort(SortKey::score()).fetch_all(&db).await?;
    println!("coffee without paper: {}", titles(&without));
    assert_eq!(without.len(), 2);

    let black = Product::find(Product::F.attributes.key("colour").eq("black"));
    assert_indexed(&black, &db).await;
    println!("black: {}", titles(&black.fetch_all(&db).await?));
    Ok(())
}

fn titles(products: &[Product]) -> String {
    products.iter().map(|product| product.title.as_str()).collect::<Vec<_>>().join(", ")
}
