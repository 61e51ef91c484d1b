//! The protocol of `docs/buckets-protocol.md` as a model, explored in every order of the steps, with crashes: the
//! promises hold (`converges`), and every part of the protocol is needed (`needed`). No server: `world` models the
//! server's work on a command, and `transaction` the server's work on a transaction. Reading order: `protocol`,
//! `world`, `history`, `transaction`, then the tasks of clients: `insert`, `change`, `compact`, `migrate`, `read`;
//! `client`, `model`.

mod change;
mod client;
mod compact;
mod history;
mod insert;
mod migrate;
mod model;
mod protocol;
mod read;
mod runs;
mod transaction;
mod world;
