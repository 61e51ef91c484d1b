//! The value of a field of the result: `#[count]`, `#[sum(total)]`, `#[top(3, order = desc(total))]`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, Meta, Token, parse::Parse, punctuated::Punctuated};

use super::{
    super::order,
    children::{Given, without_children},
    field_path,
    term::{lower_term, lower_test},
    word_of,
};
use crate::{
    errors::Errors,
    model::{
        Number, QueryKey,
        aggregate::{AggregateValue, FieldPath, Test, ValueKind},
    },
    parse::{Argument, Value},
};

/// The words of values, each with an example.
const VALUES: [(&str, &str); 14] = [
    ("count", "`#[count]` or `#[count(where(gte(total, 1000)))]`"),
    ("count_distinct", "`#[count_distinct(customer, max = 10_000)]`"),
    ("sum", "`#[sum(total)]` or `#[sum(lines.price * lines.qty)]`"),
    ("avg", "`#[avg(total)]`"),
    ("min", "`#[min(total)]`"),
    ("max", "`#[max(total)]`"),
    ("std_dev", "`#[std_dev(total)]`"),
    ("first", "`#[first(total, order = asc(placed))]`"),
    ("last", "`#[last(total, order = asc(placed))]`"),
    ("top", "`#[top(3, order = desc(total))]`"),
    ("collect", "`#[collect(city, max = 100)]`"),
    ("any", "`#[any(gte(total, 1000))]`"),
    ("all", "`#[all(gte(total, 1000))]`"),
    ("lookup", "`#[lookup(customer.name)]`"),
];

/// Returns the words of values.
#[cfg(test)]
pub(crate) fn words_of_values() -> Vec<&'static str> {
    VALUES.iter().map(|(word, _)| *word).collect()
}

/// Reads the value of a field; `None` for a key, and after a mistake.
pub(in crate::lower) fn lower_value(field: &syn::Field, errors: &Errors) -> Option<AggregateValue> {
    let mut found = field.attrs.iter().filter_map(|attribute| Some((attribute, word_of_attribute(attribute)?)));
    let (attribute, (word, example)) = found.next()?;
    if let Some((second, (other, _))) = found.next() {
        errors.at(
            second.path(),
            format!("`{other}` and `{word}` are two values, and a field holds one value\nhelp: put each value on a separate field"),
        );
        return None;
    }
    let read = |given| read(word, without_children(given), errors);
    let (kind, tokens) = read_arguments(attribute, word, example, errors, read)?;
    Some(AggregateValue { kind, tokens })
}

/// Returns the first attribute of a field that is a value.
pub(super) fn attribute_of_value(field: &syn::Field) -> Option<&Attribute> {
    field.attrs.iter().find(|attribute| word_of_attribute(attribute).is_some())
}

fn word_of_attribute(attribute: &Attribute) -> Option<(&'static str, &'static str)> {
    VALUES.iter().find(|(word, _)| attribute.path().is_ident(word)).copied()
}

/// Reads the arguments of an attribute of a field, and returns the tokens of the arguments beside the result. Arguments
/// of another form are a mistake.
pub(in crate::lower) fn read_arguments<G: Parse, K>(
    attribute: &Attribute,
    word: &str,
    example: &str,
    errors: &Errors,
    read: impl FnOnce(Vec<G>) -> Option<K>,
) -> Option<(K, TokenStream)> {
    let given = match &attribute.meta {
        Meta::Path(_) => Vec::new(),
        _ => match attribute.parse_args_with(Punctuated::<G, Token![,]>::parse_terminated) {
            Ok(given) => given.into_iter().collect(),
            Err(error) => {
                errors.push(error);
                return None;
            }
        },
    };
    let before = errors.count();
    let kind = read(given);
    if kind.is_none() && errors.count() == before {
        errors.at(&attribute.meta, format!("`#[{word}]` has another form\nhelp: write {example}"));
    }
    let tokens = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        other => other.to_token_stream(),
    };
    Some((kind?, tokens))
}

