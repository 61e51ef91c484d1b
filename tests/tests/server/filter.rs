//! Filters: what each operator sends, that a value is never an operator, and that any filter finds what a plain predicate does.

mod operators;
mod property;
mod value;
