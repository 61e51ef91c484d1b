//! `#[query(..)]`: how the application reads a model.

mod index;

use proc_macro2::{Ident, Span};
use syn::Expr;

pub(crate) use index::needed_by_queries;

use super::{
    collation::lower_collation,
    given::Given,
    known::{Asked, known},
    lost::of_query as lost_of_query,
    number, order,
};
use crate::{
    attributes::{Attribute, words::OF_QUERY},
    errors::Errors,
    model::{Condition, Lost, Operator, Query, QueryKey, Record, Tagged},
    parse::{Argument, Arguments, Value, did_you_mean, is_plain},
};

const EXAMPLE: &str = "write `#[query(of_host(host), order = desc(time), limit = 100)]`: the name of the method, and the compared fields in parentheses";

/// Reads every `#[query(..)]`.
pub(crate) fn lower_queries(
    given: &Given<'_>,
    record: &Record,
    tagged: Option<&Tagged>,
    lost: &mut Vec<Lost>,
    errors: &Errors,
) -> Vec<Query> {
    let mut queries = Vec::new();
    let asked = Asked { record, tagged };
    for attribute in given.all(Attribute::Query) {
        match lower_query(attribute, asked, errors) {
            Some(query) => queries.push(query),
            None => lost.extend(lost_of_query(attribute)),
        }
    }
    queries
}

/// Reads a query; `None` after a mistake.
fn lower_query(attribute: &syn::Attribute, asked: Asked<'_>, errors: &Errors) -> Option<Query> {
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    if arguments.list.is_empty() {
        if errors.count() == before {
            errors.at(attribute.path(), format!("this query has no name\nhelp: {EXAMPLE}"));
        }
        return None;
    }
    let first = arguments.list.remove(0);
    let is_word = OF_QUERY.iter().any(|word| word.name == first.word);
    let name = match (&first.tokens, &first.value) {
        (Expr::Call(call), Value::List(_)) => path_ident(&call.func),
        (path, Value::None) => path_ident(path),
        (_, Value::Assigned(_) | Value::List(_) | Value::Typed(_)) => None,
    };
    let Some(name) = name else {
        errors.at(&first.tokens, format!("a query begins with a name\nhelp: {EXAMPLE}"));
        return None;
    };
    if is_word {
        errors.at(
            &name,
            format!("`{name}` is a word of `#[query(..)]`, and cannot be the name of a query\nhelp: begin with another name for the method, as `of_{name}`"),
        );
        return None;
    }
    if ["self", "Self", "super", "crate"].iter().any(|word| name == word) {
        errors.at(&name, format!("`{name}` cannot be the name of a method\nhelp: {EXAMPLE}"));
        return None;
    }
    arguments.expect_words(OF_QUERY, errors);
    let mut conditions: Vec<Condition> = Vec::new();
    for argument in first.inside() {
        let Some(condition) = lower_condition(argument, asked, errors) else { continue };
        if conditions.iter().any(|other| other.path == condition.path) {
            let path = condition.path.join(".");
            errors.at(
                &condition.tokens,
                format!("`{path}` is compared twice\nhelp: write `between({path})` for both ends of a range; add a further condition with `.filter(..)` where the query is read"),
            );
            continue;
        }
        conditions.push(condition);
    }
    name_arguments(&mut conditions);
    let order = match arguments.get("order") {
        Some(argument) => lower_order(argument, asked, errors),
        None => Vec::new(),
    };
    let query = Query {
        name,
        conditions,
        order,
        limit: number(arguments.get("limit")),
        page: number(arguments.get("page")),
        one: arguments.get("one").is_some(),
        select: arguments.get("select").and_then(Argument::names).cloned(),
        aggregate: arguments.get("aggregate").and_then(Argument::names).cloned(),
        hint: arguments.get("hint").and_then(Argument::text),
        collation: lower_collation(&arguments.list, errors),
        per_day: number(arguments.get("per_day")),
    };
    refuse_pages_of_several_values(&query, errors);
    refuse_pages_of_a_range(&query, asked.record, errors);
    refuse_two_sizes(&query, &arguments, errors);
    refuse_documents_of_groups(&arguments, errors);
    (errors.count() == before).then_some(query)
}

