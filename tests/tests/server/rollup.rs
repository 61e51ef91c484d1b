//! What parents keep of their children: subsets, counts, sums, averages, least and greatest values.

mod accounts;
mod again;
mod bulk;
mod commands;
mod cost;
mod crash;
mod faults;
mod lagging;
mod late;
mod memory;
mod overflow;
mod programs;
mod refused;
mod two_paths;
mod writes;
