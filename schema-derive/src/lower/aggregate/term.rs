//! The terms and the conditions of values: `lines.price * lines.qty`, `gte(total, 1000)`.

use syn::{BinOp, Expr};

use super::word_of;
use crate::{
    errors::Errors,
    model::aggregate::{Term, Test},
    parse::{Constant, path_of},
};

const TERM: &str =
    "write a field, as `total`, or an operation on numbers, as `lines.price * lines.qty` or `total - or(discount, 0)`";
const TEST: &str =
    "write `gte(total, 1000)`, `eq(status, \"paid\")`, `is_null(city)`, `and(.., ..)`, `or(.., ..)` or `not(..)`";

/// Reads a term; `None` after a mistake.
pub(super) fn lower_term(expression: &Expr, errors: &Errors) -> Option<Term> {
    let term = term_of(expression);
    if term.is_none() {
        errors.rule(expression, "aggregate_field", "this is no value that the server computes", TERM);
    }
    term
}

fn term_of(expression: &Expr) -> Option<Term> {
    if let Some(path) = path_of(expression) {
        return Some(Term::Field(path));
    }
    if let Some(number @ (Constant::Integer(_) | Constant::Double(_))) = Constant::of(expression) {
        return Some(Term::Number(number));
    }
    match expression {
        Expr::Paren(inner) => term_of(&inner.expr),
        Expr::Group(inner) => term_of(&inner.expr),
        Expr::Binary(binary) => {
            let operation = match binary.op {
                BinOp::Add(_) => "Add",
                BinOp::Sub(_) => "Subtract",
                BinOp::Mul(_) => "Multiply",
                BinOp::Div(_) => "Divide",
                _ => return None,
            };
            Some(Term::Operation(operation, term_of(&binary.left)?.into(), term_of(&binary.right)?.into()))
        }
        Expr::Call(call) if word_of(&call.func) == "or" && call.args.len() == 2 => {
            Some(Term::Or(term_of(&call.args[0])?.into(), term_of(&call.args[1])?.into()))
        }
        _ => None,
    }
}

/// Reads a condition; `None` after a mistake.
pub(super) fn lower_test(expression: &Expr, errors: &Errors) -> Option<Test> {
    let test = test_of(expression);
    if test.is_none() {
        errors.rule(expression, "aggregate_field", "this is no condition on a document", TEST);
    }
    test
}

fn test_of(expression: &Expr) -> Option<Test> {
    let Expr::Call(call) = expression else { return None };
    let arguments: Vec<&Expr> = call.args.iter().collect();
    let each = || arguments.iter().map(|inner| test_of(inner)).collect::<Option<Vec<Test>>>();
    let operator = match word_of(&call.func).as_str() {
        "eq" => "Eq",
        "ne" => "Ne",
        "gt" => "Gt",
        "gte" => "Gte",
        "lt" => "Lt",
        "lte" => "Lte",
        "and" if arguments.len() > 1 => return each().map(Test::Every),
        "or" if arguments.len() > 1 => return each().map(Test::Some),
        "not" if arguments.len() == 1 => return Some(Test::Not(test_of(arguments[0])?.into())),
        "is_null" if arguments.len() == 1 => return path_of(arguments[0]).map(Test::IsNull),
        _ => return None,
    };
    match arguments[..] {
        [field, value] => Some(Test::Compare { path: path_of(field)?, operator, value: Constant::of(value)? }),
        _ => None,
    }
}
