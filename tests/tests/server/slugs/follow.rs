//! A slug that follows a name: each kind of write of a new name makes a new slug or is refused.

use schema_runtime::{prelude::*, schema, transaction};
use schema_tests::{Fault, Proxy, database};

use mongodb::bson::doc;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "title")]
    name: String,
    #[slug(from = name, max_len = 24, follow)]
    #[serde(rename = "slugText")]
    slug: String,
    views: i64,
    #[bound(max_items = 2, max_len = 20)]
    tags: Vec<String>,
}

fn page(id: i64, name: &str) -> Page {
    Page { id, name: name.to_owned(), slug: String::new(), views: 0, tags: Vec::new() }
}

async fn start() -> Database {
    let db = database().await;
    schema![Page].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Page::insert_many(&db, [page(1, "Bolt"), page(2, "Nut")]).await.unwrap();
    db
}

async fn slug(db: &Database, id: i64) -> String {
    Page::get_by_id(db, id).await.unwrap().slug
}

#[tokio::test]
async fn every_write_of_a_new_name() {
    let db = start().await;
    Page::update_by_id(1).set(Page::F.name, "Screw").inc(Page::F.views, 1).execute(&db).await.unwrap();
    assert_eq!(slug(&db, 1).await, "screw");
    assert_eq!(Page::get_by_id(&db, 1).await.unwrap().views, 1);
    let updated = Page::update_one(Page::F.name.eq("Screw")).set(Page::F.name, "Nut").execute(&db).await.unwrap();
    assert_eq!((updated.matched, slug(&db, 1).await.as_str()), (1, "nut-2"));
    let none = Page::update_one(Page::F.name.eq("Screw")).set(Page::F.name, "Nut").execute(&db).await.unwrap();
    assert_eq!(none.matched, 0);
    let missing = Page::update_by_id(9).set(Page::F.name, "Nut").execute(&db).await.unwrap_err();
    assert!(matches!(missing, Error::NotFound { .. }), "{missing}");
    // The slug of an equal name stays, with its number; a change of another field changes no slug.
    Page::update_by_id(1).set(Page::F.name, "NUT!").execute(&db).await.unwrap();
    Page::update_by_id(1).set(Page::F.views, 2).push(Page::F.tags, "steel").execute(&db).await.unwrap();
    assert_eq!(slug(&db, 1).await, "nut-2");
    let washer = Page::find_one_and_update(Page::F.id.eq(1)).set(Page::F.name, "Washer");
    assert_eq!(washer.fetch_after(&db).await.unwrap().unwrap().slug, "washer");
    let rivet = Page::find_one_and_update(Page::F.id.eq(1)).set(Page::F.name, "Rivet");
    assert_eq!(rivet.fetch_before(&db).await.unwrap().unwrap().slug, "washer");
    assert_eq!(slug(&db, 1).await, "rivet");
    // The written value gets the stored slug, or none.
    let mut value = Page { name: "Nail".to_owned(), ..Page::get_by_id(&db, 1).await.unwrap() };
    Page::save(&db, &mut value).await.unwrap();
    assert_eq!(value.slug, "nail", "it comes back");
    Page::replace(&db, &page(1, "Peg")).await.unwrap();
    assert_eq!(slug(&db, 1).await, "peg");
    assert!(!Page::upsert(&db, &page(1, "Pin")).await.unwrap());
    assert_eq!(slug(&db, 1).await, "pin");
    let upserted = Page::upsert_many(&db, [page(1, "Hook"), page(3, "Hook")]).await.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (1, 1));
    let mut hooks = [slug(&db, 1).await, slug(&db, 3).await];
    hooks.sort();
    assert_eq!(hooks, ["hook", "hook-2"]);
    let bulk = Page::bulk()
        .update(Page::update_by_id(1).set(Page::F.name, "Cap"))
        .update(Page::update_one(Page::F.id.eq(2)).set(Page::F.name, "Cap"))
        .replace(&page(3, "Cap"));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!([slug(&db, 1).await, slug(&db, 2).await, slug(&db, 3).await], ["cap", "cap-2", "cap-3"]);
    assert!(schema![Page].verify(&db).await.unwrap().is_clean());
}

/// A given slug is stored unchanged, whatever the name.
#[tokio::test]
async fn one_that_is_given_with_the_name() {
    let db = start().await;
    Page::update_by_id(1).set(Page::F.name, "Screw").set(Page::F.slug, "my-own").execute(&db).await.unwrap();
    assert_eq!(slug(&db, 1).await, "my-own");
    Page::update_by_id(1).set(Page::F.name, "SCREW").execute(&db).await.unwrap();
    assert_eq!(slug(&db, 1).await, "my-own");
    let taken = Page::update_by_id(1).set(Page::F.name, "Peg").set(Page::F.slug, "nut").execute(&db).await.unwrap_err();
    assert!(matches!(&taken, Error::DuplicateKey { index, .. } if index == "slugText_1"), "{taken}");
    Page::update_by_id(1).set(Page::F.name, "Screw").set(Page::F.slug, "screw-3").execute(&db).await.unwrap();
    assert_eq!(slug(&db, 1).await, "screw-3");
}

