//! Dynamic data: maps, documents of any form, unknown fields.

use std::collections::BTreeMap;

use schema_runtime::{bson::Document, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[index(wildcard(attributes))]
struct Product {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_items = 50, max_len = 100)]
    attributes: BTreeMap<String, String>,
    #[bound(max_bytes = 4_000)]
    meta: Document,
    #[extra]
    #[serde(skip)]
    rest: Document,
}
// ANCHOR_END: model

// ANCHOR: use
fn red() -> Filter<Product> {
    Product::F.attributes.key("color").eq("red")
}

fn wide() -> Filter<Product> {
    Product::F.meta.at_path("image.width").gte(1_000)
}

async fn change(db: &Database) -> Result<()> {
    let f = Product::F;
    let update = Product::update_by_id(1).set(f.attributes.key("size"), "large").unset(f.attributes.key("color"));
    update.set(f.meta.at_path("image.title"), "Oslo").execute(db).await?;

    let mut product = Product::get_by_id(db, 1).await?;
    product.meta.insert("checked", true);
    Product::save(db, &mut product).await // keeps the fields in `rest`
}
// ANCHOR_END: use

#[tokio::test]
async fn no_field_is_lost() -> Result<()> {
    let db = database(&schema![Product]).await;
    let products = db.collection::<Document>("products");
    let (attributes, meta) = (doc! { "color": "red" }, doc! { "image": { "width": 2_000 } });
    products.insert_one(doc! { "_id": 1, "attributes": attributes, "meta": meta, "foreign": 7 }).await?;
    assert_eq!(Product::find(red()).count(&db).await?, 1);
    assert_eq!(Product::find(wide()).count(&db).await?, 1);
    change(&db).await?;

    let stored = products.find_one(doc! { "_id": 1 }).await?.expect("the product");
    assert_eq!(stored.get_document("attributes").ok(), Some(&doc! { "size": "large" }));
    assert_eq!(stored.get_i32("foreign").ok(), Some(7));
    let product = Product::get_by_id(&db, 1).await?;
    assert_eq!((product.attributes.len(), product.rest), (1, doc! { "foreign": 7 }));
    assert_eq!(product.meta, doc! { "image": { "width": 2_000, "title": "Oslo" }, "checked": true });

    let wrong = Product::find(Product::F.attributes.key("$where").eq("x")).fetch_all(&db).await;
    assert!(matches!(wrong, Err(Error::Encode { .. })), "a key never becomes an operator");
    assert_shown("guides/dynamic_data.md", &Product::find(red()).to_mongosh()?);
    assert_shown("guides/dynamic_data.md", &Product::find(wide()).to_mongosh()?);
    Ok(())
}
