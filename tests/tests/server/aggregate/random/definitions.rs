//! Random definitions of aggregations, with the combinations that the rules accept. A definition lives as long as the
//! process.

use std::cell::Cell;

use fastrand::Rng;
use schema_runtime::definition::{
    AggregateDefinition, FieldDefinition, Groups, IndexKey, KeyDefinition, KeyForm, Literal, ModelDefinition,
    Operation, Term, Test, TestOperator, ValueDefinition, ValueKind,
};

use super::documents::{Array, Column, THING, Type, columns};

/// A random aggregation of documents, or of the groups of another aggregation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) unwind: Option<Array>,
    pub(super) inner: Option<Level>,
    pub(super) level: Level,
}

/// The groups of one aggregation, and the type of each field of the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) groups: &'static Groups,
    pub(super) columns: &'static [Column],
}

thread_local! {
    /// The fields of the inner groups. A definition names the documents by a function.
    static INNER: Cell<&'static ModelDefinition> = const { Cell::new(THING) };
}

/// The names of the fields of a result.
const NAMES: [&[&str]; 10] = [&["f0"], &["f1"], &["f2"], &["f3"], &["f4"], &["f5"], &["f6"], &["f7"], &["f8"], &["f9"]];

impl Case {
    /// Generates an aggregation; one of four is of the groups of another aggregation.
    pub(super) fn random(rng: &mut Rng) -> Case {
        let unwind = [None, None, Some(Array::Lines), Some(Array::Marks)][rng.usize(0..4)];
        let inner = (rng.u8(0..4) == 0).then(|| Level::random(rng, &columns(unwind), unwind, None, true));
        let level = match inner {
            Some(inner) => Level::random(rng, inner.columns, None, Some(inner.groups), false),
            None => Level::random(rng, &columns(unwind), unwind, None, false),
        };
        Case { unwind, inner, level }
    }

    /// Makes the definition the definition of this thread.
    pub(super) fn choose(&self) -> &'static Groups {
        let fields = self
            .inner
            .map_or(THING, |inner| Box::leak(Box::new(ModelDefinition::of_groups("Inner", inner.groups.fields, true))));
        INNER.set(fields);
        self.level.groups
    }
}

impl Level {
    /// Generates groups of rows with these columns. The values of `exact` groups depend on no order of the documents.
    fn random(
        rng: &mut Rng,
        columns: &[Column],
        unwind: Option<Array>,
        of: Option<&'static Groups>,
        exact: bool,
    ) -> Level {
        let mut random = Random { rng, columns };
        let mut keys = Vec::new();
        let mut results: Vec<Column> = Vec::new();
        let mut add = |scalar, optional| {
            let path = NAMES[results.len()];
            results.push(Column { path, scalar, optional });
            results.len() - 1
        };
        for _ in 0..random.rng.usize(if exact { 1 } else { 0 }..4) {
            let (column, form, optional) = random.key();
            keys.push(KeyDefinition { field: add(column.scalar, optional), path: column.path, form });
        }
        let is_alone = keys.is_empty();
        let mut values = Vec::new();
        for _ in 0..random.rng.usize(1..6) {
            let (kind, scalar, optional) = random.value(exact, unwind.is_some(), of);
            values.push(ValueDefinition { field: add(scalar, optional || is_alone), kind });
        }
        let fields: Vec<FieldDefinition> = results
            .iter()
            .map(|column| FieldDefinition::new(column.path[0], column.path[0], column.scalar.shape(column.optional)))
            .collect();
        let unwind = unwind.map_or(&[][..], Array::path);
        let groups = Groups {
            result: "Result",
            documents: if of.is_some() { of_groups } else { of_model },
            of,
            fields: fields.leak(),
            definition: AggregateDefinition::new(unwind, keys.leak(), values.leak()),
        };
        Level { groups: Box::leak(Box::new(groups)), columns: results.leak() }
    }
}

fn of_model() -> &'static ModelDefinition {
    THING
}

fn of_groups() -> &'static ModelDefinition {
    INNER.get()
}

struct Random<'a> {
    rng: &'a mut Rng,
    columns: &'a [Column],
}

