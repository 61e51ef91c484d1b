//! What a delete does to those that refer to the deleted document (`on_delete` in `#[inverse(..)]`).

mod chunks;
mod inserts;
mod recover;
mod rules;
