//! Everything that is tested on a real server, in one binary, so that one server serves all of it.

mod bounds;
mod bulk;
mod combinations;
mod connect;
mod copies;
mod errors;
mod filter;
mod harness;
mod join;
mod latest;
mod lookup;
mod managed;
mod models;
mod operations;
mod pages;
mod plan;
mod public_face;
mod reads_of_secondaries;
mod relations;
mod rollup;
mod sent;
mod slice;
mod spans;
mod transaction;
mod update;
mod verify;
