//! The protocol of `docs/trees-protocol.md` as a model, explored in every order of the steps, with crashes: the
//! promises hold (`converges`), and every part of the protocol is needed (`needed`). No server: `client` models the
//! server's work on a transaction. Reading order: `protocol`, `world`, `transaction`, `moves`, `deletes`, `operation`,
//! `client`, `model`.

mod client;
mod deletes;
mod model;
mod moves;
mod operation;
mod protocol;
mod runs;
mod transaction;
mod world;
