//! Filters: the command of each operator, values that never become operators, and filters that find the same documents
//! as a plain predicate.

mod operators;
mod property;
mod text;
mod value;
