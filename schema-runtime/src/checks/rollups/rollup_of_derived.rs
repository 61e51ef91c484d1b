//! Rule: `rollup_of_derived`. The page is `guide/pages/rules/rollup_of_derived.md`.

use crate::{
    checks::{copies::copy_of_copy::copy_in, fields::hidden_field},
    definition::{
        CopyDefinition, CopyMode, FieldDefinition, OrderKey, RollupDefinition, Shape, TreeField, copy_inside, dotted,
        each, find, find_stored, last_segment, refuse, str_eq, text,
    },
    model::Model,
};

/// A value that the writes of another document set.
enum Derived {
    Copy(&'static CopyDefinition),
    Rollup(&'static RollupDefinition),
    /// A path, ancestors or a depth.
    Tree,
}

/// Judges the field that a value is computed from.
#[track_caller]
pub(in crate::checks) const fn enforce<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    hidden_field::enforce_rollup::<P, C>(rollup, field);
    if let Some(derived) = derived::<C>(field) {
        let help = text!(
            "compute the value from a field that only the writes of `{}` set, or compute the value at each read",
            C::STRUCT
        );
        fail::<P, C>(rollup, field, &derived, "value", help.as_str())
    }
}

/// Judges a key of a subset's order.
#[track_caller]
pub(in crate::checks) const fn enforce_order<P: Model, C: Model>(rollup: &RollupDefinition, field: &str) {
    hidden_field::enforce_rollup::<P, C>(rollup, field);
    if let Some(derived) = derived::<C>(field) {
        let help = text!("write an `order` in `#[subset(..)]` by a field that only the writes of `{}` set", C::STRUCT);
        fail::<P, C>(rollup, field, &derived, "order", help.as_str())
    }
}

/// Judges the fields that the subset holds of each child, except the fields in the subset's own `order`, which has the
/// message.
#[track_caller]
pub(in crate::checks) const fn enforce_elements<P: Model, C: Model>(
    rollup: &RollupDefinition,
    order: &[OrderKey],
    element: &str,
    fields: &[FieldDefinition],
) {
    hidden_field::enforce_elements::<P, C>(rollup, order, element, fields);
    each!(for field in fields {
        if let Some(source) = find_stored(C::FIELDS, field.name)
            && !is_among(order, source.rust_name)
            && let Some(derived) = derived::<C>(source.rust_name)
        {
            let help = text!("remove `{}` from `{}`, and read the field from the child", field.rust_name, element);
            fail::<P, C>(rollup, source.rust_name, &derived, "value", help.as_str())
        }
    });
}

/// Refuses copies that the elements of a subset declare.
#[track_caller]
pub(in crate::checks) const fn enforce_own<P: Model, C: Model>(rollup: &RollupDefinition, element: &Shape) {
    let mut number = 0;
    while let Some(place) = copy_inside(element, number) {
        if place.copy.tracks_source() {
            refuse! {
                "`{}.{}` is a copy of `{}.{}`, and the elements of `{}.{}` are written only by the writes of `{}`",
                    place.owner, place.copy.field, last_segment(place.copy.source.target.name),
                    dotted(place.copy.from).as_str(), P::STRUCT, rollup.field, C::STRUCT;
                help: "remove the `#[denormalize(..)]` from this field: an element has the value of the child"
            }
        }
        number += 1;
    }
}

const fn derived<C: Model>(field: &str) -> Option<Derived> {
    each!(for rollup in C::ROLLUPS {
        if str_eq(rollup.field, field) {
            return Some(Derived::Rollup(rollup));
        }
    });
    if let Some(FieldDefinition {
        tree: Some((TreeField::Ancestors | TreeField::Path | TreeField::Depth, _)), ..
    }) = find(C::FIELDS, field)
    {
        return Some(Derived::Tree);
    }
    match copy_in(C::FIELDS, C::DEFINITION.copies, &[field]) {
        Some(copy) => Some(Derived::Copy(copy)),
        None => None,
    }
}

/// Reports that the rollup would keep an old value or order when the value in `field` of the children changes.
#[track_caller]
const fn fail<P: Model, C: Model>(
    rollup: &RollupDefinition,
    field: &str,
    derived: &Derived,
    old: &str,
    help: &str,
) -> ! {
    let when = match derived {
        Derived::Copy(copy) => text!(
            "{} a copy of `{}.{}`: when the source changes",
            if str_eq(copy.field, field) { "is" } else { "holds" },
            last_segment(copy.source.target.name),
            dotted(copy.from).as_str()
        ),
        Derived::Tree => text!("depends on the ancestors of the document in the tree: when an ancestor is moved"),
        Derived::Rollup(inner) => {
            text!("is computed from children: when a `{}` is written", last_segment(inner.child.name))
        }
    };
    let snapshot = match derived {
        Derived::Copy(CopyDefinition { mode: CopyMode::External, .. }) => {
            "; or write `snapshot` in place of `external` on the copy: the copy then keeps the value from the write of the reference"
        }
        Derived::Copy(_) => {
            "; or add `snapshot` to the copy: the copy then keeps the value from the write of the reference"
        }
        Derived::Rollup(_) | Derived::Tree => "",
    };
    refuse! {
        "`{}.{}` {}, `{}.{}` would keep the old {}", C::STRUCT, field, when.as_str(), P::STRUCT, rollup.field, old;
        help: "{}{}", help, snapshot
    }
}

const fn is_among(order: &[OrderKey], field: &str) -> bool {
    each!(for key in order {
        if str_eq(key.field, field) {
            return true;
        }
    });
    false
}
