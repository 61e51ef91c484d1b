//! `#[index(..)]` on the struct or on a field, and the indexes that relations need.

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Expr, Lit, parse_quote};

use super::given::Given;
use crate::{
    attributes::{Attribute, OF_INDEX},
    errors::Errors,
    model::{Clause, Direction, Index, IndexKey, Literal, Origin, Record, Storage, Variant},
    parse::{Argument, Arguments, Value, identifier},
};

/// Kinds of the plan that are not built yet.
const LATER: [&str; 3] = ["text", "weights", "wildcard"];
const OPERATORS: [(&str, &str); 6] =
    [("eq", "Eq"), ("exists", "Exists"), ("gt", "Gt"), ("gte", "Gte"), ("lt", "Lt"), ("lte", "Lte")];

/// The indexes that the user declares.
pub(crate) fn lower_declared(input: &DeriveInput, given: &Given<'_>, record: &Record, errors: &Errors) -> Vec<Index> {
    let mut indexes = Vec::new();
    for attribute in given.all(Attribute::Index) {
        let arguments = Arguments::read(attribute, errors);
        let word = Ident::new("index", arguments.span);
        indexes.extend(lower_struct_index(&arguments, word, errors));
    }
    let syn::Data::Struct(data) = &input.data else { return indexes };
    indexes.extend(lower_of_fields(&data.fields, record, errors));
    indexes
}

/// The indexes that stand on fields.
fn lower_of_fields(fields: &syn::Fields, record: &Record, errors: &Errors) -> Vec<Index> {
    let mut indexes = Vec::new();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        if !record.fields.iter().any(|stored| stored.ident == *ident) {
            continue;
        }
        for attribute in field.attrs.iter().filter(is_index) {
            let arguments = Arguments::read(attribute, errors);
            indexes.extend(lower_field_index(&arguments, ident, errors));
        }
    }
    indexes
}

