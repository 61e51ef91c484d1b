//! The list of effects. One that is new is a folder beside the others and a line here.

use super::{copies, effect::Effect, rollup};

/// All effects, in the order in which a write asks them.
pub(crate) const EFFECTS: &[Effect] = &[copies::EFFECT, rollup::EFFECT];
