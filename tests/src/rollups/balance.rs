//! Hosts and counters, the pending differences of the parents, and the messages: all read at the same snapshot time,
//! also in the middle of writes. The file uses nothing of the crate.

use std::collections::BTreeMap;

use mongodb::{
    ClientSession, Database,
    bson::{Bson, Document, doc},
    error::ErrorKind,
};

use super::check::{Kept, number};

/// `SnapshotUnavailable`: a collection was created since the time of the snapshot.
const TOO_EARLY: i32 = 246;

/// The state of parents, pending differences and children in a snapshot, and the agreement between them.
#[derive(Debug, Default)]
pub struct Balance {
    /// The parents that differ from the children, with the pending differences added.
    pub wrong: Vec<String>,
    /// The number of pending differences of existing parents.
    pub left: usize,
    /// The number of pending differences of missing parents.
    pub of_missing: usize,
}

async fn read(
    db: &Database,
    collection: &str,
    session: &mut ClientSession,
) -> Result<Vec<Document>, mongodb::error::Error> {
    let mut found =
        db.collection::<Document>(collection).find(doc! {}).sort(doc! { "_id": 1 }).session(&mut *session).await?;
    let mut all = Vec::new();
    while let Some(document) = found.next(&mut *session).await {
        all.push(document?);
    }
    Ok(all)
}

/// Returns hosts, counters, messages and pending differences, in a snapshot.
async fn read_all(db: &Database) -> [Vec<Document>; 4] {
    'again: loop {
        let mut session = db.client().start_session().snapshot(true).await.expect("a session");
        let mut all = [const { Vec::new() }; 4];
        for (of, collection) in all.iter_mut().zip(["hosts", "counters", "logmsg", "schema_deltas"]) {
            *of = match read(db, collection, &mut session).await {
                Ok(found) => found,
                Err(error) if matches!(&*error.kind, ErrorKind::Command(command) if command.code == TOO_EARLY) => {
                    continue 'again;
                }
                Err(error) => panic!("{collection}: {error}"),
            };
        }
        return all;
    }
}

/// Returns the pending differences of a path, by parent.
fn left_of<'a>(path: &str, left: &'a [Document]) -> BTreeMap<i64, Vec<&'a Document>> {
    let mut of_path: BTreeMap<i64, Vec<&Document>> = BTreeMap::new();
    for left in left {
        let id = left.get_document("_id").expect("a path and a parent");
        if id.get_str("path").is_ok_and(|stored| stored == path) {
            of_path.entry(number(id, "parent")).or_default().push(left);
        }
    }
    of_path
}

fn count(left: &[&Document]) -> i64 {
    left.iter().map(|left| number(left, "count")).sum()
}

/// Returns the sum of the sizes in pending differences.
fn total(left: &[&Document]) -> i64 {
    let side = |left: &Document, side: &str| -> i64 {
        let sums = left.get_document("sums").expect("sums");
        let of_field = sums.get_document("totalBytes").and_then(|field| field.get_array(side));
        of_field.map_or(0, |values| values.iter().map(whole).sum())
    };
    left.iter().map(|left| side(left, "plus") - side(left, "minus")).sum()
}

fn whole(value: &Bson) -> i64 {
    match value {
        Bson::Int32(number) => i64::from(*number),
        Bson::Int64(number) => *number,
        other => panic!("{other} is no whole number"),
    }
}

fn has_extremes(left: &[&Document]) -> bool {
    left.iter().any(|left| left.get_bool("extremes").expect("whether the extremes are read again"))
}

/// Returns the messages of each parent.
fn by_parent<'a>(messages: &'a [Document], reference: &str) -> BTreeMap<i64, Vec<&'a Document>> {
    let mut of_parent: BTreeMap<i64, Vec<&Document>> = BTreeMap::new();
    for message in messages {
        if let Ok(parent) = message.get_i64(reference) {
            of_parent.entry(parent).or_default().push(message);
        }
    }
    of_parent
}

/// Compares counts and sums, and all remaining values unless a difference says that the extremes are read again.
///
/// # Panics
/// If the server cannot be read.
pub async fn balance(db: &Database) -> Balance {
    let [hosts, counters, messages, differences] = read_all(db).await;
    let mut balance = Balance::default();
    let (mut left, mut children) = (left_of("logmsg_host", &differences), by_parent(&messages, "host"));
    for host in &hosts {
        let id = number(host, "_id");
        let left = left.remove(&id).unwrap_or_default();
        balance.left += left.len();
        let (mut stored, mut expected) =
            (Kept::of(host), Kept::from(children.remove(&id).unwrap_or_default().into_iter().cloned().collect()));
        stored.messages += count(&left);
        stored.total += total(&left);
        if !left.is_empty() {
            // An average is computed from the number and the sum of the parent, without the pending differences.
            stored.average = expected.average;
        }
        if has_extremes(&left) {
            (stored.least, stored.greatest) = (expected.least, expected.greatest);
            stored.recent = std::mem::take(&mut expected.recent);
            expected.recent = stored.recent.clone();
        }
        if stored != expected {
            balance.wrong.push(format!("{host} with {left:?} should have {expected:?}"));
        }
    }
    balance.of_missing += left.values().map(Vec::len).sum::<usize>();
    let (mut left, mut children) = (left_of("logmsg_counter", &differences), by_parent(&messages, "counter"));
    for counter in &counters {
        let id = number(counter, "_id");
        let left = left.remove(&id).unwrap_or_default();
        balance.left += left.len();
        let children = children.remove(&id).unwrap_or_default();
        let last = children.iter().filter_map(|message| message.get_datetime("time").ok()).max();
        let newest: Vec<i64> = children.iter().rev().take(2).map(|message| number(message, "_id")).collect();
        let kept = counter.get_array("newest").expect("the newest").iter();
        let kept: Vec<i64> = kept.map(|line| number(line.as_document().expect("a line"), "_id")).collect();
        let extremes = has_extremes(&left) || (counter.get_datetime("last").ok() == last && kept == newest);
        if number(counter, "messages") + count(&left) != children.len() as i64 || !extremes {
            balance.wrong.push(format!("{counter} with {left:?} should have {}, {last:?}, {newest:?}", children.len()));
        }
    }
    balance.of_missing += left.values().map(Vec::len).sum::<usize>();
    balance
}

/// Checks that each parent, with the pending differences added, agrees with the children. Returns the number of pending
/// differences of existing parents.
///
/// # Panics
/// If a parent differs.
pub async fn assert_balanced(db: &Database) -> usize {
    let Balance { wrong, left, .. } = balance(db).await;
    assert_eq!(wrong, [""; 0]);
    left
}
