//! `order = desc(time)`: an order, of a relation, a subset or a query.

use syn::Expr;

use crate::{
    errors::Errors,
    model::{OrderKey, QueryKey},
    parse::{Argument, Value, path_of},
};

/// Reads `order = desc(time)`, or `order(desc(time), name)` for several keys, by fields of the struct itself.
pub(super) fn lower_order(argument: &Argument, errors: &Errors) -> Vec<OrderKey> {
    let keys = lower_keys(argument, errors);
    if let Some(key) = keys.iter().find(|key| key.path.len() > 1) {
        refuse(&key.tokens, errors);
    }
    let single = keys.into_iter().filter_map(|QueryKey { path, descending, tokens }| {
        let [field] = <[String; 1]>::try_from(path).ok()?;
        Some(OrderKey { field, descending, tokens })
    });
    single.collect()
}

/// Reads an order like `lower_order`, also by fields of embedded structs.
pub(super) fn lower_keys(argument: &Argument, errors: &Errors) -> Vec<QueryKey> {
    let expressions: Vec<Expr> = match &argument.value {
        Value::Assigned(value) => vec![value.clone()],
        Value::List(list) => list.iter().map(|argument| argument.tokens.clone()).collect(),
        Value::None | Value::Typed(_) => Vec::new(),
    };
    let keys: Vec<QueryKey> = expressions.iter().filter_map(lower_key).collect();
    if keys.is_empty() || keys.len() != expressions.len() {
        refuse(&argument.tokens, errors);
        return Vec::new();
    }
    keys
}

fn refuse(tokens: &Expr, errors: &Errors) {
    errors.at(
        tokens,
        "`order` takes fields of this struct\nhelp: write `order = desc(time)`, `order = asc(time)` or `order(desc(time), asc(name))`",
    );
}

fn lower_key(expression: &Expr) -> Option<QueryKey> {
    let (descending, inner) = match expression {
        Expr::Call(call) => {
            let descending = match path_of(&call.func)?.join(".").as_str() {
                "desc" => true,
                "asc" => false,
                _ => return None,
            };
            (descending, call.args.first().filter(|_| call.args.len() == 1)?)
        }
        Expr::Group(group) => return lower_key(&group.expr),
        other => (false, other),
    };
    Some(QueryKey { path: path_of(inner)?, descending, tokens: inner.clone() })
}
