//! Makes the options of a collection from the definition of a model.

use mongodb::bson::{Document, doc};

use super::{MOST_DOCUMENTS, StoredKind, StoredOptions};
use crate::{
    definition::{CollectionKind, Compression, ModelDefinition, ViewDefinition},
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

/// Returns the stages of a view: the conditions, then the fields of the struct, in the order of the struct.
fn pipeline(model: &ModelDefinition, view: &ViewDefinition, source: &ModelDefinition) -> Vec<Document> {
    let filter = filter_of(source, view.filter);
    let mut fields = Document::new();
    for field in model.fields {
        fields.insert(field.name, 1);
    }
    let mut stages = Vec::new();
    if !filter.is_empty() {
        stages.push(doc! { "$match": filter });
    }
    stages.push(doc! { "$project": fields });
    stages
}
