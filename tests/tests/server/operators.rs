//! Operators of fields: conditions on the form of a value, elements by position, changes by operators of the server,
//! comparisons and assignments between fields, and guards of additions.

mod buckets;
mod changes;
mod effects;
mod expressions;
mod fields;
mod filters;
mod guards;
mod limits;
mod positions;
