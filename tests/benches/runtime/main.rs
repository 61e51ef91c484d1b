//! The run-time cost of this crate, compared with hand-written driver code that does the same, on a real server and in
//! turn: `pair` describes the measurement, and `by_hand` is the compared code. Run the bench with
//! `cargo bench -p schema-tests --bench runtime`; `-- batched` runs only the pairs with that word in the name.
//!
//! The bench does not use criterion: criterion times a function after another, and here only the ratio of two functions
//! in turn is meaningful. The milliseconds include the work of the server, and change with the machine and with its
//! further work.

mod by_hand;
mod data;
mod kinds;
mod models;
mod ours;
mod pair;

use data::Data;
use pair::Pair;

/// The most that a call may cost in relation to careful hand-written code.
const CAREFUL: Option<f64> = Some(1.05);

/// The most that a batched join may cost in relation to a single `$in` for all references.
const ONE_IN: Option<f64> = Some(0.6);

/// The most that a batched join may cost in relation to `$lookup`: less than `$lookup`.
const LOOKUP: Option<f64> = Some(1.0);

/// The most that a join on the server may cost in relation to a plain `$lookup` that is unwound.
const PLAIN_LOOKUP: Option<f64> = Some(1.3);

/// The most that facets may cost in relation to a `$facet` by hand.
const FACETS: Option<f64> = Some(1.1);

/// The most that an insert may cost in relation to the three raw commands, if the parent keeps the latest children and
/// a count.
const KEPT: Option<f64> = Some(1.3);

/// The most that a plan may cost in relation to the commands that read the collections and the indexes.
const PLANNED: Option<f64> = Some(1.5);

const PAIRS: [Pair; 21] = [
    Pair::new(
        "the same twice: join by hand",
        None,
        100,
        |data| Box::pin(by_hand::join(data)),
        |data| Box::pin(by_hand::join(data)),
    ),
    Pair::new(
        "join of 1,000 references",
        CAREFUL,
        100,
        |data| Box::pin(ours::join(data)),
        |data| Box::pin(by_hand::join(data)),
    ),
    Pair::new(
        "batched join of 200 x 1,000",
        CAREFUL,
        60,
        |data| Box::pin(ours::batched(data)),
        |data| Box::pin(by_hand::batched(data)),
    ),
    Pair::new(
        "batched join, one $in by hand",
        ONE_IN,
        60,
        |data| Box::pin(ours::batched(data)),
        |data| Box::pin(by_hand::batched_one_in(data)),
    ),
    Pair::new(
        "batched join, $lookup by hand",
        LOOKUP,
        6,
        |data| Box::pin(ours::batched(data)),
        |data| Box::pin(by_hand::batched_lookup(data)),
    ),
    Pair::new(
        "lookup of 1,000 references",
        PLAIN_LOOKUP,
        60,
        |data| Box::pin(ours::lookup(data, 1)),
        |data| Box::pin(by_hand::lookup(data, 1)),
    ),
    Pair::new(
        "lookup of 50 x 1,000",
        PLAIN_LOOKUP,
        10,
        |data| Box::pin(ours::lookup(data, 50)),
        |data| Box::pin(by_hand::lookup(data, 50)),
    ),
    Pair::new(
        "facets of 20,000 documents",
        FACETS,
        20,
        |data| Box::pin(ours::facets(data)),
        |data| Box::pin(by_hand::facets(data)),
    ),
    Pair::new(
        "latest 5,000 of a parent",
        CAREFUL,
        60,
        |data| Box::pin(ours::latest(data)),
        |data| Box::pin(by_hand::latest(data)),
    ),
    Pair::new(
        "insert of 10,000",
        CAREFUL,
        30,
        |data| Box::pin(ours::insert(data)),
        |data| Box::pin(by_hand::insert(data)),
    )
    .before(|data| Box::pin(data.empty_drafts())),
    Pair::new(
        "insert with ten rules",
        CAREFUL,
        30,
        |data| Box::pin(models::checked::insert(&data.drafts)),
        |data| Box::pin(models::unchecked::insert(&data.drafts)),
    )
    .before(|data| Box::pin(data.empty_measurements())),
    Pair::new(
        "plan of 100 collections",
        PLANNED,
        30,
        |data| Box::pin(kinds::plan(data)),
        |data| Box::pin(kinds::list(data)),
    ),
    Pair::new(
        "insert of 10,000 measurements",
        CAREFUL,
        30,
        |data| Box::pin(kinds::measure(data)),
        |data| Box::pin(kinds::measure_by_hand(data)),
    )
    .before(|data| Box::pin(kinds::empty_readings(data))),
    Pair::new(
        "find and decode of 20,000",
        CAREFUL,
        40,
        |data| Box::pin(ours::decode(data)),
        |data| Box::pin(by_hand::decode(data)),
    ),
    Pair::new(
        "stream and decode of 20,000",
        CAREFUL,
        40,
        |data| Box::pin(ours::decode_stream(data)),
        |data| Box::pin(by_hand::decode_stream(data)),
    ),
    Pair::new(
        "kept by a parent, 1 writer",
        KEPT,
        30,
        |data| Box::pin(ours::kept(data, 1)),
        |data| Box::pin(by_hand::kept(data, 1)),
    ),
    Pair::new(
        "kept by a parent, 8 writers",
        KEPT,
        30,
        |data| Box::pin(ours::kept(data, 8)),
        |data| Box::pin(by_hand::kept(data, 8)),
    ),
    Pair::new(
        "200 reads by id, without options",
        CAREFUL,
        60,
        |data| Box::pin(ours::one_by_one(data)),
        |data| Box::pin(by_hand::one_by_one(data)),
    ),
    Pair::new(
        "200 inc of a long, by id",
        CAREFUL,
        60,
        |data| Box::pin(ours::incremented(data)),
        |data| Box::pin(by_hand::incremented(data)),
    ),
    Pair::new(
        "200 guarded inc, guard by hand",
        CAREFUL,
        60,
        |data| Box::pin(ours::guarded(data)),
        |data| Box::pin(by_hand::guarded(data)),
    ),
    Pair::new(
        "guard by hand, no guard by hand",
        None,
        60,
        |data| Box::pin(by_hand::guarded(data)),
        |data| Box::pin(by_hand::plain(data)),
    ),
];

#[tokio::main]
async fn main() {
    pair::run_asked(&PAIRS, &Data::store().await).await;
}
