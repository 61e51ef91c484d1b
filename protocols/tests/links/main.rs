//! Links of two ways by transactions as a model, explored in every order of their steps, with crashes: both ends agree in every
//! state (`converges`), and it takes transactions (`needed`). A task has an owner, and the person a mirror: the tasks it owns. No
//! server: what a server does with one command is in `operation`, and what it does for transactions in `client`.
//! Reading order: `world`, `operation`, `client`, `model`.

mod client;
mod model;
mod operation;
mod runs;
mod world;
