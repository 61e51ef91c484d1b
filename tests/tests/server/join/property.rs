//! Every join gives the same result as a plain in-memory join of the same documents.

use std::{collections::BTreeMap, ops::Range};

use mongodb::bson::doc;
use proptest::{collection::vec, prelude::*};
use schema_runtime::{
    join::{JoinEntry, View},
    prelude::*,
};
use schema_tests::{database, scale::PROPERTY_CASES};

use crate::relations::*;

/// The state of a child in the database.
#[derive(Clone, Copy, Debug)]
enum Stored {
    Good,
    Missing,
    Bad,
}

/// The plain value of a reference: the child's name, or the reason for a missing child.
#[derive(Debug, PartialEq)]
enum Plain {
    Found(String),
    Missing(ObjectId),
    Failed,
}

fn plain(view: View<'_, Part>) -> Vec<Plain> {
    let entries = view.entries().map(|entry| match entry {
        JoinEntry::Found(part) => Plain::Found(part.name.clone()),
        JoinEntry::Missing(id) => Plain::Missing(*id),
        JoinEntry::Failed(_) => Plain::Failed,
    });
    let entries: Vec<Plain> = entries.collect();
    // Each reference is in exactly one of the three lists.
    assert_eq!(view.len() + view.missing().count() + view.failed().count(), entries.len());
    assert_eq!(view.complete().is_ok(), view.len() == entries.len());
    entries
}

const PARTS: Range<usize> = 0..12;

fn parents() -> impl Strategy<Value = Vec<Vec<usize>>> {
    vec(vec(PARTS, 0..20), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: PROPERTY_CASES.of(48), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn as_in_memory(
        stored in vec(prop_oneof![4 => Just(Stored::Good), 1 => Just(Stored::Missing), 1 => Just(Stored::Bad)], PARTS.len()),
        parents in parents(),
    ) {
        runtime().block_on(check(stored, parents));
    }
}

async fn check(stored: Vec<Stored>, chosen: Vec<Vec<usize>>) {
    let db = database().await;
    let parts = parts(PARTS.len());
    for (part, stored) in parts.iter().zip(&stored) {
        match stored {
            Stored::Good => insert(&db, std::slice::from_ref(part)).await,
            Stored::Missing => {}
            Stored::Bad => insert_raw::<Part>(&db, [doc! { "_id": part.id, "name": 1, "qty": 2 }]).await,
        }
    }
    let products: Vec<Product> = chosen.iter().map(|chosen| product(chosen.iter().map(|at| &parts[*at]))).collect();
    if !products.is_empty() {
        insert(&db, &products).await;
    }
    let expected = |chosen: &[usize]| -> Vec<Plain> {
        let entries = chosen.iter().map(|at| match stored[*at] {
            Stored::Good => Plain::Found(parts[*at].name.clone()),
            Stored::Missing => Plain::Missing(parts[*at].id),
            Stored::Bad => Plain::Failed,
        });
        entries.collect()
    };

    let loaded = Product::PARTS.load(&db, &products).await.unwrap();
    let rows = Product::PARTS.lookup(Filter::all()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    let rows: BTreeMap<ObjectId, _> = rows.into_iter().map(|(product, parts)| (product.id, (product, parts))).collect();
    assert_eq!(rows.len(), products.len());
    for (product, chosen) in products.iter().zip(&chosen) {
        let expected = expected(chosen);
        assert_eq!(plain(product.parts().fetch_all(&db).await.unwrap().view()), expected);
        assert_eq!(plain(loaded.of(product)), expected);
        let (parent, parts) = &rows[&product.id];
        assert_eq!(parent, product);
        assert_eq!(plain(parts.view()), expected);
        let complete = product.parts().fetch_all(&db).await.unwrap().complete().map(|complete| complete.into_vec());
        match complete {
            Ok(complete) => {
                let complete = complete.into_iter().map(|part| Plain::Found(part.name));
                assert_eq!(complete.collect::<Vec<_>>(), expected);
            }
            Err(_) => assert!(expected.iter().any(|entry| !matches!(entry, Plain::Found(_)))),
        }
    }

    // The far side: the products that hold a part, each product once.
    let loaded = Part::PRODUCTS.load(&db, &parts).await.unwrap();
    for (at, part) in parts.iter().enumerate() {
        let mut holders: Vec<ObjectId> = products
            .iter()
            .zip(&chosen)
            .filter(|(_, chosen)| chosen.contains(&at))
            .map(|(product, _)| product.id)
            .collect();
        holders.sort();
        let sorted = |view: View<'_, Product>| {
            let mut ids: Vec<ObjectId> = view.iter().map(|product| product.id).collect();
            ids.sort();
            ids
        };
        assert_eq!(sorted(loaded.of(part)), holders);
        assert_eq!(sorted(part.products().fetch_all(&db).await.unwrap().view()), holders);
        assert_eq!(part.products().count(&db).await.unwrap(), holders.len() as u64);
        let latest = part.products().latest(2).fetch_all(&db).await.unwrap();
        assert_eq!(
            latest.iter().map(|product| product.id).collect::<Vec<_>>(),
            holders.iter().rev().take(2).copied().collect::<Vec<_>>()
        );
    }
}
