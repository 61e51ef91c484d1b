//! Every command of every write fails in turn, in every way; and the client stops before and after each command. The
//! answer of a write is true, and after `recover` nothing is wrong.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use schema_tests::{
    Fault,
    copies::{CardWrite, ItemWrite, Place, SourceWrite, Write},
    scale,
};

use crate::steps::{Ran, Steps, is_done, runtime};

const FAULTS: [Fault; 6] =
    [Fault::Refuse, Fault::Close, Fault::Unmet, Fault::Lose, Fault::StopBefore, Fault::StopAfter];

/// The number of clients that try the cases.
const CLIENTS: usize = 16;

/// Returns every kind of write, on the first documents: sources and holders 0 and 1 exist.
fn writes() -> Vec<Write> {
    let number = |write| match write {
        SourceWrite::Insert | SourceWrite::InsertMany => 2,
        SourceWrite::BulkInsert => 1,
        _ => 0,
    };
    let tags = SourceWrite::ALL.iter().map(|write| Write::Tag(number(*write), *write));
    let owners = SourceWrite::ALL.iter().map(|write| Write::Owner(number(*write), *write));
    let item = |write| Write::Item(0, write);
    let new_items = [
        ItemWrite::Insert(0, 1),
        ItemWrite::InsertMany(0, 1),
        ItemWrite::InsertFifty(0, 1),
        ItemWrite::InsertWith(0, 0),
    ];
    let items = [
        ItemWrite::Upsert(1, 1),
        ItemWrite::UpsertByFilter(0),
        ItemWrite::Push(1),
        ItemWrite::PushMany(1),
        ItemWrite::SetTags(1, 0),
        ItemWrite::SetEach(0, 1),
        ItemWrite::Pull(0),
        ItemWrite::Owner(1),
        ItemWrite::OwnerMany(1),
        ItemWrite::FindOwner(1),
        ItemWrite::Backup(Some(1)),
        ItemWrite::Backup(None),
        ItemWrite::Mixed(1, 0),
        ItemWrite::MixedMany(1, 0),
        ItemWrite::Replace(1, 1),
        ItemWrite::Save(1),
        ItemWrite::Title,
        ItemWrite::Delete,
    ];
    let new_items = new_items.into_iter().map(|write| Write::Item(2, write));
    let more = [
        Write::Item(1, ItemWrite::Bulk(0, 1)),
        Write::Item(3, ItemWrite::Upsert(0, 1)),
        Write::Item(3, ItemWrite::UpsertByFilter(1)),
        Write::Card(2, CardWrite::Insert(0)),
        Write::Card(2, CardWrite::InsertWith(1)),
        Write::Card(2, CardWrite::InsertMany(1)),
        Write::Card(2, CardWrite::InsertFifty(1)),
        Write::Card(0, CardWrite::Tag(1)),
        Write::Card(0, CardWrite::TagMany(1)),
        Write::Card(0, CardWrite::Replace(1)),
        Write::Tag(2, SourceWrite::Upsert),
        Write::Owner(2, SourceWrite::FindUpsert),
        Write::Transaction(vec![
            Write::Tag(0, SourceWrite::Count),
            Write::Owner(0, SourceWrite::Label),
            Write::Item(2, ItemWrite::Insert(0, 0)),
        ]),
        Write::Transaction(vec![
            Write::Card(1, CardWrite::Tag(0)),
            Write::Tag(0, SourceWrite::Replace),
            Write::Owner(1, SourceWrite::CountMany),
        ]),
    ];
    tags.chain(owners).chain(new_items).chain(items.into_iter().map(item)).chain(more).collect()
}

/// Returns a place that no earlier case has.
fn place() -> Place {
    static NEXT: AtomicI64 = AtomicI64::new(1);
    Place(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the errors after a write with these faults.
async fn wrong(steps: &Steps, write: &Write, faults: &[(usize, Fault)]) -> Option<String> {
    let place = place();
    steps.begin(place).await;
    let before = steps.stored(place).await;
    let Ran { result, names } = steps.run(place, write, faults).await;
    let stored = steps.stored(place).await;
    let is = stored != before;
    let case = format!("{write:?} with {faults:?} of {names:?}: {result:?}");
    // The write consists of two writes, and the first write may be done.
    let is_one = !matches!(write, Write::Tag(_, SourceWrite::Again) | Write::Owner(_, SourceWrite::Again));
    let says = match &result {
        Some(Ok(())) => Some(true),
        Some(Err(error)) => is_done(error),
        None => None,
    };
    if is_one && says.is_some_and(|says| says != is) {
        return Some(format!("{case}, but what is stored is {}", if is { "changed" } else { "as it was" }));
    }
    let wrong = steps.wrong_after_recover(place).await;
    (!wrong.is_empty()).then(|| format!("{case}: {wrong:?}"))
}

#[test]
fn every_command_fails_in_every_way() {
    let runtime = runtime();
    let found = runtime.block_on(runtime.spawn(async {
        let steps = Steps::new().await;
        let mut cases = Vec::new();
        for write in writes() {
            let place = place();
            steps.begin(place).await;
            let Ran { result, names } = steps.run(place, &write, &[]).await;
            // An insert of many ends at the first existing document.
            let ran =
                result.as_ref().is_some_and(|result| result.as_ref().err().is_none_or(|error| write.is_refused(error)));
            assert!(ran, "{write:?}: {result:?}");
            for at in 0..names.len() {
                // When not all faults are tried, each command gets the faults after the faults of the command before.
                let turn = cases.len();
                let faults = (0..scale::FAULTS.now() as usize).map(|number| FAULTS[(turn + number) % FAULTS.len()]);
                cases.extend(faults.map(|fault| (write.clone(), at, fault)));
            }
        }
        let count = cases.len();
        let cases = Arc::new(Mutex::new(cases));
        let clients = (0..CLIENTS).map(|_| {
            let cases = Arc::clone(&cases);
            tokio::spawn(async move {
                let steps = Steps::new().await;
                let mut found = Vec::new();
                loop {
                    let case = cases.lock().expect("no panic").pop();
                    let Some((write, at, fault)) = case else { break found };
                    let faults = [(at, fault)];
                    let tried = tokio::time::timeout(schema_tests::PATIENCE, wrong(&steps, &write, &faults)).await;
                    let tried = tried.unwrap_or_else(|_| Some(format!("{write:?} with {faults:?} does not end")));
                    found.extend(tried.map(|wrong| (fault, wrong)));
                }
            })
        });
        let mut found = Vec::new();
        for client in clients.collect::<Vec<_>>() {
            found.extend(client.await.expect("no panic"));
        }
        eprintln!("{count} cases");
        found
    }));
    let found = found.expect("no panic");
    let mut by_fault: BTreeMap<String, usize> = BTreeMap::new();
    found.iter().for_each(|(fault, _)| *by_fault.entry(format!("{fault:?}")).or_default() += 1);
    let first: Vec<&str> = found.iter().take(20).map(|(_, wrong)| wrong.as_str()).collect();
    assert!(found.is_empty(), "{by_fault:?}\n{}", first.join("\n\n"));
}
