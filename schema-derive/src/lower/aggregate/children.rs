//! The relation of the children in a value: `#[sum(LogMsg::host, bytes)]`, `#[top(5, of = LogMsg::host, ..)]`.

use syn::{
    Attribute, Expr, Meta, Token, parenthesized,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

use super::{super::rollup::far, word_of};
use crate::model::aggregate::ChildrenPath;

/// An argument: `where(..)`, or an expression.
pub(super) enum Given {
    Where(Vec<Expr>),
    Expression(Box<Expr>),
}

impl Parse for Given {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Token![where]) {
            return Ok(Given::Expression(Box::new(input.parse()?)));
        }
        input.parse::<Token![where]>()?;
        let inside;
        parenthesized!(inside in input);
        Ok(Given::Where(Punctuated::<Expr, Token![,]>::parse_terminated(&inside)?.into_iter().collect()))
    }
}

/// Returns the relation that a value names; also after a mistake in the rest of the value.
pub(super) fn children_in(attribute: &Attribute) -> Option<ChildrenPath> {
    let Meta::List(_) = &attribute.meta else { return None };
    let given = attribute.parse_args_with(Punctuated::<Given, Token![,]>::parse_terminated).ok()?;
    given.iter().find_map(children_of)
}

/// Returns the arguments without the relation.
pub(super) fn without_children(given: Vec<Given>) -> Vec<Given> {
    given.into_iter().filter(|given| children_of(given).is_none()).collect()
}

fn children_of(given: &Given) -> Option<ChildrenPath> {
    let Given::Expression(expression) = given else { return None };
    let expression = match &**expression {
        Expr::Assign(assign) if word_of(&assign.left) == "of" => &*assign.right,
        other => other,
    };
    let (child, reference, tokens) = far(expression)?;
    Some(ChildrenPath { child, reference, tokens })
}
