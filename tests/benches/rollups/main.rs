//! The cost of rollups on a real server, compared with two further sides. The raw driver writes the child and keeps
//! nothing. A program by hand writes the child and then changes the parent by `$inc` in a second command; a stop
//! between the two leaves a wrong parent. The three sides write in turn: each ratio compares neighbours in time. The
//! p99 is of single writes. A delay is 1 ms in each direction. Each row compares the parents with their children
//! afterwards.
//!
//! Run the bench with `cargo bench -p schema-tests --bench rollups`; `-- delete` runs only the rows with `delete` in
//! the name. The fold of left differences runs with `-- fold` only, and the choice of a limit with `-- limits` only.
//! `--bench load` has the rows with copies.

mod check;
mod data;
mod flat;
mod fold;
mod large;
mod limits;
mod link;
mod memory;
mod neighbours;
mod one;
mod packages;
#[path = "../runtime/pair.rs"]
mod pair;
mod rates;
mod side;
mod table;
mod trio;
mod writers;

use data::Data;
use large::{Act, Large};
use table::{Goal, Row};
use trio::Trio;

const INSERT: Large = Large::of_all(Act::Insert, 60_000);
const INCREMENT: Large = Large::of_one(Act::Increment, 6_000);
const DELETE: Large = Large::of_all(Act::Delete, 100_000);

const TRIOS: [Trio; 7] = [
    Trio {
        name: "insert of 60,000 with rollups",
        goal: Goal::Raw(1.5),
        rounds: 3,
        warm_up: 0,
        work: |data, side| Box::pin(INSERT.run_unordered(data, side)),
        before: |data, side| Box::pin(INSERT.prepare(data, side)),
    },
    Trio {
        name: "insert of 60,000 with rollups, in order",
        goal: Goal::None,
        rounds: 3,
        warm_up: 0,
        work: |data, side| Box::pin(INSERT.run(data, side)),
        before: |data, side| Box::pin(INSERT.prepare(data, side)),
    },
    Trio {
        name: "inc of all 6,000 children of a section",
        goal: Goal::Raw(2.2),
        rounds: 5,
        warm_up: 1,
        work: |data, side| Box::pin(INCREMENT.run(data, side)),
        before: |data, side| Box::pin(INCREMENT.prepare(data, side)),
    },
    Trio {
        name: "delete_many of 100,000 of 2,000 parents",
        goal: Goal::Raw(2.5),
        rounds: 2,
        warm_up: 0,
        work: |data, side| Box::pin(DELETE.run(data, side)),
        before: |data, side| Box::pin(DELETE.prepare(data, side)),
    },
    Trio {
        name: "delete_many of 100,000 of one parent with extremes",
        goal: Goal::Raw(2.5),
        rounds: 2,
        warm_up: 0,
        work: |data, side| Box::pin(packages::delete_all(data, side)),
        before: |data, side| Box::pin(packages::prepare_deleted(data, side)),
    },
    Trio {
        name: "bulk of 300 different updates",
        goal: Goal::Hand(3.0),
        rounds: 3,
        warm_up: 0,
        work: |data, side| Box::pin(large::bulk(data, side)),
        before: |_, _| Box::pin(async {}),
    },
    Trio {
        name: "loss of a minimum",
        goal: Goal::Raw(2.0),
        rounds: 30,
        warm_up: 3,
        work: |data, side| Box::pin(packages::delete_least(data, side)),
        before: |data, side| Box::pin(packages::prepare_least(data, side)),
    },
];

#[tokio::main]
async fn main() {
    if writers::is_second().await || memory::is_second().await {
        return;
    }
    let data = Data::store().await;
    Row::print_header();
    for rate in &rates::RATES {
        rate.run_asked(&data).await;
    }
    data.trim().await;
    for trio in &TRIOS {
        trio.run_asked(&data).await;
    }
    for (name, large) in neighbours::BESIDE {
        neighbours::run_asked(name, large, &data).await;
    }
    memory::run_asked(&data).await;
    fold::run_asked(&data).await;
    limits::run_asked(&data).await;
    pair::run_asked(&flat::PAIRS, &data).await;
    data.assert_right(side::Side::Ours).await;
}
