//! Copies and rollups, versions, timestamps and bounds on the same models: each works as if it were alone.

mod kinds;
mod models;
mod right;
mod streamed;
mod unique;
mod writes;
