//! Changes of stored data: a new field is filled, a field gets another name, a field gets another type.

use schema_runtime::{bson::Document, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: old
mod old {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "products")]
    pub(crate) struct Product {
        #[serde(rename = "_id")]
        pub(crate) id: i32,
        pub(crate) title: String,
        pub(crate) price: f64,
    }
}
// ANCHOR_END: old

// ANCHOR: bridge
mod bridge {
    use super::*;

    /// Reads the documents of both forms. The validator of the model accepts both forms.
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "products")]
    pub(crate) struct Product {
        #[serde(rename = "_id")]
        id: i32,
        title: Option<String>,
        name: Option<String>,
        price: Option<f64>,
        cents: Option<i64>,
        stock: Option<i64>,
    }
}
// ANCHOR_END: bridge

// ANCHOR: new
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i32,
    name: String, // was `title`
    cents: i64,   // was `price`, a float
    stock: i64,   // is new
}
// ANCHOR_END: new

// ANCHOR: migrate
/// Changes the documents of the old version. A second call finds nothing to do.
async fn migrate(db: &Database) -> Result<()> {
    // A new field: documents without the field get the value.
    Product::update_many(Product::F.stock.exists(false)).set(Product::F.stock, 0).execute(db).await?;

    // Another name: `raw` takes the operators of MongoDB with stored names.
    let renamed = doc! { "$rename": { "title": "name" } };
    Product::update_many(Filter::raw(doc! { "title": { "$exists": true } })).raw(renamed).execute(db).await?;

    // Another type: an update by pipeline, sent by the driver.
    let cents = doc! { "$toLong": { "$round": [{ "$multiply": ["$price", 100] }, 0] } };
    let steps = vec![doc! { "$set": { "cents": cents } }, doc! { "$unset": "price" }];
    let products = db.collection::<Document>("products");
    products.update_many(doc! { "price": { "$exists": true } }, steps).await?;
    Ok(())
}
// ANCHOR_END: migrate

// ANCHOR: deploy
async fn deploy(db: &Database) -> Result<()> {
    schema![bridge::Product].plan(db).await?.apply(db).await?.complete()?;
    migrate(db).await?;
    schema![Product].plan(db).await?.apply(db).await?.complete()?;
    Ok(())
}
// ANCHOR_END: deploy

#[tokio::test]
async fn documents_change_their_form() -> Result<()> {
    let db = database(&schema![old::Product]).await;
    let old = old::Product { id: 1, title: "bolt".to_owned(), price: 12.5 };
    old::Product::insert(&db, &old).await?;

    // The validator of the old version requires the title.
    assert!(migrate(&db).await.is_err());
    // The plan of the new version is not applied as long as old documents do not pass.
    assert!(schema![Product].plan(&db).await?.apply(&db).await?.complete().is_err());

    deploy(&db).await?;
    migrate(&db).await?;
    let products = Product::find(Filter::all()).fetch_all(&db).await?;
    assert_eq!(products, [Product { id: 1, name: "bolt".to_owned(), cents: 1_250, stock: 0 }]);
    assert!(schema![Product].plan(&db).await?.is_empty());

    let fill = Product::update_many(Product::F.stock.exists(false)).set(Product::F.stock, 0);
    assert_shown("guides/changing_data.md", &fill.to_mongosh()?);
    let rename = Product::update_many(Filter::raw(doc! { "title": { "$exists": true } }));
    let rename = rename.raw(doc! { "$rename": { "title": "name" } });
    assert_shown("guides/changing_data.md", &rename.to_mongosh()?);
    Ok(())
}
