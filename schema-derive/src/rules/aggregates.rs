//! Rules about aggregations.

pub(super) mod aggregate_bound;
pub(super) mod aggregate_children;
pub(super) mod aggregate_field;
pub(super) mod aggregate_fill;
pub(super) mod aggregate_top;
pub(super) mod facet_limit;
