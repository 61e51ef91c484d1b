//! The protocol of `docs/rollups-protocol.md` as a model, explored in every order of its steps, with crashes: what is promised
//! holds (`converges`), and every part of it is needed (`needed`). No server: what a server stores is in `world`, what a
//! server does for transactions and plain commands is in `client`. Reading order: `protocol`, `world`, then what clients do:
//! `operation`, `group`, `fold`, `parent`; `client`, `model`.

mod client;
mod fold;
mod group;
mod model;
mod operation;
mod parent;
mod promises;
mod protocol;
mod runs;
mod world;
