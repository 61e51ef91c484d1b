//! What buckets cost and save beside linked documents, read and written by hand-written driver code, on a real server and in turn:
//! `../runtime/pair.rs` says how it is measured. Run it with `cargo bench -p schema-tests --bench buckets`; `-- insert` runs only the pairs whose
//! name holds that word.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

const PAIRS: [Pair; 6] = [
    // All of it is in memory: what is left is the way there and back, and fifty structs.
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
    // The same bucket.
    Pair::new(
        "50 of one bucket, or it by hand",
        Some(1.1),
        400,
        |data| Box::pin(ours::bucket(data)),
        |data| Box::pin(by_hand::bucket(data)),
    ),
    // Beside one `insertOne`.
    Pair::new(
        "insert of one",
        Some(1.3),
        400,
        |data| Box::pin(ours::insert(data)),
        |data| Box::pin(by_hand::insert(data)),
    ),
    // Beside the same push, by hand.
    Pair::new(
        "insert, or a push by hand",
        Some(1.1),
        400,
        |data| Box::pin(ours::insert(data)),
        |data| Box::pin(by_hand::push(data)),
    ),
    // Beside one `insertMany`.
    Pair::new(
        "insert_many of 50",
        None,
        200,
        |data| Box::pin(ours::insert_many(data)),
        |data| Box::pin(by_hand::insert_many(data)),
    ),
];

/// With a multiple of the server's cache, so that most of it comes from the disk: the documents of one post are in as many places, a bucket is in one.
const LARGE: [Pair; 2] = [
    // It is to be five times as fast.
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
