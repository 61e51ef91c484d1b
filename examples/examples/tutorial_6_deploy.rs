//! Chapter 6 of the tutorial: three versions of a model. A new field comes in two releases; the schema file judges each
//! release, and a plan shows and makes the changes.
//!
//! `cargo run --example tutorial_6_deploy` starts a MongoDB server. With `MONGODB_URI` the program runs on another
//! server, and first drops the database `schema_tutorial_6`.

use schema_runtime::{local, prelude::*, schema_diff::SchemaDiff};

// ANCHOR: first
mod first {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    pub(crate) struct Book {
        #[serde(rename = "_id")]
        pub(crate) id: ObjectId,
        #[bound(max_len = 200)]
        pub(crate) title: String,
    }
}
// ANCHOR_END: first

// ANCHOR: second
mod second {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    #[query(in_language(language), order = asc(title), page = 20)]
    pub(crate) struct Book {
        #[serde(rename = "_id")]
        pub(crate) id: ObjectId,
        #[bound(max_len = 200)]
        pub(crate) title: String,
        #[bound(max_len = 8)]
        pub(crate) language: Option<String>,
    }
}
// ANCHOR_END: second

// ANCHOR: third
mod third {
    use schema_runtime::prelude::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    #[query(in_language(language), order = asc(title), page = 20)]
    pub(crate) struct Book {
        #[serde(rename = "_id")]
        pub(crate) id: ObjectId,
        #[bound(max_len = 200)]
        pub(crate) title: String,
        #[bound(max_len = 8)]
        pub(crate) language: String,
    }
}
// ANCHOR_END: third

#[tokio::main]
async fn main() -> Result<()> {
    let db = local::connect("schema_tutorial_6").await?;
    db.drop().await?;
    let versions = [schema![first::Book], schema![second::Book], schema![third::Book]];

    println!("== the first release");
    versions[0].plan(&db).await?.apply(&db).await?.complete()?;
    let old = ["Frankenstein", "Dracula"].map(|title| first::Book { id: ObjectId::new(), title: title.into() });
    first::Book::insert_many(&db, &old).await?;

    // ANCHOR: diff
    println!("== the second release: the schema file");
    let diff = SchemaDiff::between(&versions[0].snapshot()?, &versions[1].snapshot()?);
    println!("{diff}");
    println!("level: {:?}", diff.level());
    // ANCHOR_END: diff

    // ANCHOR: apply
    println!("== the second release: the plan");
    let plan = versions[1].plan(&db).await?;
    print!("{plan}");
    plan.apply(&db).await?.complete()?;
    // ANCHOR_END: apply

    // ANCHOR: both
    let title = "The Time Machine".to_owned();
    let new = second::Book { id: ObjectId::new(), title, language: Some("en".into()) };
    second::Book::insert(&db, &new).await?;
    first::Book::update_by_id(new.id).set(first::Book::F.title, "Time Machine, The").execute(&db).await?;
    for book in second::Book::find(Filter::all()).sort(second::Book::F.title.asc()).fetch_all(&db).await? {
        println!("{}: {:?}", book.title, book.language);
    }
    // ANCHOR_END: both

    // ANCHOR: refused
    println!("== the third release, too early");
    let diff = SchemaDiff::between(&versions[1].snapshot()?, &versions[2].snapshot()?);
    println!("{diff}");
    let plan = versions[2].plan(&db).await?;
    print!("{plan}");
    if let Err(error) = plan.apply(&db).await?.complete() {
        println!("{error}");
    }
    // ANCHOR_END: refused

    // ANCHOR: fill
    println!("== the third release, after the fill");
    let without = second::Book::F.language.is_null();
    let filled = second::Book::update_many(without).set(second::Book::F.language, "en").execute(&db).await?;
    println!("{} books are filled", filled.modified);
    print!("{}", versions[2].plan(&db).await?.apply(&db).await?);
    print!("then: {}", versions[2].plan(&db).await?);
    println!("{} English books", third::Book::in_language("en").into_find().count(&db).await?);
    // ANCHOR_END: fill
    Ok(())
}
