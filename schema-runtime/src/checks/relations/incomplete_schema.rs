//! Rule: `incomplete_schema`. The page is `guide/pages/rules/incomplete_schema.md`.

use crate::{
    checks::schema_index::SchemaIndex,
    definition::{CopyDefinition, CopyMode, ModelDefinition, copy_inside, each, last_segment, refuse},
};

#[track_caller]
pub(in crate::checks) const fn enforce<const N: usize>(schema: &SchemaIndex<N>, at: usize) {
    let model = schema.models[at];
    if let Some(first) = schema.find(model.name)
        && first < at
    {
        refuse! {
            "`{}` is listed twice in this schema", model.model;
            help: "list the model once"
        }
    }
    each!(for relation in model.relations {
        if let Some(target) = &relation.target
            && schema.find(target.name).is_none()
        {
            missing(model.model, relation.field, "refers to", target.name)
        }
    });
    each!(for far in model.inverses {
        if far.on_delete.is_some() && schema.find(far.child.name).is_none() {
            missing(model.model, far.accessor, "has a delete rule for", far.child.name)
        }
    });
    enforce_copies(schema, model);
}

/// Judges the models of copies. An `external` copy is not judged: the source may belong to another program.
#[track_caller]
const fn enforce_copies<const N: usize>(schema: &SchemaIndex<N>, model: &ModelDefinition) {
    each!(for copied in model.copied_to {
        if schema.find(copied.holder.name).is_none() {
            missing(model.model, copied.field, "is copied to", copied.holder.name)
        }
    });
    each!(for copy in model.copies {
        enforce_copy(schema, model, copy.field, copy);
    });
    each!(for field in model.fields {
        let mut number = 0;
        while let Some(place) = copy_inside(&field.shape, number) {
            enforce_copy(schema, model, field.rust_name, place.copy);
            number += 1;
        }
    });
}

#[track_caller]
const fn enforce_copy<const N: usize>(
    schema: &SchemaIndex<N>,
    model: &ModelDefinition,
    field: &str,
    copy: &CopyDefinition,
) {
    let source = copy.source.target.name;
    if !matches!(copy.mode, CopyMode::External) && schema.find(source).is_none() {
        missing(model.model, field, "holds a copy of a field of", source)
    }
}

#[track_caller]
const fn missing(model: &str, field: &str, what: &str, name: &'static str) -> ! {
    let name = last_segment(name);
    refuse! {
        "`{}.{}` {} `{}`, a model that this schema does not list", model, field, what, name;
        help: "add the model: `schema![.., {}]`", name
    }
}
