//! What rollups cost, on a real server: one child of 1,000,000 beside one of 1,000; beside raw writes that keep nothing; and beside
//! neighbours. `../runtime/pair.rs` says how it is measured. Run it with `cargo bench -p schema-tests --bench rollups`; `-- delete` runs
//! only the pairs whose name holds that word.

mod data;
mod neighbours;
mod one;
#[path = "../runtime/pair.rs"]
mod pair;
mod raw;

use data::{Data, LARGE, SMALL};
use pair::Pair;

/// The most that one child of a large parent may cost beside one of a small parent, and a write beside a neighbour beside the same alone.
const AS_MUCH: Option<f64> = Some(1.5);

const PAIRS: [Pair; 10] = [
    Pair::new(
        "insert, of 1,000,000 beside of 1,000",
        AS_MUCH,
        100,
        |data| Box::pin(one::insert(data, LARGE)),
        |data| Box::pin(one::insert(data, SMALL)),
    ),
    Pair::new(
        "delete of the greatest, of 1,000,000 beside of 1,000",
        AS_MUCH,
        100,
        |data| Box::pin(one::delete(data, LARGE)),
        |data| Box::pin(one::delete(data, SMALL)),
    )
    .before(|data| Box::pin(one::extreme(data))),
    Pair::new(
        "change of the greatest, of 1,000,000 beside of 1,000",
        AS_MUCH,
        100,
        |data| Box::pin(one::change(data, LARGE)),
        |data| Box::pin(one::change(data, SMALL)),
    )
    .before(|data| Box::pin(one::extreme(data))),
    Pair::new(
        "move of the greatest, of 1,000,000 beside of 1,000",
        AS_MUCH,
        100,
        |data| Box::pin(one::go(data, LARGE)),
        |data| Box::pin(one::go(data, SMALL)),
    )
    .before(|data| Box::pin(one::extreme(data))),
    Pair::new(
        "inc of a summed number beside a raw one",
        Some(3.0),
        200,
        |data| Box::pin(one::increment(data)),
        |data| Box::pin(raw::increment(data)),
    ),
    Pair::new(
        "delete_many of 100,000 beside a raw deleteMany",
        Some(3.0),
        2,
        |data| Box::pin(raw::delete_counted(data)),
        |data| Box::pin(raw::delete_raw(data)),
    )
    .before(|data| Box::pin(data.fill_deleted()))
    .warm_up(0),
    Pair::new(
        "recompute_all of 2,000 parents beside one $group",
        Some(5.0),
        5,
        |data| Box::pin(raw::recompute(data)),
        |data| Box::pin(raw::group(data)),
    )
    .warm_up(1),
    Pair::new(
        "delete_many of 60,000 beside an inserter, beside alone",
        AS_MUCH,
        2,
        |data| Box::pin(neighbours::delete_beside_inserter(data)),
        |data| Box::pin(neighbours::delete_alone(data)),
    )
    .before(|data| Box::pin(data.fill_deleted()))
    .warm_up(0),
    Pair::new(
        "2,000 moves beside a continuous recover, beside alone",
        AS_MUCH,
        4,
        |data| Box::pin(neighbours::move_beside_recover(data)),
        |data| Box::pin(neighbours::move_alone(data)),
    )
    .before(|data| Box::pin(data.fill_moved()))
    .warm_up(0),
    Pair::new(
        "100 inserts into one parent by 8 writers beside 1",
        None,
        5,
        |data| Box::pin(one::inserts(data, 8)),
        |data| Box::pin(one::inserts(data, 1)),
    ),
];

#[tokio::main]
async fn main() {
    let data = Data::store().await;
    pair::run_asked(&PAIRS, &data).await;
    data.assert_right().await;
}
