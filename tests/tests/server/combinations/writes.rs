//! Every kind of write of a document that is a child, a parent, a holder and a source at once.

use std::time::Duration;

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, Throttle, prelude::*, transaction};
use schema_tests::database;

use super::{
    models::{Maintainer, Package, Recipe, Review, Section, maintainer, package, review, schema, section},
    right::assert_right,
};

async fn begin() -> Database {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Section::insert_many(&db, &[section(1, "net"), section(2, "web")]).await.unwrap();
    Maintainer::insert_many(&db, &[maintainer(1, "Ann"), maintainer(2, "Eve")]).await.unwrap();
    let many: Vec<Package> = (1..9).map(|id| package(id, 1 + id % 2, (id % 3 > 0).then_some(id % 3))).collect();
    Package::insert_many(&db, &many).await.unwrap();
    Review::insert_many(&db, (1..20).map(|id| review(id, 1 + id % 8))).await.unwrap();
    for id in 1..4 {
        let recipe = Recipe { id, package: Ref::new(id), package_name: String::new(), package_since: DateTime::MIN };
        Recipe::insert(&db, &recipe).await.unwrap();
    }
    assert_right(&db).await;
    db
}

#[tokio::test]
async fn inserts() {
    let db = begin().await;
    Package::insert(&db, &package(10, 1, Some(1))).await.unwrap();
    let mut created = package(11, 2, None);
    Package::create(&db, &mut created).await.unwrap();
    assert_eq!((created.section_name.as_str(), created.reviews, created.version), ("web", 0, 0));
    Package::bulk().insert(&package(12, 1, Some(2))).execute(&db).await.unwrap().complete().unwrap();
    let to: Ref<Section> = Ref::new(2);
    let built =
        Package::insert_with(&db, &to, |section| Package { name: section.name.clone(), ..package(13, 2, Some(1)) });
    assert_eq!(built.await.unwrap().section_name, "web");
    Review::insert(&db, &review(30, 13)).await.unwrap();
    Review::bulk().insert(&review(31, 13)).insert(&review(32, 1)).execute(&db).await.unwrap().complete().unwrap();
    assert_right(&db).await;
    // An upsert inserts the values of the filter and the update; the crate adds the derived values.
    let upsert = Package::update_by_id(14).set(Package::F.section, Ref::new(1)).set(Package::F.bytes, 100);
    let upsert = upsert.set(Package::F.name, "upserted").set(Package::F.maintainer, Some(Ref::new(2)));
    upsert.set(Package::F.section_then, "z").upsert().execute(&db).await.unwrap();
    let stored = Package::get_by_id(&db, &14).await.unwrap();
    assert_eq!((stored.section_name.as_str(), stored.maintainer_name.as_deref()), ("net", Some("Eve")));
    assert_right(&db).await;
    let error = Package::insert(&db, &package(15, 3, None)).await.unwrap_err();
    assert!(matches!(error, Error::DanglingReference { .. }), "{error}");
    assert_right(&db).await;
}

/// A rename propagates to the children. The parents of the children stay unchanged: the rollups do not depend on the
/// copies.
#[tokio::test]
async fn a_source_that_is_the_parent_of_its_holders() {
    let db = begin().await;
    let before = Package::get_by_id(&db, &1).await.unwrap();
    Section::update_by_id(2).set(Section::F.name, "www").execute(&db).await.unwrap();
    Maintainer::update_by_id(1).set(Maintainer::F.name, "Anna").execute(&db).await.unwrap();
    assert_right(&db).await;
    // The crate's writes of a holder do not count as writes of the user.
    let after = Package::get_by_id(&db, &1).await.unwrap();
    let (section_name, maintainer_name) = ("www".to_owned(), Some("Anna".to_owned()));
    assert_eq!(after, Package { section_name, maintainer_name, ..before });
    assert_eq!(Section::get_by_id(&db, &2).await.unwrap().version, 1);
    Section::update_many(Filter::all()).set(Section::F.name, "all").execute(&db).await.unwrap();
    assert_right(&db).await;
    let bulk = Section::bulk().update(Section::update_by_id(1).set(Section::F.name, "one"));
    bulk.update(Section::update_by_id(2).set(Section::F.name, "two")).execute(&db).await.unwrap().complete().unwrap();
    assert_right(&db).await;
    Maintainer::replace(&db, &maintainer(2, "Eva")).await.unwrap();
    assert_right(&db).await;
    Section::update_by_id(1).set(Section::F.name, "later").defer_copies().execute(&db).await.unwrap();
    schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
}

