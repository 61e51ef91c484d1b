//! The half of the rule about the fields of the result.

use crate::{
    checks::{
        aggregates::{
            aggregate_lookup,
            source::{self, Source},
        },
        fields::field_type::kind,
    },
    definition::{
        AggregateDefinition, FieldDefinition, KeyDefinition, KeyForm, Kind, Literal, ModelDefinition, Scalar, Shape,
        Term, Text, ValueDefinition, ValueKind, is_path, refuse, str_eq, text,
    },
    model::{Aggregate, AggregateSource, Model},
};

/// The type that a value needs.
#[derive(Clone, Copy)]
enum Needed {
    /// An `i64`.
    Integer,
    Double,
    Decimal,
    Bool,
    Date,
    Text,
    /// The type of a field.
    Same(Shape),
    /// A list of the type of a field.
    ListOf(Shape),
}

/// Judges the field of a key.
#[track_caller]
pub(in crate::checks) const fn enforce_key(field: &FieldDefinition, key: &KeyDefinition, source: &Source) {
    match key.form {
        KeyForm::Value => judge(field, Needed::Same(source.shape), source.optional),
        KeyForm::LowerCase => judge(field, Needed::Text, source.optional),
        // The begin of a day in UTC is the stored form of a day without a time.
        KeyForm::Period { .. } if field.shape.holds_days() && is_day_in_utc(&key.form) => {
            judge(field, Needed::Same(field.shape), source.optional);
        }
        KeyForm::Period { .. } => judge(field, Needed::Date, source.optional),
        KeyForm::Ranges(_) => judge(field, Needed::Same(source.shape), true),
    }
}

/// Judges the field of a value. A mistake in the value itself is reported at the value.
#[track_caller]
pub(in crate::checks) const fn enforce_value<A: Aggregate>(value: &ValueDefinition) {
    enforce_value_of(<A::Source as AggregateSource>::DOCUMENTS, A::FIELDS, &A::AGGREGATE, value);
}

/// Judges the field of a value of a group, as [`enforce_value`] does.
#[track_caller]
pub(in crate::checks) const fn enforce_value_of(
    model: &ModelDefinition,
    fields: &'static [FieldDefinition],
    definition: &AggregateDefinition,
    value: &ValueDefinition,
) {
    let (field, may_be_empty) = (&fields[value.field], definition.keys.is_empty() || definition.fill);
    match value.kind {
        ValueKind::Count(_) | ValueKind::CountDistinct { .. } => judge(field, Needed::Integer, false),
        ValueKind::Sum(of) => {
            if let Some(source) = of_term(model, definition, &of, true) {
                let is_of_field = matches!(of, Term::Field(_)) && same(&field.shape, &source.shape);
                let needed = match number(&source.shape) {
                    // A sum has no more digits behind the point than the values.
                    Needed::Decimal if is_of_field => Needed::Same(source.shape),
                    needed => needed,
                };
                judge(field, needed, false);
            }
        }
        ValueKind::Avg(of) | ValueKind::StdDev(of) => {
            if let Some(source) = of_term(model, definition, &of, true) {
                let is_decimal = matches!(source.shape.kind, Kind::Scalar(Scalar::Decimal128));
                let is_avg = matches!(value.kind, ValueKind::Avg(_));
                let needed = if is_decimal && is_avg { Needed::Decimal } else { Needed::Double };
                judge(field, needed, source.optional || may_be_empty);
            }
        }
        ValueKind::Min(of) | ValueKind::Max(of) => {
            if let Some(source) = of_term(model, definition, &of, false)
                && is_single(&source.shape)
            {
                let needed = if let Term::Field(_) = of { Needed::Same(source.shape) } else { number(&source.shape) };
                judge(field, needed, source.optional || may_be_empty);
            }
        }
        ValueKind::First { path, .. } | ValueKind::Last { path, .. } => {
            if let Some(source) = source::find(model, definition.unwind, path)
                && is_single(&source.shape)
            {
                judge(field, Needed::Same(source.shape), source.optional || may_be_empty);
            }
        }
        ValueKind::Collect { path, .. } => {
            if let Some(source) = source::find(model, definition.unwind, path)
                && is_single(&source.shape)
            {
                let shape = if source.optional { source.shape.nullable() } else { source.shape };
                judge(field, Needed::ListOf(shape), false);
            }
        }
        ValueKind::Any(_) | ValueKind::All(_) => judge(field, Needed::Bool, false),
        ValueKind::Lookup { .. } | ValueKind::Top { .. } => {}
    }
}

