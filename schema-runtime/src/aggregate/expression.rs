//! The terms, the conditions and the keys of an aggregation in the server's words. Pure. Each value is a literal.

use mongodb::bson::{Bson, Decimal128, Document, doc};

use super::period::Period;
use crate::definition::{
    KeyDefinition, KeyForm, Kind, Literal, ModelDefinition, Operation, Scalar, Shape, Term, Test, TestOperator,
};

/// Returns the name of a key or a value inside of the pipeline.
pub(super) fn inner(kind: char, at: usize) -> String {
    format!("{kind}{at}")
}

/// Returns the value of a field as an expression.
pub(super) fn field(model: &ModelDefinition, path: &[&str]) -> Bson {
    Bson::String(format!("${}", model.stored_path(path)))
}

/// Returns the value of a field; null where the field is absent.
pub(super) fn or_null(model: &ModelDefinition, path: &[&str]) -> Bson {
    doc! { "$ifNull": [field(model, path), null] }.into()
}

pub(super) fn term(model: &ModelDefinition, of: &Term) -> Bson {
    match of {
        Term::Field(path) => field(model, path),
        Term::Number(number) => doc! { "$literal": Bson::from(*number) }.into(),
        Term::Or(first, second) => doc! { "$ifNull": [term(model, first), term(model, second)] }.into(),
        Term::Operation(operation, left, right) => {
            let name = match operation {
                Operation::Add => "$add",
                Operation::Subtract => "$subtract",
                Operation::Multiply => "$multiply",
                Operation::Divide => "$divide",
            };
            doc! { name: [term(model, left), term(model, right)] }.into()
        }
    }
}

pub(super) fn test(model: &ModelDefinition, of: &Test) -> Bson {
    match of {
        Test::Compare { path, operator, value } => compare(model, path, *operator, *value),
        Test::IsNull(path) => doc! { "$eq": [or_null(model, path), null] }.into(),
        Test::Every(tests) => doc! { "$and": each(model, tests) }.into(),
        Test::Some(tests) => doc! { "$or": each(model, tests) }.into(),
        Test::Not(inner) => doc! { "$not": [test(model, inner)] }.into(),
    }
}

fn each(model: &ModelDefinition, tests: &[Test]) -> Vec<Bson> {
    tests.iter().map(|inner| test(model, inner)).collect()
}

/// Returns a comparison. To an expression, null and an absent field are less than each number: a document without a
/// value meets no `lt`.
fn compare(model: &ModelDefinition, path: &[&str], operator: TestOperator, value: Literal) -> Bson {
    let name = match operator {
        TestOperator::Eq => "$eq",
        TestOperator::Ne => "$ne",
        TestOperator::Gt => "$gt",
        TestOperator::Gte => "$gte",
        TestOperator::Lt => "$lt",
        TestOperator::Lte => "$lte",
    };
    let shape = model.resolve(path).map(|found| found.shape);
    let compared = doc! { name: [field(model, path), { "$literal": fitting(value, shape.as_ref()) }] };
    match operator {
        TestOperator::Lt | TestOperator::Lte => {
            doc! { "$and": [{ "$ne": [or_null(model, path), null] }, compared] }.into()
        }
        TestOperator::Eq | TestOperator::Ne | TestOperator::Gt | TestOperator::Gte => compared.into(),
    }
}

/// Returns the expression of a key. Null and an absent field are one group. `zone` is the time zone of the call.
pub(super) fn key(model: &ModelDefinition, key: &KeyDefinition, zone: &str) -> Bson {
    let resolved = model.resolve(key.path);
    let path = match &resolved {
        Some(found) if !found.optional => field(model, key.path),
        _ => or_null(model, key.path),
    };
    match key.form {
        KeyForm::Value => path,
        KeyForm::LowerCase => {
            let is_null = doc! { "$eq": [or_null(model, key.path), null] };
            doc! { "$cond": [is_null, null, { "$toLower": field(model, key.path) }] }.into()
        }
        KeyForm::Period { unit, zone: fixed, start_of_week } => {
            Period { unit, zone: fixed.unwrap_or(zone), start_of_week }.begin(field(model, key.path))
        }
        KeyForm::Ranges(limits) => {
            let shape = resolved.map(|found| found.shape);
            let branch = |limit: &Literal| {
                let limit = doc! { "$literal": fitting(*limit, shape.as_ref()) };
                doc! { "case": { "$gte": [path.clone(), limit.clone()] }, "then": limit }
            };
            let branches: Vec<Document> = limits.iter().rev().map(branch).collect();
            doc! { "$switch": { "branches": branches, "default": null } }.into()
        }
    }
}

/// Returns a value in the stored type of a field.
pub(super) fn fitting(number: Literal, shape: Option<&Shape>) -> Bson {
    // A condition on the elements of an unwound array has the shape of the array.
    if let Some(Kind::Array { items, .. }) = shape.map(|shape| shape.kind) {
        return fitting(number, Some(items));
    }
    let number = Bson::from(number);
    match (shape.map(|shape| shape.kind), &number) {
        // A stored `f32` is the nearest number of 32 bits.
        (Some(Kind::Scalar(Scalar::Single)), Bson::Double(number)) => Bson::Double(f64::from(*number as f32)),
        (Some(Kind::Scalar(Scalar::Double | Scalar::Single)), Bson::Int64(whole)) => Bson::Double(*whole as f64),
        (Some(Kind::Scalar(Scalar::Decimal128)), Bson::Int64(_) | Bson::Double(_)) => {
            number.to_string().parse::<Decimal128>().map_or(number, Bson::Decimal128)
        }
        _ => number,
    }
}
