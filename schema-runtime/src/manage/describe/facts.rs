//! The facts of each model as tables of texts. Pure.

mod links;

use serde_json::Value;

use super::types::{grouped, plain, type_text};
use crate::manage::schema_file::{FieldEntry, IndexEntry, ModelEntry, SchemaFile, WriteEntry};

/// The facts of one model.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) collection: String,
    /// The struct, the kind of the collection and the shard key.
    pub(crate) heads: Vec<String>,
    /// The tables with rows.
    pub(crate) tables: Vec<FactTable>,
}

/// A table of texts.
#[derive(Clone, Debug)]
pub(crate) struct FactTable {
    pub(crate) title: &'static str,
    pub(crate) header: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// Returns the facts of the models, in the order of the file.
pub(crate) fn facts(file: &SchemaFile) -> Vec<Facts> {
    file.models.iter().map(|model| facts_of(model, file)).collect()
}

fn facts_of(model: &ModelEntry, file: &SchemaFile) -> Facts {
    let mut heads = vec![match model.module.as_str() {
        "" => format!("struct {}", model.model),
        module => format!("struct {module}::{}", model.model),
    }];
    heads.extend(kind_of(model));
    let tables = [
        fields(model),
        links::relations(model),
        links::referring(model, file),
        links::derived(model, file),
        indexes(model),
        search_indexes(model),
        queries(model),
        silenced(model),
    ];
    let tables = tables.into_iter().filter(|table| !table.rows.is_empty()).collect();
    Facts { collection: model.collection.clone(), heads, tables }
}

fn fields(model: &ModelEntry) -> FactTable {
    let rows = model.fields.iter().filter(|field| !field.path.ends_with([']', '}'])).map(|field| {
        let name = match &field.variant {
            Some(variant) => format!("{variant}: {}", field.path),
            None => field.path.clone(),
        };
        let indexes =
            model.indexes.iter().filter(|index| index.keys.iter().any(|key| path_of(key) == plain(&field.path)));
        vec![name, type_text(field, &model.fields), notes(field), cost(field.write.as_ref(), indexes.count())]
    });
    FactTable { title: "Fields", header: vec!["field", "type", "notes", "a write changes"], rows: rows.collect() }
}

/// Returns the path of a key of an index.
fn path_of(key: &str) -> &str {
    key.rsplit_once(": ").map_or(key, |(path, _)| path)
}

fn notes(field: &FieldEntry) -> String {
    let mut notes = Vec::new();
    if field.path == "_id" {
        notes.push("primary key".to_owned());
    }
    notes.extend(field.set_by.clone());
    if field.immutable {
        notes.push("set by inserts only".to_owned());
    }
    if !field.values.is_empty() {
        notes.push(field.values.join(" | "));
    }
    if let Some(variants) = &field.variants {
        notes.push(format!("by {}: {}", variants.tag, variants.names.join(" | ")));
    }
    let is_in_type = |name: &str| ["max_len", "max_items", "max_bytes", "least", "greatest"].contains(&name);
    let rules = field.rules.iter().filter(|(name, _)| !is_in_type(name));
    notes.extend(rules.map(|(name, value)| match value {
        Value::Bool(true) => name.clone(),
        _ => format!("{name} {value}"),
    }));
    notes.join(", ")
}

/// Returns the cost of a write: the documents, the keys of indexes, and the places that follow.
fn cost(write: Option<&WriteEntry>, indexes: usize) -> String {
    let keys = match indexes {
        0 => String::new(),
        1 => ", 1 index".to_owned(),
        _ => format!(", {indexes} indexes"),
    };
    let Some(write) = write else { return format!("1 document{keys}") };
    let documents = match write.documents {
        Some(1) => "1 document".to_owned(),
        Some(documents) => format!("at most {} documents", grouped(documents)),
        None => "any number of documents".to_owned(),
    };
    let mut text = format!("{documents}{keys}, by {} commands or more", grouped(write.commands));
    if write.commands == 1 {
        text = format!("{documents}{keys}");
    }
    match write.mode.as_str() {
        "transaction" => text += ", in a transaction",
        "chunks" => text += ", copies follow in chunks",
        _ => {}
    }
    if let Some(per_day) = write.per_day {
        text += &format!(", {} times a day", grouped(per_day));
    }
    if !write.places.is_empty() {
        text += &format!(": {}", write.places.join("; ").replace('`', ""));
    }
    text
}

fn indexes(model: &ModelEntry) -> FactTable {
    let rows = model.indexes.iter().map(|index| {
        let options = index.options.iter().map(|(name, value)| match value {
            Value::Bool(true) => name.clone(),
            _ => format!("{name} {value}"),
        });
        let options: Vec<String> = options.collect();
        vec![index.name.clone(), index.keys.join(", "), options.join(", "), index.used_by.join(", ")]
    });
    FactTable { title: "Indexes", header: vec!["index", "keys", "options", "used by"], rows: rows.collect() }
}

fn search_indexes(model: &ModelEntry) -> FactTable {
    let rows = model.search_indexes.iter().map(|index| vec![index.name.clone(), index.kind.clone()]);
    FactTable { title: "Search indexes", header: vec!["index", "type"], rows: rows.collect() }
}

fn queries(model: &ModelEntry) -> FactTable {
    let rows = model.queries.iter().map(|query| {
        let often = query.per_day.map(grouped).unwrap_or_default();
        vec![query.name.clone(), query.conditions.join(", "), query.order.join(", "), often]
    });
    FactTable { title: "Queries", header: vec!["query", "conditions", "order", "a day"], rows: rows.collect() }
}

fn silenced(model: &ModelEntry) -> FactTable {
    let rows = model.silenced.iter().map(|silenced| vec![silenced.rule.clone(), silenced.reason.clone()]);
    FactTable { title: "Silenced rules", header: vec!["rule", "reason"], rows: rows.collect() }
}

/// Returns the indexes over several fields, the special indexes and the search indexes, each as a short text. Indexes
/// for derived data alone are left out.
pub(crate) fn wide_indexes(model: &ModelEntry) -> Vec<String> {
    let is_derived = |index: &&IndexEntry| index.used_by == ["derived data"];
    let is_wide = |index: &&IndexEntry| match index.keys.as_slice() {
        [] => false,
        [key] => !key.ends_with(": 1") && !key.ends_with(": -1"),
        _ => true,
    };
    let text = |index: &IndexEntry| {
        let keys = index.keys.iter().map(|key| match key.rsplit_once(": ") {
            Some((path, "1")) => path.to_owned(),
            Some((path, "-1")) => format!("{path} desc"),
            Some((path, word)) => format!("{path} {word}"),
            None => key.clone(),
        });
        let keys: Vec<String> = keys.collect();
        let is_unique = index.options.get("unique") == Some(&Value::Bool(true));
        format!("{} ({})", if is_unique { "unique" } else { "index" }, keys.join(", "))
    };
    let indexes = model.indexes.iter().filter(|index| is_wide(index) && !is_derived(index)).map(text);
    let search = model.search_indexes.iter().map(|index| format!("{} index {}", index.kind, index.name));
    indexes.chain(search).collect()
}

/// Returns the kind of the collection and the shard key, in words.
pub(crate) fn kind_of(model: &ModelEntry) -> Vec<String> {
    let options = &model.options;
    let mut kinds = Vec::new();
    if let Some(source) = options.get("viewOn").and_then(Value::as_str) {
        kinds.push(format!("view of {source}"));
    }
    if options.contains_key("timeseries") {
        kinds.push("time series".to_owned());
    }
    if options.get("capped") == Some(&Value::Bool(true)) {
        let size = options.get("size").and_then(Value::as_u64);
        kinds.push(size.map_or_else(|| "capped".to_owned(), |size| format!("capped, {} bytes", grouped(size))));
    }
    if options.contains_key("clusteredIndex") {
        kinds.push("clustered by _id".to_owned());
    }
    if let Some(bucket) = &model.bucket {
        let by = bucket.by.as_ref().map(|by| format!(" and {by}")).unwrap_or_default();
        kinds.push(format!("buckets of {} by {}{by}", grouped(bucket.size), bucket.parent));
    }
    if let Some(locale) = options.get("collation").and_then(|collation| collation.get("locale")?.as_str()) {
        kinds.push(format!("collation {locale}"));
    }
    if model.read_only {
        kinds.push("read only".to_owned());
    }
    if model.insert_only {
        kinds.push("insert only".to_owned());
    }
    if let Some(key) = &model.shard_key {
        let keys: Vec<String> = key.keys.iter().map(|key| key.replace(": 1", "").replace(": ", " ")).collect();
        kinds.push(format!("shard key ({})", keys.join(", ")));
    }
    kinds
}
