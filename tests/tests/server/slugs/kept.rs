//! Kept earlier slugs: an earlier slug leads to its document, and no second document gets an earlier slug.

use std::collections::BTreeSet;

use mongodb::bson::{Document, doc};
use schema_runtime::{MaintenanceKind, Throttle, assert_indexed, prelude::*, schema, transaction, verify::Finding};
use schema_tests::{Fault, Proxy, database};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 24, follow, keep_old = 2)]
    #[serde(rename = "slugText")]
    slug: String,
}

fn page(id: i64, name: &str) -> Page {
    Page { id, name: name.to_owned(), slug: String::new() }
}

async fn start() -> Database {
    let db = database().await;
    schema![Page].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

async fn rename(db: &Database, id: i64, name: &str) {
    Page::update_by_id(id).set(Page::F.name, name).execute(db).await.unwrap();
}

/// Returns the stored list, read without this crate.
async fn list(db: &Database, id: i64) -> Vec<String> {
    let stored = db.collection::<Document>("pages").find_one(doc! { "_id": id }).await.unwrap().unwrap();
    let list = stored.get_array("_slugs_slugText").unwrap();
    assert_eq!(list.first().unwrap().as_str(), stored.get_str("slugText").ok());
    list.iter().map(|slug| slug.as_str().unwrap().to_owned()).collect()
}

async fn id_of(db: &Database, slug: &str) -> Option<i64> {
    Page::by_slug(slug).fetch_optional(db).await.unwrap().map(|page| page.id)
}

#[tokio::test]
async fn they_lead_to_their_document() {
    let db = start().await;
    Page::insert(&db, &page(1, "Bolt")).await.unwrap();
    rename(&db, 1, "Screw").await;
    let found = Page::by_slug("bolt").fetch_optional(&db).await.unwrap().unwrap();
    assert_eq!((found.id, found.slug.as_str()), (1, "screw"), "one sees that it was an earlier one");
    assert_eq!(id_of(&db, "screw").await, Some(1));
    rename(&db, 1, "Peg").await;
    assert_eq!(list(&db, 1).await, ["peg", "screw", "bolt"]);
    rename(&db, 1, "Pin").await;
    assert_eq!(list(&db, 1).await, ["pin", "peg", "screw"], "two of them");
    assert_eq!(id_of(&db, "bolt").await, None);
    // The slug is free again.
    Page::insert(&db, &page(2, "Bolt")).await.unwrap();
    assert_eq!(list(&db, 2).await, ["bolt"]);
    // An update of the slug keeps the earlier slugs too, and a save of a value keeps the earlier slugs too.
    Page::update_by_id(1).set(Page::F.slug, "my-own").execute(&db).await.unwrap();
    assert_eq!(list(&db, 1).await, ["my-own", "pin", "peg"]);
    let mut value = Page { slug: "our-own".to_owned(), ..Page::get_by_id(&db, 1).await.unwrap() };
    Page::save(&db, &mut value).await.unwrap();
    assert_eq!(
        (value.slug.as_str(), list(&db, 1).await),
        ("our-own", vec!["our-own".to_owned(), "my-own".into(), "pin".into()])
    );
    assert_indexed(&Page::by_slug("pin"), &db).await;
    let too_many = doc! { "$set": { "_slugs_slugText": ["our-own", "b", "c", "d"] } };
    let raw = db.collection::<Document>("pages").update_one(doc! { "_id": 1_i64 }, too_many).await;
    assert!(raw.unwrap_err().to_string().contains("121"), "the validator holds the bound");
}

#[tokio::test]
async fn an_earlier_name_takes_its_slug_back() {
    let db = start().await;
    Page::insert_many(&db, [page(1, "Bolt"), page(2, "Bolt")]).await.unwrap();
    rename(&db, 2, "Nut").await;
    assert_eq!(list(&db, 2).await, ["nut", "bolt-2"]);
    // The first document is deleted, and still the second document gets its own numbered slug back.
    Page::delete_by_id(&db, 1).await.unwrap();
    rename(&db, 2, "BOLT").await;
    assert_eq!(list(&db, 2).await, ["bolt-2", "nut"]);
    rename(&db, 2, "Nut").await;
    assert_eq!(list(&db, 2).await, ["nut", "bolt-2"]);
    rename(&db, 2, "nut?").await;
    assert_eq!(list(&db, 2).await, ["nut", "bolt-2"]);
}

#[tokio::test]
async fn the_exact_one_of_several_comes_back() {
    let db = start().await;
    Page::insert(&db, &page(1, "Bolt")).await.unwrap();
    for name in ["Bolt 2", "Nut", "Bolt"] {
        rename(&db, 1, name).await;
    }
    assert_eq!(list(&db, 1).await, ["bolt", "nut", "bolt-2"]);
}

#[tokio::test]
async fn nobody_else_gets_an_earlier_one() {
    let db = start().await;
    Page::insert_many(&db, [page(1, "Bolt"), page(2, "Nut")]).await.unwrap();
    rename(&db, 1, "Screw").await;
    Page::insert_many(&db, [page(3, "Bolt"), page(4, "Bolt")]).await.unwrap();
    rename(&db, 2, "Bolt").await;
    assert_eq!([list(&db, 3).await, list(&db, 4).await], [["bolt-2"], ["bolt-3"]]);
    assert_eq!(list(&db, 2).await, ["bolt-4", "nut"]);
    let given = Page { slug: "bolt".to_owned(), ..page(5, "Peg") };
    let refused = Page::insert(&db, &given).await.unwrap_err();
    assert!(matches!(&refused, Error::DuplicateKey { index, .. } if index == "_slugs_slugText_1"), "{refused}");
    let refused = Page::update_by_id(3).set(Page::F.slug, "bolt").execute(&db).await.unwrap_err();
    assert!(matches!(refused, Error::DuplicateKey { .. }), "{refused}");
    let upsert = Page::update_by_id(9).set(Page::F.name, "Peg").set(Page::F.slug, "peg").upsert();
    assert!(upsert.execute(&db).await.unwrap_err().to_string().contains("an update cannot insert the slug"));
}

/// A client renames a document with the slug, and another client inserts a document with the same slug concurrently, in
/// either order.
#[tokio::test]
async fn a_rename_and_an_insert_of_the_same() {
    for insert_first in [true, false] {
        let db = start().await;
        Page::insert(&db, &page(1, "Bolt")).await.unwrap();
        // The insert has read `peg` as free, and the rename too.
        let proxy = Proxy::start([(if insert_first { 2 } else { 1 }, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let written = tokio::spawn(async move {
            match insert_first {
                true => Page::update_by_id(1).set(Page::F.name, "Peg").execute(&slow).await.map(drop),
                false => Page::insert(&slow, &page(2, "Peg")).await,
            }
        });
        proxy.reached().await;
        match insert_first {
            true => Page::insert(&db, &page(2, "Peg")).await.unwrap(),
            false => {
                rename(&db, 1, "Peg").await;
                rename(&db, 1, "Hook").await;
            }
        }
        proxy.release();
        written.await.unwrap().unwrap();
        match insert_first {
            true => assert_eq!([list(&db, 1).await, list(&db, 2).await], [vec!["peg-2", "bolt"], vec!["peg"]]),
            false => assert_eq!([list(&db, 1).await, list(&db, 2).await], [vec!["hook", "peg", "bolt"], vec!["peg-2"]]),
        }
    }
}

/// Eight writers of five names, in transactions and without: no slug is in two documents at any time.
#[tokio::test]
async fn many_writers_of_the_same_names() {
    let db = start().await;
    const NAMES: [&str; 5] = ["Bolt", "Nut", "Screw", "Peg", "Bolt 2"];
    let write = async |writer: i64| {
        for at in 0..12_i64 {
            let name = NAMES[(writer + at) as usize % NAMES.len()];
            match at % 4 {
                0 => Page::insert(&db, &page(writer * 100 + at, name)).await.unwrap(),
                // All writers also write the same few documents.
                1 => drop(Page::update_one(Page::F.id.eq(at - 1)).set(Page::F.name, name).execute(&db).await.unwrap()),
                2 => {
                    let id = writer * 100 + at - 2;
                    transaction(
                        &db,
                        |tx| async move { Page::update_by_id(id).set(Page::F.name, name).execute(&tx).await },
                    )
                    .await
                    .unwrap();
                }
                _ => {
                    let update = Page::update_by_id(writer * 100 + at - 3).set(Page::F.name, name);
                    let bulk = Page::bulk().update(update).insert(&page(writer * 100 + 50 + at, name));
                    // The report of the bulk has the overtaken insert.
                    let _ = bulk.unordered().execute(&db).await.unwrap();
                }
            }
        }
    };
    futures_util::future::join_all((0..8).map(write)).await;
    let all = db.collection::<Document>("pages").find(doc! {}).await.unwrap();
    let all: Vec<Document> = futures_util::TryStreamExt::try_collect(all).await.unwrap();
    assert!(all.len() >= 24, "{}", all.len());
    let (mut seen, mut renamed) = (BTreeSet::new(), 0);
    for document in &all {
        let slugs: Vec<&str> =
            document.get_array("_slugs_slugText").unwrap().iter().map(|slug| slug.as_str().unwrap()).collect();
        assert_eq!(slugs[0], document.get_str("slugText").unwrap(), "{document}");
        assert!(slugs.len() <= 3, "{document}");
        let text = document.get_str("name").unwrap().to_lowercase().replace(' ', "-");
        assert!(slugs[0].starts_with(&text), "it follows: {document}");
        renamed += usize::from(slugs.len() > 1);
        assert!(slugs.into_iter().all(|slug| seen.insert(slug.to_owned())), "in two documents: {document}");
    }
    assert!(renamed >= 8, "{renamed}");
    assert!(schema![Page].verify(&db).await.unwrap().is_clean());
}

/// Documents from the time before `keep_old`, and documents of another program.
#[tokio::test]
async fn what_was_there_before() {
    let db = database().await;
    let raw = db.collection::<Document>("pages");
    let before = |id: i64, slug: &str| doc! { "_id": id, "name": "Bolt", "slugText": slug };
    raw.insert_many([before(1, "bolt"), before(2, "nut"), before(3, "peg")]).await.unwrap();
    let schema = schema![Page];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    assert_eq!(id_of(&db, "bolt").await, Some(1));
    Page::insert(&db, &page(4, "Bolt")).await.unwrap();
    assert_eq!(list(&db, 4).await, ["bolt-2"]);
    rename(&db, 1, "Screw").await;
    assert_eq!(list(&db, 1).await, ["screw", "bolt"]);
    raw.insert_one(before(5, "bolt")).await.unwrap();
    let report = schema.verify(&db).await.unwrap();
    let [Finding::Derived(found)] = report.findings() else { panic!("{report}") };
    assert_eq!((found.kind, &*found.path), (MaintenanceKind::UnkeptSlug, "slugText"));
    assert_eq!((found.found, found.examples.len()), (3, 3));
    assert!(report.to_string().contains("Page.slugText: 3 lists of slugs that lack the slug"), "{report}");
    let repaired = schema.repair(&db, &Throttle::new()).await.unwrap();
    let [slugs] = repaired.entries() else { panic!("{repaired}") };
    assert_eq!((slugs.written, slugs.refused, slugs.examples.len()), (2, 1, 1), "{repaired}");
    assert_eq!([list(&db, 2).await, list(&db, 3).await], [["nut"], ["peg"]]);
    Page::update_by_id(5).set(Page::F.slug, "hook").execute(&db).await.unwrap_err();
    raw.delete_one(doc! { "_id": 5_i64 }).await.unwrap();
    assert_eq!(schema.repair(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to repair");
    assert!(schema.verify(&db).await.unwrap().is_clean());
    let again = schema.plan(&db).await.unwrap();
    assert!(again.is_empty(), "{again}");
}

/// The model `Page` with a smaller `keep_old`.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
struct Fewer {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 24, keep_old = 1)]
    #[serde(rename = "slugText")]
    slug: String,
}

#[tokio::test]
async fn fewer_than_before() {
    let db = start().await;
    Page::insert_many(&db, [page(1, "Bolt"), page(2, "Nut")]).await.unwrap();
    rename(&db, 1, "Screw").await;
    rename(&db, 1, "Peg").await;
    rename(&db, 2, "Pin").await;
    let report = schema![Fewer].verify(&db).await.unwrap();
    let [Finding::Derived(found)] = report.findings() else { panic!("{report}") };
    assert_eq!((found.kind, found.found), (MaintenanceKind::UnkeptSlug, 1));
    assert_eq!((found.examples.len(), &found.examples[0].id), (1, &1_i64.into()));
    let repaired = schema![Fewer].repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!(
        repaired.to_string(),
        "Fewer.slugText: 1 list of slugs that lacks the slug or is too long, 1 document written"
    );
    assert_eq!([list(&db, 1).await, list(&db, 2).await], [["peg", "screw"], ["pin", "nut"]]);
    // The slug does not follow the name: only an update of the slug changes the slug.
    Fewer::update_by_id(1).set(Fewer::F.name, "Hook").execute(&db).await.unwrap();
    Fewer::update_by_id(1).set(Fewer::F.slug, "hook").execute(&db).await.unwrap();
    assert_eq!(list(&db, 1).await, ["hook", "peg"]);
    let many = Fewer::update_many(Filter::all()).set(Fewer::F.slug, "same").execute(&db).await.unwrap_err();
    assert!(many.to_string().contains("is kept, and belongs to a single document"), "{many}");
}
