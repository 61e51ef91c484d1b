//! Trees: the effects of inserts, moves and deletes, and the reads of a tree.

mod beside;
mod lanes;
mod moves;
mod overtaken;
mod programs;
mod pymongo;
mod rare;
mod reads;
mod repair;
mod stopped;
mod writes;
