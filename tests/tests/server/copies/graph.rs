//! Documents with mutual references are inserted together: a tree, a cycle, a reference to the document itself.

use schema_runtime::{Error, Schema, Throttle, prelude::*, schema, transaction};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(Page::parent_title)]
    title: String,
    #[relation(one_to_squillions, parent_ref)]
    parent: Option<Ref<Page>>,
    #[denormalize(from = parent.title)]
    parent_title: Option<String>,
}

const SCHEMA: Schema = schema![Page];

fn page(id: i64, parent: Option<i64>) -> Page {
    Page { id, title: format!("page {id}"), parent: parent.map(Ref::new), parent_title: None }
}

async fn titles(db: &Database) -> Vec<Option<String>> {
    Page::find(Filter::all())
        .sort([Page::F.id.asc()])
        .fetch_all(db)
        .await
        .unwrap()
        .into_iter()
        .map(|page| page.parent_title)
        .collect()
}

fn titled<const N: usize>(ids: [Option<i64>; N]) -> Vec<Option<String>> {
    ids.map(|id| id.map(|id| format!("page {id}"))).to_vec()
}

async fn assert_clean(db: &Database) {
    let report = SCHEMA.verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}

#[tokio::test]
async fn a_tree_and_a_cycle() {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    // Children before their parents, a cycle, and a page below itself.
    let pages =
        [page(1, Some(2)), page(2, Some(3)), page(3, None), page(4, Some(5)), page(5, Some(4)), page(6, Some(6))];
    Page::insert_many(&db, &pages).await.unwrap();
    assert_eq!(titles(&db).await, titled([Some(2), Some(3), None, Some(5), Some(4), Some(6)]));
    assert_clean(&db).await;
    // From then on, the copies follow like the copies of any source.
    Page::update_by_id(5).set(Page::F.title, "fifth").execute(&db).await.unwrap();
    Page::update_by_id(6).set(Page::F.title, "sixth").execute(&db).await.unwrap();
    let titles = titles(&db).await;
    assert_eq!([&titles[3], &titles[5]], [&Some("fifth".to_owned()), &Some("sixth".to_owned())]);
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}

#[tokio::test]
async fn one_in_a_bulk_or_a_transaction() {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Page::insert(&db, &page(1, Some(1))).await.unwrap();
    let bulk = Page::bulk().insert(&page(2, Some(3))).insert(&page(3, Some(2)));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    transaction(&db, |tx| async move { Page::insert_many(&tx, &[page(4, Some(5)), page(5, None)]).await })
        .await
        .unwrap();
    assert_eq!(titles(&db).await, titled([Some(1), Some(3), Some(2), Some(5), None]));
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}

#[tokio::test]
async fn what_is_nowhere_is_refused() {
    let db = database().await;
    let error = Page::insert_many(&db, &[page(1, Some(2)), page(2, Some(9))]).await.unwrap_err();
    assert!(matches!(&error, Error::DanglingReference { id, .. } if **id == 9_i64.into()), "{error:?}");
    assert_eq!(titles(&db).await, titled::<0>([]));
}

#[tokio::test]
async fn they_are_upserted() {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    assert!(Page::upsert(&db, &page(1, Some(1))).await.unwrap());
    assert!(!Page::upsert(&db, &page(1, Some(1))).await.unwrap());
    // A stored page refers to a new page, and the new page refers to the stored page; the last of two values with the
    // same `_id` wins.
    let pages = [page(1, Some(2)), page(2, Some(1)), page(3, Some(3)), page(3, None)];
    let upserted = Page::upsert_many(&db, &pages).await.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (2, 2));
    assert_eq!(titles(&db).await, titled([Some(2), Some(1), None]));
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}

/// Each source is checked for its own holders: as many statements as parents, not as many as pairs.
#[tokio::test]
async fn a_tree_of_many() {
    let (db, log) = schema_tests::database_with_log().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let pages: Vec<Page> = (0..2_000).map(|id| page(id, (id > 0).then(|| (id - 1) / 2))).collect();
    log.clear();
    Page::insert_many(&db, &pages).await.unwrap();
    let updates = log.named("update");
    assert!(log.commands().len() < 100, "{}", log.commands().len());
    let statements = updates.iter().map(|update| update.get_array("updates").unwrap().len()).sum::<usize>();
    // For each parent: a correction, a sweep of a source that may have existed before, and a clear of the mark.
    assert!(statements < 3_200, "{statements}");
    assert_eq!(
        titles(&db).await,
        pages
            .iter()
            .map(|page| page.parent.as_ref().map(|_| format!("page {}", (page.id - 1) / 2)))
            .collect::<Vec<_>>()
    );
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    assert_clean(&db).await;
}
