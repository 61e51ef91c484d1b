//! The runs: the groups of clients that meet. A bucket takes two children; children with smaller numbers come first by
//! the order. May use everything.

mod any;
mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{
    change::Change,
    client::{Task, Way},
    compact::{Compact, Repair},
    insert::Insert,
    migrate::{Direction, Migrate},
    model::Buckets,
    protocol::{CHOSEN, Protocol},
    read::Stream,
    world::{Bucket, Child, Id, World},
};

fn insert(id: Id) -> Task {
    Task::Insert(Insert::new(&[id]))
}

fn insert_many(children: &[Id]) -> Task {
    Task::Insert(Insert::new(children))
}

fn update(id: Id) -> Task {
    Task::Change(Change::new(id, Some(id + 1)))
}

fn delete(id: Id) -> Task {
    Task::Change(Change::new(id, None))
}

fn compact() -> Task {
    Task::Compact(Compact::Pour)
}

fn repair() -> Task {
    Task::Repair(Repair::Page(1))
}

fn into() -> Task {
    Task::Migrate(Migrate::new(Direction::Into))
}

fn back() -> Task {
    Task::Migrate(Migrate::new(Direction::Back))
}

/// An insert by a client that knows nothing of buckets.
fn insert_linked(id: Id) -> Task {
    Task::InsertLinked(id)
}

fn stream() -> Task {
    Task::Stream(Stream::BEGIN)
}

fn child(digit: char) -> Child {
    Child { id: digit as Id - b'0', value: 0 }
}

/// Makes a run from buckets with children, separated by blanks: `"12 3 -"` is a full bucket, a bucket with capacity,
/// and an empty bucket.
fn run(protocol: Protocol, buckets: &str, clients: &[Task]) -> Buckets {
    let bucket = |(page, children): (u8, &str)| {
        Bucket::new(page, children.chars().filter(char::is_ascii_digit).map(child).collect())
    };
    let mut world = World::new((1..).zip(buckets.split_whitespace()).map(bucket).collect());
    if let Some((_, before)) = world.buckets.split_last_mut() {
        before.iter_mut().for_each(|of| of.followed = true);
    }
    Buckets {
        protocol,
        world,
        clients: vec![clients.to_vec()],
        fault: None,
        migrates: None,
        deletes: false,
        broken: false,
    }
}

fn chosen(buckets: &str, clients: &[Task]) -> Buckets {
    run(CHOSEN, buckets, clients)
}

/// Makes every group of `number` clients, each client with any of these operations.
fn any(number: usize, buckets: &str, operations: &[Task]) -> Buckets {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..number {
        let from = |chosen: &Vec<usize>| chosen.last().copied().unwrap_or_default()..operations.len();
        let and = |chosen: &Vec<usize>, one| [&chosen[..], &[one]].concat();
        all = all.iter().flat_map(|chosen| from(chosen).map(move |one| and(chosen, one))).collect();
    }
    let clients = all.iter().map(|chosen| chosen.iter().map(|one| operations[*one].clone()).collect()).collect();
    Buckets { clients, ..holes(chosen(buckets, &[])) }
}

/// Allows deletes, or buckets with capacity before further buckets.
fn holes(run: Buckets) -> Buckets {
    Buckets { deletes: true, ..run }
}

/// Allows a push of each client to be done without an answer.
fn unanswered(run: Buckets) -> Buckets {
    Buckets { fault: Some(Way::Unanswered), ..run }
}

/// Allows one push to be done later than the client knows.
fn late(run: Buckets) -> Buckets {
    Buckets { fault: Some(Way::Late), ..run }
}

/// Stores these children as linked documents that migrate.
fn from_linked(mut run: Buckets, children: &str) -> Buckets {
    run.world.linked = children.chars().map(child).collect();
    Buckets { migrates: Some(Direction::Into), ..run }
}

fn to_linked(run: Buckets) -> Buckets {
    Buckets { migrates: Some(Direction::Back), deletes: true, ..run }
}

/// Removes the bucket of this page.
fn gap(mut run: Buckets, page: u8) -> Buckets {
    run.world.buckets.retain(|of| of.page != page);
    Buckets { broken: true, deletes: true, ..run }
}

/// Sets the count of the first bucket.
fn broken(mut run: Buckets, count: usize) -> Buckets {
    run.world.buckets[0].count = count;
    Buckets { broken: true, deletes: true, ..run }
}

/// Marks no bucket as followed, like the buckets of another program.
fn unfollowed(mut run: Buckets) -> Buckets {
    run.world.buckets.iter_mut().for_each(|of| of.followed = false);
    Buckets { broken: true, ..run }
}
