//! Rule: `facet_limit`. The page is `guide/pages/rules/facet_limit.md`.

use crate::{
    checks::fields::field_type::kind,
    definition::{Kind, ModelDefinition, Scalar, Shape, dotted, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, path: &[&str], shape: &Shape, limit: u64) {
    if limit == 0 && !matches!(shape.kind, Kind::Enum(_) | Kind::Scalar(Scalar::Bool)) {
        refuse! {
            "`count_by` has no limit, and `{}.{}` is {} with any number of values",
                model.model, dotted(path).as_str(), kind(shape);
            help: "write `#[count_by({}, limit = 20)]`", dotted(path).as_str()
        }
    }
}
