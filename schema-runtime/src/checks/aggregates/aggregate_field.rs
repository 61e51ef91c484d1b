//! Rule: `aggregate_field`. The page is `guide/pages/rules/aggregate_field.md`.

use crate::{
    checks::fields::unknown_field::list_fields,
    definition::{ModelDefinition, dotted, find, find_flat, refuse, resolve},
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, path: &[&str]) {
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
