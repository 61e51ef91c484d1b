//! Rule: `id_array`. The page is `guide/pages/rules/id_array.md`.

use crate::{errors::Errors, model::Record, parse::collection_literal};

const ID: &str = "id_array";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged().filter(|field| field.name == "_id") {
        if collection_literal(&field.ty).is_some() {
            errors.rule(
                &field.ty,
                ID,
                &format!("`{}` is the `_id`, and MongoDB refuses an array as `_id`", field.rust_name),
                "use an `ObjectId`, a `String`, a number, a `Uuid`, or a struct that derives `Embed`",
            );
        }
    }
}
