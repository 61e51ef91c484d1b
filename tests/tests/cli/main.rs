//! The command line of a schema, as a process on a real server.

mod apply;
mod check;
mod derived;
mod errors;
mod files;
mod long;
mod pictures;
mod plan;
mod program;
mod pseudo_terminal;
mod review;
mod running;
mod secrets;
mod server;
mod stats;
mod stop;
mod streams;
mod terminal;
mod worker;
