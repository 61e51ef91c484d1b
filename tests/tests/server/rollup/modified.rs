//! An update of a child reports the same counts as the same update by the driver, also if the update is a
//! `findAndModify`: the answer of a `findAndModify` has no counts.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    Error, finish_writes,
    operation::{ById, Update},
    prelude::*,
};
use schema_tests::database_with_log;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shelves")]
#[inverse(books = Book::shelf)]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(Book::shelf, pages))]
    pages: i64,
    #[computed(max(Book::shelf, weight))]
    heaviest: Option<f64>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    shelf: Ref<Shelf>,
    pages: i64,
    weight: f64,
    is_read: bool,
    title: String,
    #[bound(max_items = 10)]
    tags: Vec<String>,
    lent: Option<DateTime>,
}

type Change = Update<Book, ById>;

fn book() -> Book {
    let (title, tags) = ("Emma".to_owned(), vec!["novel".to_owned()]);
    Book { id: 1, shelf: Ref::new(1), pages: 40, weight: 1.5, is_read: false, title, tags, lent: None }
}

/// The updates, as calls of the crate and in the words of the server, and whether one command writes and returns the
/// book.
fn changes() -> Vec<(Change, Document, bool)> {
    let update = || Book::update_by_id(1);
    let date = DateTime::from_millis(5);
    vec![
        (update().inc(Book::F.pages, 1), doc! { "$inc": { "pages": 1_i64 } }, true),
        (update().inc(Book::F.pages, 0), doc! { "$inc": { "pages": 0_i64 } }, true),
        (update().set(Book::F.pages, 40), doc! { "$set": { "pages": 40_i64 } }, true),
        (update().mul(Book::F.pages, 1), doc! { "$mul": { "pages": 1_i64 } }, true),
        (update().mul(Book::F.pages, 3), doc! { "$mul": { "pages": 3_i64 } }, true),
        (update().min(Book::F.pages, 50), doc! { "$min": { "pages": 50_i64 } }, true),
        (update().max(Book::F.pages, 50), doc! { "$max": { "pages": 50_i64 } }, true),
        (update().set(Book::F.weight, f64::NAN), doc! { "$set": { "weight": f64::NAN } }, true),
        (update().set(Book::F.weight, -0.0), doc! { "$set": { "weight": -0.0 } }, true),
        (update().set(Book::F.weight, 1.5), doc! { "$set": { "weight": 1.5 } }, true),
        (
            update().set(Book::F.pages, 40).set(Book::F.is_read, true),
            doc! { "$set": { "pages": 40_i64, "is_read": true } },
            true,
        ),
        (
            update().set(Book::F.pages, 40).set(Book::F.is_read, false),
            doc! { "$set": { "pages": 40_i64, "is_read": false } },
            true,
        ),
        (
            update().set(Book::F.pages, 40).set(Book::F.lent, date),
            doc! { "$set": { "pages": 40_i64, "lent": date } },
            true,
        ),
        (update().set(Book::F.shelf, Ref::new(2)), doc! { "$set": { "shelf": 2_i64 } }, true),
        // The title and the tags may be long.
        (
            update().set(Book::F.pages, 40).set(Book::F.title, "Persuasion"),
            doc! { "$set": { "pages": 40_i64, "title": "Persuasion" } },
            false,
        ),
        (
            update().inc(Book::F.pages, 0).add_to_set(Book::F.tags, "novel"),
            doc! { "$inc": { "pages": 0_i64 }, "$addToSet": { "tags": "novel" } },
            false,
        ),
    ]
}

#[tokio::test]
async fn counts_equal_the_counts_of_the_driver() {
    let (db, log) = database_with_log().await;
    Shelf::insert_many(&db, [1, 2].map(|id| Shelf { id, pages: 0, heaviest: None })).await.unwrap();
    Book::insert(&db, &book()).await.unwrap();
    let twin = db.collection::<Book>("twins");
    twin.insert_one(book()).await.unwrap();
    for (ours, theirs, is_one) in changes() {
        for turn in 0..2 {
            finish_writes(&db).await;
            log.clear();
            let updated = ours.clone().execute(&db).await.unwrap();
            let first = log.commands()[0].0.clone();
            assert_eq!(first == "findAndModify", is_one, "{theirs}: {first}");
            let by_driver = twin.update_one(doc! { "_id": 1_i64 }, theirs.clone()).await.unwrap();
            let counts = (by_driver.matched_count, by_driver.modified_count);
            assert_eq!((updated.matched, updated.modified), counts, "{theirs}, turn {turn}");
        }
        Book::replace(&db, &book()).await.unwrap();
        twin.replace_one(doc! { "_id": 1_i64 }, book()).await.unwrap();
    }
    let shelf = Shelf::get_by_id(&db, 1).await.unwrap();
    assert_eq!((shelf.pages, shelf.heaviest), (40, Some(1.5)));
    let missing = Book::update_by_id(9).inc(Book::F.pages, 1).execute(&db).await.unwrap_err();
    assert!(matches!(missing, Error::NotFound { .. }), "{missing}");
    assert_eq!(Book::update_one(Book::F.id.eq(9)).inc(Book::F.pages, 1).execute(&db).await.unwrap().matched, 0);
}
