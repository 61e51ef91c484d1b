//! The protocol of `docs/rollups-protocol.md` as a model, explored in every order of the steps, with crashes: all
//! promises hold (`converges`, `any`), and every part is needed (`needed`). No server: `world` has the documents,
//! `client` the transactions and the plain commands. Reading order: `protocol`, `world`; the operations of clients,
//! `operation`, `group`, `fold`, `parent`; `client`, `promises`, `model`.

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
