//! Pages over a collated order: all pages, in both directions, equal the order of the server; the `_id` breaks ties.

use futures_util::TryStreamExt;
use mongodb::{
    bson::{Document, doc},
    options::Collation,
};
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};
use schema_runtime::{Error, PageToken, definition::CollationDefinition, prelude::*};
use schema_tests::{database, scale::PROPERTY_CASES};

use super::{User, prepare, user};
use crate::relations::runtime;

/// Returns the `_id`s in the order of the server's own sort.
async fn sorted(db: &Database, collation: CollationDefinition, sign: i32) -> Vec<i64> {
    let users = db.collection::<Document>("users");
    let find = users.find(doc! {}).sort(doc! { "name": sign, "_id": sign });
    let found: Vec<Document> =
        find.collation(Collation::from(collation)).await.expect("found").try_collect().await.expect("read");
    found.iter().map(|document| document.get_i64("_id").expect("an id")).collect()
}

#[test]
fn all_pages_equal_the_order_of_the_server() {
    let name = select(vec!["a", "A", "á", "Á", "aa", "å", "Å", "e", "é", "ø", "Z", "z", "a2", "a10", "A-10", "", " "]);
    let collation = (select(vec!["en", "nb", "fr", "de@collation=phonebook"]), 1..=3_u32, any::<bool>());
    let mut runner =
        TestRunner::new(Config { cases: PROPERTY_CASES.of(30), failure_persistence: None, ..Config::default() });
    let result =
        runner.run(&(vec(name, 0..14), collation, 1..5_u32, any::<bool>()), |(names, collation, size, desc)| {
            let (locale, strength, numeric) = collation;
            let collation = CollationDefinition::new(locale).strength(strength).numeric_ordering(numeric);
            runtime().block_on(async {
                let db = database().await;
                for (id, name) in (0..).zip(&names) {
                    User::insert(&db, &user(id, &id.to_string(), name)).await.expect("inserted");
                }
                let key = || if desc { User::F.name.desc() } else { User::F.name.asc() };
                let pages = || User::find(Filter::all()).sort(key()).paginate(size).collation(collation);
                let expected = sorted(&db, collation, if desc { -1 } else { 1 }).await;
                let (mut forward, mut token): (Vec<i64>, Option<PageToken>) = (Vec::new(), None);
                loop {
                    let page = pages().after(token.as_ref()).fetch(&db).await.expect("a page");
                    forward.extend(page.items.iter().map(|user| user.id));
                    token = page.next;
                    if token.is_none() {
                        break;
                    }
                }
                prop_assert_eq!(&forward, &expected);
                let mut page = pages().last().fetch(&db).await.expect("a page");
                let mut backward: Vec<i64> = page.items.iter().rev().map(|user| user.id).collect();
                while let Some(token) = page.previous.take() {
                    page = pages().before(&token).fetch(&db).await.expect("a page");
                    backward.extend(page.items.iter().rev().map(|user| user.id));
                }
                backward.reverse();
                prop_assert_eq!(&backward, &expected);
                db.drop().await.expect("dropped");
                Ok(())
            })
        });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn a_token_of_another_collation_is_refused() {
    let db = database().await;
    prepare(&db).await;
    for id in 0..6 {
        User::insert(&db, &user(id, &id.to_string(), if id % 2 == 0 { "Kate" } else { "kate" })).await.unwrap();
    }
    let first = User::listed("oslo").fetch(&db).await.unwrap();
    assert_eq!(first.items.iter().map(|user| user.id).collect::<Vec<_>>(), [0, 1]);
    let token = first.next.unwrap();
    let second = User::listed("oslo").after(&token).fetch(&db).await.unwrap();
    assert_eq!(second.items.iter().map(|user| user.id).collect::<Vec<_>>(), [2, 3]);
    let other = User::listed("oslo").collation(CollationDefinition::new("nb").strength(1)).after(&token);
    let refused = other.fetch(&db).await;
    assert!(matches!(refused, Err(Error::PageToken { .. })), "{refused:?}");
}
