//! The limits of a number, and the numbers that obey a limit after an addition or a multiplication. Pure.

use mongodb::bson::Bson;

use crate::{
    changes::Operator,
    definition::{Kind, Literal, Scalar, Shape, ValueRule},
    field::Change,
};

/// A limit of a number: a rule of the field, or the width of the integer type.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub(super) rule: ValueRule,
    /// True when the limit is only the width of the integer type in Rust.
    pub(super) is_width: bool,
}

/// The condition on the number before a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Before {
    /// Every number obeys the limit after the change.
    Anything,
    /// No number obeys the limit after the change.
    Nothing,
    AtLeast(Literal),
    AtMost(Literal),
}

/// A change of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Add(Literal),
    Multiply(Literal),
}

/// An end of the numbers of an integer field, and the last number at this end.
#[derive(Clone, Copy)]
enum End {
    Least(i128),
    Greatest(i128),
}

impl Step {
    /// Returns `None` for a change that adds no number.
    pub(super) fn of(change: &Change) -> Option<Self> {
        let amount = match change.value {
            Bson::Int32(amount) => Literal::Integer(amount.into()),
            Bson::Int64(amount) => Literal::Integer(amount),
            Bson::Double(amount) => Literal::Double(amount),
            _ => return None,
        };
        match change.operator {
            Operator::Inc => Some(Step::Add(amount)),
            Operator::Mul => Some(Step::Multiply(amount)),
            _ => None,
        }
    }

    /// Returns the number that the server stores in an absent field.
    pub(super) fn of_absent(self) -> Literal {
        match self {
            Step::Add(amount) => amount,
            Step::Multiply(_) => Literal::Integer(0),
        }
    }
}

impl Before {
    /// Returns the condition as a rule about the number before the change.
    pub(super) fn rule(&self) -> Option<ValueRule> {
        match *self {
            Before::AtLeast(last) => Some(ValueRule::Min(last)),
            Before::AtMost(last) => Some(ValueRule::Max(last)),
            Before::Anything | Before::Nothing => None,
        }
    }
}

impl Limit {
    /// Returns the limits of a number: of the limits at one end, the strictest of an integer.
    pub(super) fn all(shape: &Shape) -> Vec<Limit> {
        let is_limit = |rule: &&ValueRule| {
            matches!(rule, ValueRule::Min(_) | ValueRule::Max(_) | ValueRule::MoreThan(_) | ValueRule::LessThan(_))
        };
        let mut limits: Vec<Limit> =
            shape.rules.iter().filter(is_limit).map(|rule| Limit { rule: *rule, is_width: false }).collect();
        if let Some(integer) = shape.integer {
            // The server itself refuses to leave the range of a `long`.
            let least = (integer.least > i64::MIN).then_some(ValueRule::Min(Literal::Integer(integer.least)));
            let greatest = (integer.greatest < i64::MAX).then_some(ValueRule::Max(Literal::Integer(integer.greatest)));
            for rule in [least, greatest].into_iter().flatten() {
                let new = Limit { rule, is_width: rule != ValueRule::Min(Literal::Integer(0)) };
                if !limits.iter().any(|limit| limit.is_at_least_as_strict_as(&new)) {
                    limits.push(new);
                }
            }
        }
        limits
    }

    fn is_at_least_as_strict_as(&self, other: &Limit) -> bool {
        match (self.end(), other.end()) {
            (Some(End::Least(own)), Some(End::Least(other))) => own >= other,
            (Some(End::Greatest(own)), Some(End::Greatest(other))) => own <= other,
            _ => false,
        }
    }

    /// Returns the last integer that obeys the limit; `None` for a limit without an order.
    fn end(&self) -> Option<End> {
        Some(match self.rule {
            ValueRule::Min(Literal::Integer(limit)) => End::Least(limit.into()),
            ValueRule::Min(Literal::Double(limit)) => End::Least(limit.ceil() as i128),
            ValueRule::MoreThan(Literal::Integer(limit)) => End::Least(i128::from(limit) + 1),
            ValueRule::MoreThan(Literal::Double(limit)) => End::Least(limit.floor() as i128 + 1),
            ValueRule::Max(Literal::Integer(limit)) => End::Greatest(limit.into()),
            ValueRule::Max(Literal::Double(limit)) => End::Greatest(limit.floor() as i128),
            ValueRule::LessThan(Literal::Integer(limit)) => End::Greatest(i128::from(limit) - 1),
            ValueRule::LessThan(Literal::Double(limit)) => End::Greatest(limit.ceil() as i128 - 1),
            _ => return None,
        })
    }

