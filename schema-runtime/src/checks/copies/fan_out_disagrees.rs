//! Rule: `fan_out_disagrees`
//!
//! `fan_out` is the most documents that hold copies of a single source, so all fields that are copied by the same reference declare the
//! same `fan_out`. The number decides whether a write of a copied field goes in one transaction.

use crate::definition::{CopiedTo, Message, ModelDefinition, str_eq};

#[track_caller]
pub(in crate::checks) const fn enforce(copied_to: &[CopiedTo], at: usize, holder: &ModelDefinition) {
    let copied = &copied_to[at];
    let mut earlier = 0;
    while earlier < at {
        let other = &copied_to[earlier];
        if str_eq(other.holder.name, copied.holder.name)
            && str_eq(place(holder, other.holder_field), place(holder, copied.holder_field))
        {
            let help = match (other.fan_out, copied.fan_out) {
                (None, None) => Message::new(),
                (Some(other), Some(this)) if other == this => Message::new(),
                (Some(most), _) => Message::new().text("write `fan_out = ").number(most).text("` here too"),
                (None, Some(_)) => Message::new().text("write `fan_out` there too, or remove it here"),
            };
            if !help.is_empty() {
                Message::new()
                    .code(other.field)
                    .text(", which is copied by the same reference, has ")
                    .message(&match other.fan_out {
                        Some(most) => Message::new().text("`fan_out = ").number(most).text("`"),
                        None => Message::new().text("no `fan_out`"),
                    })
                    .text(": it is one number for each reference, the most documents that refer to one source\nhelp: ")
                    .message(&help)
                    .text("\nrule: fan_out_disagrees")
                    .fail()
            }
        }
        earlier += 1;
    }
}

/// Returns the reference beside a copy that the model holds itself, else the field that holds extended references.
const fn place<'a>(holder: &ModelDefinition, field: &'a str) -> &'a str {
    let mut at = 0;
    while at < holder.copies.len() {
        if str_eq(holder.copies[at].field, field) {
            return holder.copies[at].reference;
        }
        at += 1;
    }
    field
}
