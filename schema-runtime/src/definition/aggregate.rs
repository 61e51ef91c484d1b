//! The result of `#[derive(Aggregate)]`: the keys of the groups, and the values of each group.

use super::{Allow, FieldDefinition, IndexKey, Literal, ModelDefinition, Target, each, str_eq};

/// The groups of one aggregation, as the attributes of the result say.
#[derive(Clone, Copy, Debug)]
pub struct AggregateDefinition {
    /// The arrays whose elements take the place of the documents, each as a path in the names of Rust.
    pub unwind: &'static [&'static [&'static str]],
    /// The keys; without keys all documents are one group.
    pub keys: &'static [KeyDefinition],
    /// The values of each group.
    pub values: &'static [ValueDefinition],
    /// True when a call may add the periods without documents.
    pub fill: bool,
    /// For rows of parents, the numbers of the fields of the result that are fields of the parent.
    pub own: &'static [usize],
    /// For rows of parents, the values of the children, by relation; empty for groups.
    pub children: &'static [ChildrenDefinition],
    /// The rules that this aggregation may break.
    pub allows: &'static [Allow],
}

impl AggregateDefinition {
    /// Creates the definition.
    pub const fn new(
        unwind: &'static [&'static [&'static str]],
        keys: &'static [KeyDefinition],
        values: &'static [ValueDefinition],
    ) -> Self {
        AggregateDefinition { unwind, keys, values, fill: false, own: &[], children: &[], allows: &[] }
    }

    /// Creates the definition of rows of parents.
    pub const fn of_parents(own: &'static [usize], children: &'static [ChildrenDefinition]) -> Self {
        AggregateDefinition { own, children, ..AggregateDefinition::new(&[], &[], &[]) }
    }

    /// True when each row is a parent with values of the children.
    pub const fn is_of_parents(&self) -> bool {
        !self.children.is_empty()
    }

    /// Lets a call add the periods without documents.
    pub const fn filled(self) -> Self {
        AggregateDefinition { fill: true, ..self }
    }

    /// Sets the silenced rules.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        AggregateDefinition { allows, ..self }
    }

    /// True when a key or a value reads this field of the documents, by the field's names in Rust and as stored.
    pub(crate) const fn reads(&self, field: &str, stored: &str) -> bool {
        each!(for key in self.keys {
            if str_eq(key.path[0], field) {
                return true;
            }
        });
        each!(for value in self.values {
            if value.kind.reads(field, stored) {
                return true;
            }
        });
        false
    }
}

/// The values of the children that refer to a parent by one relation.
#[derive(Clone, Copy, Debug)]
pub struct ChildrenDefinition {
    /// The model of the children.
    pub child: Target,
    /// The field of the children that refers to the parent, in Rust.
    pub reference: &'static str,
    /// The values, of the children of one parent.
    pub values: AggregateDefinition,
}

/// The groups of one aggregation, with the documents of the groups.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The struct of the result.
    pub result: &'static str,
    /// The documents: the fields of a model, or the fields of the groups of another aggregation.
    pub documents: fn() -> &'static ModelDefinition,
    /// The other aggregation.
    pub of: Option<&'static Groups>,
    /// The fields of the result.
    pub fields: &'static [FieldDefinition],
    /// The keys and the values.
    pub definition: AggregateDefinition,
}

impl Groups {
    /// True when a key or a value reads this field of the model, by the field's names in Rust and as stored.
    pub(super) const fn reads(&self, field: &str, stored: &str) -> bool {
        each!(for at in self.definition.own {
            if str_eq(self.fields[*at].rust_name, field) {
                return true;
            }
        });
        match self.of {
            Some(of) => of.reads(field, stored),
            None => self.definition.reads(field, stored),
        }
    }
}

impl ModelDefinition {
    /// Creates the definition of the groups of an aggregation, as documents of another aggregation.
    pub const fn of_groups(name: &'static str, fields: &'static [FieldDefinition], whole: bool) -> Self {
        ModelDefinition { fields, whole, ..ModelDefinition::broken(name) }
    }
}

/// A key of the groups.
#[derive(Clone, Copy, Debug)]
pub struct KeyDefinition {
    /// The number of the field of the result.
    pub field: usize,
    /// The path of the field of the model, in the names of Rust.
    pub path: &'static [&'static str],
    /// The value that documents of one group share.
    pub form: KeyForm,
}

