//! The rules that judge a copy: at the copy, at the model that holds the copy, at the copied field. Each mistake is
//! reported in one of the three places; the rules of the other places stay silent about the mistake.

use super::{
    copy_not_read, copy_of_copy, copy_of_volatile, copy_ratio, copy_to_squillions, copy_undeclared, fan_out_disagrees,
    nested_copy,
};
use crate::{
    checks::{
        buckets::bucket_copy,
        fields::{field_type, hidden_field, reserved_field, unknown_field},
    },
    definition::{CopyDefinition, copy_inside},
    field::Record,
    model::Model,
};

/// Judges copy number `at` of the embedded struct `R`, a copy of a field of `S`.
#[track_caller]
pub const fn copied_field<R: Record, S: Model>(at: usize) {
    judge::<R, S>(&R::COPIES[at]);
}

/// Judges copy number `at` of the model `M`, a copy of a field of `S`.
#[track_caller]
pub const fn held_copy<M: Model, S: Model>(at: usize) {
    let copy = &M::COPIES[at];
    judge::<M, S>(copy);
    copy_undeclared::enforce_holder(M::DEFINITION, copy.field, copy);
    copy_to_squillions::enforce(M::DEFINITION, copy.field, copy, None);
    copy_not_read::enforce(M::DEFINITION, copy.field, copy.name, copy);
}

/// Judges the copies inside of field number `at` of the model `M`.
#[track_caller]
pub const fn held_copies<M: Model>(at: usize) {
    let field = &M::FIELDS[at];
    let mut number = 0;
    while let Some(place) = copy_inside(&field.shape, number) {
        hidden_field::enforce_held(field, place.copy);
        nested_copy::enforce(M::DEFINITION, field, &place);
        copy_undeclared::enforce_holder(M::DEFINITION, field.rust_name, place.copy);
        copy_to_squillions::enforce(M::DEFINITION, field.rust_name, place.copy, Some(place.copy.reference));
        copy_not_read::enforce(M::DEFINITION, field.rust_name, field.name, place.copy);
        number += 1;
    }
}

/// Judges `#[copied_to(..)]` number `at` of `S`, which declares that a field is copied to `H`.
#[track_caller]
pub const fn copied_to<S: Model, H: Model>(at: usize) {
    let copied = &S::COPIED_TO[at];
    if H::DEFINITION.whole {
        bucket_copy::enforce_source::<S>(copied);
        fan_out_disagrees::enforce(S::COPIED_TO, at, H::DEFINITION);
        let field = unknown_field::enforce_holder(H::DEFINITION, copied.holder_field);
        nested_copy::enforce_opaque(H::DEFINITION, field);
        copy_undeclared::enforce_source(S::DEFINITION, H::DEFINITION, copied, field);
        copy_of_volatile::enforce_source(S::DEFINITION, H::DEFINITION, copied, field);
        copy_ratio::enforce(S::DEFINITION, H::DEFINITION, copied);
    }
}

/// Judges a model that holds copies and that serde reads with `deny_unknown_fields`.
#[track_caller]
pub const fn strict_holder<M: Model>() {
    reserved_field::enforce_strict(M::DEFINITION);
}

#[track_caller]
const fn judge<R: Record, S: Model>(copy: &CopyDefinition) {
    let source = S::DEFINITION;
    if source.whole {
        copy_undeclared::enforce_of_struct(source, copy);
        let path = unknown_field::enforce_copy(R::FIELDS, copy, source);
        copy_of_copy::enforce(source, copy);
        copy_of_volatile::enforce_copy(source, copy);
        field_type::enforce_copy(R::FIELDS, copy, source, &path);
    }
}
