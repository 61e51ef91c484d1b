//! The cost of copies, compared with hand-written driver code that does the same without the guarantees, on a real
//! server and in turn: `../runtime/pair.rs` describes the measurement. Run the bench with
//! `cargo bench -p schema-tests --bench copies`; `-- rename` runs only the pairs with that word in the name. The pair
//! of 1,000,000 copies takes some minutes.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

/// The most that a fan-out may cost in relation to a single raw `updateMany`.
const FAN_OUT: Option<f64> = Some(1.15);

const PAIRS: [Pair; 6] = [
    Pair::new(
        "fan-out to 10,000",
        FAN_OUT,
        10,
        |data| Box::pin(ours::fan_out(data, data::TEN_THOUSAND)),
        |data| Box::pin(by_hand::fan_out(data, data::TEN_THOUSAND)),
    )
    .before(|data| Box::pin(data.hold(data::TEN_THOUSAND))),
    Pair::new(
        "fan-out to 100,000",
        FAN_OUT,
        4,
        |data| Box::pin(ours::fan_out(data, data::HUNDRED_THOUSAND)),
        |data| Box::pin(by_hand::fan_out(data, data::HUNDRED_THOUSAND)),
    )
    .before(|data| Box::pin(data.hold(data::HUNDRED_THOUSAND)))
    .warm_up(1),
    Pair::new(
        "fan-out to 1,000,000",
        FAN_OUT,
        1,
        |data| Box::pin(ours::fan_out(data, data::MILLION)),
        |data| Box::pin(by_hand::fan_out(data, data::MILLION)),
    )
    .before(|data| Box::pin(data.hold(data::MILLION)))
    .warm_up(1),
    Pair::new(
        "rename with 100 copies",
        None,
        60,
        |data| Box::pin(ours::rename(data)),
        |data| Box::pin(by_hand::rename(data)),
    ),
    Pair::new(
        "insert of 10,000 with copies",
        None,
        20,
        |data| Box::pin(ours::insert_many(data)),
        |data| Box::pin(by_hand::insert_many(data)),
    )
    .before(|data| Box::pin(data.empty_drafts())),
    Pair::new(
        "update of an uncopied field",
        None,
        300,
        |data| Box::pin(ours::uncopied(data)),
        |data| Box::pin(by_hand::uncopied(data)),
    ),
];

#[tokio::main]
async fn main() {
    pair::run_asked(&PAIRS, &Data::store().await).await;
}
