//! The cost of trees, compared with hand-written driver code, on a real server and in turn: `../runtime/pair.rs`
//! describes the measurement. Run the bench with `cargo bench -p schema-tests --bench trees`; `-- subtree` runs only
//! the pairs with that word in the name.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

const PAIRS: [Pair; 8] = [
    // The most that a subtree may cost in relation to the range by hand.
    Pair::new(
        "subtree of 10,000 by path",
        Some(1.05),
        60,
        |data| Box::pin(ours::subtree(data)),
        |data| Box::pin(by_hand::subtree(data)),
    ),
    // Most of the cost is common to both sides: 10,000 documents are sent, and converted into structs.
    Pair::new(
        "the same beside $graphLookup",
        None,
        20,
        |data| Box::pin(ours::subtree(data)),
        |data| Box::pin(by_hand::looked_up(data)),
    ),
    // The goal of the next two pairs is five times as fast.
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
    // Compared with an update of the document and an update of all descendants, in a transaction.
    Pair::new(
        "move_under of 10,000",
        Some(1.3),
        20,
        |data| Box::pin(ours::move_many(data)),
        |data| Box::pin(by_hand::move_many_together(data)),
    ),
    // Compared with the same updates without a transaction: a reader sees a half move, and a stopped client leaves a
    // half move. The server writes many documents in a transaction more slowly, above all with partial indexes.
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
    // Each mover moves a separate hundred, to and from the same parents; the code by hand has no protection from
    // circles.
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
