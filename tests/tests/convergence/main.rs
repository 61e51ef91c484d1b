//! That copies converge, and what parents keep: random programs, every fault at every step, killed clients and servers, a
//! failover. In a binary of its own, because it takes minutes and kills servers.

mod any;
mod client;
mod domain;
mod ends;
mod faults;
mod kill;
mod kill_buckets;
mod kill_rollups;
mod kill_trees;
mod outage;
mod overtaken;
mod property;
mod steps;
mod workers;
