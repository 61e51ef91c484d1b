//! Copies and rollups, versions, timestamps and bounds on the same models: each works as if it were alone.

mod external;
mod kinds;
mod models;
mod right;
mod unique;
mod writes;
