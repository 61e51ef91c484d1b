//! `#[shard_key(..)]`, and the index that the shard key needs.

use quote::ToTokens;

use super::{
    allow::lower_allows,
    given::Given,
    known::{Asked, known},
    number,
};
use crate::{
    attributes::{Attribute, words::OF_SHARD_KEY},
    errors::Errors,
    model::{Direction, Index, IndexKey, Origin, Record, ShardKey, ShardKeyField, Workload},
    parse::{Argument, Arguments, Form, Value, is_reference, listed},
};

const EXAMPLE: &str = "write `#[shard_key(host, time)]`, or `#[shard_key(hashed(id))]`, with fields of the struct";

/// Reads a shard key; `None` after a mistake.
pub(crate) fn lower_shard_key(given: &Given<'_>, record: &Record, errors: &Errors) -> Option<ShardKey> {
    let attribute = given.get(Attribute::ShardKey)?;
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    let mut fields = Vec::new();
    let asked = Asked { record, tagged: None };
    for argument in arguments.take(|argument| !argument.is_option_of(OF_SHARD_KEY)) {
        match lower_field(&argument, record) {
            Some(field) if known(&field.path, &field.tokens, asked, errors).is_none() => {}
            Some(field) => fields.push(field),
            None if argument.word == Direction::Hashed.word() => errors.at(
                &argument.tokens,
                "`hashed` takes a single field\nhelp: write `hashed(..)` with a field of this struct, and the further fields beside `hashed(..)`",
            ),
            None => errors.at(
                &argument.tokens,
                format!("unknown word `{}` in `#[shard_key(..)]`\nhelp: a field of the key is written as `field` or `hashed(field)`; the options are {}", argument.word, listed(OF_SHARD_KEY)),
            ),
        }
    }
    let judged = errors.count();
    arguments.expect_words(OF_SHARD_KEY, errors);
    // The sum of a workload is not judged after a mistake in a word of the workload.
    let is_whole = errors.count() == judged;
    if fields.is_empty() {
        if errors.count() == before {
            errors.at(attribute.path(), format!("this shard key has no field\nhelp: {EXAMPLE}"));
        }
        return None;
    }
    if let Some(distinct) = arguments.get("distinct") {
        lower_distinct(distinct, &mut fields, errors);
    }
    let key = ShardKey {
        fields,
        unique: arguments.get("unique").map(|argument| argument.tokens.clone()),
        shards: number(arguments.get("shards")),
        chunks: number(arguments.get("chunks")),
        workload: arguments.get("workload").filter(|_| is_whole).and_then(|argument| lower_workload(argument, errors)),
        allows: lower_allows(&arguments.list, Attribute::ShardKey, errors),
    };
    (errors.count() == before).then_some(key)
}

/// Returns the index over the fields; `None` for the `_id` alone, since the `_id` has an index.
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

/// Reads `host`, `address.city`, `hashed(id)`.
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

/// Reads `distinct(userid = 50_000)`.
fn lower_distinct(argument: &Argument, fields: &mut [ShardKeyField], errors: &Errors) {
    for said in argument.inside() {
        if said.word.is_empty() {
            errors.at(
                &said.tokens,
                "`distinct` takes fields, each with a number of values\nhelp: write `distinct(userid = 50_000)`",
            );
            return;
        }
        let path = said.path();
        if !said.expect(Form::Number, "distinct(userid = 50_000)", errors) {
            continue;
        }
        let Some(values) = number(Some(said)) else { continue };
        match fields.iter_mut().find(|field| field.path == path) {
            Some(ShardKeyField { distinct: Some(_), .. }) => {
                errors.at(&said.tokens, format!("`{0}` is given twice\nhelp: remove the second `{0}`", said.word));
            }
            Some(field) => field.distinct = Some(values),
            None => errors.at(
                &said.tokens,
                format!(
                    "`{}` is not a field of this shard key\nhelp: write a field of the key with the number of values",
                    said.word
                ),
            ),
        }
    }
}

/// Reads `workload(inserts = 95, updates = 0, queries = 5)`.
fn lower_workload(argument: &Argument, errors: &Errors) -> Option<Workload> {
    let example = "workload(inserts = 90, updates = 9.9, queries = 0.1)";
    let list = argument.inside();
    let of = |word: &str| {
        let said = list.iter().find(|argument| argument.word == word);
        said.and_then(Argument::percentage).unwrap_or(0.0)
    };
    let (inserts, updates, queries) = (of("inserts"), of("updates"), of("queries"));
    if !list.is_empty() && (inserts + updates + queries - 100.0).abs() > 0.5 {
        errors.at(
            &argument.tokens,
            format!(
                "a workload is 100 per cent of the operations, and the sum here is {} per cent\nhelp: write `{example}`",
                inserts + updates + queries
            ),
        );
        return None;
    }
    (!list.is_empty()).then_some(Workload { inserts, updates, queries })
}
