//! What a stopped client has left behind: marked sources are carried again, marked holders are looked at. It may run at any
//! time, beside all writers and beside itself.

use mongodb::{
    bson::{Bson, doc, oid::ObjectId},
    error::Error as DriverError,
};

use super::{
    pace::Pace,
    path::{CopyPath, carried_by, held_by},
    settle, source,
    writing::carry_marked,
};
use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::Context,
    read::Query,
    rollup::{self, RecoveredRollup},
};

/// What [`Schema::recover`](crate::schema::Schema::recover) has done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// One for each place that holds copies and had marks, in the order of the schema.
    pub paths: Vec<RecoveredPath>,
    /// One for each relation of whose children something is kept, and that had marks.
    pub rollups: Vec<RecoveredRollup>,
}

/// The marks of one place that holds copies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredPath {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references to the source.
    pub reference: String,
    /// How many sources were carried again.
    pub sources: u64,
    /// How many holders were looked at.
    pub holders: u64,
}

/// How many marked sources are touched at a time.
const CHUNK: u32 = 200;

pub(crate) async fn recover(models: &[&'static ModelDefinition], context: &Context, pace: &Pace) -> Result<Recovered> {
    let context = context.majority();
    let mut recovered = Recovered::default();
    let mut paths: Vec<RecoveredPath> = Vec::new();
    for model in models {
        for path in carried_by(model) {
            let sources = recover_sources(&context, &path, pace).await?;
            found(&mut paths, &path).sources += sources;
        }
    }
    for model in models {
        for path in held_by(model).iter().filter(|path| path.synced) {
            let marked = doc! { path.holder_mark(): { "$exists": true } };
            let holders = settle::look_at_marked(&context, path, marked).await?;
            found(&mut paths, path).holders += holders;
        }
    }
    recovered.paths = paths.into_iter().filter(|path| path.sources + path.holders > 0).collect();
    recovered.rollups = rollup::recover(models, &context).await?;
    Ok(recovered)
}

fn found<'r>(paths: &'r mut Vec<RecoveredPath>, path: &CopyPath) -> &'r mut RecoveredPath {
    let (holder, reference) = (path.holder.collection, path.reference_path());
    let place = paths.iter().position(|other| other.holder == holder && other.reference == reference);
    let place = place.unwrap_or_else(|| {
        paths.push(RecoveredPath { holder, reference, sources: 0, holders: 0 });
        paths.len() - 1
    });
    &mut paths[place]
}

/// Each marked source gets a new version for its values as they are, and a mark of this run; then all of those are carried.
async fn recover_sources(context: &Context, path: &CopyPath, pace: &Pace) -> Result<u64> {
    let mark = ObjectId::new();
    let mut query = Query::new(path.source.collection, doc! { path.source_mark(): { "$exists": true, "$ne": mark } });
    query.projection = doc! { "_id": 1 };
    query.batch_size = CHUNK;
    // A write of a client that was killed a moment ago may not be on a majority yet. The touch is.
    let mut batches = query.batches(&context.newest()).await?;
    let mut carried = 0;
    while let Some(batch) = batches.next().await {
        let mut ids = Vec::new();
        for document in batch?.doc_slices()? {
            let document = document.map_err(DriverError::from)?;
            let id = document.as_document().and_then(|document| document.get("_id").ok().flatten());
            ids.extend(id.and_then(|id| Bson::try_from(id).ok()));
        }
        for id in &ids {
            source::touch(context, &[path], id, mark).await?;
        }
        carried += carry_marked(context, path, doc! { path.source_mark(): mark }, pace).await?;
    }
    Ok(carried)
}