/// The value of a key.
#[derive(Clone, Copy, Debug)]
pub enum KeyForm {
    /// The value of the field.
    Value,
    /// The text of the field in lower case: `ignore_case(name)`.
    LowerCase,
    /// The begin of a period of time: `month(placed, tz = "Europe/Oslo")`.
    Period {
        /// The unit, in the words of MongoDB: `month`.
        unit: &'static str,
        /// The time zone: a name of the Olson database, or an offset from UTC. `None` for the time zone of the call.
        zone: Option<&'static str>,
        /// The first day of a week, in the words of MongoDB: `monday`.
        start_of_week: &'static str,
    },
    /// The greatest of these numbers that is not over the value: `ranges(price, [0, 10, 50])`.
    Ranges(&'static [Literal]),
}

/// A value of a group.
#[derive(Clone, Copy, Debug)]
pub struct ValueDefinition {
    /// The number of the field of the result.
    pub field: usize,
    /// The kind of the value.
    pub kind: ValueKind,
}

/// The kind of a value of a group.
#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// The number of documents that meet the condition; of all documents without a condition.
    Count(Option<Test>),
    /// The number of different values of a field.
    CountDistinct {
        /// The path of the field.
        path: &'static [&'static str],
        /// The number at which the count ends.
        max: u64,
    },
    /// The sum.
    Sum(Term),
    /// The average.
    Avg(Term),
    /// The least value.
    Min(Term),
    /// The greatest value.
    Max(Term),
    /// The standard deviation of all values.
    StdDev(Term),
    /// The value of the first document in an order.
    First {
        /// The path of the field.
        path: &'static [&'static str],
        /// The order.
        order: &'static [IndexKey],
    },
    /// The value of the last document in an order.
    Last {
        /// The path of the field.
        path: &'static [&'static str],
        /// The order.
        order: &'static [IndexKey],
    },
    /// The first documents in an order, read into a projection.
    Top {
        /// The most documents.
        most: u64,
        /// The order.
        order: &'static [IndexKey],
        /// The fields of the projection.
        fields: &'static [FieldDefinition],
    },
    /// The values of a field in the order of the server.
    Collect {
        /// The path of the field.
        path: &'static [&'static str],
        /// The most values.
        max: u64,
    },
    /// Whether some document meets the condition.
    Any(Test),
    /// Whether each document meets the condition.
    All(Test),
    /// A field of the document that a key refers to.
    Lookup {
        /// The name of the key, in Rust.
        key: &'static str,
        /// The path of the field, in the names of Rust.
        path: &'static [&'static str],
        /// The model of the document.
        target: Target,
    },
}

impl ValueKind {
    const fn reads(&self, field: &str, stored: &str) -> bool {
        match self {
            ValueKind::Count(None) | ValueKind::Lookup { .. } => false,
            ValueKind::Count(Some(test)) | ValueKind::Any(test) | ValueKind::All(test) => test.reads(field),
            ValueKind::Sum(term)
            | ValueKind::Avg(term)
            | ValueKind::Min(term)
            | ValueKind::Max(term)
            | ValueKind::StdDev(term) => term.reads(field),
            ValueKind::CountDistinct { path, .. } | ValueKind::Collect { path, .. } => str_eq(path[0], field),
            ValueKind::First { path, order } | ValueKind::Last { path, order } => {
                str_eq(path[0], field) || orders_by(order, field)
            }
            ValueKind::Top { order, fields, .. } => {
                each!(for selected in fields {
                    if str_eq(selected.name, stored) {
                        return true;
                    }
                });
                orders_by(order, field)
            }
        }
    }

    /// Returns the word of the attribute.
    pub const fn word(&self) -> &'static str {
        match self {
            ValueKind::Count(_) => "count",
            ValueKind::CountDistinct { .. } => "count_distinct",
            ValueKind::Sum(_) => "sum",
            ValueKind::Avg(_) => "avg",
            ValueKind::Min(_) => "min",
            ValueKind::Max(_) => "max",
            ValueKind::StdDev(_) => "std_dev",
            ValueKind::First { .. } => "first",
            ValueKind::Last { .. } => "last",
            ValueKind::Top { .. } => "top",
            ValueKind::Collect { .. } => "collect",
            ValueKind::Any(_) => "any",
            ValueKind::All(_) => "all",
            ValueKind::Lookup { .. } => "lookup",
        }
    }
}

/// A value that the server computes for each document.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// The value of a field, by the path in the names of Rust.
    Field(&'static [&'static str]),
    /// A number.
    Number(Literal),
    /// The first term, or the second term where the first term has no value: `or(discount, 0)`.
    Or(&'static Term, &'static Term),
    /// An operation on two terms.
    Operation(Operation, &'static Term, &'static Term),
}

impl Term {
    const fn reads(&self, field: &str) -> bool {
        match self {
            Term::Field(path) => str_eq(path[0], field),
            Term::Number(_) => false,
            Term::Or(first, second) | Term::Operation(_, first, second) => first.reads(field) || second.reads(field),
        }
    }
}

/// An operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

/// A condition on each document.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// A field compared with a value.
    Compare {
        /// The path, in the names of Rust.
        path: &'static [&'static str],
        /// The comparison.
        operator: TestOperator,
        /// The value.
        value: Literal,
    },
    /// The field is null or absent.
    IsNull(&'static [&'static str]),
    /// All conditions hold.
    Every(&'static [Test]),
    /// Some condition holds.
    Some(&'static [Test]),
    /// The condition does not hold.
    Not(&'static Test),
}

impl Test {
    const fn reads(&self, field: &str) -> bool {
        match self {
            Test::Compare { path, .. } | Test::IsNull(path) => str_eq(path[0], field),
            Test::Every(tests) | Test::Some(tests) => {
                let tests: &[Test] = tests;
                each!(for test in tests {
                    if test.reads(field) {
                        return true;
                    }
                });
                false
            }
            Test::Not(test) => test.reads(field),
        }
    }
}

const fn orders_by(order: &[IndexKey], field: &str) -> bool {
    each!(for key in order {
        if str_eq(key.path[0], field) {
            return true;
        }
    });
    false
}

/// The comparison in a condition on each document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOperator {
    /// `eq`
    Eq,
    /// `ne`
    Ne,
    /// `gt`
    Gt,
    /// `gte`
    Gte,
    /// `lt`
    Lt,
    /// `lte`
    Lte,
}