impl Random<'_> {
    /// Chooses a column; `None` when no column fits.
    fn column(&mut self, fits: impl Fn(&Column) -> bool) -> Option<Column> {
        let fitting: Vec<&Column> = self.columns.iter().filter(|column| fits(column)).collect();
        (!fitting.is_empty()).then(|| *fitting[self.rng.usize(0..fitting.len())])
    }

    /// Generates a key, and says whether the key may be null.
    fn key(&mut self) -> (Column, KeyForm, bool) {
        loop {
            let form = self.rng.u8(0..6);
            let fits = |column: &Column| match form {
                0..3 => column.scalar != Type::Double && column.path != ["id"],
                3 => column.scalar == Type::Text,
                4 => column.scalar == Type::Date,
                _ => column.scalar.is_number(),
            };
            let Some(column) = self.column(fits) else { continue };
            let form = match form {
                0..3 => KeyForm::Value,
                3 => KeyForm::LowerCase,
                4 => self.period(),
                _ => KeyForm::Ranges(self.limits(column.scalar)),
            };
            let optional = column.optional || matches!(form, KeyForm::Ranges(_));
            return (column, form, optional);
        }
    }

    fn period(&mut self) -> KeyForm {
        const UNITS: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
        const ZONES: [Option<&str>; 6] = [
            None,
            Some("UTC"),
            Some("Europe/Oslo"),
            Some("America/New_York"),
            Some("America/Sao_Paulo"),
            Some("+05:30"),
        ];
        KeyForm::Period {
            unit: UNITS[self.rng.usize(0..UNITS.len())],
            zone: ZONES[self.rng.usize(0..ZONES.len())],
            start_of_week: ["monday", "sunday"][self.rng.usize(0..2)],
        }
    }

    fn limits(&mut self, scalar: Type) -> &'static [Literal] {
        let mut limits: Vec<i64> = (0..self.rng.usize(1..4)).map(|_| self.rng.i64(-4..12)).collect();
        limits.sort_unstable();
        limits.dedup();
        let half = scalar != Type::Integer && self.rng.bool();
        let literal = |limit: i64| {
            if half { Literal::Double(limit as f64 + 0.5) } else { Literal::Integer(limit) }
        };
        limits.into_iter().map(literal).collect::<Vec<_>>().leak()
    }

    /// Generates a value, with the type, and says whether the value may be null in a group of documents.
    fn value(&mut self, exact: bool, is_unwound: bool, of: Option<&'static Groups>) -> (ValueKind, Type, bool) {
        loop {
            let found = match self.rng.u8(0..if exact { 8 } else { 14 }) {
                0 => Some((ValueKind::Count(None), Type::Integer, false)),
                1 => self.test(2).map(|test| (ValueKind::Count(Some(test)), Type::Integer, false)),
                2 => self.term(2).map(|(term, scalar, _)| (ValueKind::Sum(term), scalar, false)),
                3 => self.comparable().map(|(term, scalar, optional)| (ValueKind::Min(term), scalar, optional)),
                4 => self.comparable().map(|(term, scalar, optional)| (ValueKind::Max(term), scalar, optional)),
                5 => self.test(1).map(|test| (ValueKind::Any(test), Type::Bool, false)),
                6 => self.test(1).map(|test| (ValueKind::All(test), Type::Bool, false)),
                7 => self.column(|_| true).map(|column| {
                    let max = self.rng.u64(1..5);
                    (ValueKind::CountDistinct { path: column.path, max }, Type::Integer, false)
                }),
                8 => self.term(2).map(|(term, scalar, optional)| (ValueKind::Avg(term), scalar, optional)),
                9 => self.term(1).map(|(term, _, optional)| (ValueKind::StdDev(term), Type::Double, optional)),
                10 => self.column(|_| true).map(|column| {
                    let max = self.rng.u64(1..5);
                    (ValueKind::Collect { path: column.path, max }, column.scalar, true)
                }),
                11 if !is_unwound => self.top(of),
                at => self.column(|_| true).map(|column| {
                    let (path, order) = (column.path, self.order());
                    let kind =
                        if at == 12 { ValueKind::First { path, order } } else { ValueKind::Last { path, order } };
                    (kind, column.scalar, column.optional)
                }),
            };
            if let Some(found) = found {
                return found;
            }
        }
    }

    fn top(&mut self, of: Option<&'static Groups>) -> Option<(ValueKind, Type, bool)> {
        let fields = match of {
            Some(of) => of.fields,
            None => const { &[THING.fields[0], THING.fields[2], THING.fields[5], THING.fields[7]] },
        };
        let most = [1, 1, 2, 3][self.rng.usize(0..4)];
        Some((ValueKind::Top { most, order: self.order(), fields }, Type::Integer, true))
    }

    /// Generates an order. Half of the orders of documents are the order of the index.
    fn order(&mut self) -> &'static [IndexKey] {
        let has_index = self.columns.iter().any(|column| column.path == ["quantity"]);
        if has_index && self.rng.bool() {
            return if self.rng.bool() {
                const { &[IndexKey::desc(&["quantity"])] }
            } else {
                const { &[IndexKey::asc(&["quantity"])] }
            };
        }
        let mut keys: Vec<IndexKey> = Vec::new();
        for _ in 0..self.rng.usize(1..3) {
            let column = self.columns[self.rng.usize(0..self.columns.len())];
            if keys.iter().all(|key| key.path != column.path) {
                let is_ascending = self.rng.bool();
                keys.push(if is_ascending { IndexKey::asc(column.path) } else { IndexKey::desc(column.path) });
            }
        }
        keys.leak()
    }

    /// Generates a value with a least and a greatest value: a field, or a term.
    fn comparable(&mut self) -> Option<(Term, Type, bool)> {
        if self.rng.bool() {
            return self.column(|_| true).map(|column| (Term::Field(column.path), column.scalar, column.optional));
        }
        self.term(2)
    }

    /// Generates a number. An operand of an operation has a value in each row. A decimal stands beside integers alone.
    fn term(&mut self, depth: u8) -> Option<(Term, Type, bool)> {
        if depth == 0 || self.rng.u8(0..3) == 0 {
            let column = self.column(|column| column.scalar.is_number())?;
            let field = Term::Field(column.path);
            if !column.optional || self.rng.bool() {
                return Some((field, column.scalar, column.optional));
            }
            return Some((Term::Or(leak(field), leak(self.number())), column.scalar, false));
        }
        let (left, left_type, _) = self.operand(depth - 1)?;
        let (right, right_type) = match self.rng.bool() {
            true => self.operand(depth - 1).map(|(term, scalar, _)| (term, scalar))?,
            false => (self.number(), Type::Integer),
        };
        let scalar = match (left_type, right_type) {
            (Type::Decimal, Type::Double) | (Type::Double, Type::Decimal) => return None,
            (Type::Decimal, _) | (_, Type::Decimal) => Type::Decimal,
            (Type::Double, _) | (_, Type::Double) => Type::Double,
            _ => Type::Integer,
        };
        if self.rng.u8(0..4) == 0 {
            let divisor = Term::Number(Literal::Integer([2, 4, -8][self.rng.usize(0..3)]));
            let scalar = if left_type == Type::Integer { Type::Double } else { left_type };
            return Some((Term::Operation(Operation::Divide, leak(left), leak(divisor)), scalar, false));
        }
        let operation = [Operation::Add, Operation::Subtract, Operation::Multiply][self.rng.usize(0..3)];
        Some((Term::Operation(operation, leak(left), leak(right)), scalar, false))
    }

    /// Generates a number that is never null.
    fn operand(&mut self, depth: u8) -> Option<(Term, Type, bool)> {
        let (term, scalar, optional) = self.term(depth)?;
        let term = if optional { Term::Or(leak(term), leak(self.number())) } else { term };
        Some((term, scalar, false))
    }

    fn number(&mut self) -> Term {
        Term::Number(Literal::Integer(self.rng.i64(-3..4)))
    }

    fn test(&mut self, depth: u8) -> Option<Test> {
        if depth > 0 && self.rng.bool() {
            let tests: Vec<Test> = [self.test(depth - 1)?, self.test(depth - 1)?].into();
            return Some(match self.rng.u8(0..3) {
                0 => Test::Every(tests.leak()),
                1 => Test::Some(tests.leak()),
                _ => Test::Not(tests.leak().first()?),
            });
        }
        let column = self.column(|column| column.scalar != Type::Date)?;
        if column.optional && self.rng.bool() {
            return Some(Test::IsNull(column.path));
        }
        let value = match column.scalar {
            Type::Bool => Literal::Bool(self.rng.bool()),
            Type::Text => Literal::String(["", "a", "Oslo", "bolt", "$qty"][self.rng.usize(0..5)]),
            Type::Integer => Literal::Integer(self.rng.i64(-2..8)),
            _ => Literal::Double(f64::from(self.rng.i32(-8..40)) / 8.0),
        };
        use TestOperator::*;
        let operator = [Eq, Ne, Gt, Gte, Lt, Lte][self.rng.usize(0..6)];
        Some(Test::Compare { path: column.path, operator, value })
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
