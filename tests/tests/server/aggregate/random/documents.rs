//! Random documents, the fields of the documents, and the indexes beside the documents.

use std::{cmp::Ordering, collections::BTreeMap};

use fastrand::Rng;
use mongodb::bson::{Bson, DateTime, Decimal128, Document, doc};
use rust_decimal::Decimal;
use schema_runtime::definition::{FieldDefinition, IndexDefinition, IndexKey, Kind, ModelDefinition, Scalar, Shape};

/// A value of a field.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Double(f64),
    Decimal(Decimal),
    Text(String),
    Date(i64),
}

/// The values of a document, or of a document with one of its elements, by the path in the names of Rust. An absent
/// field has no value or null.
pub(super) type Row = BTreeMap<String, Value>;

/// A field that holds one value of each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) path: &'static [&'static str],
    pub(super) scalar: Type,
    pub(super) optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Integer,
    Double,
    Decimal,
    Text,
    Date,
}

impl Type {
    pub(super) fn is_number(self) -> bool {
        matches!(self, Type::Integer | Type::Double | Type::Decimal)
    }

    pub(super) fn shape(self, optional: bool) -> Shape {
        let shape = match self {
            Type::Bool => Shape::scalar(Scalar::Bool),
            Type::Integer => Shape::scalar(Scalar::Integer),
            Type::Double => Shape::scalar(Scalar::Double),
            Type::Decimal => Shape::scalar(Scalar::Decimal128),
            Type::Text => Shape::new(Kind::String { max_len: None }),
            Type::Date => Shape::scalar(Scalar::DateTime),
        };
        if optional { shape.nullable() } else { shape }
    }
}

const STRING: Shape = Shape::new(Kind::String { max_len: None });
const INTEGER: Shape = Shape::scalar(Scalar::Integer);
const INNER: Shape = Shape::new(Kind::Document {
    name: "Inner",
    fields: &[FieldDefinition::new("no", "No", INTEGER.nullable()), FieldDefinition::new("code", "code", STRING)],
    judged: true,
    copies: &[],
});
const LINE: Shape = Shape::new(Kind::Document {
    name: "Line",
    fields: &[
        FieldDefinition::new("sku", "sku", STRING),
        FieldDefinition::new("count", "n", INTEGER),
        FieldDefinition::new("part", "part", Shape::scalar(Scalar::Double).nullable()),
    ],
    judged: true,
    copies: &[],
});

/// The fields of the documents; some have another name in the database.
pub(super) const THING: &ModelDefinition = &ModelDefinition {
    collection: "things",
    fields: &[
        FieldDefinition::new("id", "_id", INTEGER),
        FieldDefinition::new("kind", "kind", STRING),
        FieldDefinition::new("city", "town", STRING.nullable()),
        FieldDefinition::new("quantity", "qty", INTEGER),
        FieldDefinition::new("discount", "discount", INTEGER.nullable()),
        FieldDefinition::new("rate", "rate", Shape::scalar(Scalar::Double)),
        FieldDefinition::new("share", "share", Shape::scalar(Scalar::Double).nullable()),
        FieldDefinition::new("price", "price", Shape::scalar(Scalar::Decimal128)),
        FieldDefinition::new("on", "on", Shape::scalar(Scalar::Bool)),
        FieldDefinition::new("placed", "placed", Shape::scalar(Scalar::DateTime)),
        FieldDefinition::new("seen", "seen", Shape::scalar(Scalar::DateTime).nullable()),
        FieldDefinition::new("inner", "inner", INNER),
        FieldDefinition::new("lines", "lines", Shape::new(Kind::Array { items: &LINE, min: 0, max: Some(4) })),
        FieldDefinition::new("marks", "marks", Shape::new(Kind::Array { items: &INTEGER, min: 0, max: Some(4) })),
    ],
    // The first documents of a group by `kind`, in the order of `quantity`, are read from this index.
    all_indexes: &[IndexDefinition::new(&[
        IndexKey::asc(&["kind"]),
        IndexKey::desc(&["quantity"]),
        IndexKey::desc(&["id"]),
    ])],
    whole: true,
    ..ModelDefinition::broken("Thing")
};

const fn column(path: &'static [&'static str], scalar: Type, optional: bool) -> Column {
    Column { path, scalar, optional }
}

/// The fields of a document outside of the arrays.
const COLUMNS: [Column; 13] = [
    column(&["id"], Type::Integer, false),
    column(&["kind"], Type::Text, false),
    column(&["city"], Type::Text, true),
    column(&["quantity"], Type::Integer, false),
    column(&["discount"], Type::Integer, true),
    column(&["rate"], Type::Double, false),
    column(&["share"], Type::Double, true),
    column(&["price"], Type::Decimal, false),
    column(&["on"], Type::Bool, false),
    column(&["placed"], Type::Date, false),
    column(&["seen"], Type::Date, true),
    column(&["inner", "no"], Type::Integer, true),
    column(&["inner", "code"], Type::Text, false),
];
const OF_LINES: [Column; 3] = [
    column(&["lines", "sku"], Type::Text, false),
    column(&["lines", "count"], Type::Integer, false),
    column(&["lines", "part"], Type::Double, true),
];
const OF_MARKS: [Column; 1] = [column(&["marks"], Type::Integer, false)];

