//! Rule: `transaction_fan_out`. The page is `guide/pages/rules/transaction_fan_out.md`.

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
