//! Rule: `relation_balance`. The page is `guide/pages/rules/relation_balance.md`.

use crate::{
    definition::{Kind, digits, find, find_relation, refuse},
    model::Model,
};

/// Judges `#[inverse(accessor = Child::field, at_most = ..)]` on `Parent`.
#[track_caller]
pub const fn inverse_at_most<Parent: Model, Child: Model>(at: usize) {
    let (child, inverse) = (Child::DEFINITION, &Parent::INVERSES[at]);
    if !child.whole {
        return;
    }
    let (Some(relation), Some(field), Some(most)) =
        (find_relation(Child::RELATIONS, inverse.field), find(Child::FIELDS, inverse.field), inverse.at_most)
    else {
        return;
    };
    let Kind::Array { max: Some(max), .. } = field.shape.kind else { return };
    if relation.is_array() && most < max {
        refuse! {
            "a `{}` is referred to by at most {} documents, and each `{}` holds up to {} references: the array is on the larger side",
                Parent::DEFINITION.model, digits(most).as_str(), child.model, digits(max).as_str();
            help: "store the array here: `#[relation(many_to_many, one_way, max = {}, inverse = ..)]` in `{}`, and `#[inverse(..)]` there",
                digits(most).as_str(), Parent::DEFINITION.model
        }
    }
}
