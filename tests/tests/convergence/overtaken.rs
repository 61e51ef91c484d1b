//! Concurrent writes run between the commands of a client, at chosen places: each case is the same in each run.

use schema_runtime::Error;
use schema_tests::copies::{CardWrite, ItemWrite, Place, SourceWrite, Write};

use crate::steps::Steps;

async fn converges(write: Write, others: &[(usize, Write)]) -> Steps {
    let (steps, place) = (Steps::new().await, Place(1));
    steps.begin(place).await;
    let ran = steps.overtaken(place, &write, others, None).await;
    let case = format!("{write:?} overtaken by {others:?}: {:?}", ran.names);
    if let Some(Err(error)) = ran.result {
        assert!(write.is_refused(&error), "{case}: {error}");
    }
    let wrong = steps.wrong_without_recover(place).await;
    assert!(wrong.is_empty(), "{case}: {wrong:?}");
    let wrong = steps.wrong_after_recover(place).await;
    assert!(wrong.is_empty(), "{case} and recovered: {wrong:?}");
    steps
}

fn tag(write: SourceWrite) -> Write {
    Write::Tag(0, write)
}

fn push(number: i64) -> Write {
    Write::Item(0, ItemWrite::Push(number))
}

/// The second push replaces the mark of the first push: the second push must check both references.
#[tokio::test]
async fn a_push_that_another_push_follows_before_its_look() {
    converges(push(0), &[(1, tag(SourceWrite::Label)), (2, push(1))]).await;
    let each = Write::Item(0, ItemWrite::SetEach(1, 0));
    converges(each, &[(1, tag(SourceWrite::Label)), (2, push(1))]).await;
    converges(push(0), &[(1, tag(SourceWrite::Label)), (2, Write::Item(0, ItemWrite::Mixed(1, 1)))]).await;
}

/// A client writes an old copy, and stops before its look: the mark shows the missing look.
#[tokio::test]
async fn a_client_that_stops_before_its_look() {
    let [owner, second] = [0, 1].map(|number| Write::Owner(number, SourceWrite::Label));
    let label = tag(SourceWrite::Label);
    let item = |write| Write::Item(2, write);
    for (write, (overtaken, other), stop) in [
        (Write::Card(2, CardWrite::Insert(0)), (1, &label), 2),
        (Write::Card(2, CardWrite::InsertMany(0)), (1, &label), 2),
        // The client writes the intent and the insert, and does not look.
        (Write::Card(2, CardWrite::InsertFifty(0)), (2, &label), 3),
        (Write::Card(1, CardWrite::Tag(0)), (1, &label), 2),
        (Write::Card(1, CardWrite::TagMany(0)), (1, &label), 2),
        (push(0), (1, &label), 2),
        (item(ItemWrite::Insert(0, 1)), (2, &label), 3),
        (item(ItemWrite::Insert(1, 0)), (2, &owner), 3),
        (Write::Item(1, ItemWrite::Owner(0)), (1, &owner), 2),
        (Write::Item(1, ItemWrite::Backup(Some(1))), (1, &second), 2),
    ] {
        // No transaction holds up the second write, however slow the transaction is.
        let (steps, place) = (Steps { patience: schema_tests::PATIENCE, ..Steps::new().await }, Place(1));
        steps.begin(place).await;
        let ran = steps.overtaken(place, &write, &[(overtaken, other.clone())], Some(stop)).await;
        let case = format!("{write:?} overtaken by {other:?}: {:?} {:?}", ran.names, ran.result);
        assert!(ran.result.is_none(), "{case}");
        let stale = steps.wrong_without_recover(place).await;
        assert!(!stale.is_empty(), "{case}");
        let wrong = steps.wrong_after_recover(place).await;
        assert!(wrong.is_empty(), "{case} and recovered: {wrong:?}");
    }
}

/// An update of many is repeated only for the documents that the first attempt left out.
#[tokio::test]
async fn a_push_to_many_is_done_once() {
    for at in 0..8 {
        for (write, other) in [
            (ItemWrite::PushMany(0), tag(SourceWrite::Label)),
            (ItemWrite::MixedMany(0, 0), Write::Owner(0, SourceWrite::Label)),
            (ItemWrite::MixedMany(0, 0), tag(SourceWrite::Label)),
        ] {
            let steps = converges(Write::Item(0, write), &[(at, other)]).await;
            for item in steps.stored(Place(1)).await.iter().filter_map(|document| document.get_array("tags").ok()) {
                assert_eq!(item.len(), 4, "{item:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_reference_that_is_set_after_its_source_moved() {
    for at in 1..4 {
        converges(Write::Card(0, CardWrite::Tag(0)), &[(at, tag(SourceWrite::Label))]).await;
        converges(Write::Card(0, CardWrite::TagMany(0)), &[(at, tag(SourceWrite::Label))]).await;
        converges(Write::Card(1, CardWrite::Tag(0)), &[(at, tag(SourceWrite::Again))]).await;
    }
}

/// The holder has newer copies than the read, and is left out; then the source is deleted. The error names the missing
/// source, not a missing holder.
#[tokio::test]
async fn a_source_that_goes_is_reported() {
    let steps = Steps::new().await;
    let place = Place(1);
    steps.begin(place).await;
    let others = [(1, tag(SourceWrite::Label)), (1, tag(SourceWrite::Delete))];
    let ran = steps.overtaken(place, &Write::Card(0, CardWrite::Tag(0)), &others, None).await;
    assert!(matches!(ran.result, Some(Err(Error::DanglingReference { .. }))), "{:?}", ran.result);
}

/// The upsert has marks of two paths, and another write replaces a mark.
#[tokio::test]
async fn an_upsert_of_a_source_that_another_write_follows() {
    let upsert = Write::Owner(0, SourceWrite::FindUpsert);
    converges(upsert, &[(1, Write::Owner(0, SourceWrite::Count))]).await;
}

/// The source changes, or is deleted and inserted again, or a holder gets another source, between any two commands of
/// an insert of many.
#[tokio::test]
async fn an_insert_of_many_at_each_of_its_commands() {
    let owner = Write::Owner(0, SourceWrite::Label);
    for at in 0..6 {
        for other in [tag(SourceWrite::Label), tag(SourceWrite::Again)] {
            converges(Write::Card(2, CardWrite::InsertFifty(0)), &[(at, other)]).await;
        }
        let moved = Write::Card(40, CardWrite::Tag(1));
        converges(Write::Card(2, CardWrite::InsertFifty(0)), &[(2, tag(SourceWrite::Label)), (at.max(3), moved)]).await;
    }
    for at in 0..8 {
        for other in [&owner, &tag(SourceWrite::Label)] {
            converges(Write::Item(2, ItemWrite::InsertFifty(0, 0)), &[(at, other.clone())]).await;
        }
    }
}
