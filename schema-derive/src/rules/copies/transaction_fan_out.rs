//! Rule: `transaction_fan_out`
//!
//! A `fan_out` says that a write of the source and of all copies goes in a single transaction, and a transaction should
//! change at most 1,000 documents. Leave `fan_out` away for more documents: the copies are then written in chunks after
//! the source, and `recover` goes on where a client stopped.
//!
//! Source: MongoDB, "performance best practices: transactions": modify at most 1,000 documents in a transaction, else
//! split.

use crate::{errors::Errors, model::Record};

const ID: &str = "transaction_fan_out";
/// The most documents of a transaction.
const MOST: u64 = 1_000;

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for (name, copied) in record.judged_copied() {
        if let Some(fan_out) = copied.fan_out.as_ref().filter(|fan_out| fan_out.value > MOST) {
            errors.rule(
                &fan_out.tokens,
                ID,
                &format!(
                    "a write of `{name}` would change {} documents in a single transaction, and a transaction should change at most {MOST}",
                    fan_out.value
                ),
                "remove `fan_out`: the copies are then written in chunks, after the source",
            );
        }
    }
}
