//! Conditions in any number and any depth: many conditions are a single list, and a filter too deep for the server is
//! an error of the filter.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "numbered")]
struct Numbered {
    #[serde(rename = "_id")]
    id: i32,
    n: i32,
    #[bound(max_items = 9)]
    list: Vec<i32>,
}

fn differs(n: i32) -> Filter<Numbered> {
    Numbered::F.n.ne(n)
}

/// Returns the depth of nested documents.
fn levels(condition: &Document) -> usize {
    let of = |value: &Bson| match value {
        Bson::Document(inner) => levels(inner),
        Bson::Array(list) => list.iter().filter_map(Bson::as_document).map(levels).max().unwrap_or(0),
        _ => 0,
    };
    1 + condition.values().map(of).max().unwrap_or(0)
}

async fn count(filter: Filter<Numbered>) -> u64 {
    let db = database().await;
    for id in 0..5 {
        Numbered::insert(&db, &Numbered { id, n: id, list: vec![id] }).await.unwrap();
    }
    Numbered::find(filter).count(&db).await.unwrap()
}

#[tokio::test]
async fn any_number_of_conditions_is_one_list() {
    let grown = (2..10_000).fold(Filter::all(), |mut all: Filter<Numbered>, n| {
        all &= differs(n);
        all
    });
    let in_front = (2..2_000).fold(Filter::all(), |all, n| differs(n) & all);
    let of_two_fields = (2..2_000).map(|n| differs(n) & Numbered::F.id.ne(n));
    let of_lists = (2..2_000).map(|n| Filter::all_of([differs(n), differs(n), Numbered::F.id.ne(n), differs(n + 1)]));
    for filter in [
        grown,
        in_front,
        (2..10_000).map(differs).fold(Filter::all(), Filter::and),
        Filter::all_of((2..10_000).map(differs)),
        Filter::all_of(of_two_fields),
        Filter::all_of(of_lists),
    ] {
        assert!(levels(&filter.clone().into_document().unwrap()) <= 4);
        assert_eq!(count(filter).await, 2);
    }
    assert_eq!(count(Filter::nor((2..10_000).map(|n| Numbered::F.n.eq(n)))).await, 2);
    assert_eq!(count(Filter::any_of((2..10_000).map(|n| Numbered::F.n.eq(n)))).await, 3);
}

#[test]
fn conditions_of_both_sides_are_in_the_list() {
    let f = Numbered::F;
    let (left, right) = (f.n.ne(1) & f.n.ne(2) & f.id.eq(1), f.id.eq(2) & f.n.ne(3) & f.n.ne(4));
    assert_eq!(
        (left & right).into_document().unwrap(),
        doc! {
            "$and": [{ "n": { "$ne": 1 } }, { "n": { "$ne": 2 } }, { "_id": 2, "n": { "$ne": 3 } }, { "n": { "$ne": 4 } }],
            "_id": 1,
        }
    );
}

fn negated(times: usize) -> Filter<Numbered> {
    (0..times).fold(differs(3), |filter, _| !filter)
}

/// Returns a filter with `and` and `or` in turn.
fn in_turns(times: usize) -> Filter<Numbered> {
    (0..times).fold(differs(3), |filter, _| (filter & differs(3)) | Numbered::F.n.eq(77))
}

#[tokio::test]
async fn conditions_that_are_nested_too_deep_are_an_error_of_the_filter() {
    for times in [1, 10, 80] {
        assert_eq!(count(negated(times)).await, if times % 2 == 0 { 4 } else { 1 });
        let updated = Numbered::update_many(negated(times)).inc(Numbered::F.n, 1).execute(&database().await).await;
        assert_eq!(updated.unwrap().matched, 0);
    }
    for times in [1, 10, 40] {
        assert_eq!(count(in_turns(times)).await, 4);
    }
    for times in [101, 1_000, 10_000] {
        for filter in [negated(times), in_turns(times), Filter::nor([negated(times)]), negated(times) & differs(1)] {
            assert!(matches!(filter.clone().into_document(), Err(Error::Filter { .. })), "{times}");
            let found = Numbered::find(filter).fetch_all(&database().await).await;
            assert!(matches!(found, Err(Error::Filter { .. })), "{times}");
        }
        let of_element = Numbered::F.list.elem_match(|one| (0..times).fold(one.gt(1), |filter, _| !filter));
        assert!(matches!(of_element.into_document(), Err(Error::Filter { .. })));
        let mut raw = doc! { "n": 1 };
        for _ in 0..times.min(300) {
            raw = doc! { "$nor": [raw] };
        }
        assert!(matches!(Filter::<Numbered>::raw(raw).into_document(), Err(Error::Filter { .. })));
    }
}

/// Every command accepts the deepest filter within the limit of the filter.
#[tokio::test]
async fn the_deepest_filter_is_taken_by_every_operation() {
    let db = database().await;
    Numbered::insert(&db, &Numbered { id: 1, n: 1, list: vec![1, 2] }).await.unwrap();
    let deepest = (1..200).rev().find(|times| negated(*times).into_document().is_ok()).unwrap();
    let deepest = deepest - deepest % 2;
    assert!(deepest >= 80);
    let filter = || negated(deepest);
    assert_eq!(Numbered::find(filter()).fetch_all(&db).await.unwrap().len(), 1);
    assert_eq!(Numbered::find(filter()).sort(Numbered::F.n.asc()).paginate(1).fetch(&db).await.unwrap().items.len(), 1);
    assert_eq!(Numbered::update_many(filter()).inc(Numbered::F.n, 10).execute(&db).await.unwrap().matched, 1);
    assert_eq!(Numbered::update_one(filter()).push(Numbered::F.list, 1).execute(&db).await.unwrap().matched, 1);
    assert!(Numbered::find_one_and_update(filter()).inc(Numbered::F.n, 10).fetch_after(&db).await.unwrap().is_some());
    assert_eq!(Numbered::delete_many(&db, filter()).await.unwrap(), 1);
}
