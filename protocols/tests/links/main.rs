//! Two-way links in transactions as a model, explored in every order of the steps, with crashes: both ends agree in
//! every state (`converges`), and transactions are needed (`needed`). A task has an owner, and the person has a mirror:
//! the tasks that the person owns. No server: `operation` models the server's work on one command, and `client` the
//! server's work on transactions. Reading order: `world`, `operation`, `client`, `model`.

mod client;
mod model;
mod operation;
mod runs;
mod world;
