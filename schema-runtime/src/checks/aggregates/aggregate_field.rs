//! Rule: `aggregate_field`. The page is `guide/pages/rules/aggregate_field.md`.

use crate::{
    checks::fields::unknown_field::list_fields,
    definition::{ModelDefinition, dotted, each, find, find_flat, refuse, resolve, str_eq},
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, path: &[&str]) {
    enforce_variants(model, path[0]);
    if resolve(model.fields, path).is_none() {
        let is_first = find(model.fields, path[0]).is_none() && find_flat(model.fields, path[0]).is_none();
        let list = list_fields(model.model, model.fields);
        refuse! {
            "`{}` has no field `{}`", model.model, dotted(path).as_str();
            help: "{}{}",
                if is_first { "" } else { "a path goes through embedded structs; " }, list.as_str()
        }
    }
    crate::checks::fields::hidden_field::enforce_aggregate(model, path[0]);
}

/// Refuses a field of one variant whose stored name another variant gives to another field: an aggregation reads the
/// documents of all variants.
#[track_caller]
const fn enforce_variants(model: &ModelDefinition, name: &str) {
    if model.variants.is_none() {
        return;
    }
    each!(for field in model.fields {
        if str_eq(field.rust_name, name) {
            let mut same = 0;
            each!(for other in model.fields {
                same += str_eq(other.name, field.name) as usize;
            });
            if same > 1 {
                refuse! {
                    "variants of `{}` store different fields as `{}`, and an aggregation reads the documents of all variants",
                        model.model, field.name;
                    help: "give the field of each variant a stored name of its own: `#[serde(rename = \"..\")]`"
                }
            }
        }
    });
}