/// Judges a field that is read from the document of `target`.
#[track_caller]
pub const fn aggregate_looked_up<A: Aggregate, T: Model>(at: usize) {
    let value = &A::AGGREGATE.values[at];
    if let ValueKind::Lookup { key, path, .. } = value.kind
        && <A::Source as AggregateSource>::DOCUMENTS.whole
        && T::DEFINITION.whole
    {
        aggregate_lookup::enforce_reference(&A::ALL, <A::Source as AggregateSource>::DOCUMENTS, key, T::DEFINITION);
        aggregate_lookup::enforce_target(T::DEFINITION, path);
        if let Some(found) = crate::definition::resolve(T::DEFINITION.fields, path) {
            judge(&A::FIELDS[value.field], Needed::Same(found.shape), true);
        }
    }
}

const fn is_number(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Scalar(scalar) if scalar.is_number())
}

/// Returns whether the shape is a single value.
const fn is_single(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_))
}

const fn number(shape: &Shape) -> Needed {
    match shape.kind {
        Kind::Scalar(Scalar::Integer) => Needed::Integer,
        Kind::Scalar(Scalar::Decimal128) => Needed::Decimal,
        _ => Needed::Double,
    }
}

/// Returns the type of a term; `None` after a mistake in the term.
const fn of_term(
    model: &ModelDefinition,
    definition: &AggregateDefinition,
    of: &Term,
    numbers: bool,
) -> Option<Source> {
    match of {
        Term::Field(path) => match source::find(model, definition.unwind, path) {
            Some(source) if !numbers || is_number(&source.shape) => Some(source),
            _ => None,
        },
        Term::Number(Literal::Integer(_)) => Some(Source { shape: Shape::scalar(Scalar::Integer), optional: false }),
        Term::Number(_) => Some(Source { shape: Shape::scalar(Scalar::Double), optional: false }),
        Term::Or(first, second) => {
            match (of_term(model, definition, first, true), of_term(model, definition, second, true)) {
                (Some(one), Some(other)) => {
                    Some(Source { shape: wider(&one.shape, &other.shape), optional: other.optional })
                }
                _ => None,
            }
        }
        Term::Operation(operation, left, right) => {
            match (of_term(model, definition, left, true), of_term(model, definition, right, true)) {
                (Some(one), Some(other)) => {
                    let shape = wider(&one.shape, &other.shape);
                    let is_divided = matches!(operation, crate::definition::Operation::Divide);
                    let is_integer = matches!(shape.kind, Kind::Scalar(Scalar::Integer));
                    let shape = if is_divided && is_integer { Shape::scalar(Scalar::Double) } else { shape };
                    Some(Source { shape, optional: false })
                }
                _ => None,
            }
        }
    }
}

/// Returns the type of an operation on two numbers.
const fn wider(one: &Shape, other: &Shape) -> Shape {
    match (one.kind, other.kind) {
        (Kind::Scalar(Scalar::Decimal128), _) | (_, Kind::Scalar(Scalar::Decimal128)) => {
            Shape::scalar(Scalar::Decimal128)
        }
        (Kind::Scalar(Scalar::Integer), Kind::Scalar(Scalar::Integer)) => Shape::scalar(Scalar::Integer),
        _ => Shape::scalar(Scalar::Double),
    }
}

/// Judges the type of the values of a facet.
#[track_caller]
pub(in crate::checks) const fn enforce_counted(field: &FieldDefinition, source: Shape, may_be_null: bool) {
    judge(field, Needed::Same(source), may_be_null);
}

