//! The costs and savings of buckets, compared with linked documents that hand-written driver code reads and writes, on
//! a real server and in turn: `../runtime/pair.rs` describes the measurement. Run the bench with
//! `cargo bench -p schema-tests --bench buckets`; `-- insert` runs only the pairs with that word in the name.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

const PAIRS: [Pair; 6] = [
    // All data are in memory: the cost is the round trip and fifty structs.
    Pair::new(
        "50 of one bucket, or linked",
        None,
        400,
        |data| Box::pin(ours::bucket(data)),
        |data| Box::pin(by_hand::page(data)),
    ),
    Pair::new(
        "latest 50, or linked",
        None,
        400,
        |data| Box::pin(ours::latest(data)),
        |data| Box::pin(by_hand::latest(data)),
    ),
    // Both sides read the same bucket.
    Pair::new(
        "50 of one bucket, or it by hand",
        Some(1.1),
        400,
        |data| Box::pin(ours::bucket(data)),
        |data| Box::pin(by_hand::bucket(data)),
    ),
    // Compared with a single `insertOne`.
    Pair::new(
        "insert of one",
        Some(1.3),
        400,
        |data| Box::pin(ours::insert(data)),
        |data| Box::pin(by_hand::insert(data)),
    ),
    // Compared with the same push by hand.
    Pair::new(
        "insert, or a push by hand",
        Some(1.1),
        400,
        |data| Box::pin(ours::insert(data)),
        |data| Box::pin(by_hand::push(data)),
    ),
    // Compared with a single `insertMany`.
    Pair::new(
        "insert_many of 50",
        None,
        200,
        |data| Box::pin(ours::insert_many(data)),
        |data| Box::pin(by_hand::insert_many(data)),
    ),
];

/// The pairs with a multiple of the server's cache. Most data come from the disk: the documents of a post are in as
/// many places, and a bucket is in a single place.
const LARGE: [Pair; 2] = [
    // The goal is five times as fast.
    Pair::new(
        "the same, from the disk",
        Some(0.2),
        600,
        |data| Box::pin(ours::bucket(data)),
        |data| Box::pin(by_hand::page(data)),
    ),
    Pair::new(
        "latest 50, from the disk",
        None,
        600,
        |data| Box::pin(ours::latest(data)),
        |data| Box::pin(by_hand::latest(data)),
    ),
];

#[tokio::main]
async fn main() {
    pair::run_asked(&PAIRS, &Data::small().await).await;
    pair::run_asked(&LARGE, &Data::large().await).await;
}
