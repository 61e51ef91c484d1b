//! The cost of the command line, compared with the same work in the process of the bench, on a real server and in turn:
//! `../runtime/pair.rs` describes the measurement. The last line is the time of a diagram of 200 collections.
//! `cargo bench -p schema-tests --bench command_line`.

mod data;
#[allow(dead_code, reason = "the tests make files by a seed")]
#[path = "../../tests/diagrams/generated.rs"]
mod generated;
#[path = "../runtime/pair.rs"]
mod pair;

use std::time::Instant;

use schema_runtime::diagram::{DiagramFormat, DiagramOptions, draw};

use data::Data;
use pair::Pair;

/// The number of collections of the diagram.
const DRAWN: usize = 200;

const PAIRS: [Pair; 2] = [
    Pair::new(
        "plan of 100 collections",
        Some(1.1),
        20,
        |data| Box::pin(data.plan_by_program()),
        |data| Box::pin(data.plan_by_library()),
    ),
    Pair::new("help, beside `true`", None, 30, |data| Box::pin(data.help()), |data| Box::pin(data.start_and_end())),
];

#[tokio::main]
async fn main() {
    let data = Data::store().await;
    pair::run_asked(&PAIRS, &data).await;
    let file = generated::with(&mut fastrand::Rng::with_seed(1), DRAWN);
    let begun = Instant::now();
    let drawn = draw(&file, DiagramFormat::Svg, &DiagramOptions::new()).expect("a diagram");
    let seconds = begun.elapsed().as_secs_f64();
    println!("an SVG of {DRAWN} collections, {} bytes: {seconds:.2} s, goal 1 s", drawn.len());
}
