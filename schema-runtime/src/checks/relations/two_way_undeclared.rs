//! Rule: `two_way_undeclared`. The page is `guide/pages/rules/two_way_undeclared.md`.

use crate::{
    definition::{Allow, RelationDefinition, each, last_segment, refuse, str_before, str_eq},
    model::Model,
};

const ID: &str = "two_way_undeclared";

/// Judges the relation in the array `field` of `M`, to `T`.
#[track_caller]
pub const fn undeclared<M: Model, T: Model>(field: &str) {
    let far = T::DEFINITION;
    if !far.whole || str_eq(M::NAME, T::NAME) {
        return;
    }
    each!(for near in M::RELATIONS {
        if str_eq(near.field, field)
            && is_of_two(near)
            && let Some(back) = reference_back(T::RELATIONS, M::NAME)
        {
            // Two arrays have a single message.
            let is_said_there = back.is_array() && str_before(T::NAME, M::NAME);
            if !is_said_there && !Allow::any(back.allows, ID) {
                fail(M::DEFINITION.model, field, last_segment(T::NAME), back.field)
            }
        }
    });
}

const fn is_of_two(relation: &RelationDefinition) -> bool {
    relation.is_array() && !relation.is_mirror && !relation.is_mirrored() && !Allow::any(relation.allows, ID)
}

/// Returns a reference to the model of this name that is the end of no `two_way`.
const fn reference_back(relations: &'static [RelationDefinition], to: &str) -> Option<&'static RelationDefinition> {
    each!(for relation in relations {
        if let Some(target) = &relation.target
            && str_eq(target.name, to)
            && relation.storage.refers()
            && !relation.is_mirror
            && !relation.is_mirrored()
        {
            return Some(relation);
        }
    });
    None
}

#[track_caller]
const fn fail(model: &str, field: &str, far: &str, back: &str) -> ! {
    refuse! {
        "`{}.{}` refers to `{}`, and `{}.{}` back to `{}`: nothing keeps the two fields in agreement",
            model, field, far, far, back, model;
        help: "for the two ends of a relation, write `two_way` at both ends, with `inverse = {}` at the end that is written and `of = ..` at the mirror; for two separate relations, write `allow(two_way_undeclared, reason = \"..\")`",
            field
    }
}
