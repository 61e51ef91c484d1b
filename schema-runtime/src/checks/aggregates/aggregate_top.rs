//! Rule: `aggregate_top`
//!
//! The order of `top`, `first` and `last` is by fields with a single value.
//!
//! Source: MongoDB, "`$topN`"; an array sorts by a single element.

use super::source::Source;
use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, ModelDefinition, dotted, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce_order(model: &ModelDefinition, path: &[&str], source: &Source) {
    if !matches!(source.shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_)) {
        refuse! {
            "`{}.{}` is {}, and an order needs a single value",
                model.model, dotted(path).as_str(), kind(&source.shape);
            help: "order by a field that is a number, a string, a bool, a date or an id"
        }
    }
}
