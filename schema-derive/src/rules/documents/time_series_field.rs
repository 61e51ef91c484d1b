//! Rule: `time_series_field`. The page is `guide/pages/rules/time_series_field.md`.

use proc_macro2::Ident;

use crate::{errors::Errors, model::Model};

const ID: &str = "time_series_field";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let Some(series) = model.options.time_series() else { return };
    let (time, meta) = (series.time.as_ref(), series.meta.as_ref());
    if let Some(time) = time {
        enforce_field(model, time, "the time", errors);
    }
    if let Some(meta) = meta {
        if time == Some(meta) {
            let what = format!("`{meta}` is the time of a measurement, and the meta field says the source");
            errors.rule(meta, ID, &what, "name a different field, or remove `meta`");
        } else {
            enforce_field(model, meta, "the meta field", errors);
        }
    }
}

fn enforce_field(model: &Model, name: &Ident, role: &str, errors: &Errors) {
    match model.field_named(name) {
        Some((_, field)) if field.name == "_id" => {
            let what = format!("`{name}` is the `_id`, and {role} of a time series is a field beside the `_id`");
            errors.rule(name, ID, &what, "name a different field");
        }
        Some(_) => {}
        None => {
            let names = model.record.fields.iter().map(|field| format!("`{}`", field.rust_name));
            let names: Vec<String> = names.collect();
            let what = format!("`{}` has no field `{name}`", model.record.ident);
            errors.rule(name, ID, &what, &format!("name a field of the struct itself: {}", names.join(", ")));
        }
    }
}
