//! Products and parts: an array of references, joined in the order of the array. Each reference holds a copy of the
//! part's name. The copy follows the part, even when the program is killed during the propagation.
//!
//! `cargo run --example store` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_store`, and first empties the two collections of the example. `cargo run --example store --
//! db plan` runs a command of the command line on the database of `MONGODB_URI`.

use std::{
    process::{Command, ExitCode},
    time::Duration,
};

use schema_examples::{access, commands::run_db, table};
use schema_runtime::{
    Throttle, assert_queries_indexed,
    bson::Document,
    local::{self, Connected},
    prelude::*,
    transaction,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[query(by_catalog_number(catalog_number), one, per_day = 100_000)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    name: String,
    manufacturer: String,
    #[index(unique)]
    catalog_number: i64,
    #[relation(one_to_many, child_refs, by = id, max = 2_000, inverse = products)]
    parts: Vec<PartRef>,
    #[version]
    version: i64,
    #[updated_at]
    updated: DateTime,
}

/// An extended reference: the product stores the fields of a part that the product's page shows.
#[derive(Embed, Serialize, Deserialize)]
struct PartRef {
    id: Ref<Part>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "parts")]
#[inverse(products = Product::parts)]
#[query(priced(between(price)), order = asc(price), per_day = 1_000)]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    partno: String,
    /// Renamed seldom, read with every product.
    #[bound(max_len = 80)]
    #[copied_to(Product::parts)]
    name: String,
    /// Sold every day: not worth a copy.
    #[changes(often)]
    qty: i32,
    /// In cents.
    price: i64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Part)]
struct PartName {
    name: String,
}

/// Takes the parts of some products out of the stock: all parts, or none.
async fn sell(db: &Database, product: &Product, products: i32) -> Result<()> {
    let parts = &product.parts;
    transaction(db, |tx| async move {
        for part in parts {
            let enough = Part::F.id.eq(part.id.id()) & Part::F.qty.gte(products);
            if Part::update_one(enough).inc(Part::F.qty, -products).execute(&tx).await?.matched == 0 {
                return Err(Error::NotFound { model: "Part", collection: "parts" });
            }
        }
        Ok(())
    })
    .await
}

fn refer_to(part: &Part) -> PartRef {
    PartRef { id: Ref::to(part), name: part.name.clone() }
}

/// Renames a part slowly enough for somebody to stop the rename on the way.
async fn rename_slowly(db: &Database, part: ObjectId) -> Result<()> {
    let slowly = Throttle::new().chunk(1).pause(Duration::from_millis(100)).progress(|progress| {
        println!("  {} of {} products", progress.done, progress.total.unwrap_or_default());
    });
    Part::update_by_id(part).set(Part::F.name, "#5 grommet").throttle(slowly).execute(db).await.map(drop)
}

/// Returns the number of products that show the part under this name.
async fn shown_as(db: &Database, name: &str) -> Result<u64> {
    Product::find(Product::F.parts.elem_match(|part| part.name.eq(name))).count(db).await
}

/// Renames the part in another process, and kills the process in the middle.
async fn rename_and_kill(db: &Connected, part: ObjectId) -> Result<(), Box<dyn std::error::Error>> {
    let itself = std::env::current_exe()?;
    let mut renaming =
        Command::new(itself).args([RENAME, &part.to_hex()]).env("MONGODB_URI", db.server().uri()).spawn()?;
    while shown_as(db, "#5 grommet").await? < 10 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    renaming.kill()?;
    renaming.wait()?;
    Ok(())
}

