//! `allow(rule, reason = "..")`: a rule that may be broken here, and why.

use crate::{
    errors::Errors,
    model::Allow,
    parse::{Argument, Value},
};

/// The rules that may be silenced.
const SILENCEABLE: [&str; 22] = [
    "bucket_size",
    "copies_of_most",
    "copy_not_read",
    "copy_of_volatile",
    "copy_ratio",
    "copy_to_squillions",
    "delete_rule",
    "embed_favored",
    "embedded_array_too_large",
    "reference_array_too_large",
    "reference_cycle",
    "scalar_array_too_large",
    "shard_key_copies",
    "shard_key_hot_read",
    "shard_key_locality",
    "shard_key_low_cardinality",
    "shard_key_monotonic",
    "shard_key_scatter",
    "subset_not_read",
    "two_way_undeclared",
    "unindexed_reference",
    "unused_index",
];

/// Every `allow(..)` among these arguments.
pub(crate) fn lower_allows(arguments: &[Argument], errors: &Errors) -> Vec<Allow> {
    arguments
        .iter()
        .filter(|argument| argument.word == "allow")
        .filter_map(|argument| lower(argument, errors))
        .collect()
}

fn lower(argument: &Argument, errors: &Errors) -> Option<Allow> {
    let example = "allow(embedded_array_too_large, reason = \"..\")";
    let list = argument.expect_list(example, errors);
    let rule = list.first()?;
    if !SILENCEABLE.contains(&rule.word.as_str()) {
        let known = SILENCEABLE.map(|id| format!("`{id}`")).join(", ");
        errors.at(&rule.tokens, format!("the rule `{}` cannot be silenced\nhelp: these can: {known}", rule.word));
        return None;
    }
    let mut reason = None;
    for word in &list[1..] {
        match (word.word.as_str(), &word.value) {
            ("reason", Value::Assigned(_)) => reason = Some(word.expect_string("..", errors)?),
            _ => {
                errors
                    .at(&word.tokens, format!("unknown word `{}` in `allow(..)`\nhelp: write `{example}`", word.word));
                return None;
            }
        }
    }
    // Without its reason the rule counts as silenced all the same: there is one mistake here, not two.
    let reason = reason.filter(|reason| !reason.value().trim().is_empty()).unwrap_or_else(|| {
        errors.at(
            &argument.tokens,
            format!("a silenced rule needs a reason\nhelp: write `allow({}, reason = \"..\")`", rule.word),
        );
        syn::LitStr::new("", proc_macro2::Span::call_site())
    });
    Some(Allow { rule: rule.word.clone(), reason })
}
