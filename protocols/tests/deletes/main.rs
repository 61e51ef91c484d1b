//! The protocol of `docs/delete-rules-protocol.md` as a model, explored in every order of the steps, with crashes: the
//! promises hold (`converges`), and every part of the protocol is needed (`needed`). No server: `world` models the
//! server's work on one command. Reading order: `protocol`, `world`, `insert`, `delete`, `recover`, `client`, `model`.

mod client;
mod delete;
mod insert;
mod model;
mod protocol;
mod recover;
mod runs;
mod world;
