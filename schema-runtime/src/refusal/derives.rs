//! The failures that the derives of other crates find in a value: `check(garde)` and `check(validator)` of a model.

use crate::error::FailedRule;
#[cfg(any(feature = "garde", feature = "validator"))]
use crate::{
    definition::{FieldDefinition, Kind},
    field::Record,
};

#[cfg(feature = "garde")]
#[doc(hidden)]
pub fn of_garde<R: Record + garde::Validate<Context: Default>>(value: &R) -> Vec<FailedRule> {
    let Err(report) = value.validate() else { return Vec::new() };
    let failed = report.iter();
    failed.map(|(path, error)| failure::<R>("garde", &path.to_string(), error.message().to_owned())).collect()
}

#[cfg(feature = "validator")]
#[doc(hidden)]
pub fn of_validator<R: Record + validator::Validate>(value: &R) -> Vec<FailedRule> {
    let mut failed = Vec::new();
    if let Err(errors) = value.validate() {
        add::<R>(&mut failed, "", &errors);
    }
    failed
}

/// Adds the failures under a path, in the order of the names.
#[cfg(feature = "validator")]
fn add<R: Record>(failed: &mut Vec<FailedRule>, path: &str, errors: &validator::ValidationErrors) {
    use validator::ValidationErrorsKind::{Field, List, Struct};
    let mut all: Vec<_> = errors.errors().iter().collect();
    all.sort_by_key(|(name, _)| *name);
    for (name, kind) in all {
        let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        match kind {
            Struct(inner) => add::<R>(failed, &path, inner),
            List(list) => {
                list.iter().for_each(|(position, inner)| add::<R>(failed, &format!("{path}.{position}"), inner));
            }
            Field(of_field) => failed.extend(of_field.iter().map(|error| {
                let text = error.message.as_ref().unwrap_or(&error.code);
                failure::<R>("validator", &path, text.to_string())
            })),
        }
    }
}

/// Makes a failure at a path in the names of Rust: `home.cities[0].name`, `home.cities.0.name`.
#[cfg(any(feature = "garde", feature = "validator"))]
fn failure<R: Record>(rule: &str, path: &str, message: String) -> FailedRule {
    let (mut fields, mut stored): (&[FieldDefinition], Vec<&str>) = (R::FIELDS, Vec::new());
    for step in path.split(['.', '[', ']']).filter(|step| !step.is_empty()) {
        let Some(field) = fields.iter().find(|field| field.rust_name == step) else {
            stored.push(step);
            continue;
        };
        stored.push(field.name);
        let mut shape = &field.shape;
        while let Kind::Array { items: inner, .. } | Kind::Map { values: inner, .. } = &shape.kind {
            shape = inner;
        }
        fields = shape.fields();
    }
    FailedRule::judged(stored.join("."), rule, message)
}

/// The judge of a crate whose feature is off.
#[cfg(not(feature = "garde"))]
#[diagnostic::on_unimplemented(
    message = "`check(garde)` needs the feature `garde` of this crate",
    label = "the feature is off",
    note = "help: write `schema-runtime = {{ .., features = [\"garde\"] }}` in Cargo.toml"
)]
pub trait HasGarde {}

#[cfg(not(feature = "garde"))]
#[doc(hidden)]
pub fn of_garde<R: HasGarde>(_: &R) -> Vec<FailedRule> {
    Vec::new()
}

/// The judge of a crate whose feature is off.
#[cfg(not(feature = "validator"))]
#[diagnostic::on_unimplemented(
    message = "`check(validator)` needs the feature `validator` of this crate",
    label = "the feature is off",
    note = "help: write `schema-runtime = {{ .., features = [\"validator\"] }}` in Cargo.toml"
)]
pub trait HasValidator {}

#[cfg(not(feature = "validator"))]
#[doc(hidden)]
pub fn of_validator<R: HasValidator>(_: &R) -> Vec<FailedRule> {
    Vec::new()
}
