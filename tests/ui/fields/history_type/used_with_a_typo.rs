use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[history(keep = 50, order = desc(date_start), intervall(date_start, date_end))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Price { cents: i64, date_start: DateTime, date_end: Option<DateTime> }

async fn write(db: &Database, product: &Product, price: &Price) -> Result<()> {
    Product::update_by_id(product.id).record(Product::F.prices, price).execute(db).await?;
    let now = DateTime::now();
    println!("{}", product.prices_at(now).unwrap().cents);
    Product::find(Product::F.prices.was_at(now, |price| price.cents.gt(5))).fetch_all(db).await?;
    Ok(())
}

fn main() {}
