//! Rule: `storage_mismatch`. The page is `guide/pages/rules/storage_mismatch.md`.

use crate::{
    errors::Errors,
    model::{Defect, Field, Misfit, Record, Relation, Stored},
};

const ID: &str = "storage_mismatch";

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    for field in record.judged() {
        let Stored::Relation(relation) = &field.storage else { continue };
        if field.defect == Some(Defect::BareReference) {
            enforce_typed_reference(field, relation, errors);
            continue;
        }
        let allowed = relation.cardinality.storages();
        if allowed.contains(&relation.storage) {
            enforce_type(field, relation, errors);
            continue;
        }
        let (cardinality, storage) = (relation.cardinality.word(), relation.storage.word());
        if relation.cardinality.is_without_limit() {
            errors.rule(
                &relation.storage_tokens,
                ID,
                &format!("squillions cannot be stored as `{storage}`: even the ids alone would exceed the 16 MiB of a document"),
                "store the reference on the far side: `#[relation(one_to_squillions, parent_ref)]` on a `Ref<..>` there",
            );
        } else {
            let words: Vec<String> =
                allowed.iter().map(|storage| format!("`{cardinality}, {}`", storage.word())).collect();
            let words = match &words[..] {
                [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
                words => words.concat(),
            };
            errors.rule(
                &relation.storage_tokens,
                ID,
                &format!("`{cardinality}` is not stored as `{storage}`"),
                &format!("write {words}"),
            );
        }
    }
}

/// Checks that a type that is written as references fits the storage of the relation.
fn enforce_type(field: &Field, relation: &Relation, errors: &Errors) {
    let Some(misfit) = field.misfit() else { return };
    let storage = relation.storage.word();
    let (what, help) = match misfit {
        Misfit::EmbedsReference => (
            "is a reference, and `embed` is for structs that derive `Embed`".to_owned(),
            "write `#[relation(one_to_many, parent_ref)]`; or remove `#[relation(..)]`: the field is then a plain reference",
        ),
        Misfit::EmbedsReferences => (
            "holds references, and `embed` is for structs that derive `Embed`".to_owned(),
            "write `#[relation(one_to_many, child_refs, max = 1_000)]`, with the largest number of references",
        ),
        Misfit::NoList => (
            format!("holds one reference, and `{storage}` is stored as a list"),
            match relation.cardinality.may_store_a_parent() {
                true => "write `parent_ref`, or make the field a `Vec<Ref<..>>`",
                false => "make the field a `Vec<Ref<..>>`",
            },
        ),
        Misfit::List => (
            format!("is a list, and `{storage}` is one reference"),
            match relation.cardinality.may_store_children() {
                true => "write `child_refs` with a `max`, or make the field a `Ref<..>`",
                false => "make the field a `Ref<..>`",
            },
        ),
    };
    errors.rule(&field.ty, ID, &format!("`{}` {what}", field.rust_name), help);
}

/// Refuses a bare id as a reference: a `Ref<..>` names the target model, and a bare id does not.
fn enforce_typed_reference(field: &Field, relation: &Relation, errors: &Errors) {
    let example = relation.storage.example_type();
    errors.rule(
        &field.ty,
        ID,
        &format!("`{}` holds bare ids, and a bare id does not name the target model", field.rust_name),
        &format!("store typed references, for example `{example}`: a typed reference is stored as the same bare `_id`"),
    );
}