#[tokio::test]
async fn changes() {
    let db = begin().await;
    // A field that is rolled up twice, and a field that changes only the version and the time of the write.
    Package::update_by_id(1).set(Package::F.bytes, 1_000).execute(&db).await.unwrap();
    assert_right(&db).await;
    Package::update_many(Filter::all()).inc(Package::F.bytes, 1).execute(&db).await.unwrap();
    assert_right(&db).await;
    // The name is copied and not rolled up, except for the time and the version.
    Package::update_by_id(2).set(Package::F.name, "new").execute(&db).await.unwrap();
    assert_right(&db).await;
    let changed = Package::find_one_and_update(Package::F.id.eq(3)).set(Package::F.name, "found");
    assert_eq!(changed.set(Package::F.bytes, 1).fetch_after(&db).await.unwrap().unwrap().bytes, 1);
    assert_right(&db).await;
    let mut read = Package::get_by_id(&db, &4).await.unwrap();
    (read.bytes, read.name) = (77, "saved".to_owned());
    Package::save(&db, &mut read).await.unwrap();
    assert_right(&db).await;
    Package::replace(&db, &Package { bytes: 78, name: "replaced".to_owned(), ..read }).await.unwrap();
    assert_right(&db).await;
    Package::insert(&db, &package(19, 1, Some(1))).await.unwrap();
    let bulk = Package::bulk().update(Package::update_by_id(5).set(Package::F.bytes, 5_000));
    let bulk = bulk.update(Package::update_by_id(1).set(Package::F.name, "bulk")).insert(&package(20, 2, Some(1)));
    bulk.delete_by_id(&19).execute(&db).await.unwrap().complete().unwrap();
    assert_right(&db).await;
}

/// A new reference is a new parent and a new source.
#[tokio::test]
async fn moves_and_deletes() {
    let db = begin().await;
    Package::update_by_id(1).set(Package::F.section, Ref::new(1)).execute(&db).await.unwrap();
    assert_eq!(Package::get_by_id(&db, &1).await.unwrap().section_name, "net");
    assert_right(&db).await;
    let both = Package::update_by_id(2).set(Package::F.section, Ref::new(2)).set(Package::F.maintainer, None);
    both.set(Package::F.bytes, 9_000).execute(&db).await.unwrap();
    assert_right(&db).await;
    let many = Package::update_many(Package::F.id.gt(4)).set(Package::F.maintainer, Some(Ref::new(2)));
    many.set(Package::F.section, Ref::new(2)).execute(&db).await.unwrap();
    assert_right(&db).await;
    let mut read = Package::get_by_id(&db, &3).await.unwrap();
    read.section = Ref::new(1);
    Package::save(&db, &mut read).await.unwrap();
    assert_right(&db).await;
    let bulk = Package::bulk().update(Package::update_by_id(5).set(Package::F.section, Ref::new(1)));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_right(&db).await;
    assert!(Package::delete_by_id(&db, &8).await.unwrap());
    assert_eq!(Package::delete_many(&db, Package::F.id.gt(6)).await.unwrap(), 1);
    let reviews = db.collection::<Document>("reviews");
    reviews.delete_many(doc! { "package": { "$gt": 6 } }).await.unwrap();
    assert_right(&db).await;
    // A source that is deleted and inserted again is another source, with another creation time.
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(Package::delete_by_id(&db, &1).await.unwrap());
    Package::insert(&db, &package(1, 1, Some(1))).await.unwrap();
    assert_right(&db).await;
    assert_right(&db).await;
}

