//! The list of effects. One that is new is a folder beside the others and a line here.

use super::{copies, delete_rules, effect::Effect, links, rollup, slug, tree};

/// All effects, in the order in which a write asks them, and the other way round in which a delete does.
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

/// How many effects have to do with a delete whose rules are through: those before the last of the list.
pub(crate) const BEHIND_DELETE_RULES: usize = EFFECTS.len() - 1;
