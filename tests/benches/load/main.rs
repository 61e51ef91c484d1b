//! A load with the shape of a distribution's package index: 60,000 packages with references between the packages, with
//! two copies in each reference, in 58 sections and of 2,000 maintainers with rollups. The insert is compared with the
//! raw driver and with a program by hand, as `../rollups/main.rs` describes. Every further row is compared with the
//! same documents and indexes by hand, without a protection of the copies, as `../runtime/pair.rs` describes. Run the
//! bench with `cargo bench -p schema-tests --bench load`; `-- rename` runs only the rows with that word in the name.

mod by_hand;
#[path = "../rollups/check.rs"]
mod check;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;
#[path = "../rollups/side.rs"]
mod side;
#[path = "../rollups/table.rs"]
mod table;
#[path = "../rollups/trio.rs"]
mod trio;

use data::{Data, HOT, WIDE};
use pair::Pair;
use side::Side;
use table::{Goal, Row};
use trio::Trio;

const INSERT: Trio = Trio {
    name: "insert of 60,000 with rollups and copies",
    goal: Goal::Raw(2.5),
    rounds: 3,
    warm_up: 0,
    work: |data, side| match side {
        Side::Raw => Box::pin(by_hand::insert(data)),
        Side::Hand => Box::pin(by_hand::insert_counted(data)),
        Side::Ours => Box::pin(ours::insert(data)),
    },
    before: |data, side| Box::pin(data.empty(side)),
};

const PAIRS: [Pair; 6] = [
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
        "bulk of 300 different renames",
        Some(3.0),
        2,
        |data| Box::pin(ours::rename_all(data, 30_000..30_300)),
        |data| Box::pin(by_hand::rename_all(data, 30_000..30_300)),
    )
    .before(|data| Box::pin(data.referred()))
    .warm_up(0),
];

#[tokio::main]
async fn main() {
    let data = Data::store().await;
    Row::print_header();
    INSERT.run_asked(&data).await;
    pair::run_asked(&PAIRS, &data).await;
    data.assert_clean().await;
}
