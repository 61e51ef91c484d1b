//! The rules about a stored value (`#[check(..)]`).

use super::{FieldDefinition, Judge, Kind, Literal, Shape, each, str_eq};

/// A rule about a value. A null obeys every rule.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ValueRule {
    /// The least number.
    Min(Literal),
    /// The greatest number.
    Max(Literal),
    /// The number that the value is greater than.
    MoreThan(Literal),
    /// The number that the value is less than.
    LessThan(Literal),
    /// The number above zero that the value is a multiple of.
    MultipleOf(Literal),
    /// The fewest code points of a string.
    MinLen(u64),
    /// At least one code point, element or entry.
    NotEmpty,
    /// The pattern of a string, in the syntax that the server and the crate `regex` share, and the fewest code points
    /// of a string that matches.
    Pattern(&'static str, u64),
    /// An e-mail address, as a browser takes the address.
    Email,
    /// An address of `http` or `https`.
    Url,
    /// The allowed texts or whole numbers.
    OneOf(&'static [Literal]),
    /// The fewest elements or entries.
    MinItems(u64),
    /// No element equals another element.
    UniqueItems,
    /// A function of the user accepts the value. The server does not know the rule.
    With(Judge),
}

/// The pattern of an e-mail address. Source: HTML Living Standard, "valid e-mail address".
pub(crate) const EMAIL: &str = r"^[a-zA-Z0-9.!#$%\x{26}'*+/=?\^_`{|}\x{7E}\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])?)*\z";

/// The pattern of an address: `http` or `https`, a host in ASCII, a port, and a path, a query and a fragment of
/// printable ASCII characters without spaces. An address has no user and no password.
pub(crate) const URL: &str =
    r"^https?://[a-zA-Z0-9](?:[a-zA-Z0-9.\-]*[a-zA-Z0-9])?(?::[0-9]{1,5})?(?:[/?#][!-\x{7E}]*)?\z";

/// The rules of a shape: the rules of the field, then the rules of the field's type.
#[derive(Clone, Copy, Debug)]
pub struct ValueRules {
    /// The rules of the attribute: the rules about a collection, and the rules about a value.
    own: [&'static [ValueRule]; 2],
    /// The rules of the type, as a newtype states the rules.
    of_type: Option<&'static ValueRules>,
}

impl ValueRules {
    /// No rule.
    pub(crate) const NONE: ValueRules = ValueRules { own: [&[], &[]], of_type: None };

    /// Returns the rules of the attribute: the rules about a collection (0), or about values (1).
    pub(crate) const fn own(&self, list: usize) -> &'static [ValueRule] {
        self.own[list]
    }

    /// Returns the rules of the type.
    pub(crate) const fn of_type(&self) -> Option<&'static ValueRules> {
        self.of_type
    }

    /// Returns whether there is no rule.
    pub(crate) const fn is_empty(&self) -> bool {
        self.own[0].is_empty()
            && self.own[1].is_empty()
            && match self.of_type {
                Some(rules) => rules.is_empty(),
                None => true,
            }
    }

    /// Returns a rule that the other rules do not have; `None` where the other rules have every rule.
    pub(crate) const fn beyond(&self, other: &ValueRules) -> Option<&'static ValueRule> {
        let (mut layer, mut list) = (*self, 0);
        loop {
            if list == 2 {
                let Some(rules) = layer.of_type else { return None };
                (layer, list) = (*rules, 0);
            }
            let own = layer.own[list];
            each!(for rule in own {
                if !other.has(rule) {
                    return Some(rule);
                }
            });
            list += 1;
        }
    }

    const fn has(&self, rule: &ValueRule) -> bool {
        let (of_collection, of_values) = (self.own[0], self.own[1]);
        each!(for own in of_collection {
            if same_rule(own, rule) {
                return true;
            }
        });
        each!(for own in of_values {
            if same_rule(own, rule) {
                return true;
            }
        });
        match self.of_type {
            Some(rules) => rules.has(rule),
            None => false,
        }
    }

    /// Returns the rules, the rules of the field first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static ValueRule> + use<> {
        let layers = std::iter::successors(Some(*self), |rules| rules.of_type.copied());
        layers.flat_map(|rules| rules.own).flatten()
    }
}

impl Shape {
    /// Adds the rules of an attribute to a shape. In an array or a map, `items` is the shape of each element or value
    /// with the rules about values; every other shape has all rules itself.
    pub const fn checked(
        whole: &'static Shape,
        of_collection: &'static [ValueRule],
        of_values: &'static [ValueRule],
        items: &'static Shape,
    ) -> Self {
        let of_type = Some(&whole.rules);
        if whole.is_collection() {
            let rules = ValueRules { own: [of_collection, &[]], of_type };
            Shape { rules, ..whole.with_items(items) }
        } else {
            Shape { rules: ValueRules { own: [of_collection, of_values], of_type }, ..*whole }
        }
    }

    /// Returns the shape of the elements or values of a collection, with the rules of an attribute. Every other shape
    /// stays the same.
    pub const fn checked_items(whole: &'static Shape, of_values: &'static [ValueRule]) -> Self {
        match whole.kind {
            Kind::Array { items, .. } | Kind::Map { values: items, .. } => {
                Shape { rules: ValueRules { own: [&[], of_values], of_type: Some(&items.rules) }, ..*items }
            }
            _ => *whole,
        }
    }