/// An array of the documents.
#[derive(Clone, Copy, Debug)]
pub(super) enum Array {
    Lines,
    Marks,
}

impl Array {
    pub(super) fn path(self) -> &'static [&'static [&'static str]] {
        match self {
            Array::Lines => &[&["lines"]],
            Array::Marks => &[&["marks"]],
        }
    }
}

/// Returns the fields with one value in each document, or in each element of the array.
pub(super) fn columns(unwind: Option<Array>) -> Vec<Column> {
    let mut columns = COLUMNS.to_vec();
    match unwind {
        None => {}
        Some(Array::Lines) => columns.extend(OF_LINES),
        Some(Array::Marks) => columns.extend(OF_MARKS),
    }
    columns
}

/// A document, with the elements of the arrays.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    row: Row,
    lines: Vec<Row>,
    marks: Vec<Value>,
}

/// The changes of the clocks of three zones, in seconds since 1970.
const CHANGES: [i64; 5] = [1_540_688_400, 1_616_893_200, 1_541_311_200, 1_541_300_400, 1_604_214_000];

fn date(rng: &mut Rng) -> Value {
    let near = CHANGES[rng.usize(0..CHANGES.len())] + 900 * rng.i64(-40..40);
    Value::Date(1_000 * if rng.u8(0..4) == 0 { near + 86_400 * rng.i64(-40..40) } else { near })
}

/// Returns a multiple of an eighth: sums of eighths are exact.
fn eighths(rng: &mut Rng) -> f64 {
    if rng.u8(0..20) == 0 { f64::NAN } else { f64::from(rng.i32(-40..80)) / 8.0 }
}

fn one_of(rng: &mut Rng, texts: &[&str]) -> Value {
    Value::Text(texts[rng.usize(0..texts.len())].to_owned())
}

/// Returns a random document. Each field has few values, so that a group has several documents.
pub(super) fn thing(id: i64, rng: &mut Rng) -> Thing {
    let maybe = |rng: &mut Rng, value: Value| if rng.u8(0..3) == 0 { Value::Null } else { value };
    let mut row = Row::new();
    let mut set = |path: &str, value| drop(row.insert(path.to_owned(), value));
    set("id", Value::Integer(id));
    set("kind", one_of(rng, &["a", "b", "c"]));
    let city = one_of(rng, &["", "Oslo", "OSLO", "Østby", "$qty"]);
    set("city", maybe(rng, city));
    set("quantity", Value::Integer(rng.i64(-3..9)));
    let discount = Value::Integer(rng.i64(-2..3));
    set("discount", maybe(rng, discount));
    set("rate", Value::Double(eighths(rng)));
    let share = Value::Double(eighths(rng));
    set("share", maybe(rng, share));
    set("price", Value::Decimal(Decimal::new(rng.i64(-300..900), rng.u32(1..3))));
    set("on", Value::Bool(rng.bool()));
    set("placed", date(rng));
    let seen = date(rng);
    set("seen", maybe(rng, seen));
    let no = Value::Integer(rng.i64(0..4));
    set("inner.no", maybe(rng, no));
    set("inner.code", one_of(rng, &["x", "y"]));
    let line = |rng: &mut Rng| {
        let part = Value::Double(eighths(rng));
        let part = maybe(rng, part);
        let values = [("lines.sku", one_of(rng, &["bolt", "nut"])), ("lines.count", Value::Integer(rng.i64(0..5)))];
        values.into_iter().chain([("lines.part", part)]).map(|(path, value)| (path.to_owned(), value)).collect()
    };
    let lines = (0..rng.usize(0..4)).map(|_| line(rng)).collect();
    let marks = (0..rng.usize(0..4)).map(|_| Value::Integer(rng.i64(0..4))).collect();
    Thing { row, lines, marks }
}

impl Thing {
    /// Returns the document, or the document with each element of the array.
    pub(super) fn rows(&self, unwind: Option<Array>) -> Vec<Row> {
        let with = |more: Row| self.row.clone().into_iter().chain(more).collect();
        match unwind {
            None => vec![self.row.clone()],
            Some(Array::Lines) => self.lines.iter().cloned().map(with).collect(),
            Some(Array::Marks) => {
                let mark = |mark: &Value| Row::from([("marks".to_owned(), mark.clone())]);
                self.marks.iter().map(|value| with(mark(value))).collect()
            }
        }
    }

