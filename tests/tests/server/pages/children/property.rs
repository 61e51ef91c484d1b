//! The latest children and all pages equal a sort in memory, for an order of two keys and of both directions.

use std::cmp::Ordering;

use proptest::{collection::vec, prelude::*};
use schema_runtime::{PageToken, prelude::*};
use schema_tests::{database, scale::PROPERTY_CASES};

use crate::relations::*;

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(-0.0), (-2..3).prop_map(f64::from),]
}

/// Compares doubles as MongoDB does: NaN first, and both zeros equal.
fn compare(left: f64, right: f64) -> Ordering {
    match (left.is_nan(), right.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => left.partial_cmp(&right).expect("neither is NaN"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: PROPERTY_CASES.of(40), max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn as_a_sort_in_memory(
        children in vec((0..2_usize, "[ab]?", value()), 0..40),
        size in 1..9_u32,
    ) {
        runtime().block_on(check(children, size));
    }
}

async fn check(children: Vec<(usize, String, f64)>, size: u32) {
    let db = database().await;
    let hosts = [host("a"), host("b")];
    let scores: Vec<Score> = children
        .into_iter()
        .zip(0..)
        .map(|((host, group, value), id)| Score { id: id * 31 % 97, host: Some(Ref::to(&hosts[host])), group, value })
        .collect();
    if !scores.is_empty() {
        insert(&db, &scores).await;
    }
    index::<Score>(&db).await;

    let of_each = Score::HOST.inverse().first(size).load(&db, &hosts).await.unwrap();
    for host in &hosts {
        let mut expected: Vec<&Score> =
            scores.iter().filter(|score| score.host.as_ref().unwrap().id() == &host.id).collect();
        // `order(asc(group), desc(value))`: `_id` has the direction of the last key.
        expected.sort_by(|left, right| {
            let group = left.group.cmp(&right.group);
            group.then(compare(right.value, left.value)).then(right.id.cmp(&left.id))
        });
        let expected: Vec<i64> = expected.into_iter().map(|score| score.id).collect();
        let first = &expected[..expected.len().min(size as usize)];

        let one = Score::of_host(host).first(size).fetch_all(&db).await.unwrap();
        assert_eq!(one.iter().map(|score| score.id).collect::<Vec<_>>(), first);
        assert_eq!(of_each.of(host).iter().map(|score| score.id).collect::<Vec<_>>(), first);

        let mut read = Vec::new();
        let mut token: Option<PageToken> = None;
        loop {
            let page = Score::of_host(host).paginate(size).after(&token).fetch(&db).await.unwrap();
            read.extend(page.iter().map(|score| score.id));
            token = page.next;
            if token.is_none() {
                break;
            }
            assert_eq!(page.items.len(), size as usize);
        }
        assert_eq!(read, expected);
    }
}
