//! Rule: `fan_out_disagrees`. The page is `guide/pages/rules/fan_out_disagrees.md`.

use crate::definition::{CopiedTo, ModelDefinition, digits, each, refuse, str_eq, text};

#[track_caller]
pub(in crate::checks) const fn enforce(copied_to: &[CopiedTo], at: usize, holder: &ModelDefinition) {
    let (earlier, [copied, ..]) = copied_to.split_at(at) else { return };
    each!(for other in earlier {
        if str_eq(other.holder.name, copied.holder.name)
            && str_eq(place(holder, other.holder_field), place(holder, copied.holder_field))
        {
            disagree(other, copied)
        }
    });
}

/// Refuses two declarations with different numbers, at the later declaration.
#[track_caller]
const fn disagree(earlier: &CopiedTo, later: &CopiedTo) {
    let (has, help) = match (earlier.fan_out, later.fan_out) {
        (None, None) => return,
        (Some(earlier), Some(later)) if earlier == later => return,
        (Some(most), _) => {
            let most = digits(most);
            (text!("`fan_out = {}`", most.as_str()), text!("write `fan_out = {}` here too", most.as_str()))
        }
        (None, Some(_)) => (text!("no `fan_out`"), text!("write `fan_out` there too, or remove `fan_out` here")),
    };
    refuse! {
        "`{}` is copied by the same reference and has {}: each reference has a single `fan_out`, the most documents that refer to a source",
            earlier.field, has.as_str();
        help: "{}", help.as_str()
    }
}

/// Returns the reference beside a copy that the model holds itself, else the field that holds extended references.
const fn place<'a>(holder: &ModelDefinition, field: &'a str) -> &'a str {
    each!(for copy in holder.copies {
        if str_eq(copy.field, field) {
            return copy.reference;
        }
    });
    field
}
