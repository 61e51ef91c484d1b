//! The reads of a model that an application declares: `#[query(..)]`.

use super::{
    CollationDefinition, Direction, FieldDefinition, Groups, IndexDefinition, IndexKey, ModelDefinition, each, str_eq,
};

/// One declared read: `#[query(of_address(ipaddr), order = desc(time), limit = 5_000, per_day = 20_000)]`.
#[derive(Clone, Copy, Debug)]
pub struct QueryDefinition {
    /// The method.
    pub name: &'static str,
    /// The conditions on fields, in the order of the method's arguments.
    pub conditions: &'static [ConditionDefinition],
    /// The order; empty for the server's own order.
    pub order: &'static [IndexKey],
    /// How many of the matching documents are read.
    pub size: QuerySize,
    /// The fields that the projection reads; `None` for whole documents.
    pub select: Option<&'static [FieldDefinition]>,
    /// The groups that the documents are read into; `None` for a read of documents.
    pub groups: Option<Groups>,
    /// The name of the index that the server has to use; `None` for the server's choice.
    pub hint: Option<&'static str>,
    /// The number of the partial index that the hint names, among the indexes of the model: the query is about the
    /// documents of the index, and sends the filter of the index too. `None` for a query about all documents.
    pub over: Option<usize>,
    /// The rules by which the query compares texts; `None` for the rules of the collection.
    pub collation: Option<CollationDefinition>,
    /// How often a day the query runs, as the user says.
    pub per_day: Option<u64>,
}

/// How many of the matching documents a declared query reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuerySize {
    /// All documents.
    All,
    /// The first document that is found: `one`.
    First,
    /// At most this many documents: `limit = 5_000`.
    Limit(u32),
    /// Pages of this many documents: `page = 50`.
    Page(u32),
}

/// A condition of a declared query on one field.
#[derive(Clone, Copy, Debug)]
pub struct ConditionDefinition {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// The comparison.
    pub operator: ConditionOperator,
}

/// The comparison in a condition of a declared query: a method of [`QueryOperators`](crate::field::QueryOperators).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionOperator {
    /// `eq`
    Equals,
    /// `contains`
    Contains,
    /// `is_in`
    IsIn,
    /// `between`
    Between,
    /// `gt`
    More,
    /// `gte`
    NotLess,
    /// `lt`
    Less,
    /// `lte`
    NotMore,
    /// `starts_with`
    StartsWith,
}

impl QueryDefinition {
    /// Creates a read of all documents that meet these conditions.
    pub const fn new(name: &'static str, conditions: &'static [ConditionDefinition]) -> Self {
        QueryDefinition {
            name,
            conditions,
            order: &[],
            size: QuerySize::All,
            select: None,
            groups: None,
            hint: None,
            over: None,
            collation: None,
            per_day: None,
        }
    }

    /// Sets the order.
    pub const fn order(self, order: &'static [IndexKey]) -> Self {
        QueryDefinition { order, ..self }
    }

    /// Sets how many of the matching documents are read.
    pub const fn size(self, size: QuerySize) -> Self {
        QueryDefinition { size, ..self }
    }

    /// Names the index that the server has to use.
    pub const fn hint(self, index: &'static str) -> Self {
        QueryDefinition { hint: Some(index), ..self }
    }

    /// Limits the query to the documents of a partial index of the model, by the number of the index.
    pub const fn over_partial(self, index: usize) -> Self {
        QueryDefinition { over: Some(index), ..self }
    }

    /// Sets the rules by which the query compares texts.
    pub const fn collation(self, collation: CollationDefinition) -> Self {
        QueryDefinition { collation: Some(collation), ..self }
    }

    /// Sets how often a day the query runs.
    pub const fn per_day(self, per_day: u64) -> Self {
        QueryDefinition { per_day: Some(per_day), ..self }
    }

    /// True when the query has a condition on this field of the model, orders by the field, or reads the field.
    pub const fn reads(&self, field: &str, stored: &str) -> bool {
        match (&self.groups, self.select) {
            (Some(groups), _) if groups.reads(field, stored) => return true,
            (Some(_), _) => {}
            (None, None) => return true,
            (None, Some(selected)) => each!(for chosen in selected {
                if str_eq(chosen.name, stored) {
                    return true;
                }
            }),
        }
        each!(for condition in self.conditions {
            if str_eq(condition.path[0], field) {
                return true;
            }
        });
        each!(for key in self.order {
            if str_eq(key.path[0], field) {
                return true;
            }
        });
        false
    }
}

impl QueryDefinition {
    /// True when at most one document meets the conditions: the conditions hold `_id` or all keys of a unique index.
    /// Equal bytes are equal under each collation, so that an index with a collation also counts for a query that
    /// compares bytes.
    pub(crate) fn finds_one(&self, model: &ModelDefinition) -> bool {
        let is_one = |path: &[&str]| self.conditions.iter().any(|condition| condition.is_equal_to(path));
        let by_id = model.fields.iter().any(|field| field.name == "_id" && is_one(&[field.rust_name]));
        let always_there = |path: &[&str]| model.resolve(path).is_some_and(|path| !path.optional);
        let holds_all = |index: &IndexDefinition| index.partial.is_empty() && !index.sparse;
        let by_bytes = match self.collation {
            Some(own) => own.is_simple(),
            None => model.options.collation.is_none(),
        };
        let compares = |index: &IndexDefinition| by_bytes || self.collation == index.collation;
        let mut unique = model.all_indexes.iter().filter(|index| index.unique && holds_all(index) && compares(index));
        by_id || unique.any(|index| index.keys.iter().all(|key| is_one(key.path) && always_there(key.path)))
    }

    /// Returns the stored paths of the order, `true` for descending. A key with one value in all matching documents
    /// gives no order and is left out, and so are the keys behind `_id`.
    pub(crate) fn sort_keys(&self, model: &ModelDefinition) -> Vec<(String, bool)> {
        let is_one_value = |path: &[&str]| self.conditions.iter().any(|condition| condition.is_equal_to(path));
        let mut keys = Vec::new();
        for key in self.order.iter().filter(|key| !is_one_value(key.path)) {
            let path = model.stored_path(key.path);
            let is_id = path == "_id";
            keys.push((path, key.direction == Direction::Descending));
            if is_id {
                break;
            }
        }
        keys
    }
}

impl ConditionDefinition {
    /// Creates the condition `operator` on the field at `path`.
    pub const fn new(path: &'static [&'static str], operator: ConditionOperator) -> Self {
        ConditionDefinition { path, operator }
    }

    /// True when the field at this path has one value in all documents that meet the condition.
    fn is_equal_to(&self, path: &[&str]) -> bool {
        self.path == path && self.operator == ConditionOperator::Equals
    }
}

impl ConditionOperator {
    /// Returns the word in the attribute, which is the method of a field's token.
    pub const fn word(self) -> &'static str {
        match self {
            ConditionOperator::Equals => "eq",
            ConditionOperator::Contains => "contains",
            ConditionOperator::IsIn => "is_in",
            ConditionOperator::Between => "between",
            ConditionOperator::More => "gt",
            ConditionOperator::NotLess => "gte",
            ConditionOperator::Less => "lt",
            ConditionOperator::NotMore => "lte",
            ConditionOperator::StartsWith => "starts_with",
        }
    }
}
