//! The values that parents keep of their children: subsets, counts, sums, averages, least and greatest values.

mod accounts;
mod bulk;
mod commands;
mod cost;
mod faults;
mod held;
mod lanes;
mod lanes_of_changes;
mod left;
mod memory;
mod modified;
mod others;
mod overflow;
mod programs;
mod refused;
mod shared;
mod thousands;
mod whole;
mod writes;
