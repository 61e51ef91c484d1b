//! Rule: `reserved_field`. The page is `guide/pages/rules/reserved_field.md`.
//!
//! The half of the rule that judges a model whose copies are inside of its embedded structs, and models with a delete
//! rule (`on_delete`): the fields `_deleting` and `_touched` of the deleted model, and `_unchecked` of the referring
//! model. A slug with `keep_old` is kept in a field that begins with `_slugs_`.

use crate::definition::{
    FieldDefinition, ModelDefinition, copy_inside, each, refuse,
    stored_names::{DELETING, EARLIER_SLUGS, PARENT_TOUCH, UNCHECKED, begins_with, is_beside_derived},
    str_eq, text,
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    if model.whole {
        enforce_delete_rules(model);
    }
    enforce_slugs(model);
    let Some(holds) = field_with_copies(model) else { return };
    each!(for field in model.fields {
        if is_beside_derived(field.name) {
            reserved(model, field, text!("`{}` holds copies", holds.rust_name).as_str())
        }
    });
}

#[track_caller]
const fn enforce_slugs(model: &ModelDefinition) {
    let Some(slug) = model.keeps_slugs() else { return };
    each!(for field in model.fields {
        if begins_with(field.name, EARLIER_SLUGS) {
            reserved(model, field, text!("`{}` keeps earlier slugs", slug.rust_name).as_str())
        }
    });
}

#[track_caller]
const fn enforce_delete_rules(model: &ModelDefinition) {
    let (is_deleted, refers) = (deletes_by_rule(model), refers_by_rule(model));
    each!(for field in model.fields {
        let of_parent = is_deleted && (str_eq(field.name, DELETING) || str_eq(field.name, PARENT_TOUCH));
        if of_parent || refers && str_eq(field.name, UNCHECKED) {
            reserved(model, field, "a delete rule (`on_delete`) applies to the documents of this model")
        }
    });
}

#[track_caller]
const fn reserved(model: &ModelDefinition, field: &FieldDefinition, why: &str) -> ! {
    refuse! {
        "`{}.{}` is stored as `{}`, a name that is reserved for a field of this crate, since {}",
            model.model, field.rust_name, field.name, why;
        help: "give the field another name with `#[serde(rename = \"..\")]`"
    }
}

/// True when a delete of a document of the model acts on referring documents.
const fn deletes_by_rule(model: &ModelDefinition) -> bool {
    each!(for inverse in model.inverses {
        if let Some(rule) = inverse.on_delete
            && rule.acts()
        {
            return true;
        }
    });
    false
}

/// True when a delete of a referenced document acts on the documents of the model.
const fn refers_by_rule(model: &ModelDefinition) -> bool {
    each!(for relation in model.relations {
        if let Some(rule) = relation.on_delete
            && rule.acts()
            && !relation.is_mirrored()
        {
            return true;
        }
    });
    false
}

#[track_caller]
pub(in crate::checks) const fn enforce_strict(model: &ModelDefinition) {
    if let Some(holds) = field_with_copies(model) {
        refuse! {
            "`{}` holds copies in `{}`, so this crate stores additional fields beside the copies, and `deny_unknown_fields` refuses to read additional fields",
                model.model, holds.rust_name;
            help: "remove `deny_unknown_fields`"
        }
    }
    if let Some(slug) = model.keeps_slugs() {
        refuse! {
            "`{}` keeps earlier slugs in an additional field, and `deny_unknown_fields` refuses to read additional fields",
                slug.rust_name;
            help: "remove `deny_unknown_fields`, or `keep_old`"
        }
    }
    if model.whole && (deletes_by_rule(model) || refers_by_rule(model)) {
        refuse! {
            "`{}` has a delete rule (`on_delete`), so this crate stores additional fields in the documents, and `deny_unknown_fields` refuses to read additional fields",
                model.model;
            help: "remove `deny_unknown_fields`"
        }
    }
}

const fn field_with_copies(model: &ModelDefinition) -> Option<&'static FieldDefinition> {
    each!(for field in model.fields {
        if copy_inside(&field.shape, 0).is_some() {
            return Some(field);
        }
    });
    None
}
