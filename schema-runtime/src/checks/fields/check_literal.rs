//! Rule: `check_literal`. The page is `guide/pages/rules/check_literal.md`.

use super::check_type::fits;
use crate::definition::{Integer, Kind, Literal, Scalar, Shape, ValueRule, ValueRules, digits, each, refuse, str_eq};

/// Judges the literal of rule number `number` of one list of the shape's rules. A rule that does not fit the type has
/// the message of another rule.
#[track_caller]
pub(in crate::checks) const fn enforce(name: &str, shape: &Shape, rule: &ValueRule) {
    match *rule {
        ValueRule::Min(limit) | ValueRule::Max(limit) | ValueRule::MoreThan(limit) | ValueRule::LessThan(limit) => {
            enforce_number(name, shape, rule, limit);
        }
        ValueRule::MultipleOf(limit) => {
            enforce_number(name, shape, rule, limit);
            if !is_positive(limit) {
                refuse! {
                    "`multiple_of` of `{}` is not above 0, and no number is a multiple", name;
                    help: "write a number above 0: `multiple_of = 5`"
                }
            }
        }
        ValueRule::MinLen(least) => enforce_length(name, shape, rule.name(), least),
        ValueRule::Pattern(_, least) => enforce_length(name, shape, rule.name(), least),
        ValueRule::MinItems(least) => {
            let (Kind::Array { max, .. } | Kind::Map { max, .. }) = shape.kind else { return };
            if let Some(max) = max
                && least > max
            {
                refuse! {
                    "`{}` has at least {} and at most {} items, so that no value is allowed",
                        name, digits(least).as_str(), digits(max).as_str();
                    help: "write a `min_items` of at most `max_items`"
                }
            }
        }
        ValueRule::OneOf(values) => each!(for value in values {
            enforce_value(name, shape, value);
        }),
        ValueRule::NotEmpty | ValueRule::Email | ValueRule::Url | ValueRule::UniqueItems | ValueRule::With(_) => {}
    }
    enforce_both(name, shape, rule, &shape.rules);
}

/// Refuses a limit that an integer cannot have.
#[track_caller]
const fn enforce_number(name: &str, shape: &Shape, rule: &ValueRule, limit: Literal) {
    let Kind::Scalar(Scalar::Integer) = shape.kind else { return };
    let Literal::Integer(limit) = limit else {
        refuse! {
            "`{}` is an integer, and `{}` has a fraction", name, rule.name();
            help: "write a whole number"
        }
    };
    if let Some(Integer { name: ty, least, greatest }) = shape.integer
        && (limit < least || limit > greatest)
    {
        refuse! {
            "`{}` is of type `{}`, which does not hold the number of `{}`", name, ty, rule.name();
            help: "write a number that the type holds, or remove `{}`", rule.name()
        }
    }
}

/// Refuses a rule that no string within the `max_len` obeys.
#[track_caller]
const fn enforce_length(name: &str, shape: &Shape, word: &str, least: u64) {
    let Kind::String { max_len: Some(max_len) } = shape.kind else { return };
    if least > max_len {
        refuse! {
            "`{}` has at most {} characters (`max_len`), and `{}` needs at least {}, so that no value is allowed",
                name, digits(max_len).as_str(), word, digits(least).as_str();
            help: "write a larger `max_len`, or a shorter `{}`", word
        }
    }
}

/// Refuses a value of `one_of(..)` that the type does not have.
#[track_caller]
const fn enforce_value(name: &str, shape: &Shape, value: &Literal) {
    match (shape.kind, *value) {
        (Kind::String { max_len: Some(max_len) }, Literal::String(value)) if code_points(value) > max_len => {
            refuse! {
                "the value \"{}\" of `one_of(..)` is longer than the `max_len` of `{}`", value, name;
                help: "remove the value, or write a larger `max_len`"
            }
        }
        (Kind::String { .. }, Literal::String(_)) => {}
        (Kind::Enum(variants), Literal::String(value)) => {
            each!(for variant in variants {
                if str_eq(variant, value) {
                    return;
                }
            });
            refuse! {
                "the enum of `{}` stores no variant as \"{}\"", name, value;
                help: "write the stored name of a variant, as serde writes the name"
            }
        }
        (Kind::Scalar(Scalar::Integer), Literal::Integer(_)) => {
            enforce_number(name, shape, &ValueRule::OneOf(&[]), *value);
        }
        (Kind::Scalar(Scalar::Integer), _) => refuse! {
            "`{}` is an integer, and a value of `one_of(..)` is a text", name;
            help: "write whole numbers: `one_of(1, 2, 5)`"
        },
        (Kind::Enum(_) | Kind::String { .. }, _) => refuse! {
            "`{}` is a text, and a value of `one_of(..)` is a number", name;
            help: "write texts: `one_of(\"new\", \"paid\")`"
        },
        _ => {}
    }
}

/// Refuses a rule that contradicts an earlier rule of the shape, or a rule of the type.
#[track_caller]
const fn enforce_both(name: &str, shape: &Shape, rule: &ValueRule, rules: &ValueRules) {
    let own = rules.own(1);
    let mut at = 0;
    while at < own.len() {
        if same_place(&own[at], rule) {
            break;
        }
        if fits(shape, &own[at]) {
            enforce_pair(name, shape, &own[at], rule, true);
        }
        at += 1;
    }
    let mut of_type = rules.of_type();
    while let Some(rules) = of_type {
        let own = rules.own(1);
        each!(for other in own {
            enforce_pair(name, shape, other, rule, false);
        });
        of_type = rules.of_type();
    }
}

