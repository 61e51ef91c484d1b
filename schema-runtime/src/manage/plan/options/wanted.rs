//! Makes the options of a collection from the definition of a model.

use mongodb::bson::{Bson, Document, doc};

use super::{MOST_DOCUMENTS, StoredKind, StoredOptions};
use crate::{
    aggregate::declared::stages_of_view,
    definition::{
        CollectionKind, Compression, FieldDefinition, Groups, Kind, ModelDefinition, RenamedField, ViewDefinition,
        stored_path,
    },
    indexes::filter_of,
};

/// The size of a capped collection is a multiple of this number of bytes.
const CAPPED_UNIT: u64 = 256;

/// Returns the options that a model declares.
pub(crate) fn wanted_options(model: &ModelDefinition) -> StoredOptions {
    let options = &model.options;
    StoredOptions {
        kind: kind(model),
        images: options.pre_and_post_images,
        compression: options.compression.map(Compression::word).map(str::to_owned),
        collation: options.collation.map(|collation| collation.to_document()),
    }
}

fn kind(model: &ModelDefinition) -> StoredKind {
    match &model.options.kind {
        CollectionKind::Plain => StoredKind::Plain,
        CollectionKind::Capped { bytes, documents } => StoredKind::Capped {
            bytes: bytes.checked_next_multiple_of(CAPPED_UNIT).and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(0),
            documents: documents.and_then(|most| i64::try_from(most).ok()).filter(|most| *most < MOST_DOCUMENTS),
        },
        CollectionKind::Clustered { expire_after_seconds } => {
            StoredKind::Clustered { expire_after_seconds: expire_after_seconds.map(i64::from) }
        }
        CollectionKind::TimeSeries(series) => StoredKind::TimeSeries {
            time: series.time.to_owned(),
            meta: series.meta.map(str::to_owned),
            granularity: Some(series.granularity.word()),
            expire_after_seconds: series.expire_after_seconds.map(i64::from),
        },
        CollectionKind::View(view) => {
            let source = (view.of.definition)();
            StoredKind::View { on: source.collection.to_owned(), pipeline: pipeline(model, view, source) }
        }
    }
}

/// Returns the stages of a view: the conditions, the groups of an aggregation, then the fields of the struct, in the
/// order of the struct.
fn pipeline(model: &ModelDefinition, view: &ViewDefinition, source: &ModelDefinition) -> Vec<Document> {
    let filter = filter_of(source, view.filter);
    let groups = view.groups.map(|groups| groups());
    let mut stages = match groups {
        Some(groups) => stages_of_view(groups, filter, source.options.collation.is_some()),
        None if filter.is_empty() => Vec::new(),
        None => vec![doc! { "$match": filter }],
    };
    let fields = model.fields.iter().map(|field| {
        let shown = match (groups, view.renamed(field)) {
            (Some(groups), None) if field.name == "_id" => key_of(groups, field),
            (Some(groups), Some(renamed)) => in_source(groups.fields, renamed),
            (None, Some(renamed)) => in_source(source.fields, renamed),
            (Some(_), None) => Bson::String(format!("${}", field.name)),
            (None, None) => Bson::Int32(1),
        };
        (field.name.to_owned(), shown)
    });
    stages.push(doc! { "$project": fields.collect::<Document>() });
    stages
}

/// Returns the value of a field with another name in the source.
fn in_source(fields: &'static [FieldDefinition], renamed: &RenamedField) -> Bson {
    let path = stored_path(fields, renamed.from).unwrap_or_else(|| renamed.from.join("."));
    Bson::String(format!("${path}"))
}

/// Returns the `_id` of a group: the key, or a document of the keys in the order of the struct.
fn key_of(groups: &Groups, id: &FieldDefinition) -> Bson {
    match id.shape.kind {
        Kind::Document { fields, .. } => {
            let keys = fields.iter().map(|key| (key.name.to_owned(), Bson::String(format!("${}", key.name))));
            Bson::Document(keys.collect())
        }
        _ => {
            let key = groups.definition.keys.first().map(|key| groups.fields[key.field].name);
            Bson::String(format!("${}", key.unwrap_or("_id")))
        }
    }
}