    /// Returns whether a number obeys the limit.
    pub(super) fn holds_for(&self, number: Literal) -> bool {
        match (number, self.end()) {
            (Literal::Integer(number), Some(End::Least(least))) => i128::from(number) >= least,
            (Literal::Integer(number), Some(End::Greatest(greatest))) => i128::from(number) <= greatest,
            (Literal::Double(number), Some(_)) => self.holds_for_double(number),
            _ => true,
        }
    }

    fn holds_for_double(&self, number: f64) -> bool {
        match self.rule {
            ValueRule::Min(limit) => number >= double(limit),
            ValueRule::MoreThan(limit) => number > double(limit),
            ValueRule::Max(limit) => number <= double(limit),
            ValueRule::LessThan(limit) => number < double(limit),
            _ => true,
        }
    }

    /// Returns the condition on the number before a change. A number that a rule allows now needs a condition only
    /// where the change leads towards the limit.
    pub(super) fn before(&self, step: Step, shape: &Shape) -> Before {
        match (shape.kind, step) {
            (Kind::Scalar(Scalar::Integer), Step::Add(Literal::Integer(amount))) => self.before_addition(amount.into()),
            (Kind::Scalar(Scalar::Integer), Step::Multiply(Literal::Integer(factor))) => {
                self.before_multiplication(factor.into())
            }
            (Kind::Scalar(Scalar::Double | Scalar::Single), step) => self.before_of_double(step),
            _ => Before::Anything,
        }
    }

    fn before_addition(&self, amount: i128) -> Before {
        match self.end() {
            Some(End::Least(least)) if amount < 0 => at_least(least - amount),
            Some(End::Greatest(greatest)) if amount > 0 => at_most(greatest - amount),
            _ => Before::Anything,
        }
    }

    fn before_multiplication(&self, factor: i128) -> Before {
        let floor = |number: i128| number.div_euclid(factor) - i128::from(factor < 0 && number.rem_euclid(factor) != 0);
        let ceil = |number: i128| number.div_euclid(factor) + i128::from(factor > 0 && number.rem_euclid(factor) != 0);
        match self.end() {
            None => Before::Anything,
            Some(_) if factor == 0 && self.holds_for(Literal::Integer(0)) => Before::Anything,
            Some(_) if factor == 0 => Before::Nothing,
            // A product of a number within the limit is further within the limit.
            Some(End::Least(least)) if factor > 0 && least * factor >= least => Before::Anything,
            Some(End::Greatest(greatest)) if factor > 0 && greatest * factor <= greatest => Before::Anything,
            Some(End::Least(least)) if factor > 0 => at_least(ceil(least)),
            Some(End::Least(least)) => at_most(floor(least)),
            Some(End::Greatest(greatest)) if factor > 0 => at_most(floor(greatest)),
            Some(End::Greatest(greatest)) => at_least(ceil(greatest)),
        }
    }

    /// Returns the condition on a double: the sum and the product of doubles, as the server computes both, grow or fall
    /// with the number.
    fn before_of_double(&self, step: Step) -> Before {
        let after = |number: f64| match step {
            Step::Add(amount) => number + double(amount),
            Step::Multiply(factor) => number * double(factor),
        };
        let holds = |number: f64| self.holds_for_double(after(number));
        let is_lower_end = matches!(self.rule, ValueRule::Min(_) | ValueRule::MoreThan(_));
        let rises = match step {
            Step::Add(amount) if double(amount).is_nan() => return Before::Nothing,
            Step::Multiply(factor) if double(factor).is_nan() => return Before::Nothing,
            Step::Multiply(factor) if double(factor) == 0.0 => {
                return if holds(1.0) { Before::Anything } else { Before::Nothing };
            }
            Step::Multiply(factor) => double(factor) > 0.0,
            Step::Add(_) => true,
        };
        if is_lower_end == rises {
            match least_where(holds) {
                None => Before::Nothing,
                Some(f64::NEG_INFINITY) => Before::Anything,
                // A number that obeys the limit now obeys the limit after the change.
                Some(least) if rises && !self.holds_for_double(next_below(least)) => Before::Anything,
                Some(least) => Before::AtLeast(Literal::Double(least)),
            }
        } else {
            match least_where(|number| holds(-number)) {
                None => Before::Nothing,
                Some(f64::NEG_INFINITY) => Before::Anything,
                Some(least) if rises && !self.holds_for_double(-next_below(least)) => Before::Anything,
                Some(least) => Before::AtMost(Literal::Double(-least)),
            }
        }
    }
}

fn at_least(last: i128) -> Before {
    i64::try_from(last).map_or(Before::Nothing, |last| Before::AtLeast(Literal::Integer(last)))
}

fn at_most(last: i128) -> Before {
    i64::try_from(last).map_or(Before::Nothing, |last| Before::AtMost(Literal::Integer(last)))
}

