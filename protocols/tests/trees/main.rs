//! The protocol of `docs/trees-protocol.md` as a model, explored in every order of its steps, with crashes: what is promised holds
//! (`converges`), and every part of it is needed (`needed`). No server: what a server does with a transaction is in `client`.
//! Reading order: `protocol`, `world`, `transaction`, `moves`, `deletes`, `operation`, `client`, `model`.

mod client;
mod deletes;
mod model;
mod moves;
mod operation;
mod protocol;
mod runs;
mod transaction;
mod world;
