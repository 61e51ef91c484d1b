//! A domain in which every kind of derived data depends on every kind of source: the writes, the answers that clients
//! got, and a judge that asks the server by aggregations. The judge uses nothing of the crate.

mod judge;
mod ledger;
mod models;
mod others;
mod parcels;
mod tree;
mod work;

use std::sync::atomic::{AtomicI64, Ordering};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Result, Schema, prelude::*};

pub use judge::{left, left_behind, unbalanced, wrong};
pub use ledger::{Answer, Fact, Ledger, is_refused};
pub use models::{Carrier, Customer, Depot, DepotId, Note, Parcel, ParcelCost, ParcelLine, Route, Scan, Stop};
pub use others::{Other, Whole};
pub use parcels::ParcelWrite;
pub use tree::{Node, NodeLine};
pub(crate) use work::next;
pub use work::{Step, Work};

/// Parcels that are never deleted and never replaced by a value that was not read before. The ledger holds all
/// increments of these parcels.
pub const STAYING: std::ops::Range<i64> = 1..4;
/// Parcels that are inserted and deleted by writes of a single document.
pub const SINGLE: std::ops::Range<i64> = 4..6;
/// Parcels that are inserted and deleted in batches.
pub const SEVERAL: std::ops::Range<i64> = 6..9;

/// The collections of the domain.
pub const COLLECTIONS: [&str; 8] = ["depots", "carriers", "routes", "customers", "parcels", "scans", "notes", "nodes"];

/// Returns the schema with all models of the domain.
pub fn schema() -> Schema {
    schema![Depot, Carrier, Route, Customer, Parcel, Scan, Note, Node]
}

/// Creates the collections, validators and indexes of the models.
pub async fn prepare(db: &Database) {
    schema().plan(db).await.expect("a plan").apply(db).await.expect("the plan applies");
}

/// Deletes all documents, inserts the documents that each program begins with, and returns the ledger of the inserted
/// documents.
///
/// # Errors
/// The errors of the writes.
pub async fn begin(db: &Database) -> Result<Ledger> {
    for collection in COLLECTIONS.into_iter().chain(["schema_deltas"]) {
        db.collection::<Document>(collection).delete_many(doc! {}).await?;
    }
    for number in 0..2 {
        Depot::insert(db, &depot(number)).await?;
        Carrier::insert(db, &carrier(number)).await?;
        Customer::insert(db, &customer(number)).await?;
    }
    Route::insert_many(db, &[route(0), route(1), route(2)]).await?;
    Parcel::insert_many(db, STAYING.map(|id| parcel(id, id, id))).await?;
    Scan::insert(db, &scan(1, 1)).await?;
    Note::insert(db, &note(1, 1)).await?;
    // In sequence: a copy needs an existing source.
    Node::insert(db, &node(1, None)).await?;
    Node::insert(db, &node(2, Some(1))).await?;
    let mut ledger = Ledger::default();
    let there = STAYING.map(|id| (Fact::Parcel(id), 1));
    ledger.add(Answer::Done, there.chain([(Fact::Scan(1), 1), (Fact::Node(1), 1), (Fact::Node(2), 1)]));
    ledger.add(Answer::Done, STAYING.map(|id| (Fact::Weight(id), weight_of(id))));
    Ok(ledger)
}

/// Returns a name that no earlier write has used.
fn name() -> String {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the `_id` of a depot; the domain has two depots.
fn depot_id(number: i64) -> DepotId {
    DepotId { region: "north".to_owned(), number: number.rem_euclid(2) }
}

/// Returns the `_id` of a carrier or a customer; the domain has two of each.
fn text_id(number: i64) -> String {
    format!("number {}", number.rem_euclid(2))
}

fn depot(number: i64) -> Depot {
    Depot { id: depot_id(number), name: name() }
}

fn carrier(number: i64) -> Carrier {
    Carrier { id: text_id(number), name: name() }
}

/// Returns the `_id` of a route; the domain has three routes.
fn route_id(number: i64) -> i64 {
    number.rem_euclid(3)
}

/// Returns a route. The values in the derived fields are wrong on purpose: a write does not store derived values of a
/// caller.
fn route(number: i64) -> Route {
    Route {
        id: route_id(number),
        name: name(),
        parcels: 7,
        weight: 7,
        cost: 7.0,
        average: None,
        lightest: Some(7),
        dearest: None,
        heaviest: Vec::new(),
    }
}

fn customer(number: i64) -> Customer {
    Customer {
        id: text_id(number),
        parcels: 7,
        weight: 7,
        average: Some(7.0),
        cheapest: None,
        heaviest: Some(7),
        cheap: vec![ParcelCost { id: 7, cost: 7.0 }],
    }
}

/// Returns the first weight of a parcel.
fn weight_of(id: i64) -> i64 {
    id * 37 % 101
}

fn stop(depot: i64) -> Stop {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    Stop { depot: Ref::new(depot_id(depot)), name: "?".to_owned(), key: NEXT.fetch_add(1, Ordering::Relaxed) }
}

/// Returns a parcel. The numbers decide if the parcel has a customer and a carrier.
fn parcel(id: i64, one: i64, other: i64) -> Parcel {
    Parcel {
        id,
        route: Ref::new(route_id(one)),
        customer: (other % 3 != 0).then(|| Ref::new(text_id(other))),
        stops: vec![stop(one), stop(other)],
        carrier: (one % 3 != 0).then(|| Ref::new(text_id(one + other))),
        carrier_name: None,
        weight: weight_of(id),
        cost: (id * 17 % 23) as f64 / 4.0,
        hits: 0,
        label: name(),
        scans: 7,
        minutes: 7,
        longest: None,
        version: 0,
    }
}

fn scan(id: i64, parcel: i64) -> Scan {
    Scan { id, parcel: Ref::new(parcel), minutes: (id * 13 + parcel * 7) % 31 }
}

fn note(id: i64, parcel: i64) -> Note {
    Note { id, parcel: Ref::new(parcel), label: "?".to_owned() }
}

fn node(id: i64, parent: Option<i64>) -> Node {
    Node {
        id,
        parent: parent.map(Ref::new),
        parent_name: None,
        name: name(),
        size: id * 11 % 17,
        children: 7,
        below: 7,
        largest: None,
        smallest: Vec::new(),
    }
}
