//! Rules about values (`#[check(..)]`): the crate refuses a value before the send, and the server refuses the value
//! too, with the same typed error.

mod models;
mod writes;
