//! Rule: `too_many_indexes`. The page is `guide/pages/rules/too_many_indexes.md`.

use crate::{errors::Errors, model::Model};

const ID: &str = "too_many_indexes";
/// The most indexes beside the index of `_id`.
const MOST: usize = 63;

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    let count = model.indexes.len();
    if count > MOST {
        errors.rule(
            &model.record.ident,
            ID,
            &format!(
                "`{}` has {count} indexes, with the indexes of the relations, and MongoDB allows {MOST} beside the index of `_id`",
                model.record.ident
            ),
            "remove indexes that no query needs; more than 10 indexes are rarely worth the cost of each write",
        );
    }
}
