//! `#[index(..)]` on the struct or on a field, and the indexes that relations need.

mod settings;

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Expr, parse_quote};

use super::{collation::lower_collation, given::Given};
use crate::{
    attributes::{Attribute, words::OF_INDEX},
    errors::Errors,
    model::{Clause, Direction, Index, IndexKey, Origin, Record, Storage, Variant},
    parse::{Argument, Arguments, Constant, Value, identifier, listed},
};

pub(super) use settings::lower_places;

/// The words of keys that stand for the whole document.
const WHOLE: [(&str, Direction); 2] = [("wildcard", Direction::Wildcard), ("wildcard_text", Direction::Text)];
const OPERATORS: [(&str, &str); 6] =
    [("eq", "Eq"), ("exists", "Exists"), ("gt", "Gt"), ("gte", "Gte"), ("lt", "Lt"), ("lte", "Lte")];

/// Reads the indexes that the user declares.
pub(crate) fn lower_declared(input: &DeriveInput, given: &Given<'_>, record: &Record, errors: &Errors) -> Vec<Index> {
    let mut indexes = Vec::new();
    for attribute in given.all(Attribute::Index) {
        let arguments = Arguments::read(attribute, errors);
        let word = Ident::new("index", arguments.span);
        indexes.extend(lower_struct_index(arguments, word, errors));
    }
    let syn::Data::Struct(data) = &input.data else { return indexes };
    indexes.extend(lower_of_fields(&data.fields, record, errors));
    indexes
}

/// Reads the indexes that stand on fields.
fn lower_of_fields(fields: &syn::Fields, record: &Record, errors: &Errors) -> Vec<Index> {
    let mut indexes = Vec::new();
    for field in fields {
        let Some(ident) = &field.ident else { continue };
        if !record.fields.iter().any(|stored| stored.ident == *ident) {
            continue;
        }
        for attribute in field.attrs.iter().filter(is_index) {
            let arguments = Arguments::read(attribute, errors);
            indexes.extend(lower_field_index(arguments, ident, errors));
        }
    }
    indexes
}