/// The argument that makes this program rename a part and nothing else.
const RENAME: &str = "rename-slowly";

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let schema = schema![Product, Part];
    if let Some(ended) = run_db(schema).await {
        return Ok(ended);
    }
    let db = local::connect("schema_example_store").await?;
    if let [_, word, part] = &std::env::args().collect::<Vec<_>>()[..]
        && word == RENAME
    {
        rename_slowly(&db, ObjectId::parse_str(part)?).await?;
        return Ok(ExitCode::SUCCESS);
    }
    for collection in ["products", "parts"] {
        db.collection::<Document>(collection).drop().await?;
    }
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let names = ["#4 grommet", "left-handed smoke shifter", "widget", "cog", "bearing"];
    let parts: Vec<Part> = (0..)
        .zip(names)
        .map(|(number, name)| Part {
            id: ObjectId::new(),
            partno: format!("123-aff-{number}"),
            name: name.to_owned(),
            qty: 94,
            price: 399 + number,
        })
        .collect();
    Part::insert_many(&db, &parts).await?;
    let product = Product {
        id: ObjectId::new(),
        name: "smoke shifter deluxe".to_owned(),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: 1234,
        // Two bearings: an array of references keeps repeats.
        parts: [0, 1, 4, 4].iter().map(|at| refer_to(&parts[*at])).collect(),
        version: 0,
        updated: DateTime::now(),
    };
    Product::insert(&db, &product).await?;

    let product = Product::by_catalog_number(1234).fetch_one(&db).await?;
    let joined = product.parts().fetch_all(&db).await?.complete()?;
    let rows = joined.iter().map(|part| {
        [part.partno.clone(), part.name.clone(), part.qty.to_string(), format!("{:.2}", part.price as f64 / 100.0)]
    });
    println!("{} by {}:", product.name, product.manufacturer);
    println!("{}", table(["part", "name", "stock", "price"], rows));
    println!("how: {}", access(&product.parts().explain(&db).await?));

    let names = product.parts().select::<PartName>().fetch_all(&db).await?;
    println!("\nOnly the names: {}", names.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(", "));

    let holders = parts[4].products().fetch_all(&db).await?;
    println!(
        "A {} is in: {}",
        parts[4].name,
        holders.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
    );
    println!("how: {}", access(&parts[4].products().explain(&db).await?));

    let cheap = Part::priced(399..402).filter(Part::F.name.contains_text("#4")).fetch_all(&db).await?;
    println!("\nBetween 3.99 and 4.01, with \"#4\" in the name: {}", cheap.len());
    let dearer =
        Part::find_one_and_update(Part::F.partno.eq("123-aff-4")).inc(Part::F.price, 10).fetch_after(&db).await?;
    println!("A bearing costs {} cents now", dearer.map_or(0, |part| part.price));

    match sell(&db, &product, 50).await {
        Ok(()) => println!("Sold 50: two bearings for each were there"),
        Err(error) => println!("Not sold 50: {error}"),
    }
    sell(&db, &product, 40).await?;
    let left = product.parts().fetch_all(&db).await?.complete()?;
    println!("Sold 40; left: {}", left.iter().map(|part| part.qty.to_string()).collect::<Vec<_>>().join(", "));

    let twice = Part { id: ObjectId::new(), name: "a bearing again".to_owned(), qty: 1, price: 1, ..parts[4].clone() };
    let delivery = Part::bulk().insert(&twice).update(Part::update_by_id(parts[3].id).inc(Part::F.qty, 100));
    let report =
        delivery.update(Part::update_many(Part::F.qty.lt(20)).inc(Part::F.qty, 10)).unordered().execute(&db).await?;
    println!("\nA delivery of three writes in two commands: {} documents changed", report.counts.modified);
    for (position, error) in report.failures() {
        println!("write {position} failed: {error}");
    }

    let mut first = Product::get_by_id(&db, &product).await?;
    let mut second = Product::get_by_id(&db, &product).await?;
    first.name.push_str(" II");
    Product::save(&db, &mut first).await?;
    second.manufacturer = "Acme Ltd".to_owned();
    match Product::save(&db, &mut second).await {
        Err(Error::VersionConflict { expected, found: Some(found), .. }) => {
            println!("\nTwo changed version {expected}: the first made version {found}, the second has to read it");
        }
        other => other?,
    }

    let shifter = |catalog_number| Product {
        id: ObjectId::new(),
        name: format!("smoke shifter {catalog_number}"),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number,
        parts: vec![refer_to(&parts[0])],
        version: 0,
        updated: DateTime::now(),
    };
    Product::insert_many(&db, (0..29).map(shifter).collect::<Vec<_>>()).await?;
    println!("\nA grommet is renamed, and the program that does it is killed in the middle:");
    rename_and_kill(&db, parts[0].id).await?;
    println!("{} of 30 products show the new name", shown_as(&db, "#5 grommet").await?);
    println!("{}", schema.recover(&db, &Throttle::new()).await?);
    println!("{} of 30 products show the new name", shown_as(&db, "#5 grommet").await?);

    assert_queries_indexed(&schema, &db).await;
    Part::delete(&db, &parts[1]).await?;
    let joined = product.parts().fetch_all(&db).await?;
    println!("\nAfter a part was deleted, {} of {} references dangle:", joined.missing().count(), product.parts.len());
    println!("{}", schema.verify(&db).await?);
    Ok(ExitCode::SUCCESS)
}
