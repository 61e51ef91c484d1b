//! Rule: `copies_of_most`. The page is `guide/pages/rules/copies_of_most.md`.

use crate::{
    checks::schema_index::SchemaIndex,
    definition::{Allow, CopyDefinition, ModelDefinition, copy_inside, digits, each, refuse, str_eq},
};

const ID: &str = "copies_of_most";

/// The number of copied fields that counts as few for every source.
const FEW: usize = 3;

/// Judges the copies that model number `at` of a schema holds of each other model.
#[track_caller]
pub(in crate::checks) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    let holder = schema.models[at];
    if Allow::any(holder.allows, ID) {
        return;
    }
    each!(for copy in holder.copies {
        judge(schema, holder, copy);
    });
    each!(for field in holder.fields {
        let mut number = 0;
        while let Some(place) = copy_inside(&field.shape, number) {
            judge(schema, holder, place.copy);
            number += 1;
        }
    });
}

/// Judges all copies of the source of this copy.
#[track_caller]
const fn judge<const N: usize>(schema: &SchemaIndex<N>, holder: &ModelDefinition, copy: &CopyDefinition) {
    if !copy.tracks_source() {
        return;
    }
    let Some(source) = schema.find(copy.source.target.name) else { return };
    let source = schema.models[source];
    let copied = copied(holder, source);
    // The number of fields without `_id`.
    let fields = source.fields.len().saturating_sub(1);
    if copied > FEW && copied * 2 > fields {
        refuse! {
            "`{}` copies {} of the {} fields of `{}`: nearly every write of the source is propagated to the copies",
                holder.model, digits(copied as u64).as_str(), digits(fields as u64).as_str(), source.model;
            help: "copy only the fields that are shown, and read the remaining fields by the reference; or embed a document that belongs to a single holder; or give a reason: `#[model(.., allow(copies_of_most, reason = \"..\"))]`"
        }
    }
}

/// Returns how many fields of the source have a copy in the holder that follows the source.
const fn copied(holder: &ModelDefinition, source: &ModelDefinition) -> usize {
    let mut count = 0;
    each!(for field in source.fields {
        if holds(holder, source.name, field.rust_name) {
            count += 1;
        }
    });
    count
}

const fn holds(holder: &ModelDefinition, source: &str, field: &str) -> bool {
    each!(for copy in holder.copies {
        if is_of(copy, source, field) {
            return true;
        }
    });
    each!(for held in holder.fields {
        let mut number = 0;
        while let Some(place) = copy_inside(&held.shape, number) {
            if is_of(place.copy, source, field) {
                return true;
            }
            number += 1;
        }
    });
    false
}

const fn is_of(copy: &CopyDefinition, source: &str, field: &str) -> bool {
    copy.tracks_source() && str_eq(copy.source.target.name, source) && str_eq(copy.from[0], field)
}
