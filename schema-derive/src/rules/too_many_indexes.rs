//! Rule: `too_many_indexes`
//!
//! A collection has at most 64 indexes, `_id`'s among them, so a model has at most 63, with those that its relations bring.
//!
//! Source: MongoDB limits, "number of indexes in a collection"; the 64th of one's own was refused by a 6.0 server.

use crate::{errors::Errors, model::Model};

const ID: &str = "too_many_indexes";
/// The most indexes beside `_id`'s.
const MOST: usize = 63;

pub(super) fn enforce(model: &Model, errors: &Errors) {
    let count = model.indexes.len();
    if count > MOST {
        errors.rule(
            &model.record.ident,
            ID,
            &format!(
                "`{}` has {count} indexes, those of its relations included, and MongoDB allows {MOST} beside that of `_id`",
                model.record.ident
            ),
            "remove indexes that no query needs; over 10 are rarely worth their writes",
        );
    }
}
