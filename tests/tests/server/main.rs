//! Everything that is tested on a real server, in one binary, so that one server serves all of it.

mod harness;
mod join;
mod latest;
mod lookup;
mod page;
mod relations;
mod slice;