#[tokio::test]
async fn what_is_refused() {
    let db = start().await;
    let of = |refused: Result<_, Error>| refused.map(|_: u64| ()).unwrap_err().to_string();
    let many = Page::update_many(Filter::all()).set(Page::F.name, "Peg").execute(&db).await;
    let words = "the slug `slugText` of `Page` follows another field, and belongs to a single document: update each \
                 document alone";
    assert!(of(many.map(|many| many.matched)).contains(words));
    let upsert = Page::update_by_id(9).set(Page::F.name, "Peg").upsert().execute(&db).await;
    assert!(of(upsert.map(|upsert| upsert.matched)).contains("write the value by `upsert`"));
    let raw = Page::update_by_id(1).raw(doc! { "$unset": { "title": "" } }).execute(&db).await;
    assert!(of(raw.map(|raw| raw.matched)).contains("change the slug by a plain `set`"));
    let raw = Page::update_by_id(1).raw(doc! { "$rename": { "other": "title" } }).execute(&db).await;
    assert!(of(raw.map(|raw| raw.matched)).contains("change the slug by a plain `set`"));
    let bulk =
        Page::bulk().update(Page::update_many(Filter::all()).set(Page::F.name, "Peg")).execute(&db).await.unwrap();
    assert!(bulk.complete().unwrap_err().to_string().contains("each document alone"));
    let value = Page { slug: "peg".to_owned(), ..page(1, "Peg") };
    let bulk = Page::bulk().upsert(&value).execute(&db).await.unwrap_err().to_string();
    assert!(bulk.contains("a slug that follows or that is kept"), "{bulk}");
    // Each of the writes succeeds for fields that no slug follows.
    Page::update_many(Filter::all()).set(Page::F.views, 3).execute(&db).await.unwrap();
    assert_eq!([slug(&db, 1).await, slug(&db, 2).await], ["bolt", "nut"]);
}

/// Another client comes between the read and the write: the client takes the slug, renames the document, or deletes the
/// document.
#[tokio::test]
async fn one_that_is_overtaken() {
    for other in ["takes", "renames", "deletes"] {
        for kind in ["update", "find", "replace", "bulk"] {
            let db = start().await;
            // A replace first reads if the name changes at all.
            let at = if kind == "replace" { 3 } else { 2 };
            let proxy = Proxy::start([(at, Fault::Hold)]).await;
            let slow = proxy.database(db.name()).await;
            let update = || Page::update_by_id(1).set(Page::F.name, "Peg");
            let written = tokio::spawn(async move {
                match kind {
                    "update" => update().execute(&slow).await.map(drop),
                    "find" => {
                        let found = Page::find_one_and_update(Page::F.id.eq(1)).set(Page::F.name, "Peg");
                        found.fetch_after(&slow).await.map(|found| assert_eq!(found.is_some(), other != "deletes"))
                    }
                    "replace" => Page::replace(&slow, &page(1, "Peg")).await,
                    _ => Page::bulk().update(update()).execute(&slow).await.map(|report| {
                        assert_eq!(report.counts.unmatched, Some(u64::from(other == "deletes")));
                    }),
                }
            });
            proxy.reached().await;
            match other {
                "takes" => Page::insert(&db, &page(9, "Peg")).await.unwrap(),
                "renames" => drop(Page::update_by_id(1).set(Page::F.name, "Hook").execute(&db).await.unwrap()),
                _ => drop(Page::delete_by_id(&db, 1).await.unwrap()),
            }
            proxy.release();
            let written = written.await.unwrap();
            if other == "deletes" {
                let is_missing = matches!(written, Err(Error::NotFound { .. }));
                assert!(is_missing || matches!(kind, "find" | "bulk"), "{kind}: {written:?}");
                continue;
            }
            written.unwrap();
            assert_eq!(slug(&db, 1).await, if other == "takes" { "peg-2" } else { "peg" }, "{other} {kind}");
        }
    }
}

#[tokio::test]
async fn in_a_transaction() {
    let db = start().await;
    transaction(&db, |tx| async move {
        Page::update_by_id(1).set(Page::F.name, "Peg").execute(&tx).await?;
        Page::update_by_id(2).set(Page::F.name, "Peg").execute(&tx).await?;
        Page::insert(&tx, &page(3, "Bolt")).await
    })
    .await
    .unwrap();
    assert_eq!([slug(&db, 1).await, slug(&db, 2).await, slug(&db, 3).await], ["peg", "peg-2", "bolt"]);
    // Another client takes the slug: the transaction begins again.
    let proxy = Proxy::start([(2, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let written = tokio::spawn(async move {
        transaction(&slow, |tx| async move { Page::update_by_id(1).set(Page::F.name, "Hook").execute(&tx).await }).await
    });
    proxy.reached().await;
    Page::insert(&db, &page(9, "Hook")).await.unwrap();
    proxy.release();
    written.await.unwrap().unwrap();
    assert_eq!(slug(&db, 1).await, "hook-2");
}
