//! `collation(..)` and `case_insensitive`, of an index, a query and a collection.

use syn::{Expr, Lit};

use crate::{
    attributes::words::OF_COLLATION,
    errors::Errors,
    model::{Collation, CollationOption, CollationValue, Index, Origin},
    parse::{Argument, Form, Value},
};

const RULE: &str = "index_collation";

/// Reads the collation among the words of an attribute.
pub(crate) fn lower_collation(arguments: &[Argument], errors: &Errors) -> Option<Collation> {
    let get = |word: &str| arguments.iter().find(|argument| argument.word == word);
    match (get("collation"), get("case_insensitive")) {
        (Some(_), Some(second)) => {
            errors.rule(
                &second.tokens,
                RULE,
                "`case_insensitive` is a collation too, and there is one collation",
                "remove `case_insensitive` or `collation(..)`; in a collation, `strength = 2` leaves case out",
            );
            None
        }
        (None, Some(word)) => Some(Collation::case_insensitive(&word.tokens)),
        (Some(collation), None) => lower_options(collation, errors),
        (None, None) => None,
    }
}

/// Removes the collation of an index or a query that is the collation of the collection.
pub(super) fn inherit(own: &mut Option<Collation>, of_collection: Option<&Collation>) {
    if Collation::same(own.as_ref(), of_collection) {
        *own = None;
    }
}

/// Gives an index of a collection with a collation the collation that the index states. The indexes of this crate's own
/// comparisons compare by bytes.
pub(super) fn inherit_index(index: &mut Index, of_collection: Option<&Collation>) {
    inherit(&mut index.collation, of_collection);
    if matches!(index.origin, Origin::ShardKey | Origin::Slug(_) | Origin::Tree(_)) {
        index.collation = of_collection.map(Collation::simple);
    }
}

fn lower_options(collation: &Argument, errors: &Errors) -> Option<Collation> {
    let inside = collation.inside();
    let Some(locale) = inside.iter().find(|argument| argument.word == "locale").and_then(Argument::text) else {
        // A word that is refused already is left out.
        if matches!(&collation.tokens, Expr::Call(call) if call.args.len() == inside.len()) {
            errors.rule(
                &collation.tokens,
                RULE,
                "a collation needs a language",
                "write the locale: `collation(locale = \"nb\", strength = 2)`",
            );
        }
        return None;
    };
    let options = OF_COLLATION.iter().filter(|word| word.name != "locale").filter_map(|word| {
        let argument = inside.iter().find(|argument| argument.word == word.name)?;
        let value = match word.form {
            Form::Number => CollationValue::Number(argument.number()?),
            Form::Switch => CollationValue::Switch(switch(argument)?),
            _ => CollationValue::Word(argument.name()?.to_string()),
        };
        Some(CollationOption { word: word.name, value, tokens: argument.tokens.clone() })
    });
    Some(Collation { locale: locale.value(), options: options.collect(), tokens: collation.tokens.clone() })
}

/// Returns the value of `backwards` or `backwards = false`.
fn switch(argument: &Argument) -> Option<bool> {
    match &argument.value {
        Value::None => Some(true),
        Value::Assigned(Expr::Lit(literal)) => match &literal.lit {
            Lit::Bool(on) => Some(on.value),
            _ => None,
        },
        Value::Assigned(_) | Value::List(_) | Value::Typed(_) => None,
    }
}
