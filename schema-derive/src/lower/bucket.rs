//! `bucket(..)` in `#[model(..)]`.

use syn::Expr;

use super::number;
use crate::{
    errors::Errors,
    model::{Bucket, By, Span},
    parse::{Argument, Value, path_of},
};

/// Reads the size of a bucket, and the span of time of a bucket.
pub(super) fn lower_bucket(argument: &Argument, errors: &Errors) -> Bucket {
    let get = |word: &str| argument.inside().iter().find(|argument| argument.word == word);
    let size = number(get("size"));
    let by = get("by").and_then(|argument| lower_by(argument, errors));
    Bucket { tokens: argument.tokens.clone(), size, by }
}

/// Reads `by = day(time)`; `None` after a mistake.
fn lower_by(argument: &Argument, errors: &Errors) -> Option<By> {
    let by = match &argument.value {
        Value::Assigned(Expr::Call(call)) if call.args.len() == 1 => {
            let word = path_of(&call.func).map(|path| path.join("."));
            let span = Span::ALL.iter().find(|span| word.as_deref() == Some(span.word()));
            let tokens = call.args.first().cloned();
            let path = tokens.as_ref().and_then(path_of);
            match (span, tokens, path.as_deref()) {
                (Some(span), Some(tokens), Some([field])) => Some(By { span: *span, field: field.clone(), tokens }),
                _ => None,
            }
        }
        _ => None,
    };
    if by.is_none() {
        errors.at(
            &argument.tokens,
            "`by` takes a span of time and the field that says the time of a child\nhelp: write `by = day(time)` or `by = hour(time)`",
        );
    }
    by
}