/// Reads the indexes that a variant declares. The indexes are partial indexes over the documents of the variant.
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
        indexes.extend(lower_struct_index(arguments, word, errors));
    }
    indexes.extend(lower_of_fields(&written.fields, record, errors));
    let ident = &variant.ident;
    for index in &mut indexes {
        if let Some(sparse) = &index.sparse {
            errors.at(
                sparse,
                "an index of a variant is a partial index, and MongoDB refuses `sparse` on a partial index\nhelp: write `partial(exists(field))` in place of `sparse`",
            );
        }
        index.variant = Some(variant.name.clone());
        let value = Constant::String(variant.name.clone());
        index.partial.push(Clause { operator: "Eq", path: vec![tag.to_owned()], value, tokens: parse_quote!(#ident) });
    }
    indexes
}

fn is_index(attribute: &&syn::Attribute) -> bool {
    Attribute::of(attribute.path()) == Some(Attribute::Index)
}

/// Reads `#[index(desc, unique)]` on a field: the field is the key.
fn lower_field_index(mut arguments: Arguments, ident: &Ident, errors: &Errors) -> Option<Index> {
    arguments.expect_words(&Attribute::Index.words(), errors);
    let mut directions = arguments.list.iter().filter_map(|argument| Some((direction_of(argument)?, argument)));
    let first = directions.next();
    if let (Some((_, first)), Some((_, second))) = (first, directions.next()) {
        errors.at(
            &second.tokens,
            format!(
                "`{0}` contradicts `{1}`: a key has a single direction\nhelp: remove `{0}` or `{1}`",
                second.word, first.word
            ),
        );
    }
    let (direction, tokens) = match first {
        Some((direction, argument)) => (direction, argument.tokens.to_token_stream()),
        None => (Direction::Ascending, ident.to_token_stream()),
    };
    let key = IndexKey { path: vec![identifier(ident)], direction, tokens };
    Some(lower_options(vec![key], &arguments, Ident::new("index", arguments.span), errors))
}

/// Reads `#[index(catalog_number, desc(time), unique)]` on the struct: keys and options in a single list.
fn lower_struct_index(mut arguments: Arguments, word: Ident, errors: &Errors) -> Option<Index> {
    let before = errors.count();
    let mut keys = Vec::new();
    for argument in arguments.take(|argument| !argument.is_option_of(OF_INDEX)) {
        match lower_key(&argument, errors) {
            Key::Found(found) => keys.extend(found),
            Key::Refused => {}
            Key::None => errors.at(
                &argument.tokens,
                format!("unknown word `{}` in `#[index(..)]`\nhelp: a key is `field`, `asc(field)`, `desc(field)`, `hashed(field)`, `geo(field)`, `geo_2d(field)`, `text(field)` or `wildcard(field)`; the options are {}", argument.word, listed(OF_INDEX)),
            ),
        }
    }
    arguments.expect_words(OF_INDEX, errors);
    if keys.is_empty() {
        if errors.count() == before && !arguments.is_broken {
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
                format!(
                    "`{0}` is a key of this index twice\nhelp: remove the second `{0}`",
                    if key.path.is_empty() { key.direction.word().to_owned() } else { key.path.join(".") }
                ),
            );
        }
    }
    Some(lower_options(keys, &arguments, word, errors))
}

fn direction_of(argument: &Argument) -> Option<Direction> {
    Direction::ALL.iter().copied().find(|direction| direction.word() == argument.word)
}

enum Key {
    Found(Vec<IndexKey>),
    /// A mistake that is in `errors`.
    Refused,
    None,
}

/// Reads a key: `time`, `desc(time)`, `text(title, body)`, or `wildcard` for the whole document.
fn lower_key(argument: &Argument, errors: &Errors) -> Key {
    let key = |path, direction, tokens: &Expr| IndexKey { path, direction, tokens: tokens.to_token_stream() };
    let is_field = |field: &Argument| matches!(field.value, Value::None) && !field.word.is_empty();
    match &argument.value {
        Value::None if argument.word.is_empty() => Key::None,
        Value::None => match WHOLE.iter().find(|(word, _)| *word == argument.word) {
            Some((_, direction)) => Key::Found(vec![key(Vec::new(), *direction, &argument.tokens)]),
            None => Key::Found(vec![key(argument.path(), Direction::Ascending, &argument.tokens)]),
        },
        Value::List(list) => match (direction_of(argument), list.as_slice()) {
            (Some(direction @ Direction::Text), [_, ..]) if list.iter().all(is_field) => {
                Key::Found(list.iter().map(|field| key(field.path(), direction, &field.tokens)).collect())
            }
            (Some(direction), [field]) if is_field(field) => {
                Key::Found(vec![key(field.path(), direction, &field.tokens)])
            }
            (Some(Direction::Text), _) => {
                errors.at(&argument.tokens, "`text` takes fields\nhelp: write `text(title, body)` with fields of this struct, or `wildcard_text` for all strings");
                Key::Refused
            }
            (Some(_), _) => {
                errors.at(&argument.tokens, format!("`{0}` takes a single field\nhelp: write `{0}(..)` with a field of this struct, once for each field", argument.word));
                Key::Refused
            }
            (None, _) => Key::None,
        },
        Value::Assigned(_) | Value::Typed(_) => Key::None,
    }
}

fn lower_options(keys: Vec<IndexKey>, options: &Arguments, word: Ident, errors: &Errors) -> Index {
    let tokens = |word| options.get(word).map(|argument| argument.tokens.clone());
    let clauses = options.get("partial").map(Argument::inside).unwrap_or_default();
    let index = Index {
        name: options.get("name").and_then(Argument::text),
        unique: tokens("unique"),
        sparse: tokens("sparse"),
        partial: clauses.iter().filter_map(|clause| lower_clause(clause, "partial", errors)).collect(),
        ttl: options.get("ttl").and_then(|argument| lower_ttl(argument, errors)),
        hidden: tokens("hidden"),
        settings: settings::lower_settings(options, errors),
        collation: lower_collation(&options.list, errors),
        ..Index::plain(keys, Origin::Declared(word))
    };
    if let (Some(sparse), false) = (&index.sparse, index.partial.is_empty()) {
        errors.at(sparse, "`sparse` contradicts `partial`: MongoDB refuses `sparse` on a partial index\nhelp: write `exists(field)` in `partial(..)` in place of `sparse`");
    }
    index
}

/// Reads `ttl = "30d"`, in seconds.
pub(super) fn lower_ttl(argument: &Argument, errors: &Errors) -> Option<(u32, Expr)> {
    let text = argument.text()?;
    let seconds = humantime::parse_duration(&text.value()).ok().map(|duration| duration.as_secs());
    match seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds <= i32::MAX as u32) {
        Some(seconds) => Some((seconds, argument.tokens.clone())),
        None => {
            errors.at(&text, "`ttl` takes a duration of 0 to 2147483647 seconds\nhelp: write `ttl = \"30d\"`, `\"12h\"` or `\"90s\"`");
            None
        }
    }
}

pub(super) fn lower_clause(argument: &Argument, word: &str, errors: &Errors) -> Option<Clause> {
    let operator = OPERATORS.iter().find(|(word, _)| *word == argument.word);
    let is_field = |field: &Argument| matches!(field.value, Value::None) && !field.word.is_empty();
    let clause = match (operator, argument.inside()) {
        (Some(("exists", variant)), [field]) if is_field(field) => Some((*variant, field.path(), Constant::Bool(true))),
        (Some((word, variant)), [field, value]) if *word != "exists" && is_field(field) => {
            lower_literal(value).map(|value| (*variant, field.path(), value))
        }
        _ => None,
    };
    if clause.is_none() {
        errors.at(
            &argument.tokens,
            format!("a clause of `{word}(..)` compares a field with a literal\nhelp: write `gt(qty, 0)`, `eq(state, \"open\")` or `exists(email)`; the operators are eq, gt, gte, lt, lte and exists"),
        );
    }
    let (operator, path, value) = clause?;
    Some(Clause { operator, path, value, tokens: argument.tokens.clone() })
}

fn lower_literal(argument: &Argument) -> Option<Constant> {
    let value = match (&argument.value, argument.word.as_str()) {
        (Value::Assigned(value), "") => value,
        (Value::None, "true") => return Some(Constant::Bool(true)),
        (Value::None, "false") => return Some(Constant::Bool(false)),
        _ => return None,
    };
    Constant::of(value)
}

/// Returns the indexes for reads of the relations of a model: the parent reference with the order, and the references
/// of an array that has an inverse.
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
            // The far side reads the array that the far side stores.
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
