//! A literal in an attribute, with a sign: `5`, `-0.5`, `"new"`, `true`.

use syn::{Expr, Lit};

/// The value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Bool(bool),
    Integer(i64),
    Double(f64),
    String(String),
}

impl Constant {
    /// Reads a literal, or a literal behind a minus; `None` for any other expression.
    pub(crate) fn of(value: &Expr) -> Option<Constant> {
        let (is_negative, literal) = match value {
            Expr::Lit(literal) => (false, &literal.lit),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => match &*unary.expr {
                Expr::Lit(literal) => (true, &literal.lit),
                _ => return None,
            },
            _ => return None,
        };
        match literal {
            Lit::Bool(value) if !is_negative => Some(Constant::Bool(value.value)),
            Lit::Int(value) => {
                let value = integer::<i64>(value)?;
                Some(Constant::Integer(if is_negative { -value } else { value }))
            }
            Lit::Float(value) => {
                let value = float(value)?;
                Some(Constant::Double(if is_negative { -value } else { value }))
            }
            Lit::Str(value) if !is_negative => Some(Constant::String(value.value())),
            _ => None,
        }
    }
}

/// Returns the value of an integer literal without a unit.
pub(super) fn integer<T: std::str::FromStr>(number: &syn::LitInt) -> Option<T>
where
    T::Err: std::fmt::Display,
{
    let is_plain = number.suffix().is_empty() || is_integer(number.suffix());
    is_plain.then(|| number.base10_parse().ok()).flatten()
}

/// Returns the value of a float literal without a unit.
pub(super) fn float(number: &syn::LitFloat) -> Option<f64> {
    let is_plain = number.suffix().is_empty() || ["f32", "f64"].contains(&number.suffix());
    is_plain.then(|| number.base10_parse().ok()).flatten()
}

pub(super) fn is_integer(suffix: &str) -> bool {
    const TYPES: [&str; 12] = ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
    TYPES.contains(&suffix)
}
