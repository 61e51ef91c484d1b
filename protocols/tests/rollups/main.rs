//! The protocol of `docs/rollups-protocol.md` as a model, explored in every order of its steps, with crashes: it converges
//! (`converges`), and every part of it is needed (`needed`). No server: what a server does with one command is in `world` and
//! `parent`. Reading order: `protocol`, `parent`, `world`, `client`, `write`, `own`, `take_over`, `refresh`, `recover`, `model`.

mod client;
mod model;
mod own;
mod parent;
mod protocol;
mod recover;
mod refresh;
mod runs;
mod take_over;
mod world;
mod write;