fn path_ident(expression: &Expr) -> Option<Ident> {
    let Expr::Path(path) = expression else { return None };
    path.path.get_ident().cloned()
}

/// Refuses pages of an `is_in`. The server finds a page behind the first by a place in a single range of the index, and
/// each value of an `is_in` has a separate range. Seen on a 6.0 server: the server then sorts in memory.
fn refuse_pages_of_several_values(query: &Query, errors: &Errors) {
    let several = query.conditions.iter().find(|condition| condition.operator == Operator::IsIn);
    if let (Some(condition), Some(_)) = (several, &query.page) {
        errors.rule(
            &condition.tokens,
            "query_type",
            "pages of `is_in` are sorted in memory from the second page on: each value has a separate range in the index",
            "compare with a single value, or write `limit` in place of `page`",
        );
    }
}

/// Refuses pages of a range without an order. Pages without an order are sorted by `_id`, and `_id` does not find the
/// range: the server reads an index that begins with `_id` from the beginning.
fn refuse_pages_of_a_range(query: &Query, record: &Record, errors: &Errors) {
    let is_id = |path: &[String]| {
        let mut fields = record.fields.iter();
        path.len() == 1 && fields.any(|field| field.name == "_id" && field.rust_name == path[0])
    };
    if query.conditions.iter().any(|condition| is_id(&condition.path)) {
        return;
    }
    let is_range = |condition: &&Condition| !condition.operator.is_equality();
    if let (Some(condition), Some(_), []) =
        (query.conditions.iter().find(is_range), &query.page, query.order.as_slice())
    {
        let path = condition.path.join(".");
        errors.rule(
            &condition.tokens,
            "query_type",
            &format!(
                "pages without an order are read in the order of `_id`, and the `_id` does not find this range of `{path}`: the server examines all documents that match the remaining conditions"
            ),
            &format!("write the order of the pages: `order = asc({path})`"),
        );
    }
}

/// Refuses two of `one`, `limit` and `page`, and a number that is larger than the server takes.
fn refuse_two_sizes(query: &Query, arguments: &Arguments, errors: &Errors) {
    let given: Vec<&Argument> = ["one", "limit", "page"].into_iter().filter_map(|word| arguments.get(word)).collect();
    if let [first, second, ..] = given.as_slice() {
        errors.at(
            &second.tokens,
            format!(
                "`{0}` contradicts `{1}`: each word says how many documents are read\nhelp: remove `{0}` or `{1}`",
                second.word, first.word
            ),
        );
    }
    for number in [&query.limit, &query.page].into_iter().flatten() {
        if number.value > i32::MAX as u64 {
            errors.at(
                &number.tokens,
                format!("a read takes at most {} documents\nhelp: write a smaller number", i32::MAX),
            );
        }
    }
}

/// Refuses the words of a read of documents beside `aggregate`.
fn refuse_documents_of_groups(arguments: &Arguments, errors: &Errors) {
    if arguments.get("aggregate").is_none() {
        return;
    }
    for (word, help) in [
        ("one", "`.fetch_one(..)` reads one group where the query is read"),
        ("limit", "write `.sort(..).limit(..)` with a token of the result where the query is read"),
        ("page", "write `.sort(..).skip(..).limit(..)` with a token of the result where the query is read"),
        ("order", "write `.sort(..)` with a token of the result where the query is read"),
        ("select", "the struct with `#[derive(Aggregate)]` says the fields of each group"),
    ] {
        if let Some(argument) = arguments.get(word) {
            errors.at(
                &argument.tokens,
                format!(
                    "`{word}` is of documents, and `aggregate` reads groups of documents\nhelp: remove `{word}`; {help}"
                ),
            );
        }
    }
}