fn double(number: Literal) -> f64 {
    match number {
        Literal::Integer(number) => number as f64,
        Literal::Double(number) => number,
        _ => f64::NAN,
    }
}

/// Returns the least double for which a condition holds that also holds for every greater double; `None` where the
/// condition holds for no finite double.
fn least_where(holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(f64::NEG_INFINITY) {
        return Some(f64::NEG_INFINITY);
    }
    if !holds(f64::MAX) {
        return None;
    }
    let (mut fails, mut least) = (position(f64::NEG_INFINITY), position(f64::MAX));
    while least - fails > 1 {
        let middle = fails + (least - fails) / 2;
        if holds(at(middle)) { least = middle } else { fails = middle }
    }
    Some(at(least))
}

/// Returns the greatest double below a finite double.
fn next_below(number: f64) -> f64 {
    at(position(number) - 1)
}

/// Returns the position of a double in the order of all doubles.
fn position(number: f64) -> i128 {
    let bits = i128::from(number.to_bits() & !(1 << 63));
    if number.is_sign_negative() { -bits } else { bits }
}

/// Returns the double at a position.
fn at(position: i128) -> f64 {
    let magnitude = f64::from_bits(position.unsigned_abs() as u64);
    if position < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(before: Before, number: Literal) -> bool {
        match before {
            Before::Anything => true,
            Before::Nothing => false,
            Before::AtLeast(_) | Before::AtMost(_) => {
                Limit { rule: before.rule().unwrap(), is_width: false }.holds_for(number)
            }
        }
    }

    fn limits(limit: Literal) -> [Limit; 4] {
        let rules =
            [ValueRule::Min(limit), ValueRule::Max(limit), ValueRule::MoreThan(limit), ValueRule::LessThan(limit)];
        rules.map(|rule| Limit { rule, is_width: false })
    }

    /// A number within the limit meets the condition exactly when the number after the change is within the limit.
    #[test]
    fn conditions_of_integers() {
        let all =
            |limit: i64| limits(Literal::Integer(limit)).into_iter().chain(limits(Literal::Double(limit as f64 + 0.5)));
        for limit in (-9..=9).flat_map(all) {
            for amount in -12..=12_i64 {
                for number in (-60..=60_i64).filter(|number| limit.holds_for(Literal::Integer(*number))) {
                    let (sum, product) = (Literal::Integer(number + amount), Literal::Integer(number * amount));
                    let (number, amount) = (Literal::Integer(number), i128::from(amount));
                    let place = format!("{:?} {number:?} {amount}", limit.rule);
                    assert_eq!(holds(limit.before_addition(amount), number), limit.holds_for(sum), "{place}");
                    assert_eq!(holds(limit.before_multiplication(amount), number), limit.holds_for(product), "{place}");
                }
            }
        }
    }

    #[test]
    fn conditions_of_doubles() {
        let amounts = [0.1, -0.1, 0.3, 7.0, -7.0, 1e-300, -1e300, 1e300, 0.0, -0.0, 1.0, -1.0, 3.0, f64::NAN];
        let numbers = [0.0, 0.1, 0.2, 0.3, 0.6, 1.0, 3.3, 7.7, 1e10, 1e300, f64::MAX, f64::MIN_POSITIVE];
        for limit in amounts.iter().filter(|limit| !limit.is_nan()).flat_map(|limit| limits(Literal::Double(*limit))) {
            for amount in amounts {
                let numbers = numbers.iter().flat_map(|number| [*number, -number, number - amount, number / amount]);
                for number in numbers.filter(|number| number.is_finite() && limit.holds_for_double(*number)) {
                    let place = format!("{:?} {number:?} {amount:?}", limit.rule);
                    let amount_of = Literal::Double(amount);
                    let sum = holds(limit.before_of_double(Step::Add(amount_of)), Literal::Double(number));
                    assert_eq!(sum, limit.holds_for_double(number + amount), "{place} sum");
                    let product = holds(limit.before_of_double(Step::Multiply(amount_of)), Literal::Double(number));
                    assert_eq!(product, limit.holds_for_double(number * amount), "{place} product");
                }
            }
        }
    }

    #[test]
    fn an_overflow_of_a_limit_leaves_no_number() {
        let least = Limit { rule: ValueRule::Min(Literal::Integer(i64::MAX)), is_width: false };
        assert_eq!(least.before_addition(i64::MIN.into()), Before::Nothing);
        let zero = Limit { rule: ValueRule::Min(Literal::Integer(0)), is_width: false };
        assert_eq!(zero.before_addition((-i64::MAX).into()), Before::AtLeast(Literal::Integer(i64::MAX)));
    }
}
