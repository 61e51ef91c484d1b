//! The protocol of `docs/copies-protocol.md` as a model, explored in every order of its steps, with crashes: it converges
//! (`converges`), every part of it is needed (`needed`), and what would be cheaper (`cheaper`). No server: what a server does
//! with one command is in `world`. Reading order: `protocol`, `world`, `propagation`, `actors`, `bulk`, `intent`, `recover`, `model`; `array` and `deploy` stand alone.

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
