//! The cost of relations with two ends and of delete rules, compared with hand-written driver code that does the same,
//! on a real server and in turn: `../runtime/pair.rs` describes the measurement. Run the bench with
//! `cargo bench -p schema-tests --bench links`; `-- cascade` runs only the pairs with that word in the name.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

/// The most that a write of both ends, and a page of the far side, may cost in relation to careful hand-written code.
const CAREFUL: Option<f64> = Some(1.05);

/// The most that a delete with 100,000 children may cost in relation to a single raw `deleteMany`.
const CASCADE: Option<f64> = Some(1.3);

const PAIRS: [Pair; 6] = [
    Pair::new(
        "reassign of a task",
        CAREFUL,
        300,
        |data| Box::pin(ours::reassign(data)),
        |data| Box::pin(by_hand::reassign(data)),
    ),
    Pair::new(
        "link of a book and an author",
        CAREFUL,
        300,
        |data| Box::pin(ours::link(data)),
        |data| Box::pin(by_hand::link(data)),
    )
    .before(|data| Box::pin(data.unlink())),
    Pair::new(
        "cascade of 100,000 children",
        CASCADE,
        2,
        |data| Box::pin(ours::cascade(data)),
        |data| Box::pin(by_hand::cascade(data)),
    )
    .before(|data| Box::pin(data.fill_logs()))
    .warm_up(0),
    Pair::new(
        "first 50 of 500,000 books",
        CAREFUL,
        200,
        |data| Box::pin(ours::first_page(data)),
        |data| Box::pin(by_hand::first_page(data)),
    ),
    Pair::new(
        "50 amid 500,000 books",
        CAREFUL,
        200,
        |data| Box::pin(ours::deep_page(data)),
        |data| Box::pin(by_hand::deep_page_of_any_type(data)),
    ),
    Pair::new(
        "the same beside one of one type",
        None,
        200,
        |data| Box::pin(ours::deep_page(data)),
        |data| Box::pin(by_hand::deep_page(data)),
    ),
];

#[tokio::main]
async fn main() {
    pair::run_asked(&PAIRS, &Data::store().await).await;
}
