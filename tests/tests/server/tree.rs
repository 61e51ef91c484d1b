//! Trees: what inserts, moves and deletes make of them, and how they are read.

mod beside;
mod moves;
mod programs;
mod rare;
mod reads;
mod repair;
mod stopped;
mod writes;
