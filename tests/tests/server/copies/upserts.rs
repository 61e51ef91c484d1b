//! Upserts: an inserted document has its copies too, and an existing document keeps its own copies.

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::prelude::*;
use schema_tests::{
    copies::{Item, Owner, Place, SourceWrite, Write, prepare, stale},
    database,
};

const PLACE: Place = Place(0);

async fn begin() -> Database {
    let db = database().await;
    prepare(&db).await;
    PLACE.begin(&db).await.unwrap();
    db
}

/// The validator requires the copies in the insert itself.
#[tokio::test]
async fn a_reference_that_the_filter_gives_has_its_copies() {
    let db = begin().await;
    for (id, filter) in [
        (7, Item::F.id.eq(7).and(Item::F.owner.eq(Ref::new(1)))),
        (8, Item::F.owner.eq(Ref::new(1)).and(Item::F.title.ne("x")).and(Item::F.id.eq(8))),
    ] {
        let upsert = Item::update_one(filter).set(Item::F.title, "by filter").set_on_insert(Item::F.tags, Vec::new());
        assert_eq!(upsert.upsert().execute(&db).await.unwrap().upserted_id, Some(id));
        let (item, owner) = (Item::get_by_id(&db, &id).await.unwrap(), Owner::get_by_id(&db, &1).await.unwrap());
        assert_eq!((item.owner.id(), item.label, item.count), (&1, owner.label, 0));
    }
    assert_eq!(stale(&db, PLACE.range()).await, [] as [Document; 0]);
    Write::Owner(1, SourceWrite::Label).run(PLACE, &db).await.unwrap();
    assert_eq!(stale(&db, PLACE.range()).await, [] as [Document; 0]);
}

#[tokio::test]
async fn what_is_there_keeps_its_copies_and_their_version() {
    let db = begin().await;
    Item::update_by_id(0).set(Item::F.backup, Some(Ref::new(1))).execute(&db).await.unwrap();
    let items = db.collection::<Document>("items");
    let before = items.find_one(doc! { "_id": 0 }).await.unwrap().unwrap();
    let upsert = Item::update_by_id(0).set(Item::F.title, "there").set_on_insert(Item::F.backup, None);
    upsert.upsert().execute(&db).await.unwrap();
    let after = items.find_one(doc! { "_id": 0 }).await.unwrap().unwrap();
    for field in ["backup", "backup_label", "_v_backup"] {
        assert!(after.contains_key(field), "{after}");
        assert_eq!(after.get(field), before.get(field), "{field}");
    }
}
