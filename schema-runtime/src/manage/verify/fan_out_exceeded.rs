//! Rule: `fan_out_exceeded`. The page is `guide/pages/rules/fan_out_exceeded.md`.

use std::{fmt, ops::ControlFlow};

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::EXAMPLES;
use crate::{
    definition::ModelDefinition,
    derived::copies::{CopyPath, paths_into},
    error::{Error, Result},
    executor::Context,
    read::Aggregate,
    report::counted,
};

/// Sources with more holders than the `fan_out` of a place declares.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FanOutExceeded {
    /// The model that holds the copies.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored path of the references beside the copies.
    pub reference: String,
    /// The collection of the sources.
    pub source: &'static str,
    /// The declared most holders of a source.
    pub fan_out: u64,
    /// The number of sources with more holders.
    pub sources: u64,
    /// The sources with the most holders: at most 5.
    pub examples: Vec<WideSource>,
}

/// A source with many holders.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WideSource {
    /// The `_id` of the source.
    pub id: Bson,
    /// The number of documents that refer to the source.
    pub holders: u64,
}

impl fmt::Display for FanOutExceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FanOutExceeded { model, reference, source, fan_out, .. } = self;
        let sources = counted(self.sources, "document", "documents");
        write!(formatter, "{model}.{reference}: {sources} of `{source}` have more than {fan_out} holders (`fan_out`)")?;
        for WideSource { id, holders } in &self.examples {
            write!(formatter, "\n  {id} has {holders}")?;
        }
        Ok(())
    }
}

/// Returns a finding for each place of the model that holds copies.
pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<FanOutExceeded>> {
    let mut found = Vec::new();
    for path in paths_into(model) {
        let Some(fan_out) = path.fan_out else { continue };
        let exceeded = of_path(&path, fan_out, context).await?;
        found.extend((exceeded.sources > 0).then_some(exceeded));
    }
    Ok(found)
}

async fn of_path(path: &CopyPath, fan_out: u64, context: &Context) -> Result<FanOutExceeded> {
    let mut found = FanOutExceeded {
        model: path.holder.model,
        collection: path.holder.collection,
        reference: path.reference_path(),
        source: path.source.collection,
        fan_out,
        sources: 0,
        examples: Vec::new(),
    };
    let visit = |group: &RawDocument| {
        found.sources += 1;
        if found.examples.len() < EXAMPLES {
            let group = Document::try_from(group).map_err(Error::encode)?;
            let holders = group.get("holders").and_then(Bson::as_i64).and_then(|count| u64::try_from(count).ok());
            let id = group.get("_id").cloned().unwrap_or(Bson::Null);
            found.examples.push(WideSource { id, holders: holders.unwrap_or_default() });
        }
        Ok(ControlFlow::Continue(()))
    };
    let pipeline = counting(path, fan_out);
    Aggregate { collection: Some(path.holder.collection), pipeline }.for_each(context, visit).await?;
    Ok(found)
}

/// Returns the pipeline that counts holders. A holder counts once for each source, even with several references to the
/// source.
fn counting(path: &CopyPath, fan_out: u64) -> Vec<Document> {
    let reference = format!("${}", path.reference_path());
    let mut pipeline = Vec::new();
    match path.array() {
        Some(array) => pipeline.extend([
            doc! { "$unwind": format!("${array}") },
            doc! { "$group": { "_id": { "holder": "$_id", "source": reference } } },
            doc! { "$group": { "_id": "$_id.source", "holders": { "$sum": 1_i64 } } },
        ]),
        None => pipeline.push(doc! { "$group": { "_id": reference, "holders": { "$sum": 1_i64 } } }),
    }
    let fan_out = i64::try_from(fan_out).unwrap_or(i64::MAX);
    pipeline.extend([
        doc! { "$match": { "_id": { "$ne": null }, "holders": { "$gt": fan_out } } },
        doc! { "$sort": { "holders": -1 } },
    ]);
    pipeline
}
