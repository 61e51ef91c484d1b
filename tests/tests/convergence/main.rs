//! The convergence of copies and of kept values of parents: random programs, every fault at every step, killed clients
//! and servers, a failover. The tests have a separate binary, because the tests take minutes and kill servers.

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