fn read(word: &'static str, given: Vec<Given>, errors: &Errors) -> Option<ValueKind> {
    if let ("count", [Given::Where(tests)]) = (word, &given[..]) {
        return every(tests, errors).map(|test| ValueKind::Count(Some(test)));
    }
    let given: Option<Vec<Expr>> = given
        .into_iter()
        .map(|given| match given {
            Given::Expression(expression) => Some(*expression),
            Given::Where(_) => None,
        })
        .collect();
    let given = given?;
    match (word, &given[..]) {
        ("count", []) => Some(ValueKind::Count(None)),
        ("sum" | "avg" | "min" | "max" | "std_dev", [of]) => {
            Some(ValueKind::Function { word, of: lower_term(of, errors)? })
        }
        ("any", tests @ [_, ..]) => every(tests, errors).map(ValueKind::Any),
        ("all", tests @ [_, ..]) => every(tests, errors).map(ValueKind::All),
        ("count_distinct", [of, options @ ..]) => {
            let options = Options::read(options, "max", errors)?;
            Some(ValueKind::CountDistinct { of: field_path(of, errors)?, max: options.number })
        }
        ("collect", [of, options @ ..]) => {
            let options = Options::read(options, "max", errors)?;
            Some(ValueKind::Collect { of: field_path(of, errors)?, max: options.number })
        }
        ("first", [of, options @ ..]) => {
            let (of, options) = ordered(of, options, errors)?;
            Some(ValueKind::First { of, order: options.order })
        }
        ("last", [of, options @ ..]) => {
            let (of, options) = ordered(of, options, errors)?;
            Some(ValueKind::Last { of, order: options.order })
        }
        ("top", given) => {
            let (most, options) = match given {
                [first, rest @ ..] if number(first).is_some() => (number(first), rest),
                given => (None, given),
            };
            let options = Options::read(options, "max", errors)?;
            Some(ValueKind::Top { most, order: options.order })
        }
        ("lookup", [of]) => {
            let mut path = field_path(of, errors)?.path;
            if path.len() < 2 {
                return None;
            }
            let key = path.remove(0);
            Some(ValueKind::Lookup { key, path })
        }
        _ => None,
    }
}

fn every(tests: &[Expr], errors: &Errors) -> Option<Test> {
    let mut tests: Vec<Test> = tests.iter().map(|test| lower_test(test, errors)).collect::<Option<_>>()?;
    if tests.len() == 1 { tests.pop() } else { Some(Test::Every(tests)) }
}

fn ordered(of: &Expr, options: &[Expr], errors: &Errors) -> Option<(FieldPath, Options)> {
    Some((field_path(of, errors)?, Options::read(options, "max", errors)?))
}

/// The words behind the field.
#[derive(Default)]
pub(in crate::lower) struct Options {
    pub(in crate::lower) number: Option<Number>,
    pub(in crate::lower) order: Vec<QueryKey>,
}

impl Options {
    /// Reads `max = 100` and `order = desc(total)`; `None` after a mistake, or for another word. `word` is the word of
    /// the number.
    pub(in crate::lower) fn read(given: &[Expr], word: &str, errors: &Errors) -> Option<Options> {
        let mut options = Options::default();
        for option in given {
            match option {
                Expr::Assign(assign) if word_of(&assign.left) == word && options.number.is_none() => {
                    options.number = Some(number(&assign.right)?);
                }
                Expr::Assign(assign) if word_of(&assign.left) == "order" && options.order.is_empty() => {
                    let value = Value::Assigned((*assign.right).clone());
                    let argument = Argument { word: "order".to_owned(), value, tokens: option.clone() };
                    options.order = order::lower_keys(&argument, errors);
                }
                Expr::Call(call) if word_of(&call.func) == "order" && options.order.is_empty() => {
                    let key =
                        |tokens: &Expr| Argument { word: String::new(), value: Value::None, tokens: tokens.clone() };
                    let value = Value::List(call.args.iter().map(key).collect());
                    let argument = Argument { word: "order".to_owned(), value, tokens: option.clone() };
                    options.order = order::lower_keys(&argument, errors);
                }
                _ => return None,
            }
        }
        Some(options)
    }
}

fn number(expression: &Expr) -> Option<Number> {
    let value = Value::Assigned(expression.clone());
    let argument = Argument { word: String::new(), value, tokens: expression.clone() };
    argument.number().map(|value| Number { value, tokens: expression.clone() })
}