#[tokio::test]
async fn in_a_transaction() {
    let db = begin().await;
    transaction(&db, |tx| async move {
        Section::update_by_id(1).set(Section::F.name, "in a transaction").execute(&tx).await?;
        Maintainer::update_by_id(2).set(Maintainer::F.name, "Eva").execute(&tx).await?;
        Package::insert(&tx, &package(10, 1, Some(2))).await?;
        Package::update_by_id(1).set(Package::F.bytes, 6_000).set(Package::F.name, "one").execute(&tx).await?;
        Package::update_by_id(2).set(Package::F.section, Ref::new(2)).execute(&tx).await?;
        Review::insert(&tx, &review(40, 3)).await?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    assert_eq!(Package::get_by_id(&db, &10).await.unwrap().section_name, "in a transaction");
    assert_right(&db).await;
    let aborted = transaction(&db, |tx| async move {
        Package::update_by_id(1).set(Package::F.section, Ref::new(1)).execute(&tx).await?;
        Section::update_by_id(1).set(Section::F.name, "aborted").execute(&tx).await?;
        Section::insert(&tx, &section(1, "is there")).await
    });
    aborted.await.unwrap_err();
    assert_right(&db).await;
}

/// A derived value is no change by another user: a save of a value that was read before is no conflict.
#[tokio::test]
async fn versions_and_times_are_of_the_users_own_writes() {
    let db = begin().await;
    let (mut parent, mut holder) =
        (Section::get_by_id(&db, &1).await.unwrap(), Package::get_by_id(&db, &2).await.unwrap());
    Package::insert(&db, &package(10, 1, None)).await.unwrap();
    Package::update_by_id(4).set(Package::F.bytes, 3_000).execute(&db).await.unwrap();
    let stored = Section::get_by_id(&db, &1).await.unwrap();
    assert_eq!((stored.version, stored.updated), (parent.version, parent.updated));
    parent.name = "saved".to_owned();
    Section::save(&db, &mut parent).await.unwrap();
    assert_right(&db).await;
    // The value has an older copy, and a smaller count of children than the stored document.
    holder.bytes = 4_000;
    Review::insert(&db, &review(50, 2)).await.unwrap();
    Package::save(&db, &mut holder).await.unwrap();
    assert_right(&db).await;
}

#[tokio::test]
async fn a_value_over_its_bound_is_nowhere() {
    let db = begin().await;
    let long = "a name of more than twenty characters";
    let error = Maintainer::update_by_id(1).set(Maintainer::F.name, long).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error}");
    let many = Maintainer::update_many(Filter::all()).set(Maintainer::F.name, long).execute(&db).await;
    many.unwrap_err();
    assert_right(&db).await;
    // A child over a bound: no parent has counted the child.
    let child = |id| Package { name: long.to_owned(), ..package(id, 1, Some(1)) };
    let error = Package::insert(&db, &child(10)).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error}");
    Package::insert_many(&db, &[package(11, 1, None), child(12)]).await.unwrap_err();
    let both = Package::update_by_id(1).set(Package::F.name, long).set(Package::F.bytes, 8_000);
    both.execute(&db).await.unwrap_err();
    Package::replace(&db, &Package { bytes: 8_000, ..child(2) }).await.unwrap_err();
    assert_right(&db).await;
}

/// The server deletes expired documents, as the shell does here: a holder without a parent, and a parent with its
/// children.
#[tokio::test]
async fn what_the_server_deletes() {
    let db = begin().await;
    let delete = async |collection: &str, filter| {
        db.collection::<Document>(collection).delete_many(filter).await.unwrap();
    };
    delete("recipes", doc! { "_id": 1 }).await;
    assert_right(&db).await;
    Package::update_by_id(1).set(Package::F.name, "without a recipe").execute(&db).await.unwrap();
    assert_right(&db).await;
    delete("maintainers", doc! { "_id": 2 }).await;
    let orphan = Package::find_one(&db, Package::F.maintainer.eq(Some(Ref::new(2)))).await.unwrap().unwrap();
    assert_eq!(orphan.maintainer_name.as_deref(), Some("Eve"));
    // The writes of the orphan go on, and update the remaining parent.
    Package::update_by_id(orphan.id).set(Package::F.bytes, 7_000).execute(&db).await.unwrap();
    let section = Section::find(Section::F.bytes.gt(6_999)).fetch_all(&db).await.unwrap();
    assert_eq!(section.len(), 1);
    Package::delete_by_id(&db, &orphan.id).await.unwrap();
    assert_eq!(Section::find(Section::F.bytes.gt(6_999)).count(&db).await.unwrap(), 0);
    // A parent that is inserted again gets the values of its children, and the children get the values of the parent.
    Maintainer::insert(&db, &maintainer(2, "Eva")).await.unwrap();
    delete("reviews", doc! { "package": orphan.id }).await;
    Recipe::delete_many(&db, Filter::all()).await.unwrap();
    assert_right(&db).await;
}
