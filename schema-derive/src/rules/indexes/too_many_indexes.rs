//! Rule: `too_many_indexes`
//!
//! A collection has at most 64 indexes with the index of `_id`, so a model has at most 63, with the indexes that
//! relations bring.
//!
//! Source: MongoDB limits, "number of indexes in a collection"; a 6.0 server refused the 64th index beside the index of
//! `_id`.

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