/// Reads `ipaddr`, `between(due_date)`, `addresses.city as String`.
fn lower_condition(argument: &Argument, asked: Asked<'_>, errors: &Errors) -> Option<Condition> {
    let (operator, field) = match &argument.value {
        Value::None | Value::Typed(_) if !argument.word.is_empty() => (Operator::Equals, argument),
        Value::List(list) => {
            let operator = Operator::ALL.iter().copied().find(|operator| operator.word() == argument.word);
            match (operator, list.as_slice()) {
                (Some(operator), [field]) if matches!(field.value, Value::None | Value::Typed(_)) => (operator, field),
                (Some(_), _) => {
                    errors.at(
                        &argument.tokens,
                        format!(
                            "`{0}` takes a single field\nhelp: write `{0}(..)` with a field of this struct",
                            argument.word
                        ),
                    );
                    return None;
                }
                (None, _) => {
                    let near = did_you_mean(&argument.word, Operator::WORDS);
                    let words = Operator::WORDS.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                    errors.at(&argument.tokens, format!("unknown operator `{}` in `#[query(..)]`{near}\nhelp: write a field alone to compare for equality; the operators are {words}", argument.word));
                    return None;
                }
            }
        }
        _ => {
            errors.at(
                &argument.tokens,
                format!("a query names fields, and the values of the fields are the arguments of the method\nhelp: {EXAMPLE}"),
            );
            return None;
        }
    };
    let path = field.path();
    let (ty, tokens) = match (&field.value, &field.tokens) {
        (Value::Typed(ty), Expr::Cast(cast)) => (Some((**ty).clone()), (*cast.expr).clone()),
        (_, tokens) => (None, tokens.clone()),
    };
    let stored = known(&path, &tokens, asked, errors)?;
    if operator == Operator::Contains && ty.is_none() && path.len() == 1 && is_plain(stored) {
        errors.rule(
            &tokens,
            "query_type",
            &format!("`{}.{}` is not an array: there are no elements to contain", asked.record.ident, path.join(".")),
            "write the field alone to compare for equality, or `is_in(..)` for several values",
        );
        return None;
    }
    if operator == Operator::StartsWith && ty.is_some() {
        errors.at(
            &field.tokens,
            format!(
                "`starts_with` always takes a text, and needs no type\nhelp: write `starts_with({})`",
                path.join(".")
            ),
        );
        return None;
    }
    if ty.is_none() && path.len() > 1 && operator != Operator::StartsWith {
        errors.at(
            &field.tokens,
            format!("the type of `{0}` is not known here\nhelp: write the type, as in `{0} as String`", path.join(".")),
        );
        return None;
    }
    let argument = Ident::new("argument", Span::call_site());
    Some(Condition { path, operator, ty, argument, tokens })
}

/// Names the arguments. An argument has the name of the field; when two fields have the same name, the argument has the
/// names of the whole path.
fn name_arguments(conditions: &mut [Condition]) {
    let last = |condition: &Condition| condition.path.last().cloned().unwrap_or_default();
    let lasts: Vec<String> = conditions.iter().map(last).collect();
    let mut taken: Vec<String> = Vec::new();
    for (condition, name) in conditions.iter_mut().zip(&lasts) {
        let is_alone = lasts.iter().filter(|other| *other == name).count() == 1;
        let text = if is_alone { name.clone() } else { condition.path.join("_") };
        let mut text = if syn::parse_str::<Ident>(&text).is_ok() { text } else { format!("{text}_") };
        while taken.contains(&text) {
            text.push('_');
        }
        condition.argument = Ident::new(&text, Span::call_site());
        taken.push(text);
    }
}

/// Reads the order. The fields must exist, and each field stands once.
fn lower_order(argument: &Argument, asked: Asked<'_>, errors: &Errors) -> Vec<QueryKey> {
    let keys = order::lower_keys(argument, errors);
    for (at, key) in keys.iter().enumerate() {
        known(&key.path, &key.tokens, asked, errors);
        if keys[..at].iter().any(|earlier| earlier.path == key.path) {
            errors.at(
                &key.tokens,
                format!("`{0}` is a key of this order twice\nhelp: remove the second `{0}`", key.path.join(".")),
            );
        }
    }
    keys
}
