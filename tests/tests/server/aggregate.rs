//! Values that the server computes from many documents: numbers of a read, and groups.

mod children;
mod combinations;
mod declared;
mod faults;
mod fill;
mod first_of_each;
mod flights;
mod groups;
mod kinds;
mod lookups;
mod memory;
mod merge;
mod models;
mod mongoose;
mod nested;
mod numbers;
mod random;
mod raw;
mod stored_types;
mod traps;
mod zones;
