//! The protocol of rollups in `docs/copies-protocol.md` ("Squillions to one") as a model, explored in every order of its steps,
//! with crashes: it converges (`converges`), and every part of it is needed (`needed`). No server: what a server does with one
//! command is in `world`. Reading order: `protocol`, `world`, `bring`, `actors`, `recover`, `model`.

mod actors;
mod bring;
mod model;
mod protocol;
mod recover;
mod runs;
mod world;
