//! The effect of a delete on the documents that refer to the deleted document (`on_delete` in `#[inverse(..)]`).

mod chunks;
mod inserts;
mod lanes;
mod recover;
mod rules;
