//! Trees: what inserts, moves and deletes make of them, and how they are read.

mod moves;
mod reads;
mod writes;
