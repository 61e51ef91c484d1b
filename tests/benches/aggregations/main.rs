//! The cost of aggregations, compared with hand-written pipelines into the same structs, on a real server and in turn:
//! `../runtime/pair.rs` describes the measurement. Run the bench with
//! `cargo bench -p schema-tests --bench aggregations`; `-- sum` runs only the pairs with that word in the name. The
//! pairs of `top 3` are for 1,000 groups of 1,000 documents; the best of the three is the goal.

mod by_hand;
mod data;
mod ours;
#[path = "../runtime/pair.rs"]
mod pair;

use data::Data;
use pair::Pair;

/// The most that a call may cost in relation to careful hand-written code.
const CAREFUL: Option<f64> = Some(1.05);

/// The most that the children of many parents may cost in relation to a `$lookup` of all children.
const OF_LOOKUP: Option<f64> = Some(0.5);

const PAIRS: [Pair; 13] = [
    Pair::new(
        "count, sum, avg, min, max",
        CAREFUL,
        30,
        |data| Box::pin(ours::numbers(data)),
        |data| Box::pin(by_hand::numbers(data)),
    ),
    Pair::new(
        "conditions and terms",
        CAREFUL,
        30,
        |data| Box::pin(ours::conditions(data)),
        |data| Box::pin(by_hand::conditions(data)),
    ),
    Pair::new("months", CAREFUL, 30, |data| Box::pin(ours::months(data)), |data| Box::pin(by_hand::months(data))),
    Pair::new(
        "declared, with an index",
        CAREFUL,
        60,
        |data| Box::pin(ours::declared(data)),
        |data| Box::pin(by_hand::declared(data)),
    ),
    Pair::new("ranges", CAREFUL, 30, |data| Box::pin(ours::ranges(data)), |data| Box::pin(by_hand::ranges(data))),
    Pair::new("unwound elements", CAREFUL, 20, |data| Box::pin(ours::skus(data)), |data| Box::pin(by_hand::skus(data))),
    Pair::new(
        "20 customers, looked up",
        CAREFUL,
        30,
        |data| Box::pin(ours::customers(data)),
        |data| Box::pin(by_hand::customers(data)),
    ),
    Pair::new(
        "children of 500 parents",
        OF_LOOKUP,
        20,
        |data| Box::pin(ours::children(data)),
        |data| Box::pin(by_hand::children(data)),
    ),
    Pair::new(
        "children of 500 parents, sorted",
        CAREFUL,
        20,
        |data| Box::pin(ours::busiest(data)),
        |data| Box::pin(by_hand::busiest(data)),
    ),
    Pair::new(
        "newest 5 of 500 parents",
        CAREFUL,
        20,
        |data| Box::pin(ours::newest(data)),
        |data| Box::pin(by_hand::newest(data)),
    ),
    Pair::new(
        "first of 500, by an index",
        CAREFUL,
        100,
        |data| Box::pin(ours::latest(data)),
        |data| Box::pin(by_hand::latest(data)),
    ),
    Pair::new("one group", CAREFUL, 30, |data| Box::pin(ours::whole(data)), |data| Box::pin(by_hand::whole(data))),
    Pair::new(
        "10,000 groups, streamed",
        CAREFUL,
        20,
        |data| Box::pin(ours::stream(data)),
        |data| Box::pin(by_hand::stream(data)),
    ),
];

const OF_POINTS: [Pair; 3] = [
    Pair::new(
        "top 3 by $topN",
        CAREFUL,
        5,
        |data| Box::pin(ours::best(data)),
        |data| Box::pin(by_hand::best_by_top(data)),
    )
    .warm_up(1),
    Pair::new(
        "top 3 by $sort and $push",
        CAREFUL,
        3,
        |data| Box::pin(ours::best(data)),
        |data| Box::pin(by_hand::best_by_sort(data)),
    )
    .warm_up(0),
    Pair::new(
        "top 3 by $maxN of numbers",
        None,
        3,
        |data| Box::pin(ours::best(data)),
        |data| Box::pin(by_hand::best_by_numbers(data)),
    )
    .warm_up(0),
];

#[tokio::main]
async fn main() {
    let data = Data::store().await;
    pair::run_asked(&PAIRS, &data).await;
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if asked.is_empty() || asked.iter().any(|word| word == "top") {
        data.store_points().await;
        pair::run_asked(&OF_POINTS, &data).await;
    }
}
