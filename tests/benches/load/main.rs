//! A load of the shape that a distribution's package index has, beside the same documents and indexes written by hand, which keep nothing
//! right: 60,000 packages that refer to each other, with two copies in each reference, in 58 sections and of 2,000 maintainers with rollups.
//! `../runtime/pair.rs` says how it is measured. Run it with `cargo bench -p schema-tests --bench load`; `-- rename` runs only the pairs whose
//! name holds that word.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::{Data, HOT, WIDE};
use pair::Pair;

const PAIRS: [Pair; 9] = [
    Pair::new(
        "insert of 60,000",
        Some(2.0),
        1,
        |data| Box::pin(ours::insert(data)),
        |data| Box::pin(by_hand::insert(data)),
    )
    .before(|data| Box::pin(data.empty()))
    .warm_up(0),
    Pair::new(
        "references of 56,000, first time",
        Some(2.5),
        1,
        |data| Box::pin(ours::refer(data, 0..56_000)),
        |data| Box::pin(by_hand::refer(data, 0..56_000)),
    )
    .before(|data| Box::pin(data.unreferred()))
    .warm_up(0),
    Pair::new(
        "references of 1,000",
        Some(2.0),
        5,
        |data| Box::pin(ours::refer(data, 3_000..4_000)),
        |data| Box::pin(by_hand::refer(data, 3_000..4_000)),
    )
    .before(|data| Box::pin(data.referred()))
    .warm_up(1),
    Pair::new(
        "rename with 4,000 holders",
        Some(1.3),
        8,
        |data| Box::pin(ours::rename(data, WIDE)),
        |data| Box::pin(by_hand::rename(data, WIDE)),
    )
    .before(|data| Box::pin(data.referred()))
    .warm_up(1),
    Pair::new(
        "rename with 20,000 holders",
        Some(1.5),
        5,
        |data| Box::pin(ours::rename(data, HOT)),
        |data| Box::pin(by_hand::rename(data, HOT)),
    )
    .before(|data| Box::pin(data.referred()))
    .warm_up(1),
    Pair::new(
        "save of a source with 20,000 holders, nothing copied changed",
        None,
        50,
        |data| Box::pin(ours::save(data)),
        |data| Box::pin(by_hand::save(data)),
    )
    .before(|data| Box::pin(data.referred())),
    Pair::new(
        "inc of a summed number",
        Some(3.0),
        50,
        |data| Box::pin(ours::increment(data)),
        |data| Box::pin(by_hand::increment(data)),
    )
    .before(|data| Box::pin(data.referred())),
    Pair::new(
        "inc of all of a section of 1,034",
        Some(2.0),
        8,
        |data| Box::pin(ours::increment_all(data)),
        |data| Box::pin(by_hand::increment_all(data)),
    )
    .before(|data| Box::pin(data.referred()))
    .warm_up(1),
    Pair::new(
        "recompute_all of 2,000 parents",
        Some(5.0),
        5,
        |data| Box::pin(ours::recompute(data)),
        |data| Box::pin(by_hand::group(data)),
    )
    .before(|data| Box::pin(data.referred()))
    .warm_up(1),
];

#[tokio::main]
async fn main() {
    let data = Data::store().await;
    pair::run_asked(&PAIRS, &data).await;
    data.assert_right().await;
}