/// The indexes that a variant declares, which are partial ones: over the documents of that variant.
pub(crate) fn lower_of_variant(
    written: &syn::Variant,
    variant: &Variant,
    tag: &str,
    record: &Record,
    errors: &Errors,
) -> Vec<Index> {
    let mut indexes = Vec::new();
    for attribute in written.attrs.iter().filter(is_index) {
        let arguments = Arguments::read(attribute, errors);
        let word = Ident::new("index", arguments.span);
        indexes.extend(lower_struct_index(&arguments, word, errors));
    }
    indexes.extend(lower_of_fields(&written.fields, record, errors));
    let ident = &variant.ident;
    for index in &mut indexes {
        if let Some(sparse) = &index.sparse {
            errors.at(
                sparse,
                "an index of a variant is a partial one, and MongoDB takes no other that is `sparse`\nhelp: write `partial(exists(field))`",
            );
        }
        index.variant = Some(variant.name.clone());
        let value = Literal::String(variant.name.clone());
        index.partial.push(Clause { operator: "Eq", path: vec![tag.to_owned()], value, tokens: parse_quote!(#ident) });
    }
    indexes
}

fn is_index(attribute: &&syn::Attribute) -> bool {
    Attribute::of(attribute.path()) == Some(Attribute::Index)
}

/// `#[index(desc, unique)]` on a field: its own key and options.
fn lower_field_index(arguments: &Arguments, ident: &Ident, errors: &Errors) -> Option<Index> {
    if refuse_later(arguments, errors) {
        return None;
    }
    arguments.expect_words(&Attribute::Index.words(), errors);
    let mut direction = Direction::Ascending;
    let mut tokens = ident.to_token_stream();
    for argument in &arguments.list {
        if let Some(found) = direction_of(argument) {
            argument.expect_word(errors);
            direction = found;
            tokens = argument.tokens.to_token_stream();
        }
    }
    let key = IndexKey { path: vec![identifier(ident)], direction, tokens };
    Some(lower_options(vec![key], arguments, Ident::new("index", arguments.span), errors))
}

/// `#[index(catalog_number, desc(time), unique)]` on the struct: keys and options in one list.
fn lower_struct_index(arguments: &Arguments, word: Ident, errors: &Errors) -> Option<Index> {
    if refuse_later(arguments, errors) {
        return None;
    }
    let mut keys = Vec::new();
    for (at, argument) in arguments.list.iter().enumerate() {
        if is_option(argument) {
            if arguments.list[..at].iter().any(|earlier| is_option(earlier) && earlier.word == argument.word) {
                errors.at(
                    &argument.tokens,
                    format!("`{}` is given twice in `#[index(..)]`\nhelp: remove one of the two", argument.word),
                );
            }
            continue;
        }
        match lower_key(argument) {
            Some(key) => keys.push(key),
            None => {
                let options = OF_INDEX.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                errors.at(
                    &argument.tokens,
                    format!("unknown word `{}` in `#[index(..)]`\nhelp: a key is a field, or `asc`, `desc`, `hashed` or `geo` of one; the options are {options}", argument.word),
                );
            }
        }
    }
    if keys.is_empty() {
        if errors.is_empty() {
            errors.at(
                &word,
                "this index has no key\nhelp: name the fields of the struct: `#[index(catalog_number, desc(time))]`",
            );
        }
        return None;
    }
    for (at, key) in keys.iter().enumerate() {
        if keys[..at].iter().any(|earlier| earlier.path == key.path) {
            errors.at(
                &key.tokens,
                format!("`{}` is a key of this index twice\nhelp: remove one of the two", key.path.join(".")),
            );
        }
    }
    Some(lower_options(keys, arguments, word, errors))
}

fn direction_of(argument: &Argument) -> Option<Direction> {
    Direction::ALL.iter().copied().find(|direction| direction.word() == argument.word)
}

/// Whether a word is an option rather than a key: `name = ".."` is one, a field called `name` is not.
fn is_option(argument: &Argument) -> bool {
    match argument.word.as_str() {
        "unique" | "sparse" => true,
        word => OF_INDEX.contains(&word) && !matches!(argument.value, Value::None),
    }
}

fn refuse_later(arguments: &Arguments, errors: &Errors) -> bool {
    let mut later = false;
    for argument in arguments.list.iter().filter(|argument| LATER.contains(&argument.word.as_str())) {
        if matches!(argument.value, Value::List(_)) {
            errors.at(&argument.tokens, format!("`{}` indexes are not supported yet\nhelp: create it with the driver; a plan leaves the indexes that it does not know", argument.word));
            later = true;
        }
    }
    later
}

fn lower_key(argument: &Argument) -> Option<IndexKey> {
    match &argument.value {
        Value::None => Some(IndexKey {
            path: argument.path(),
            direction: Direction::Ascending,
            tokens: argument.tokens.to_token_stream(),
        }),
        Value::List(list) => {
            let direction = direction_of(argument)?;
            let [field] = list.as_slice() else { return None };
            matches!(field.value, Value::None).then(|| IndexKey {
                path: field.path(),
                direction,
                tokens: field.tokens.to_token_stream(),
            })
        }
        Value::Assigned(_) | Value::Typed(_) => None,
    }
}

fn lower_options(keys: Vec<IndexKey>, arguments: &Arguments, word: Ident, errors: &Errors) -> Index {
    let mut index = Index {
        keys,
        name: None,
        unique: None,
        sparse: None,
        partial: Vec::new(),
        ttl: None,
        origin: Origin::Declared(word),
        variant: None,
    };
    for argument in &arguments.list {
        let option = argument.word.as_str();
        match (option, &argument.value) {
            ("unique", Value::None) => index.unique = Some(argument.tokens.clone()),
            ("sparse", Value::None) => index.sparse = Some(argument.tokens.clone()),
            ("unique" | "sparse", Value::Assigned(_)) => argument.expect_word(errors),
            ("name", Value::Assigned(_)) => index.name = argument.expect_string("by_time", errors),
            ("ttl", Value::Assigned(_)) => index.ttl = lower_ttl(argument, errors),
            ("partial", Value::List(list)) => {
                index.partial = list.iter().filter_map(|clause| lower_clause(clause, errors)).collect();
            }
            _ => {}
        }
    }
    if let (Some(sparse), false) = (&index.sparse, index.partial.is_empty()) {
        errors.at(sparse, "`sparse` contradicts `partial`: MongoDB takes one of them\nhelp: add `exists(field)` to `partial(..)` instead");
    }
    index
}

/// `ttl = "30d"`, in seconds.
fn lower_ttl(argument: &Argument, errors: &Errors) -> Option<(u32, Expr)> {
    let text = argument.expect_string("30d", errors)?;
    let seconds = humantime::parse_duration(&text.value()).ok().map(|duration| duration.as_secs());
    match seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds <= i32::MAX as u32) {
        Some(seconds) => Some((seconds, argument.tokens.clone())),
        None => {
            errors.at(&text, "`ttl` takes a duration of 0 to 2147483647 seconds\nhelp: write `ttl = \"30d\"`, `\"12h\"` or `\"90s\"`");
            None
        }
    }
}

fn lower_clause(argument: &Argument, errors: &Errors) -> Option<Clause> {
    let operator = OPERATORS.iter().find(|(word, _)| *word == argument.word);
    let parts = match &argument.value {
        Value::List(parts) => parts.as_slice(),
        _ => &[],
    };
    let clause = match (operator, parts) {
        (Some(("exists", variant)), [field]) => Some((*variant, field.path(), Literal::Bool(true))),
        (Some((word, variant)), [field, value]) if *word != "exists" => {
            lower_literal(value).map(|value| (*variant, field.path(), value))
        }
        _ => None,
    };
    if clause.is_none() {
        errors.at(
            &argument.tokens,
            "a clause of `partial(..)` compares a field with a literal\nhelp: write `gt(qty, 0)`, `eq(state, \"open\")` or `exists(email)`; there are eq, gt, gte, lt, lte and exists",
        );
    }
    let (operator, path, value) = clause?;
    Some(Clause { operator, path, value, tokens: argument.tokens.clone() })
}

fn lower_literal(argument: &Argument) -> Option<Literal> {
    let Value::Assigned(value) = &argument.value else {
        return match argument.word.as_str() {
            "true" => Some(Literal::Bool(true)),
            "false" => Some(Literal::Bool(false)),
            _ => None,
        };
    };
    let (negative, literal) = match value {
        Expr::Lit(literal) => (false, &literal.lit),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => match &*unary.expr {
            Expr::Lit(literal) => (true, &literal.lit),
            _ => return None,
        },
        _ => return None,
    };
    match literal {
        Lit::Bool(value) if !negative => Some(Literal::Bool(value.value)),
        Lit::Int(value) => {
            let value = value.base10_parse::<i64>().ok()?;
            Some(Literal::Integer(if negative { -value } else { value }))
        }
        Lit::Float(value) => {
            let value = value.base10_parse::<f64>().ok()?;
            Some(Literal::Double(if negative { -value } else { value }))
        }
        Lit::Str(value) if !negative => Some(Literal::String(value.value())),
        _ => None,
    }
}

/// What the relations of a model are read by: the parent reference with its order, and the references of an array that has
/// an inverse.
pub(crate) fn needed_by_relations(record: &Record) -> Vec<Index> {
    let id = record.fields.iter().find(|field| field.name == "_id");
    let mut indexes = Vec::new();
    for field in &record.fields {
        let Some(relation) = field.relation() else { continue };
        let key = |path: &str, descending: bool, tokens: proc_macro2::TokenStream| IndexKey {
            path: vec![path.to_owned()],
            direction: if descending { Direction::Descending } else { Direction::Ascending },
            tokens,
        };
        let ident = &field.ident;
        let mut keys = vec![key(&field.rust_name, false, quote!(#ident))];
        keys[0].path.extend(relation.by.as_ref().map(identifier));
        let mut unique = None;
        match relation.storage {
            Storage::Embed => continue,
            // The far side reads what it stores itself.
            Storage::TwoWay if relation.is_array() => continue,
            Storage::ChildRefs if relation.inverse.is_none() => continue,
            Storage::ParentRef if !relation.cardinality.is_many() => {
                unique = Some(relation.cardinality_tokens.clone());
            }
            Storage::ChildRefs | Storage::OneWay | Storage::TwoWay | Storage::ParentRef => {
                for order in &relation.order {
                    keys.push(key(&order.field, order.descending, order.tokens.to_token_stream()));
                }
                let descending = relation.order.last().is_none_or(|order| order.descending);
                if let Some(id) = id.filter(|id| relation.order.iter().all(|order| order.field != id.rust_name)) {
                    keys.push(key(&id.rust_name, descending, quote!(#ident)));
                }
            }
        }
        indexes.push(Index { unique, ..Index::plain(keys, Origin::Relation(ident.clone())) });
    }
    indexes
}