/// Compares the type of a field of the result with the needed type.
#[track_caller]
const fn judge(field: &FieldDefinition, needed: Needed, may_be_null: bool) {
    let shape = &field.shape;
    let fits = match needed {
        Needed::Integer => matches!(shape.integer, Some(integer) if integer.least == i64::MIN),
        Needed::Double => matches!(shape.kind, Kind::Scalar(Scalar::Double)),
        Needed::Decimal => matches!(shape.kind, Kind::Scalar(Scalar::Decimal128)),
        Needed::Bool => matches!(shape.kind, Kind::Scalar(Scalar::Bool)),
        Needed::Date => matches!(shape.kind, Kind::Scalar(Scalar::DateTime)),
        Needed::Text => matches!(shape.kind, Kind::String { .. }),
        Needed::Same(source) => same_type(shape, &source),
        Needed::ListOf(source) => match shape.kind {
            Kind::Array { items, .. } => same_type(items, &source) && items.nullable == source.nullable,
            _ => false,
        },
    };
    let name = name(needed);
    if let Some(narrow) = narrower(shape, needed)
        && fits
    {
        refuse! {
            "`{}` has the type `{}`, which does not hold each value of the groups", field.rust_name, narrow;
            help: "{}", match needed {
                Needed::Same(_) | Needed::ListOf(_) => text!("give the field the type of the field of the documents"),
                _ => text!("make the field {}{}", if may_be_null { "an `Option` of " } else { "" }, name.as_str()),
            }.as_str()
        }
    }
    if !fits {
        refuse! {
            "`{}` is {}, and the value is {}", field.rust_name, found(shape), name.as_str();
            help: "make the field {}{}", if may_be_null { "an `Option` of " } else { "" }, name.as_str()
        }
    }
    if may_be_null && !shape.nullable {
        refuse! {
            "`{}` is never null, and a group may have no value", field.rust_name;
            help: "make the field an `Option`"
        }
    }
    if shape.nullable && matches!(needed, Needed::Bool | Needed::ListOf(_) | Needed::Integer) && !may_be_null {
        refuse! {
            "`{}` is an `Option`, and each group has a value", field.rust_name;
            help: "write the type without `Option`"
        }
    }
}

/// Returns the type of a field of the result, where the type cannot hold each value.
const fn narrower(shape: &Shape, needed: Needed) -> Option<&'static str> {
    match (needed, shape.kind) {
        (Needed::Same(source), _) => shape.narrower_than(&source),
        (Needed::ListOf(source), Kind::Array { items, .. }) => items.narrower_than(&source),
        (Needed::Decimal | Needed::Date | Needed::Text, _) => shape.narrower_than(&Shape::opaque(0)),
        _ => None,
    }
}

/// Returns whether the begin of each period is a midnight in UTC.
const fn is_day_in_utc(form: &KeyForm) -> bool {
    matches!(form, KeyForm::Period { zone: Some(zone), unit, .. } if str_eq(zone, "UTC") && !is_below_day(unit))
}

/// Returns whether a day has several periods.
pub(in crate::checks) const fn is_below_day(unit: &str) -> bool {
    str_eq(unit, "hour") || str_eq(unit, "minute") || str_eq(unit, "second")
}

/// Describes the type of a field of the result.
const fn found(shape: &Shape) -> &'static str {
    match (shape.kind, shape.integer) {
        (Kind::Scalar(Scalar::Integer), Some(integer)) if integer.least > i64::MIN => {
            "an integer of fewer bits or without a sign"
        }
        _ => kind(shape),
    }
}

const fn name(needed: Needed) -> Text {
    match needed {
        Needed::Integer => text!("an `i64`"),
        Needed::Double => text!("an `f64`"),
        Needed::Decimal => text!("a `Decimal128`"),
        Needed::Bool => text!("a `bool`"),
        Needed::Date => text!("a `DateTime`"),
        Needed::Text => text!("a `String`"),
        Needed::Same(source) => match source.integer {
            Some(integer) => text!("a value of the type `{}`", integer.name),
            None => text!("{}", kind(&source)),
        },
        Needed::ListOf(source) if source.nullable => text!("a `Vec` of `Option`s of the type of the field"),
        Needed::ListOf(_) => text!("a `Vec` of the type of the field"),
    }
}

/// Returns whether a field of one shape reads each value of the other shape.
pub(in crate::checks) const fn same(view: &Shape, source: &Shape) -> bool {
    same_type(view, source) && view.narrower_than(source).is_none()
}

/// Returns whether two shapes have the same type of BSON, and hold the same numbers.
const fn same_type(view: &Shape, source: &Shape) -> bool {
    match (view.kind, source.kind) {
        (Kind::Scalar(Scalar::Double), Kind::Scalar(Scalar::Single)) => true,
        (Kind::Scalar(one), Kind::Scalar(other)) => match (view.integer, source.integer) {
            (Some(one), Some(other)) => one.has_room_for(&other),
            _ => one as u8 == other as u8,
        },
        (Kind::String { .. }, Kind::String { .. }) => true,
        (Kind::Enum(one), Kind::Enum(other)) => is_path(one, other),
        _ => false,
    }
}
