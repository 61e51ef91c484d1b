//! `two_way` relations: each write of an end writes the opposite end too.

mod beside;
mod deletes;
mod lanes;
mod many_to_many;
mod memory;
mod one_to_many;
mod one_way;
mod pool;
mod verify;
