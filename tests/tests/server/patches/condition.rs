//! Conditions of an update by `_id`: the outcome is the change, `ConditionFailed` or `NotFound`.

use futures_util::future::join_all;
use schema_tests::{Fault, Proxy, database};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    on_sale: bool,
    #[history(keep = 4, order = desc(from), interval(from, to))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    cents: i64,
    from: DateTime,
    to: Option<DateTime>,
}

fn names(log: &CommandLog) -> Vec<String> {
    log.commands().into_iter().map(|(name, _)| name).collect()
}

#[tokio::test]
async fn three_outcomes() {
    let (db, log) = start().await;
    let publish =
        |id: i64| Post::update_by_id(id).only_if(Post::F.state.eq(State::Draft)).set(Post::F.state, State::Published);
    assert_eq!(publish(1).execute(&db).await.unwrap().modified, 1);
    assert_eq!(update_sent(&log).0, doc! { "_id": 1_i64, "state": "draft" });
    let before = raw(&db, 1).await;

    log.clear();
    let failed = publish(1).execute(&db).await.unwrap_err();
    assert!(matches!(failed, Error::ConditionFailed { model: "Post", collection: "posts" }), "{failed}");
    assert_eq!(failed.kind().http_status(), 409);
    assert_eq!(names(&log), ["update", "find"]);
    log.clear();
    let absent = publish(9).execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { .. }), "{absent}");
    assert_eq!(names(&log), ["update", "find", "find"]);

    for returned in [publish(1).fetch_before(&db).await, publish(1).fetch_after(&db).await] {
        assert!(matches!(returned, Err(Error::ConditionFailed { .. })), "{returned:?}");
    }
    assert!(matches!(publish(9).fetch_after(&db).await, Err(Error::NotFound { .. })));
    assert_eq!(publish(2).fetch_after(&db).await.unwrap().state, State::Published);
    assert_eq!(raw(&db, 1).await, before);
}

#[tokio::test]
async fn all_conditions_hold_and_an_empty_patch_asks_them() {
    let (db, _) = start().await;
    let update = |likes: i64| {
        let update = Post::update_by_id(1).only_if(Post::F.state.eq(State::Draft));
        update.only_if(Post::F.likes.eq(likes) | Post::F.title.eq("none")).apply(&EditPost::default())
    };
    assert_eq!(update(0).execute(&db).await.unwrap().matched, 1);
    assert!(matches!(update(1).execute(&db).await, Err(Error::ConditionFailed { .. })));
    let version = |version: i64| Post::update_by_id(1).only_if(Post::F.version.eq(version)).inc(Post::F.likes, 1);
    version(0).execute(&db).await.unwrap();
    assert!(matches!(version(0).execute(&db).await, Err(Error::ConditionFailed { .. })));
    version(1).execute(&db).await.unwrap();
}

#[tokio::test]
async fn beside_an_upsert_and_in_a_bulk_it_is_refused() {
    let (db, log) = start().await;
    let update = || Post::update_by_id(1).only_if(Post::F.likes.eq(5)).set(Post::F.title, "new");
    for refused in [
        update().upsert().execute(&db).await.map(drop),
        update().upsert().fetch_after(&db).await.map(drop),
        Post::bulk().update(update()).execute(&db).await.map(drop),
    ] {
        let error = refused.unwrap_err();
        assert!(matches!(error.cause(), Error::Update { .. }), "{error}");
    }
    assert_eq!(log.commands(), []);
}

/// A full array is the reason only where the condition holds.
#[tokio::test]
async fn a_full_array_and_a_null() {
    let (db, _) = start().await;
    let push = |likes: i64| {
        Post::update_by_id(1).only_if(Post::F.likes.eq(likes)).push_each(Post::F.tags, ["b", "c", "d"]).execute(&db)
    };
    assert!(matches!(push(1).await, Err(Error::ConditionFailed { .. })));
    assert!(matches!(push(0).await, Err(Error::BoundExceeded { .. })));
    Post::update_by_id(1).set(Post::F.note, None).execute(&db).await.unwrap();
    let least = |likes: i64| Post::update_by_id(1).only_if(Post::F.likes.eq(likes)).min(Post::F.note, "m").execute(&db);
    assert!(matches!(least(1).await, Err(Error::ConditionFailed { .. })));
    assert_eq!(raw(&db, 1).await.get("note"), Some(&mongodb::bson::Bson::Null));
    least(0).await.unwrap();
    assert_eq!(raw(&db, 1).await.get_str("note").unwrap(), "m");
}

