//! Rule: `id_missing`. The page is `guide/pages/rules/id_missing.md`.

use crate::{errors::Errors, model::Model};

const ID: &str = "id_missing";

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    if model.id().is_none() && model.tagged.is_some() {
        errors.rule(
            &model.record.ident,
            ID,
            &format!(
                "not every variant of `{}` has the same `_id`, and every document of a collection needs an `_id`",
                model.record.ident
            ),
            "add the field `#[serde(rename = \"_id\")] id: ObjectId` to each variant, with the same name and the same type",
        );
    } else if model.id().is_none() {
        errors.rule(
            &model.record.ident,
            ID,
            &format!("`{}` has no `_id`, and every document of a collection needs an `_id`", model.record.ident),
            match model.record.fields.iter().any(|field| field.rust_name == "id") {
                true => "write `#[serde(rename = \"_id\")]` on `id`",
                false => "add the field `#[serde(rename = \"_id\")] id: ObjectId`",
            },
        );
    }
}