    /// Returns whether a rule is about the value, or about a value inside of the value.
    pub(crate) const fn holds_rules(&self) -> bool {
        match self.kind {
            _ if !self.rules.is_empty() => true,
            Kind::Array { items, .. } => items.holds_rules(),
            Kind::Map { values, .. } => values.holds_rules(),
            Kind::Document { .. } => self.nested.holds_rules,
            _ => false,
        }
    }
}

impl ValueRule {
    /// Returns the word of MongoDB's `$jsonSchema` for the rule about a value of this kind.
    pub(crate) const fn word(&self, kind: &Kind) -> &'static str {
        match (self, kind) {
            (ValueRule::Min(_), _) => "minimum",
            (ValueRule::Max(_), _) => "maximum",
            (ValueRule::MoreThan(_), _) => "exclusiveMinimum",
            (ValueRule::LessThan(_), _) => "exclusiveMaximum",
            (ValueRule::MinItems(_) | ValueRule::NotEmpty, Kind::Array { .. }) => "minItems",
            (ValueRule::MinItems(_) | ValueRule::NotEmpty, Kind::Map { .. }) => "minProperties",
            (ValueRule::MinLen(_) | ValueRule::NotEmpty, _) => "minLength",
            (ValueRule::MinItems(_), _) => "minItems",
            (ValueRule::MultipleOf(_), _) => "multipleOf",
            (ValueRule::Pattern(..) | ValueRule::Email | ValueRule::Url, _) => "pattern",
            (ValueRule::OneOf(_), _) => "enum",
            (ValueRule::UniqueItems, _) => "uniqueItems",
            (ValueRule::With(_), _) => "with",
        }
    }

    /// Returns the limit of the rule: a number, or nothing.
    pub(crate) const fn limit(&self) -> Option<Literal> {
        match *self {
            ValueRule::Min(limit)
            | ValueRule::Max(limit)
            | ValueRule::MoreThan(limit)
            | ValueRule::LessThan(limit)
            | ValueRule::MultipleOf(limit) => Some(limit),
            ValueRule::MinLen(least) | ValueRule::MinItems(least) => Some(Literal::Integer(least as i64)),
            ValueRule::NotEmpty => Some(Literal::Integer(1)),
            ValueRule::Pattern(..) | ValueRule::Email | ValueRule::Url => match self.pattern() {
                Some(pattern) => Some(Literal::String(pattern)),
                None => None,
            },
            ValueRule::OneOf(_) | ValueRule::UniqueItems | ValueRule::With(_) => None,
        }
    }

    /// Returns the pattern of the rule.
    pub(crate) const fn pattern(&self) -> Option<&'static str> {
        match *self {
            ValueRule::Pattern(pattern, _) => Some(pattern),
            ValueRule::Email => Some(EMAIL),
            ValueRule::Url => Some(URL),
            _ => None,
        }
    }

    /// Returns the word of `#[check(..)]`.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            ValueRule::Min(_) => "min",
            ValueRule::Max(_) => "max",
            ValueRule::MoreThan(_) => "more_than",
            ValueRule::LessThan(_) => "less_than",
            ValueRule::MultipleOf(_) => "multiple_of",
            ValueRule::MinLen(_) => "min_len",
            ValueRule::NotEmpty => "not_empty",
            ValueRule::Pattern(..) => "pattern",
            ValueRule::Email => "email",
            ValueRule::Url => "url",
            ValueRule::OneOf(_) => "one_of",
            ValueRule::MinItems(_) => "min_items",
            ValueRule::UniqueItems => "unique_items",
            ValueRule::With(_) => "with",
        }
    }
}

/// Returns whether a field, or a shape inside of a field, has a rule.
pub(crate) const fn hold_rules(fields: &[FieldDefinition]) -> bool {
    each!(for field in fields {
        if field.shape.holds_rules() {
            return true;
        }
    });
    false
}

/// Returns whether two shapes have the same rules, in the same order.
pub(super) const fn same_rules(one: &ValueRules, other: &ValueRules) -> bool {
    same_list(one.own[0], other.own[0])
        && same_list(one.own[1], other.own[1])
        && match (one.of_type, other.of_type) {
            (Some(one), Some(other)) => same_rules(one, other),
            (Some(rules), None) | (None, Some(rules)) => rules.is_empty(),
            (None, None) => true,
        }
}

const fn same_list(one: &[ValueRule], other: &[ValueRule]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if !same_rule(&one[at], &other[at]) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_rule(one: &ValueRule, other: &ValueRule) -> bool {
    let has_same_values = match (one, other) {
        (ValueRule::OneOf(one), ValueRule::OneOf(other)) => same_values(one, other),
        (ValueRule::With(one), ValueRule::With(other)) => one.is(other),
        _ => true,
    };
    has_same_values
        && str_eq(one.name(), other.name())
        && match (one.limit(), other.limit()) {
            (Some(one), Some(other)) => same_literal(one, other),
            (None, None) => true,
            _ => false,
        }
}

const fn same_values(one: &[Literal], other: &[Literal]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if !same_literal(one[at], other[at]) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_literal(one: Literal, other: Literal) -> bool {
    match (one, other) {
        (Literal::Bool(one), Literal::Bool(other)) => one == other,
        (Literal::Integer(one), Literal::Integer(other)) => one == other,
        (Literal::Double(one), Literal::Double(other)) => one == other,
        (Literal::String(one), Literal::String(other)) => str_eq(one, other),
        _ => false,
    }
}
