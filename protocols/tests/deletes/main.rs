//! The protocol of `docs/delete-rules-protocol.md` as a model, explored in every order of its steps, with crashes: what is promised
//! holds (`converges`), and every part of it is needed (`needed`). No server: what a server does with one command is in `world`.
//! Reading order: `protocol`, `world`, `insert`, `delete`, `recover`, `client`, `model`.

mod client;
mod delete;
mod insert;
mod model;
mod protocol;
mod recover;
mod runs;
mod world;
