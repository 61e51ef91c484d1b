//! Rule: `inverse_disagrees`. The page is `guide/pages/rules/inverse_disagrees.md`.

mod mirror;

pub use mirror::{mirror_field, mirror_named};

use crate::{
    definition::{
        InverseDefinition, RelationDefinition, each, find, find_relation, is_tree, is_whole, last_segment, refuse,
        str_eq, text,
    },
    model::Model,
};

/// Judges `#[inverse(accessor = Child::field)]` on `Parent`.
#[track_caller]
pub const fn inverse_field<Parent: Model, Child: Model>(accessor: &str, field: &str) {
    let child = Child::DEFINITION;
    // `tree_parent` reports the mistakes of a tree.
    if !child.whole || is_tree(Child::FIELDS, field) {
        return;
    }
    let Some(relation) = find_relation(Child::RELATIONS, field) else {
        // rustc reports a misspelt attribute.
        if let Some(stored) = find(Child::FIELDS, field)
            && !is_whole(&stored.shape)
        {
            return;
        }
        let (mut relations, mut separator) = (text!(""), "the relations of the model are ");
        each!(for relation in Child::RELATIONS {
            if relation.target.is_some() {
                relations.push(text!("{}`{}`", separator, relation.field).as_str());
                separator = ", ";
            }
        });
        let help = match relations.as_str().is_empty() {
            true => text!(
                "declare the relation there: `#[relation(one_to_squillions, parent_ref)] {}: Ref<{}>`",
                field,
                Parent::DEFINITION.model
            ),
            false => relations,
        };
        refuse! {
            "`{}` has no relation in a field `{}`", child.model, field;
            help: "{}", help.as_str()
        }
    };
    let Some(target) = &relation.target else {
        refuse! {
            "`{}.{}` is embedded, and only a reference has an inverse", child.model, field;
            help: "remove this inverse; or, if the elements hold a reference to this model, write `relation(one_to_many, \
                   child_refs, by = product, max = 50, inverse = orders)` on `{}`: `by` names the reference", field
        }
    };
    if relation.is_mirror || relation.is_mirrored() {
        refuse! {
            "`{}.{}` is `two_way`, and the far side stores the second end in a field, not in an inverse", child.model, field;
            help: "remove this inverse; the field of the second end says `of = {}::{}`", child.model, field
        }
    }
    if !str_eq(target.name, Parent::NAME) {
        refers_elsewhere(child.model, field, last_segment(target.name), Parent::DEFINITION.model)
    }
    if relation.inverse.is_none() && relation.storage.needs_inverse() {
        refuse! {
            "`{}.{}` is an array, and the relation declares no index: this inverse reads the array by an index",
                child.model, field;
            help: "add `inverse = {}` to the relation to create the index", accessor
        }
    }
    one_or_many(Parent::INVERSES, child.model, relation, accessor);
}

/// Refuses a far side of a `one_to_one` that does not say `one_to_one`, and any other far side that does.
#[track_caller]
const fn one_or_many(parent: &'static [InverseDefinition], child: &str, relation: &RelationDefinition, accessor: &str) {
    let Some(inverse) = inverse(parent, accessor) else { return };
    let (field, cardinality) = (relation.field, relation.cardinality.word());
    match (relation.cardinality.is_many(), inverse.one_to_one) {
        (false, false) => refuse! {
            "`{}.{}` is `{}`: a single document refers to each parent, and this inverse reads a list", child, field, cardinality;
            help: "write `#[inverse({} = {}::{}, one_to_one)]`", accessor, child, field
        },
        (true, true) => refuse! {
            "`{}.{}` is `{}`: many documents may refer to a parent, and this inverse reads a single document", child, field, cardinality;
            help: "remove `one_to_one`, as `#[inverse({} = {}::{})]`", accessor, child, field
        },
        (false, true) | (true, false) => {}
    }
}

/// Reports a field that refers to another model than the model that names the field.
#[track_caller]
const fn refers_elsewhere(child: &str, field: &str, to: &str, parent: &str) -> ! {
    refuse! {
        "`{}.{}` refers to `{}`, not to `{}`", child, field, to, parent;
        help: "name the field that holds a `Ref<{}>`", parent
    }
}

/// Judges `inverse = accessor` in the relation `field` of `Child` to `Parent`.
#[track_caller]
pub const fn inverse_named<Child: Model, Parent: Model>(field: &str, accessor: &str) {
    let parent = Parent::DEFINITION;
    if !parent.whole {
        return;
    }
    match inverse(Parent::INVERSES, accessor) {
        Some(found) if !str_eq(found.child.name, Child::NAME) => refuse! {
            "the inverse `{}` of `{}` is of `{}.{}`, not of this relation",
                accessor, parent.model, last_segment(found.child.name), found.field;
            help: "choose another name here, and write an `#[inverse(..)]` with the new name there"
        },
        // The far side reports a missing field.
        Some(found) if !str_eq(found.field, field) && find_relation(Child::RELATIONS, found.field).is_none() => {}
        Some(found) if !str_eq(found.field, field) => refuse! {
            "the inverse `{}` of `{}` is of the field `{}`, not of this field", accessor, parent.model, found.field;
            help: "choose another name here, and write an `#[inverse(..)]` with the new name there"
        },
        Some(_) => {}
        None => {
            let one = match find_relation(Child::RELATIONS, field) {
                Some(relation) if !relation.cardinality.is_many() => ", one_to_one",
                _ => "",
            };
            refuse! {
                "`{}` has no inverse `{}`", parent.model, accessor;
                help: "write `#[inverse({} = {}::{}{})]` on `{}`",
                    accessor, Child::DEFINITION.model, field, one, parent.model
            }
        }
    }
}

const fn inverse(inverses: &'static [InverseDefinition], accessor: &str) -> Option<&'static InverseDefinition> {
    each!(for inverse in inverses {
        if str_eq(inverse.accessor, accessor) {
            return Some(inverse);
        }
    });
    None
}
