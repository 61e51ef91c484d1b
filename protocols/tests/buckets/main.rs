//! The protocol of `docs/buckets-protocol.md` as a model, explored in every order of its steps, with crashes: what is promised
//! holds (`converges`), and every part of it is needed (`needed`). No server: what a server does with a command is in `world`, with
//! a transaction in `transaction`. Reading order: `protocol`, `world`, `history`, `transaction`, then what clients do: `insert`,
//! `change`, `compact`, `migrate`, `read`; `client`, `model`.

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
