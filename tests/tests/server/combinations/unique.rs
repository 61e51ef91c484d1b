//! A copy in a unique index of its holders: a value of the source that would be a duplicate is an error.

// Clippy takes two indexes for a repeated attribute.
#![allow(clippy::duplicated_attributes)]

use mongodb::Database;
use schema_runtime::{Error, MaintenanceKind, Throttle, prelude::*, schema};
use schema_tests::database;

/// The source of few copies in a transaction, and of more copies in chunks.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "colours")]
struct Colour {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Paint::colour_name, fan_out = 10)]
    name: String,
    #[copied_to(Paint::code)]
    code: i32,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "paints")]
#[index(shop, colour_name, unique)]
#[index(shop, code, unique)]
struct Paint {
    #[serde(rename = "_id")]
    id: i64,
    shop: i32,
    colour: Ref<Colour>,
    #[denormalize(from = colour.name)]
    colour_name: String,
    tint: Ref<Colour>,
    #[denormalize(from = tint.code)]
    code: i32,
}

async fn paints(db: &Database) -> Vec<(String, i32)> {
    let paints = Paint::find(Filter::all()).sort(Paint::F.id.asc()).fetch_all(db).await.unwrap();
    paints.into_iter().map(|paint| (paint.colour_name, paint.code)).collect()
}

#[tokio::test]
async fn a_copy_that_would_be_a_duplicate_is_reported() {
    let db = database().await;
    let schema = schema![Colour, Paint];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let colour = |id, name: &str| Colour { id, name: name.to_owned(), code: id as i32 };
    Colour::insert_many(&db, &[colour(1, "red"), colour(2, "blue")]).await.unwrap();
    let paint = |id, colour, tint| {
        let (colour, tint) = (Ref::new(colour), Ref::new(tint));
        Paint { id, shop: 1, colour, colour_name: String::new(), tint, code: 0 }
    };
    Paint::insert_many(&db, &[paint(1, 1, 1), paint(2, 2, 2)]).await.unwrap();
    let before = [("red".to_owned(), 1), ("blue".to_owned(), 2)];
    assert_eq!(paints(&db).await, before);
    let error = Paint::insert(&db, &Paint { shop: 1, ..paint(3, 1, 2) }).await.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error}");

    // All copies in a single transaction, or none.
    let error = Colour::update_by_id(1).set(Colour::F.name, "blue").execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error}");
    assert_eq!(Colour::get_by_id(&db, &1).await.unwrap().name, "red");
    assert_eq!(paints(&db).await, before);

    // In chunks: the source has the new value, the holder cannot have the value, and both are reported until somebody
    // decides.
    let error = Colour::update_by_id(1).set(Colour::F.code, 2).execute(&db).await.unwrap_err();
    assert!(
        matches!(&error, Error::CopiesPending { source, .. } if matches!(**source, Error::DuplicateKey { .. })),
        "{error}"
    );
    assert_eq!(paints(&db).await, before);
    let report = schema.verify(&db).await.unwrap();
    let pending = &report.pending()[0];
    assert_eq!((pending.kind, pending.found), (MaintenanceKind::PendingSource, 1), "{report}");
    let recovered = schema.recover(&db, &Throttle::new()).await.unwrap();
    assert!(recovered.to_string().contains("the server refused"), "{recovered}");
    Colour::update_by_id(2).set(Colour::F.code, 3).execute(&db).await.unwrap();
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(paints(&db).await, [("red".to_owned(), 2), ("blue".to_owned(), 3)]);
    let report = schema.verify(&db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}