/// Returns whether two rules are one rule of an attribute: each word is given once.
const fn same_place(one: &ValueRule, other: &ValueRule) -> bool {
    str_eq(one.name(), other.name())
}

#[track_caller]
const fn enforce_pair(name: &str, shape: &Shape, earlier: &ValueRule, rule: &ValueRule, is_of_field: bool) {
    if is_of_field {
        let both_lower = matches!(
            (earlier, rule),
            (ValueRule::Min(_), ValueRule::MoreThan(_)) | (ValueRule::MoreThan(_), ValueRule::Min(_))
        );
        let both_upper = matches!(
            (earlier, rule),
            (ValueRule::Max(_), ValueRule::LessThan(_)) | (ValueRule::LessThan(_), ValueRule::Max(_))
        );
        if both_lower || both_upper {
            refuse! {
                "`{}` and `{}` are two limits of `{}` on the same side", earlier.name(), rule.name(), name;
                help: "remove one of the two words"
            }
        }
    }
    let (lower, upper) = match (lower(earlier), upper(rule), lower(rule), upper(earlier)) {
        (Some(lower), Some(upper), _, _) | (_, _, Some(lower), Some(upper)) => (lower, upper),
        _ => return,
    };
    if leaves_nothing(lower, upper, matches!(shape.kind, Kind::Scalar(Scalar::Integer))) {
        refuse! {
            "`{}` and `{}` of `{}` leave no number", earlier.name(), rule.name(), name;
            help: "write a lower limit below the upper limit"
        }
    }
}

/// Returns the limit below a value, and whether the limit itself is excluded.
const fn lower(rule: &ValueRule) -> Option<(Literal, bool)> {
    match *rule {
        ValueRule::Min(limit) => Some((limit, false)),
        ValueRule::MoreThan(limit) => Some((limit, true)),
        _ => None,
    }
}

const fn upper(rule: &ValueRule) -> Option<(Literal, bool)> {
    match *rule {
        ValueRule::Max(limit) => Some((limit, false)),
        ValueRule::LessThan(limit) => Some((limit, true)),
        _ => None,
    }
}

const fn leaves_nothing(lower: (Literal, bool), upper: (Literal, bool), is_whole: bool) -> bool {
    match (lower.0, upper.0) {
        (Literal::Integer(least), Literal::Integer(greatest)) if is_whole => {
            // The range of 128 bits has no overflow.
            let least = least as i128 + lower.1 as i128;
            least > greatest as i128 - upper.1 as i128
        }
        (least, greatest) => {
            let (least, greatest) = (double(least), double(greatest));
            least > greatest || least == greatest && (lower.1 || upper.1)
        }
    }
}

const fn double(limit: Literal) -> f64 {
    match limit {
        Literal::Integer(limit) => limit as f64,
        Literal::Double(limit) => limit,
        Literal::Bool(_) | Literal::String(_) => 0.0,
    }
}

const fn is_positive(limit: Literal) -> bool {
    double(limit) > 0.0
}

const fn code_points(text: &str) -> u64 {
    let (bytes, mut at, mut count) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        // A byte that continues a code point begins with the bits 10.
        if bytes[at] & 0b1100_0000 != 0b1000_0000 {
            count += 1;
        }
        at += 1;
    }
    count
}

/// Judges a literal of `#[default(..)]` by the rules of the shape.
#[track_caller]
pub(in crate::checks) const fn enforce_default(name: &str, shape: &Shape, value: Literal) {
    let mut rules = Some(&shape.rules);
    while let Some(layer) = rules {
        let of_values = layer.own(1);
        each!(for rule in of_values {
            if fits(shape, rule) && !obeys(rule, value) {
                refuse! {
                    "the value of `#[default(..)]` does not obey `{}` of `{}`, and no new document with the value is stored",
                        rule.name(), name;
                    help: "write a value that obeys the rule"
                }
            }
        });
        rules = layer.of_type();
    }
}

/// Returns whether a literal obeys a rule, as far as the compiler can tell.
const fn obeys(rule: &ValueRule, value: Literal) -> bool {
    if let Literal::Integer(_) | Literal::Double(_) = value {
        let one = (value, false);
        if let Some(lower) = lower(rule) {
            return !leaves_nothing(lower, one, false);
        }
        if let Some(upper) = upper(rule) {
            return !leaves_nothing(one, upper, false);
        }
    }
    match (rule, value) {
        (ValueRule::MinLen(least), Literal::String(value)) => code_points(value) >= *least,
        (ValueRule::OneOf(values), value) => {
            each!(for allowed in values {
                let is_same = match (*allowed, value) {
                    (Literal::String(one), Literal::String(other)) => str_eq(one, other),
                    (Literal::Integer(one), Literal::Integer(other)) => one == other,
                    _ => false,
                };
                if is_same {
                    return true;
                }
            });
            false
        }
        _ => true,
    }
}
