//! Makes the entries of a schema file from the definitions. Pure.

mod fields;

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document};
use serde_json::Value;

use super::{
    BucketEntry, FORMAT, FieldEntry, IndexEntry, ModelEntry, QueryEntry, SchemaFile, SearchIndexEntry, ShardKeyEntry,
    SilencedRule, UnknownFields, ValidationEntry, VariantsEntry, WriteEntry,
};
use crate::{
    definition::{
        BucketDefinition, Direction, ExtraFields, ModelDefinition, QueryDefinition, ShardKeyDefinition, Variants,
    },
    error::Result,
    indexes::{Index, SearchIndex, wanted_indexes, wanted_search_indexes},
    json::Extended,
    manage::{
        cost::CostMode,
        plan::options::wanted_options,
        review::{ModelReview, WriteReview, review_model},
    },
};

/// Returns the entries of the models, in the order of the collections.
///
/// # Errors
/// [`DefinitionConflict`](crate::Error::DefinitionConflict) when two indexes of a model have the same name.
pub(crate) fn describe(models: &[&'static ModelDefinition]) -> Result<SchemaFile> {
    let mut models = models.iter().map(|model| describe_model(model)).collect::<Result<Vec<_>>>()?;
    models.sort_by(|one, other| one.collection.cmp(&other.collection));
    Ok(SchemaFile { format: FORMAT, models })
}

fn describe_model(model: &'static ModelDefinition) -> Result<ModelEntry> {
    let kind = &model.options.kind;
    let review = review_model(model);
    let mut indexes: Vec<IndexEntry> = match kind.is_view() {
        true => Vec::new(),
        false => wanted_indexes(model)?.iter().map(|index| describe_index(index, &review)).collect(),
    };
    indexes.sort_by(|one, other| one.name.cmp(&other.name));
    let mut queries: Vec<QueryEntry> = model.queries.iter().map(|query| describe_query(model, query)).collect();
    queries.sort_by(|one, other| one.name.cmp(&other.name));
    let mut search_indexes: Vec<SearchIndexEntry> =
        wanted_search_indexes(model).into_iter().map(describe_search_index).collect();
    search_indexes.sort_by(|one, other| one.name.cmp(&other.name));
    let rules = model.document_rules.iter().map(|rule| to_json(&Bson::Document(rule.expression())));
    Ok(ModelEntry {
        collection: model.collection.to_owned(),
        model: model.model.to_owned(),
        module: model.name.rsplit_once("::").map(|(module, _)| module.to_owned()).unwrap_or_default(),
        options: to_map(&wanted_options(model).for_create()),
        validation: kind.has_validator().then(|| ValidationEntry {
            level: model.options.validation_level.word().to_owned(),
            action: model.options.validation_action.word().to_owned(),
        }),
        unknown_fields: match model.extra {
            ExtraFields::Drop => UnknownFields::Drop,
            ExtraFields::Keep { .. } => UnknownFields::Keep,
            ExtraFields::Refuse => UnknownFields::Refuse,
        },
        strict: model.strict,
        read_only: model.read_only,
        insert_only: model.insert_only,
        variants: model.variants.map(describe_variants),
        fields: describe_fields(model, &review),
        rules: rules.collect(),
        indexes,
        queries,
        search_indexes,
        bucket: model.bucket.map(describe_bucket),
        shard_key: model.shard_key.map(|key| describe_shard_key(model, key)),
        silenced: model
            .allows
            .iter()
            .map(|allow| SilencedRule { rule: allow.rule.to_owned(), reason: allow.reason.to_owned() })
            .collect(),
    })
}

/// Returns the entries of the fields, with the costs of the writes that change more than the document.
fn describe_fields(model: &'static ModelDefinition, review: &ModelReview) -> Vec<FieldEntry> {
    let mut entries = fields::of_model(model);
    for entry in &mut entries {
        let path = entry.path.replace("[]", "").replace("{}", "");
        let is_whole = !entry.path.ends_with([']', '}']);
        let write = review.writes.iter().find(|write| is_whole && write.cost.field == path);
        entry.write = write.map(describe_write);
    }
    entries
}

fn describe_write(write: &WriteReview) -> WriteEntry {
    let cost = &write.cost;
    WriteEntry {
        per_day: write.per_day,
        mode: match cost.mode {
            CostMode::Alone => "alone",
            CostMode::Transaction => "transaction",
            CostMode::Chunks => "chunks",
        }
        .to_owned(),
        commands: cost.commands(0),
        documents: cost.documents(),
        collections: cost.collections() as u64,
        places: cost.to_string().lines().skip(1).map(|line| line.trim().to_owned()).collect(),
    }
}

fn describe_bucket(bucket: &BucketDefinition) -> BucketEntry {
    BucketEntry {
        size: bucket.size,
        parent: bucket.parent.name.to_owned(),
        by: bucket.by.map(|(span, _)| span.word().to_owned()),
    }
}

fn describe_search_index(index: SearchIndex) -> SearchIndexEntry {
    let definition = to_json(&Bson::Document(index.definition));
    SearchIndexEntry { name: index.name, kind: index.kind.to_owned(), definition }
}

fn describe_variants(variants: &Variants) -> VariantsEntry {
    let names = variants.list.iter().map(|variant| variant.name.to_owned());
    VariantsEntry { tag: variants.tag.to_owned(), names: names.collect() }
}

/// Returns the entry of an index: the keys in order, and the remaining fields of `createIndexes` as options.
fn describe_index(index: &Index, review: &ModelReview) -> IndexEntry {
    let mut options = to_map(&index.to_document());
    options.remove("key");
    options.remove("name");
    let keys = index.keys.iter().map(|(path, direction)| match direction.as_str() {
        Some(word) => format!("{path}: {word}"),
        None => format!("{path}: {direction}"),
    });
    let asked = review.indexes.iter().find(|asked| asked.name == index.name);
    let used_by = asked.iter().flat_map(|asked| asked.asked_by.iter().map(ToString::to_string));
    IndexEntry { name: index.name.clone(), keys: keys.collect(), options, used_by: used_by.collect() }
}

fn describe_query(model: &ModelDefinition, query: &QueryDefinition) -> QueryEntry {
    let conditions = query.conditions.iter().map(|condition| {
        let path = model.stored_path(condition.path);
        format!("{path} {}", condition.operator.word())
    });
    let order = query.order.iter().map(|key| {
        let direction = if key.direction == Direction::Descending { "descending" } else { "ascending" };
        format!("{} {direction}", model.stored_path(key.path))
    });
    QueryEntry {
        name: query.name.to_owned(),
        conditions: conditions.collect(),
        order: order.collect(),
        per_day: query.per_day,
    }
}

fn describe_shard_key(model: &ModelDefinition, key: &ShardKeyDefinition) -> ShardKeyEntry {
    let keys = key.fields.iter().map(|field| {
        let direction = if field.hashed { "hashed" } else { "1" };
        format!("{}: {direction}", model.stored_path(field.path))
    });
    ShardKeyEntry { keys: keys.collect(), unique: key.unique }
}

/// Returns the fields of a document by name, in extended JSON.
fn to_map(document: &Document) -> BTreeMap<String, Value> {
    document.iter().map(|(name, value)| (name.clone(), to_json(value))).collect()
}

fn to_json(value: &Bson) -> Value {
    serde_json::to_value(Extended(value)).expect("extended JSON is JSON")
}
