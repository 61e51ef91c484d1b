//! Rule: `history_keep`. The page is `guide/pages/rules/history_keep.md`.

use crate::{
    errors::Errors,
    model::{Record, Stored},
};

const ID: &str = "history_keep";
/// The most entries of a history.
const MOST: u64 = 1_000;

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Stored::History(history) = &field.storage else { continue };
        let (name, keep) = (&field.rust_name, &history.keep);
        let what = match keep.value {
            0 => format!(
                "`{name}` does not say how many entries to keep, and a list that only grows outgrows the document"
            ),
            value if value > MOST => {
                format!(
                    "`{name}` keeps {value} entries, and each new entry rewrites all entries: over {MOST} are too many"
                )
            }
            _ => continue,
        };
        let help = "write `keep = 50` with the largest number of entries that are read together; older entries belong in a separate collection, with `#[relation(one_to_squillions, parent_ref)]`";
        errors.rule(&keep.tokens, ID, &what, help);
    }
}
