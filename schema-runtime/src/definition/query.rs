//! How an application reads a model: `#[query(..)]`.

use super::{Direction, FieldDefinition, IndexDefinition, IndexKey, ModelDefinition};

/// One read that is declared: `#[query(of_address(ipaddr), order = desc(time), limit = 5_000, per_day = 20_000)]`.
#[derive(Clone, Copy, Debug)]
pub struct QueryDefinition {
    /// The method.
    pub name: &'static str,
    /// What is asked of fields, in the order of the method's arguments.
    pub conditions: &'static [ConditionDefinition],
    /// The order; empty for the server's own.
    pub order: &'static [IndexKey],
    /// How much of what matches is read.
    pub size: QuerySize,
    /// The fields that are read, by the projection; `None` for whole documents.
    pub select: Option<&'static [FieldDefinition]>,
    /// How often it runs a day, as the user says.
    pub per_day: Option<u64>,
}

/// How much of what matches a declared query reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuerySize {
    /// All.
    All,
    /// The first that is found: `one`.
    First,
    /// So many at most: `limit = 5_000`.
    Limit(u32),
    /// Pages of so many: `page = 50`.
    Page(u32),
}

/// What a declared query asks of one field.
#[derive(Clone, Copy, Debug)]
pub struct ConditionDefinition {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// What is asked.
    pub operator: ConditionOperator,
}

/// What a declared query asks of a field: a method of [`QueryOperators`](crate::field::QueryOperators).
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
    /// A read of all documents that meet these conditions.
    pub const fn new(name: &'static str, conditions: &'static [ConditionDefinition]) -> Self {
        QueryDefinition { name, conditions, order: &[], size: QuerySize::All, select: None, per_day: None }
    }

    /// The same, in this order.
    pub const fn order(self, order: &'static [IndexKey]) -> Self {
        QueryDefinition { order, ..self }
    }

    /// The same, of so much.
    pub const fn size(self, size: QuerySize) -> Self {
        QueryDefinition { size, ..self }
    }

    /// The same, so often a day.
    pub const fn per_day(self, per_day: u64) -> Self {
        QueryDefinition { per_day: Some(per_day), ..self }
    }

    /// Whether it reads this field of the model: it asks for it, orders by it, or reads it.
    pub const fn reads(&self, field: &str, stored: &str) -> bool {
        let Some(selected) = self.select else { return true };
        let mut at = 0;
        while at < selected.len() {
            if super::str_eq(selected[at].name, stored) {
                return true;
            }
            at += 1;
        }
        let mut at = 0;
        while at < self.conditions.len() {
            if super::str_eq(self.conditions[at].path[0], field) {
                return true;
            }
            at += 1;
        }
        let mut at = 0;
        while at < self.order.len() {
            if super::str_eq(self.order[at].path[0], field) {
                return true;
            }
            at += 1;
        }
        false
    }
}

impl QueryDefinition {
    /// Whether one document meets its conditions at most: they hold `_id` or all keys of a unique index.
    pub(crate) fn finds_one(&self, model: &ModelDefinition) -> bool {
        let is_one = |path: &[&str]| self.conditions.iter().any(|condition| condition.is_equal_to(path));
        let by_id = model.fields.iter().any(|field| field.name == "_id" && is_one(&[field.rust_name]));
        let always_there = |path: &[&str]| model.resolve(path).is_some_and(|path| !path.optional);
        let holds_all = |index: &IndexDefinition| index.partial.is_empty() && !index.sparse;
        let mut unique = model.all_indexes.iter().filter(|index| index.unique && holds_all(index));
        by_id || unique.any(|index| index.keys.iter().all(|key| is_one(key.path) && always_there(key.path)))
    }

    /// The stored paths of the order, `true` for descending. What all documents that match have the same of gives no order, and behind
    /// `_id` there is none to give.
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
    /// `operator` of the field at `path`.
    pub const fn new(path: &'static [&'static str], operator: ConditionOperator) -> Self {
        ConditionDefinition { path, operator }
    }

    /// Whether the field at this path has one value in all documents that meet it.
    fn is_equal_to(&self, path: &[&str]) -> bool {
        self.path == path && self.operator == ConditionOperator::Equals
    }
}

impl ConditionOperator {
    /// The word in the attribute, which is the method of a field's token.
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