/// Of many clients that publish a draft, one client wins.
#[tokio::test]
async fn one_of_many_wins() {
    let (db, _) = start().await;
    let publish = async |likes: i64| {
        let update = Post::update_by_id(1).only_if(Post::F.state.eq(State::Draft));
        update.set(Post::F.state, State::Published).set(Post::F.likes, likes).execute(&db).await
    };
    let outcomes = join_all((1..=20).map(publish)).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(_) | Err(Error::ConditionFailed { .. }))));
    assert_eq!(raw(&db, 1).await.get_i64("version").unwrap(), 1);
}

/// Between the update and the read for the reason another client makes the condition true, deletes the document, or
/// inserts the document.
#[tokio::test]
async fn each_answer_was_true_at_a_moment() {
    let (fulfilled, deleted, inserted) = (0, 1, 2);
    for case in [fulfilled, deleted, inserted] {
        let db = database().await;
        let draft = Post { state: State::Published, ..post(1) };
        if case != inserted {
            Post::insert(&db, &draft).await.unwrap();
        }
        let proxy = Proxy::start([(1, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let update = tokio::spawn(async move {
            let update = Post::update_by_id(1).only_if(Post::F.state.eq(State::Draft));
            update.set(Post::F.title, "won").execute(&slow).await
        });
        proxy.reached().await;
        match case {
            0 => drop(Post::update_by_id(1).set(Post::F.state, State::Draft).execute(&db).await.unwrap()),
            1 => drop(Post::delete_by_id(&db, 1).await.unwrap()),
            _ => Post::insert(&db, &post(1)).await.unwrap(),
        }
        proxy.release();
        let updated = update.await.unwrap();
        if case == deleted {
            assert!(matches!(updated, Err(Error::NotFound { .. })), "{updated:?}");
            continue;
        }
        assert_eq!(updated.unwrap().modified, 1);
        assert_eq!(proxy.names(), ["update", "find", "find", "update"]);
        assert_eq!(raw(&db, 1).await.get_str("title").unwrap(), "won");
    }
}

#[tokio::test]
async fn in_a_transaction_of_the_caller() {
    let (db, _) = start().await;
    let failed = schema_runtime::transaction(&db, |tx| async move {
        Post::update_by_id(1).set(Post::F.likes, 1).execute(&tx).await?;
        let update = Post::update_by_id(1).only_if(Post::F.likes.eq(1)).set(Post::F.title, "inside");
        update.execute(&tx).await?;
        Post::update_by_id(1).only_if(Post::F.likes.eq(0)).set(Post::F.title, "never").execute(&tx).await.map(drop)
    })
    .await;
    assert!(matches!(failed, Err(Error::ConditionFailed { .. })), "{failed:?}");
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap().title, "post 1");
}

#[tokio::test]
async fn an_entry_of_a_history() {
    let db = database().await;
    Product::insert(&db, &Product { id: 1, on_sale: false, prices: Vec::new() }).await.unwrap();
    let record = |from: i64, on_sale: bool| {
        let price = Price { cents: from, from: DateTime::from_millis(from), to: None };
        Product::update_by_id(1).only_if(Product::F.on_sale.eq(on_sale)).record(Product::F.prices, &price)
    };
    assert!(matches!(record(1, true).execute(&db).await, Err(Error::ConditionFailed { .. })));
    let after = record(1, false).fetch_after(&db).await.unwrap();
    assert_eq!(after.prices.len(), 1);
    assert_eq!(record(2, false).execute(&db).await.unwrap().modified, 1);
    Product::delete_by_id(&db, 1).await.unwrap();
    assert!(matches!(record(3, false).execute(&db).await, Err(Error::NotFound { .. })));
}