    /// Returns the stored document. Some of the nulls are absent, and an integer is an `int` or a `long`.
    pub(super) fn stored(&self, rng: &mut Rng) -> Document {
        let mut document = Document::new();
        let mut inner = Document::new();
        for (path, value) in &self.row {
            if matches!(value, Value::Null) && rng.bool() {
                continue;
            }
            match path.as_str() {
                "inner.no" => inner.insert("No", value.stored(rng)),
                "inner.code" => inner.insert("code", value.stored(rng)),
                "id" => document.insert("_id", value.stored(rng)),
                "city" => document.insert("town", value.stored(rng)),
                "quantity" => document.insert("qty", value.stored(rng)),
                path => document.insert(path, value.stored(rng)),
            };
        }
        document.insert("inner", inner);
        let line = |line: &Row, rng: &mut Rng| {
            let mut stored = doc! { "sku": line["lines.sku"].stored(rng), "n": line["lines.count"].stored(rng) };
            if !matches!(line["lines.part"], Value::Null) || rng.bool() {
                stored.insert("part", line["lines.part"].stored(rng));
            }
            stored
        };
        document.insert("lines", self.lines.iter().map(|row| line(row, rng)).collect::<Vec<_>>());
        document.insert("marks", self.marks.iter().map(|mark| mark.stored(rng)).collect::<Vec<_>>());
        document
    }
}

impl Value {
    fn stored(&self, rng: &mut Rng) -> Bson {
        match self {
            Value::Null => Bson::Null,
            Value::Bool(value) => Bson::Boolean(*value),
            Value::Integer(value) if rng.bool() => Bson::Int32(*value as i32),
            Value::Integer(value) => Bson::Int64(*value),
            Value::Double(value) => Bson::Double(*value),
            Value::Decimal(value) => Bson::Decimal128(value.to_string().parse::<Decimal128>().expect("a decimal")),
            Value::Text(value) => Bson::String(value.clone()),
            Value::Date(millis) => Bson::DateTime(DateTime::from_millis(*millis)),
        }
    }

    /// Compares two values as the server: null is less than each number, and NaN is the least number.
    pub(super) fn compare(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
            (Value::Text(left), Value::Text(right)) => left.as_bytes().cmp(right.as_bytes()),
            (Value::Date(left), Value::Date(right)) => left.cmp(right),
            (left, right) if left.rank() != right.rank() => left.rank().cmp(&right.rank()),
            (left, right) => match (left.exact(), right.exact()) {
                (Some(left), Some(right)) => left.cmp(&right),
                (left, right) => left.is_some().cmp(&right.is_some()),
            },
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Integer(_) | Value::Double(_) | Value::Decimal(_) => 1,
            Value::Text(_) => 2,
            Value::Bool(_) => 3,
            Value::Date(_) => 4,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns a number without loss; `None` for NaN and for null.
    pub(super) fn exact(&self) -> Option<Decimal> {
        match self {
            Value::Integer(value) => Some(Decimal::from(*value)),
            Value::Double(value) if value.is_nan() => None,
            Value::Double(value) => Some(Decimal::from_f64_retain(*value).expect("a small number")),
            Value::Decimal(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns a number as a float; NaN for a value that is no number.
    pub(super) fn number(&self) -> f64 {
        match self {
            Value::Integer(value) => *value as f64,
            Value::Double(value) => *value,
            Value::Decimal(value) => value.to_string().parse().expect("a number"),
            _ => f64::NAN,
        }
    }
}

/// Returns indexes beside the documents, of each kind. A group may not read an index that leaves documents out.
pub(super) fn indexes(rng: &mut Rng) -> Vec<Document> {
    let keys = [
        doc! { "kind": 1 },
        doc! { "kind": 1, "qty": -1, "_id": -1 },
        doc! { "town": 1 },
        doc! { "town": 1, "kind": -1 },
        doc! { "qty": -1 },
        doc! { "price": 1 },
        doc! { "on": 1, "rate": 1 },
        doc! { "placed": 1 },
        doc! { "inner.No": 1, "kind": 1 },
        doc! { "lines.sku": 1 },
        doc! { "marks": 1 },
        doc! { "kind": "hashed" },
        doc! { "town": "hashed", "qty": 1 },
        doc! { "$**": 1 },
        doc! { "inner.$**": 1 },
        doc! { "inner.code": "text" },
    ];
    let options = [
        doc! {},
        doc! { "sparse": true },
        doc! { "partialFilterExpression": { "qty": { "$gt": 2 } } },
        doc! { "partialFilterExpression": { "town": "Oslo", "kind": { "$exists": true } } },
        doc! { "hidden": true },
        doc! { "collation": { "locale": "en", "strength": 2 } },
    ];
    let mut indexes = Vec::new();
    for at in 0..rng.usize(0..4) {
        let keys = &keys[rng.usize(0..keys.len())];
        let mut index = doc! { "key": keys.clone(), "name": format!("beside{at}") };
        let is_plain =
            keys.values().all(|kind| matches!(kind, Bson::Int32(_))) && !keys.keys().any(|key| key.contains('$'));
        if is_plain {
            index.extend(options[rng.usize(0..options.len())].clone());
        }
        indexes.push(index);
    }
    indexes
}
