//! Everything that is tested on a real server, in one binary, so that one server serves all of it.

mod bounds;
mod errors;
mod harness;
mod operations;
mod sent;
mod verify;
