//! The list of effects. A new effect is a folder beside the existing folders and a line here.

use super::{
    copies, delete_rules,
    effect::{Effect, EffectList},
    links, rollup, slug, tree,
};
use crate::definition::ModelDefinition;

/// All effects in the order of an insert or an update. A delete uses the reverse order. The order has these reasons:
///
/// - Slugs come first: a copy or a rollup of a slug has the new slug.
/// - The ancestors of a tree come before the copies in the ancestors.
/// - Copies come before rollups: a subset may hold a copy of the child.
/// - A delete first applies the delete rules, and then completes a large move of a tree that the delete cascades
///   through. The delete then removes the document from the opposite ends of links, and at last changes the rollups of
///   the parents.
pub(crate) const EFFECTS: EffectList = &[
    &slug::Slugs,
    &tree::Trees,
    &copies::Snapshots,
    &copies::Copies,
    &rollup::Rollups,
    &links::Links,
    &tree::TreeCascades,
    &delete_rules::DeleteRules,
    #[cfg(test)]
    &super::sample::Stamps,
];

/// Returns the effects that concern a model, in order.
pub(crate) fn concerning(definition: &ModelDefinition) -> impl Iterator<Item = &'static dyn Effect> {
    EFFECTS.iter().copied().filter(move |effect| effect.concerns(definition))
}

/// Returns the effects before the effect with the name. These effects still act on a delete when the effect has acted.
pub(crate) fn before(name: &str) -> EffectList {
    let at = EFFECTS.iter().position(|effect| effect.name() == name);
    &EFFECTS[..at.unwrap_or(EFFECTS.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_effects() {
        let names: Vec<&str> = EFFECTS.iter().map(|effect| effect.name()).collect();
        let expected =
            ["slugs", "trees", "snapshots", "copies", "rollups", "links", "tree cascades", "delete rules", "stamps"];
        assert_eq!(names, expected);
        assert_eq!(before("delete rules").len(), expected.len() - 2);
        assert!(before("slugs").is_empty());
    }
}
