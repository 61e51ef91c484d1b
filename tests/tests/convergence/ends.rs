//! Both ends of links agree and nothing dangles, whatever clients write at the same time: random programs, with commands that fail and
//! clients that stop, and clients that are killed.

mod kill;
mod programs;
