//! The protocol of `docs/copies-protocol.md` as a model, explored in every order of the steps, with crashes: the
//! protocol converges (`converges`), every part of the protocol is needed (`needed`), and cheaper alternatives are
//! compared (`cheaper`). No server: `world` models the server's work on one command. Reading order: `protocol`,
//! `world`, `propagation`, `actors`, `bulk`, `intent`, `recover`, `model`; `array` and `deploy` stand alone.

mod actors;
mod array;
mod bulk;
mod cheaper;
mod deploy;
mod intent;
mod model;
mod propagation;
mod protocol;
mod recover;
mod runs;
mod world;
