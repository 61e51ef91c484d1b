//! The list of effects. A new effect is a folder beside the existing folders and a line here.

use super::{copies, delete_rules, effect::Effect, links, rollup, slug, tree};

/// All effects in the order of a write. A delete uses the reverse order.
pub(crate) const EFFECTS: &[Effect] = &[
    slug::EFFECT,
    tree::EFFECT,
    copies::SNAPSHOTS,
    copies::EFFECT,
    rollup::EFFECT,
    links::EFFECT,
    tree::CASCADE,
    delete_rules::EFFECT,
];

/// The number of effects that still act on a delete after the delete rules: all effects before the last of the list.
pub(crate) const BEHIND_DELETE_RULES: usize = EFFECTS.len() - 1;
