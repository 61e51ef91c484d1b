//! Trees: what inserts, moves and deletes make of them, and how they are read.

mod beside;
mod moves;
mod overtaken;
mod programs;
mod pymongo;
mod rare;
mod reads;
mod repair;
mod stopped;
mod writes;
