//! `#[shard_key(..)]`, and the index that it needs.

use quote::ToTokens;
use syn::{Expr, Lit};

use super::{allow::lower_allows, given::Given, number};
use crate::{
    attributes::{Attribute, OF_SHARD_KEY, OF_WORKLOAD},
    errors::Errors,
    model::{Direction, Index, IndexKey, Origin, Record, ShardKey, ShardKeyField, Workload},
    parse::{Argument, Arguments, Value, is_reference},
};

const EXAMPLE: &str = "write `#[shard_key(host, time)]`, or `#[shard_key(hashed(id))]`, with fields of the struct";

pub(crate) fn lower_shard_key(given: &Given<'_>, record: &Record, errors: &Errors) -> Option<ShardKey> {
    let attribute = given.get(Attribute::ShardKey)?;
    let before = errors.count();
    let arguments = Arguments::read(attribute, errors);
    let mut fields = Vec::new();
    for (at, argument) in arguments.list.iter().enumerate() {
        if is_option(argument) {
            if arguments.list[..at].iter().any(|earlier| is_option(earlier) && earlier.word == argument.word)
                && argument.word != "allow"
            {
                errors.at(
                    &argument.tokens,
                    format!("`{}` is given twice in `#[shard_key(..)]`\nhelp: remove one of the two", argument.word),
                );
            }
            continue;
        }
        match lower_field(argument, record) {
            Some(field) => fields.push(field),
            None => {
                let options = OF_SHARD_KEY.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                errors.at(
                    &argument.tokens,
                    format!("unknown word `{}` in `#[shard_key(..)]`\nhelp: a field stands by its name, or as `hashed(field)`; the options are {options}", argument.word),
                );
            }
        }
    }
    if fields.is_empty() {
        if errors.count() == before {
            errors.at(attribute.path(), format!("this shard key has no field\nhelp: {EXAMPLE}"));
        }
        return None;
    }
    let get = |word: &str| arguments.list.iter().find(|argument| argument.word == word && is_option(argument));
    if let Some(distinct) = get("distinct") {
        lower_distinct(distinct, &mut fields, errors);
    }
    let key = ShardKey {
        fields,
        unique: get("unique").map(|argument| argument.tokens.clone()),
        shards: number(get("shards"), errors),
        chunks: number(get("chunks"), errors),
        workload: get("workload").and_then(|argument| lower_workload(argument, errors)),
        allows: lower_allows(&arguments.list, errors),
    };
    Some(key)
}

/// The index over the fields; of `_id` alone there is one.
pub(crate) fn needed_index(key: &ShardKey, record: &Record) -> Option<Index> {
    let id = record.fields.iter().find(|field| field.name == "_id");
    if let ([field], Some(id)) = (key.fields.as_slice(), id)
        && field.path == [id.rust_name.clone()]
        && !field.hashed
    {
        return None;
    }
    let keys = key.fields.iter().map(|field| IndexKey {
        path: field.path.clone(),
        direction: if field.hashed { Direction::Hashed } else { Direction::Ascending },
        tokens: field.tokens.to_token_stream(),
    });
    Some(Index { unique: key.unique.clone(), ..Index::plain(keys.collect(), Origin::ShardKey) })
}

/// Whether a word is an option rather than a field: `shards = 4` is one, a field called `shards` is not.
fn is_option(argument: &Argument) -> bool {
    match argument.word.as_str() {
        "unique" => matches!(argument.value, Value::None),
        word => OF_SHARD_KEY.contains(&word) && !matches!(argument.value, Value::None),
    }
}

/// `host`, `address.city`, `hashed(id)`
fn lower_field(argument: &Argument, record: &Record) -> Option<ShardKeyField> {
    let (field, hashed) = match &argument.value {
        Value::None if !argument.word.is_empty() => (argument, false),
        Value::List(list) if argument.word == Direction::Hashed.word() => match list.as_slice() {
            [field] if matches!(field.value, Value::None) => (field, true),
            _ => return None,
        },
        _ => return None,
    };
    let path = field.path();
    let stored = record.fields.iter().find(|stored| path == [stored.rust_name.clone()]);
    let refers = stored.is_some_and(|stored| {
        is_reference(&stored.ty) || stored.relation().is_some_and(|relation| relation.storage.refers())
    });
    Some(ShardKeyField { path, hashed, distinct: None, refers, tokens: field.tokens.clone() })
}

/// `distinct(userid = 50_000)`
fn lower_distinct(argument: &Argument, fields: &mut [ShardKeyField], errors: &Errors) {
    for said in argument.expect_list("distinct(userid = 50_000)", errors) {
        let path = said.path();
        let Some(values) = number(Some(said), errors) else { continue };
        match fields.iter_mut().find(|field| field.path == path) {
            Some(ShardKeyField { distinct: Some(_), .. }) => {
                errors.at(&said.tokens, format!("`{}` is given twice\nhelp: remove one of the two", said.word));
            }
            Some(field) => field.distinct = Some(values),
            None => errors.at(
                &said.tokens,
                format!(
                    "`{}` is no field of this shard key\nhelp: say how many values a field of the key has",
                    said.word
                ),
            ),
        }
    }
}

/// `workload(inserts = 95, updates = 0, queries = 5)`
fn lower_workload(argument: &Argument, errors: &Errors) -> Option<Workload> {
    let example = "workload(inserts = 90, updates = 9.9, queries = 0.1)";
    let list = argument.expect_list(example, errors);
    argument.expect_words(list, OF_WORKLOAD, errors);
    let mut of = [0.0; 3];
    for said in list {
        let Some(at) = OF_WORKLOAD.iter().position(|word| *word == said.word) else { continue };
        match per_cent(&said.value) {
            Some(value) => of[at] = value,
            None => {
                errors.at(&said.tokens, format!("`{}` takes a number of per cent\nhelp: write `{example}`", said.word));
                return None;
            }
        }
    }
    let [inserts, updates, queries] = of;
    if !list.is_empty() && (inserts + updates + queries - 100.0).abs() > 0.5 {
        errors.at(
            &argument.tokens,
            format!(
                "a workload is all operations, and these are {} per cent\nhelp: write `{example}`",
                inserts + updates + queries
            ),
        );
        return None;
    }
    (!list.is_empty()).then_some(Workload { inserts, updates, queries })
}

fn per_cent(value: &Value) -> Option<f64> {
    let Value::Assigned(Expr::Lit(literal)) = value else { return None };
    match &literal.lit {
        Lit::Int(number) => number.base10_parse::<u32>().ok().map(f64::from),
        Lit::Float(number) => number.base10_parse::<f64>().ok(),
        _ => None,
    }
}
