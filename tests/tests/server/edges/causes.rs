//! Every operation reports a cause by the same name of this crate.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "letters")]
struct Letter {
    #[serde(rename = "_id")]
    id: i32,
    a: String,
    b: String,
    #[bound(max_items = 9)]
    list: Vec<String>,
    #[relation(one_to_few, embed, max = 3)]
    pages: Vec<Page>,
}

#[derive(Embed, Serialize, Deserialize, Debug)]
struct Page {
    text: String,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "entries", bucket(size = 4))]
struct Entry {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_squillions, parent_ref)]
    parent: Ref<Letter>,
    text: String,
}

#[track_caller]
fn is_too_large<T: std::fmt::Debug>(result: Result<T>) {
    match result.as_ref().map_err(Error::cause) {
        Err(error @ Error::DocumentTooLarge { model: "Letter", limit: 16_777_216, size }) => {
            assert!(size.is_none_or(|size| size > 16_777_216));
            assert!(!error.to_string().contains("yyy"), "{error}");
        }
        other => panic!("{}", format!("{other:?}").chars().take(300).collect::<String>()),
    }
}

#[tokio::test]
async fn an_update_that_would_make_a_document_too_large_says_so() {
    let (db, f, long) = (database().await, Letter::F, "y".repeat(9_000_000));
    let letter = Letter { id: 1, a: long.clone(), b: String::new(), list: Vec::new(), pages: Vec::new() };
    Letter::insert(&db, &letter).await.unwrap();
    let update = || Letter::update_by_id(1).set(f.b, &long);
    is_too_large(update().execute(&db).await);
    is_too_large(Letter::update_one(f.id.eq(1)).set(f.b, &long).execute(&db).await);
    is_too_large(Letter::update_many(Filter::all()).set(f.b, &long).execute(&db).await);
    is_too_large(Letter::update_by_id(1).push(f.list, &long).execute(&db).await);
    is_too_large(Letter::update_by_id(1).push(f.pages, &Page { text: long.clone() }).execute(&db).await);
    is_too_large(Letter::find_one_and_update(f.id.eq(1)).set(f.b, &long).fetch_after(&db).await);
    is_too_large(Letter::find_one_and_update(f.id.eq(1)).set(f.b, &long).fetch_before(&db).await);
    let upsert =
        Letter::update_one(f.id.eq(2)).upsert().set(f.a, &long).set(f.b, &long).set(f.list, Vec::<String>::new());
    is_too_large(upsert.set(f.pages, Vec::<Page>::new()).execute(&db).await);
    is_too_large(Letter::bulk().update(update()).execute(&db).await.unwrap().complete());
    is_too_large(Letter::bulk().update(update()).unordered().execute(&db).await.unwrap().complete());
    let in_transaction =
        schema_runtime::transaction(&db, async |db| Letter::update_by_id(1).set(f.b, &long).execute(&db).await);
    is_too_large(in_transaction.await);
    is_too_large(Letter::insert(&db, &Letter { id: 3, b: long.clone(), ..letter }).await);
    let stored = db.collection::<Document>("letters").find_one(doc! { "_id": 1 }).await.unwrap().unwrap();
    assert_eq!(stored.get_str("b").unwrap(), "");
    assert_eq!(db.collection::<Document>("letters").count_documents(doc! {}).await.unwrap(), 1);
}

#[tokio::test]
async fn a_bucket_that_would_be_too_large_says_so() {
    let (db, long) = (database().await, "y".repeat(9_000_000));
    let entry = |id| Entry { id, parent: Ref::new(1), text: long.clone() };
    Entry::insert(&db, &entry(1)).await.unwrap();
    let error = Entry::insert(&db, &entry(2)).await.unwrap_err();
    assert!(matches!(error, Error::DocumentTooLarge { model: "Entry", .. }), "{}", &error.to_string()[..200]);
}

#[tokio::test]
async fn more_is_skipped_than_the_server_can_count() {
    let db = database().await;
    let letter = Letter { id: 1, a: String::new(), b: String::new(), list: Vec::new(), pages: vec![] };
    Letter::insert(&db, &letter).await.unwrap();
    let most = i64::MAX as u64;
    assert!(Letter::find(Filter::all()).skip(most).fetch_all(&db).await.unwrap().is_empty());
    assert!(Letter::PAGES.find(|_| Filter::all()).skip(most).fetch_all(&db).await.unwrap().is_empty());
    for skip in [most + 1, u64::MAX] {
        let find = || Letter::find(Filter::all()).skip(skip);
        assert!(matches!(find().fetch_all(&db).await, Err(Error::Query { .. })));
        assert!(matches!(find().fetch_one(&db).await, Err(Error::Query { .. })));
        assert!(matches!(find().count(&db).await, Err(Error::Query { .. })));
        assert!(matches!(find().exists(&db).await, Err(Error::Query { .. })));
        let elements = Letter::PAGES.find(|_| Filter::all()).skip(skip);
        assert!(matches!(elements.fetch_all(&db).await, Err(Error::Query { .. })));
    }
}
