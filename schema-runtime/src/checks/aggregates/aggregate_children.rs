//! Rule: `aggregate_children`. The page is `guide/pages/rules/aggregate_children.md`.

use super::{aggregate_top, aggregate_type, documents::Documents};
use crate::{
    checks::fields::{field_type, hidden_field, unknown_field::list_fields},
    definition::{ChildrenDefinition, each, find, find_flat, find_relation, last_segment, refuse, str_eq, text},
    model::{Aggregate, AggregateSource, Model, RelationOfRows},
};

/// Judges relation number `AT`, by which the children refer to the parents.
#[track_caller]
pub const fn aggregate_children<R: RelationOfRows<AT>, const AT: usize>() {
    enforce::<R::Rows, R::Child>(AT);
}

/// Judges the fields in value number `value` of relation number `AT`.
#[track_caller]
pub const fn aggregate_children_value<R: RelationOfRows<AT>, const AT: usize>(value: usize) {
    enforce_value::<R::Rows, R::Child>(AT, value);
}

/// Judges key number `key` of the order of value number `value` of relation number `AT`.
#[track_caller]
pub const fn aggregate_children_order<R: RelationOfRows<AT>, const AT: usize>(value: usize, key: usize) {
    enforce_order::<R::Rows, R::Child>(AT, value, key);
}

/// Judges the type of the field of value number `value` of relation number `AT`.
#[track_caller]
pub const fn aggregate_children_type<R: RelationOfRows<AT>, const AT: usize>(value: usize) {
    enforce_type::<R::Rows, R::Child>(AT, value);
}

#[track_caller]
const fn enforce<A: Aggregate, C: Model>(at: usize) {
    let children = &A::AGGREGATE.children[at];
    if !is_whole::<A, C>() {
        return;
    }
    let (parent, child, name) = (<A::Of as Model>::DEFINITION, C::STRUCT, children.reference);
    if <A::Source as AggregateSource>::GROUPS.is_some() {
        refuse! {
            "`{}` names an aggregation, and only documents have children", A::STRUCT;
            help: "name the model: `#[aggregate(of = {})]`", parent.model
        }
    }
    if C::DEFINITION.bucket.is_some() {
        refuse! {
            "`{}` is stored in buckets, and a document of the collection holds many children", child;
            help: "read the children of each parent by the relation, or keep the value in the parent: `#[computed(..)]`"
        }
    }
    let Some(relation) = find_relation(C::RELATIONS, name) else {
        if find(C::FIELDS, name).is_none() {
            no_such_reference::<A, C>(children);
        }
        refuse! {
            "`{}.{}` stores no relation", child, name;
            help: "declare the relation there: `#[relation(one_to_squillions, parent_ref)] {}: Ref<{}>`", name, parent.model
        }
    };
    let Some(target) = &relation.target else {
        refuse! {
            "`{}.{}` is embedded, and the elements are no documents", child, name;
            help: "derive a separate aggregation with `unwind({})`: each element then counts as a document", name
        }
    };
    if !str_eq(target.name, <A::Of as Model>::NAME) {
        refuse! {
            "`{}.{}` refers to `{}`, not to `{}`", child, name, last_segment(target.name), parent.model;
            help: "name the field that holds a `Ref<{}>`", parent.model
        }
    }
    if relation.is_array() {
        refuse! {
            "`{}.{}` {}, and the values of a parent need a single `Ref` in each child",
                child, name, relation.storage.what();
            help: "derive an aggregation of `{}` with `unwind({})` and `by({})`", child, name, name
        }
    }
}

#[track_caller]
const fn no_such_reference<A: Aggregate, C: Model>(children: &ChildrenDefinition) -> ! {
    let (child, parent, name) = (C::STRUCT, <A::Of as Model>::DEFINITION.model, children.reference);
    let mut help =
        text!("declare the relation there: `#[relation(one_to_squillions, parent_ref)] {}: Ref<{}>`", name, parent);
    each!(for relation in C::RELATIONS {
        if let Some(target) = &relation.target
            && str_eq(target.name, <A::Of as Model>::NAME)
        {
            help = text!("write `{}::{}`, the field that refers to `{}`", child, relation.field, parent);
            break;
        }
    });
    refuse! {
        "`{}` has no field `{}`", child, name;
        help: "{}", help.as_str()
    }
}

#[track_caller]
const fn enforce_value<A: Aggregate, C: Model>(at: usize, value: usize) {
    if is_whole::<A, C>() {
        children::<C>().enforce_value(&A::AGGREGATE.children[at].values.values[value].kind);
    }
}

#[track_caller]
const fn enforce_order<A: Aggregate, C: Model>(at: usize, value: usize, key: usize) {
    if is_whole::<A, C>() {
        children::<C>().enforce_order(&A::AGGREGATE.children[at].values.values[value].kind, key);
    }
}

#[track_caller]
const fn enforce_type<A: Aggregate, C: Model>(at: usize, value: usize) {
    if is_whole::<A, C>() {
        let values = &A::AGGREGATE.children[at].values;
        let value = &values.values[value];
        aggregate_type::enforce_value_of(C::DEFINITION, A::FIELDS, values, value);
        if let crate::definition::ValueKind::Top { fields, .. } = value.kind {
            aggregate_top::enforce_rows(C::DEFINITION, &[], &A::FIELDS[value.field].shape, fields);
        }
    }
}

/// Requires that the parent has the field number `at` of the result.
#[track_caller]
pub const fn aggregate_parent<A: Aggregate>(at: usize) {
    let (parent, field) = (<A::Of as Model>::DEFINITION, &A::FIELDS[at]);
    if !parent.whole {
        return;
    }
    let name = field.rust_name;
    let Some(source) = find(parent.fields, name) else {
        if find_flat(parent.fields, name).is_some() {
            refuse! {
                "`{}.{}` is flat, and a document has no field `{}`", parent.model, name, name;
                help: "read the fields of the parent by `find`, and remove the field here"
            }
        }
        refuse! {
            "`{}` has no field `{}`, and the field has no value of the children", parent.model, name;
            help: "write the value above the field: `#[count(..)]`; or name a field of the parent: {}",
                list_fields(parent.model, parent.fields).as_str()
        }
    };
    hidden_field::enforce_aggregate(parent, name);
    if str_eq(field.name, "_id") && !str_eq(source.name, "_id") {
        refuse! {
            "the `_id` of a row is the `_id` of the parent, and `{}` is another field", name;
            help: "remove `#[serde(rename = \"_id\")]`"
        }
    }
}

/// Judges the type of the field number `at` of the result, which is a field of the parent.
#[track_caller]
pub const fn aggregate_parent_type<A: Aggregate>(at: usize) {
    let (parent, field) = (<A::Of as Model>::DEFINITION, &A::FIELDS[at]);
    if parent.whole
        && let Some(source) = find(parent.fields, field.rust_name)
    {
        if parent.variants.is_some() && !source.required && field.required {
            refuse! {
                "not every variant of `{}` has the field `{}`", parent.model, field.rust_name;
                help: "make the field an `Option`"
            }
        }
        field_type::enforce_projection(parent, field, source);
    }
}

const fn is_whole<A: Aggregate, C: Model>() -> bool {
    C::DEFINITION.whole && <A::Of as Model>::DEFINITION.whole
}

const fn children<C: Model>() -> Documents {
    Documents { model: C::DEFINITION, unwind: &[] }
}
