//! What trees cost beside hand-written driver code, on a real server and in turn: `../runtime/pair.rs` says how it is measured. Run it with
//! `cargo bench -p schema-tests --bench trees`; `-- subtree` runs only the pairs whose name holds that word.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

const PAIRS: [Pair; 8] = [
    // The most that a subtree may cost beside the range written by hand.
    Pair::new(
        "subtree of 10,000 by path",
        Some(1.05),
        60,
        |data| Box::pin(ours::subtree(data)),
        |data| Box::pin(by_hand::subtree(data)),
    ),
    // Most of it is what both have: 10,000 documents are sent, and made into structs.
    Pair::new(
        "the same beside $graphLookup",
        None,
        20,
        |data| Box::pin(ours::subtree(data)),
        |data| Box::pin(by_hand::looked_up(data)),
    ),
    // These are to be five times as fast.
    Pair::new(
        "its number beside $graphLookup",
        Some(0.2),
        40,
        |data| Box::pin(ours::count(data)),
        |data| Box::pin(by_hand::count_looked_up(data)),
    ),
    Pair::new(
        "a page of it beside $graphLookup",
        Some(0.2),
        40,
        |data| Box::pin(ours::page(data)),
        |data| Box::pin(by_hand::page_looked_up(data)),
    ),
    // Beside one update of the document and one of all below it, in a transaction.
    Pair::new(
        "move_under of 10,000",
        Some(1.3),
        20,
        |data| Box::pin(ours::move_many(data)),
        |data| Box::pin(by_hand::move_many_together(data)),
    ),
    // And without one, where a reader sees half of it, and a client that stops leaves that: the server writes many documents in a transaction
    // more slowly, by partial indexes above all.
    Pair::new(
        "the same beside no transaction",
        None,
        20,
        |data| Box::pin(ours::move_many(data)),
        |data| Box::pin(by_hand::move_many(data)),
    ),
    Pair::new(
        "move_under of 100",
        None,
        100,
        |data| Box::pin(ours::move_few(data)),
        |data| Box::pin(by_hand::move_few(data)),
    ),
    // Each its own hundred, to and from the same parents; by hand without anything that would keep circles away.
    Pair::new(
        "8 movers at once",
        None,
        40,
        |data| Box::pin(ours::movers(data)),
        |data| Box::pin(by_hand::movers(data)),
    ),
];

#[tokio::main]
async fn main() {
    pair::run_asked(&PAIRS, &Data::store().await).await;
}
