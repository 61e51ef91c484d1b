//! The groups of random documents, as Rust makes the groups.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use jiff::{Timestamp, ToSpan, Unit, Zoned, ZonedRound, civil::Weekday, tz::TimeZone};
use rust_decimal::Decimal;
use schema_runtime::definition::{
    Direction, Groups, IndexKey, KeyDefinition, KeyForm, Literal, Operation, Term, Test, TestOperator, ValueKind,
};

use super::documents::{Row, Value};

/// The value of a group.
#[derive(Clone, Debug)]
pub(super) enum Expected {
    Exact(Value),
    /// A number to nine digits; `None` for null.
    Near(Option<f64>),
    /// One of the values: the rows have one place of the order.
    OneOf(Vec<Value>),
    /// Some of the values, in any order.
    Some(usize, Vec<Value>),
    /// The rows in order, each with the fields of the projection.
    Rows(Vec<Vec<(&'static str, Value)>>),
}

/// The groups of one aggregation: the values of the keys, and the expected values, by the keys as text.
pub(super) type Grouped = BTreeMap<String, (Vec<Value>, Vec<Expected>)>;

/// The time zones of the server, as rules of the years of the documents.
const ZONES: [(&str, &str); 5] = [
    ("UTC", "UTC0"),
    ("Europe/Oslo", "CET-1CEST,M3.5.0,M10.5.0/3"),
    ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
    // The rule of the year 2018. From 2019 on, the clocks do not change.
    ("America/Sao_Paulo", "<-03>3<-02>,M11.1.0/0,M2.3.0/0"),
    ("+05:30", "IST-5:30"),
];

/// Returns the groups of rows. `inner` holds the keys of the groups that are the rows.
pub(super) fn grouped(groups: &Groups, rows: &[Row], zone: &str, inner: Option<&Groups>) -> Grouped {
    let keys = groups.definition.keys;
    let mut parts: BTreeMap<String, (Vec<Value>, Vec<&Row>)> = BTreeMap::new();
    if keys.is_empty() {
        parts.insert(String::new(), (Vec::new(), Vec::new()));
    }
    for row in rows {
        let values: Vec<Value> = keys.iter().map(|key| key_of(key, row, zone)).collect();
        parts.entry(text(&values)).or_insert_with(|| (values, Vec::new())).1.push(row);
    }
    let values = groups.definition.values;
    let expected = |rows: &[&Row]| values.iter().map(|value| value_of(&value.kind, rows, inner)).collect();
    parts.into_iter().map(|(text, (keys, rows))| (text, (keys, expected(&rows)))).collect()
}

/// Returns the keys of a group as a text. Equal numbers have one text.
pub(super) fn text(keys: &[Value]) -> String {
    keys.iter().map(canonical).collect::<Vec<_>>().join("|")
}

fn canonical(value: &Value) -> String {
    match value.exact() {
        Some(number) => format!("number {}", number.normalize()),
        None => format!("{value:?}"),
    }
}

/// Returns the exact groups as rows for the next aggregation.
pub(super) fn rows_of(groups: &Groups, grouped: &Grouped) -> Vec<Row> {
    let row = |(keys, values): &(Vec<Value>, Vec<Expected>)| {
        let keys = groups.definition.keys.iter().zip(keys).map(|(key, value)| (key.field, value.clone()));
        let values = groups.definition.values.iter().zip(values).map(|(of, value)| match value {
            Expected::Exact(value) => (of.field, value.clone()),
            value => panic!("{value:?} is not exact"),
        });
        keys.chain(values).map(|(field, value)| (groups.fields[field].rust_name.to_owned(), value)).collect()
    };
    grouped.values().map(row).collect()
}

fn at(row: &Row, path: &[&str]) -> Value {
    row.get(&path.join(".")).cloned().unwrap_or(Value::Null)
}

pub(super) fn literal(literal: &Literal) -> Value {
    match literal {
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Integer(value) => Value::Integer(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(value) => Value::Text((*value).to_owned()),
    }
}

fn key_of(key: &KeyDefinition, row: &Row, of_call: &str) -> Value {
    let value = at(row, key.path);
    match (&key.form, &value) {
        (_, Value::Null) | (KeyForm::Value, _) => value.clone(),
        // The server knows the letters of ASCII alone.
        (KeyForm::LowerCase, Value::Text(text)) => Value::Text(text.to_ascii_lowercase()),
        (KeyForm::Period { unit, zone, start_of_week }, Value::Date(millis)) => {
            let first = if *start_of_week == "monday" { Weekday::Monday } else { Weekday::Sunday };
            Value::Date(begin(*millis, unit, zone.unwrap_or(of_call), first))
        }
        (KeyForm::Ranges(limits), _) => {
            let mut limits = limits.iter().map(literal);
            let below = limits.rfind(|limit| limit.compare(&value) != Ordering::Greater);
            below.unwrap_or(Value::Null)
        }
        other => panic!("{other:?}"),
    }
}

fn begin(millis: i64, unit: &str, zone: &str, first: Weekday) -> i64 {
    let timestamp = Timestamp::from_millisecond(millis).expect("a date");
    let mut rule = ZONES.iter().find(|(name, _)| *name == zone).expect("a zone").1;
    let ended: Timestamp = "2019-02-17T02:00:00Z".parse().expect("a date");
    if zone == "America/Sao_Paulo" && timestamp >= ended {
        rule = "<-03>3";
    }
    let zoned = timestamp.to_zoned(TimeZone::posix(rule).expect("a rule"));
    let truncated = |unit| zoned.round(ZonedRound::new().smallest(unit).mode(jiff::RoundMode::Trunc)).expect("a date");
    let month = |month: i8| {
        let date = zoned.date().with().month(month).day(1).build().expect("a date");
        date.to_zoned(zoned.time_zone().clone()).expect("a date")
    };
    let begin: Zoned = match unit {
        "second" => truncated(Unit::Second),
        "minute" => truncated(Unit::Minute),
        "hour" => truncated(Unit::Hour),
        "day" => zoned.start_of_day().expect("a day"),
        "week" => {
            let after = zoned.weekday().since(first);
            let date = zoned.date().checked_sub(i32::from(after).days()).expect("a date");
            date.to_zoned(zoned.time_zone().clone()).expect("a date")
        }
        "month" => month(zoned.month()),
        "quarter" => month((zoned.month() - 1) / 3 * 3 + 1),
        _ => month(1),
    };
    begin.timestamp().as_millisecond()
}

fn value_of(kind: &ValueKind, rows: &[&Row], inner: Option<&Groups>) -> Expected {
    let terms = |of: &Term| rows.iter().map(|row| term(of, row)).filter(|value| !value.is_null()).collect::<Vec<_>>();
    let holds = |of: &Test| rows.iter().filter(|row| test(of, row)).count();
    let exact = Expected::Exact;
    match kind {
        ValueKind::Count(None) => exact(Value::Integer(rows.len() as i64)),
        ValueKind::Count(Some(of)) => exact(Value::Integer(holds(of) as i64)),
        ValueKind::Any(of) => exact(Value::Bool(holds(of) > 0)),
        ValueKind::All(of) => exact(Value::Bool(holds(of) == rows.len())),
        ValueKind::CountDistinct { path, max } => {
            let different: BTreeSet<String> = rows
                .iter()
                .map(|row| at(row, path))
                .filter(|value| !value.is_null())
                .map(|value| canonical(&value))
                .collect();
            exact(Value::Integer((different.len() as i64).min(*max as i64)))
        }
        ValueKind::Sum(of) => exact(sum(&terms(of))),
        ValueKind::Min(of) => exact(terms(of).into_iter().min_by(Value::compare).unwrap_or(Value::Null)),
        ValueKind::Max(of) => exact(terms(of).into_iter().max_by(Value::compare).unwrap_or(Value::Null)),
        ValueKind::Avg(of) => {
            let values = terms(of);
            Expected::Near((!values.is_empty()).then(|| sum(&values).number() / values.len() as f64))
        }
        ValueKind::StdDev(of) => {
            let values: Vec<f64> = terms(of).iter().map(Value::number).collect();
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
            Expected::Near((!values.is_empty()).then_some(deviation))
        }
        ValueKind::Collect { path, max } => {
            Expected::Some(rows.len().min(*max as usize), rows.iter().map(|row| at(row, path)).collect())
        }
        ValueKind::First { path, order } => of_place(rows, order, inner, path, Ordering::Less),
        ValueKind::Last { path, order } => of_place(rows, order, inner, path, Ordering::Greater),
        ValueKind::Top { most, order, fields } => {
            let mut rows = rows.to_vec();
            rows.sort_by(|left, right| in_order(order, inner, left, right));
            let fields = |row: &&Row| fields.iter().map(|field| (field.name, at(row, &[field.rust_name]))).collect();
            Expected::Rows(rows.iter().take(*most as usize).map(fields).collect())
        }
        ValueKind::Lookup { .. } => unreachable!("no definition has a lookup"),
    }
}

/// Returns the values of the rows at the begin or at the end of an order.
fn of_place(rows: &[&Row], order: &[IndexKey], inner: Option<&Groups>, path: &[&str], side: Ordering) -> Expected {
    let is_outer = |row: &&&Row| rows.iter().all(|other| in_order(order, inner, other, row) != side);
    let values: Vec<Value> = rows.iter().filter(is_outer).map(|row| at(row, path)).collect();
    Expected::OneOf(if values.is_empty() { vec![Value::Null] } else { values })
}

/// Compares two rows in an order. Documents with equal keys are in the order of `_id`, in the direction of the last
/// key. Groups with equal keys are in the order of the keys of the groups.
fn in_order(order: &[IndexKey], inner: Option<&Groups>, left: &Row, right: &Row) -> Ordering {
    let is_descending = |key: &IndexKey| key.direction == Direction::Descending;
    let mut keys: Vec<(Vec<&str>, bool)> = order.iter().map(|key| (key.path.to_vec(), is_descending(key))).collect();
    match inner {
        Some(groups) => {
            keys.extend(groups.definition.keys.iter().map(|key| (vec![groups.fields[key.field].rust_name], false)));
        }
        None => keys.push((vec!["id"], order.last().is_some_and(is_descending))),
    }
    let compared = keys.iter().map(|(path, descending)| {
        let compared = at(left, path).compare(&at(right, path));
        if *descending { compared.reverse() } else { compared }
    });
    compared.fold(Ordering::Equal, Ordering::then)
}

fn sum(values: &[Value]) -> Value {
    if values.iter().any(|value| matches!(value, Value::Double(_))) {
        Value::Double(values.iter().map(Value::number).sum())
    } else if values.iter().any(|value| matches!(value, Value::Decimal(_))) {
        Value::Decimal(values.iter().filter_map(Value::exact).sum())
    } else {
        Value::Integer(values.iter().map(|value| value.number() as i64).sum())
    }
}

fn term(of: &Term, row: &Row) -> Value {
    match of {
        Term::Field(path) => at(row, path),
        Term::Number(number) => literal(number),
        Term::Or(first, second) => match term(first, row) {
            Value::Null => term(second, row),
            value => value,
        },
        Term::Operation(operation, left, right) => match (term(left, row), term(right, row)) {
            (Value::Null, _) | (_, Value::Null) => Value::Null,
            (Value::Integer(left), Value::Integer(right)) if *operation != Operation::Divide => {
                Value::Integer(computed(*operation, left, right))
            }
            (left @ Value::Decimal(_), right) | (left, right @ Value::Decimal(_)) => {
                let exact = |value: Value| value.exact().expect("no float stands beside a decimal");
                let (left, right): (Decimal, Decimal) = (exact(left), exact(right));
                Value::Decimal(computed(*operation, left, right))
            }
            (left, right) => Value::Double(computed(*operation, left.number(), right.number())),
        },
    }
}

fn computed<T>(operation: Operation, left: T, right: T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T> + std::ops::Div<Output = T>,
{
    match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide => left / right,
    }
}

fn test(of: &Test, row: &Row) -> bool {
    match of {
        Test::Compare { path, operator, value } => {
            let found = at(row, path);
            let compared = found.compare(&literal(value));
            match operator {
                TestOperator::Eq => compared.is_eq(),
                TestOperator::Ne => compared.is_ne(),
                TestOperator::Gt => compared.is_gt(),
                TestOperator::Gte => compared.is_ge(),
                TestOperator::Lt => !found.is_null() && compared.is_lt(),
                TestOperator::Lte => !found.is_null() && compared.is_le(),
            }
        }
        Test::IsNull(path) => at(row, path).is_null(),
        Test::Every(tests) => tests.iter().all(|of| test(of, row)),
        Test::Some(tests) => tests.iter().any(|of| test(of, row)),
        Test::Not(of) => !test(of, row),
    }
}
