//! The kind and the options of a collection in `#[model(..)]`.

use syn::Expr;

use super::{
    choice::one_of,
    collation::lower_collation,
    index::{lower_clause, lower_ttl},
    number,
};
use crate::{
    errors::Errors,
    model::{Clause, CollectionOptions, GivenKind, Kind, RenamedField, TimeSeries, View},
    parse::{Argument, Arguments, Value, path_of},
};

const GRANULARITIES: [(&str, &str); 3] = [("seconds", "Seconds"), ("minutes", "Minutes"), ("hours", "Hours")];
const COMPRESSIONS: [(&str, &str); 4] = [("none", "None"), ("snappy", "Snappy"), ("zlib", "Zlib"), ("zstd", "Zstd")];

/// The units of a size, with the bytes of each unit.
const UNITS: [(&str, u64); 9] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("B", 1),
];

/// Reads the kind and the options of the collection.
pub(super) fn lower_collection_options(arguments: &Arguments, errors: &Errors) -> CollectionOptions {
    let tokens = |word| arguments.get(word).map(|argument| argument.tokens.clone());
    let compression = arguments.get("compression").and_then(|argument| {
        Some((one_of(argument, "a compression", &COMPRESSIONS, errors)?, argument.tokens.clone()))
    });
    CollectionOptions {
        kinds: KINDS
            .iter()
            .filter_map(|(word, lower)| lower_kind(arguments.get(word)?, word, *lower, errors))
            .collect(),
        images: tokens("pre_and_post_images"),
        compression,
        collation: lower_collation(&arguments.list, errors),
        validation: tokens("validation"),
        writes: ["read_only", "insert_only"].into_iter().filter_map(tokens).collect(),
    }
}

type Lower = fn(&Argument, &Errors) -> Kind;

const KINDS: [(&str, Lower); 4] = [
    ("capped", lower_capped),
    ("clustered", lower_clustered),
    ("time_series", lower_time_series),
    ("view", lower_view),
];

fn lower_kind(argument: &Argument, word: &'static str, lower: Lower, errors: &Errors) -> Option<GivenKind> {
    Some(GivenKind { kind: lower(argument, errors), word, tokens: argument.tokens.clone() })
}

fn get<'a>(argument: &'a Argument, word: &str) -> Option<&'a Argument> {
    argument.inside().iter().find(|argument| argument.word == word)
}

fn ttl(argument: &Argument, errors: &Errors) -> Option<(u32, Expr)> {
    lower_ttl(get(argument, "ttl")?, errors)
}

fn lower_capped(argument: &Argument, errors: &Errors) -> Kind {
    let before = errors.count();
    let bytes = get(argument, "size").and_then(|size| lower_size(size, errors));
    if bytes.is_none() && errors.count() == before && errors.is_empty() {
        errors.at(
            &argument.tokens,
            "a capped collection has a fixed size\nhelp: write `capped(size = \"64MiB\")`, with the most bytes of the documents",
        );
    }
    Kind::Capped { bytes, max: number(get(argument, "max")) }
}

/// Reads `size = "64MiB"`, in bytes.
fn lower_size(argument: &Argument, errors: &Errors) -> Option<(u64, Expr)> {
    let text = argument.text()?;
    let value = text.value();
    let (count, unit) =
        UNITS.iter().find_map(|(unit, bytes)| Some((value.strip_suffix(unit)?, *bytes))).unwrap_or_default();
    let bytes = count.trim().replace('_', "").parse::<u64>().ok().and_then(|count| count.checked_mul(unit));
    match bytes.filter(|bytes| *bytes > 0) {
        Some(bytes) => Some((bytes, argument.tokens.clone())),
        None => {
            errors.at(
                &text,
                "`size` takes a whole number of bytes with a unit\nhelp: write `size = \"64MiB\"`; the units are B, KiB, MiB, GiB, TiB, KB, MB, GB and TB",
            );
            None
        }
    }
}

fn lower_clustered(argument: &Argument, errors: &Errors) -> Kind {
    Kind::Clustered { ttl: ttl(argument, errors) }
}

fn lower_time_series(argument: &Argument, errors: &Errors) -> Kind {
    let time = get(argument, "time").and_then(Argument::name);
    if time.is_none() && errors.is_empty() {
        errors.at(
            &argument.tokens,
            "a time series has a field with the time of each measurement\nhelp: write `time_series(time = at)` with a `DateTime` field of this struct",
        );
    }
    let granularity = get(argument, "granularity")
        .and_then(|argument| one_of(argument, "a granularity", &GRANULARITIES, errors))
        .unwrap_or(GRANULARITIES[0].1);
    let meta = get(argument, "meta").and_then(Argument::name);
    Kind::TimeSeries(TimeSeries { time, meta, granularity, ttl: ttl(argument, errors) })
}

fn lower_view(argument: &Argument, errors: &Errors) -> Kind {
    let of = get(argument, "of").and_then(Argument::names).cloned();
    if of.is_none() && errors.is_empty() {
        errors.at(
            &argument.tokens,
            "a view shows the documents of another model\nhelp: write `view(of = Product)` with the model of the source",
        );
    }
    let clauses = get(argument, "filter").map(Argument::inside).unwrap_or_default();
    let filter: Vec<Clause> = clauses.iter().filter_map(|clause| lower_clause(clause, "filter", errors)).collect();
    let renamed = get(argument, "from").map(Argument::inside).unwrap_or_default();
    Kind::View(View {
        of,
        filter,
        aggregate: get(argument, "aggregate").and_then(Argument::names).cloned(),
        renamed: renamed.iter().filter_map(|renamed| lower_renamed(renamed, errors)).collect(),
    })
}

/// Reads `label = name` in `from(..)`.
fn lower_renamed(argument: &Argument, errors: &Errors) -> Option<RenamedField> {
    let from = match &argument.value {
        Value::Assigned(from) if !argument.word.is_empty() => path_of(from),
        Value::None | Value::List(_) | Value::Typed(_) | Value::Assigned(_) => None,
    };
    if from.is_none() {
        errors.at(
            &argument.tokens,
            "`from(..)` names a field of the view, and the field of the source\nhelp: write `from(label = name)`, or `from(city = address.city)` for a field of an embedded struct",
        );
    }
    Some(RenamedField { field: argument.word.clone(), from: from?, tokens: argument.tokens.clone() })
}
