//! Bulk writes of models that hold copies or are copied: all of them have one mark, by which their copies follow at the end.

use mongodb::bson::RawDocumentBuf;

use super::{Kind, Write, statement};
use crate::{
    codec,
    copies::{Manner, Writing},
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Context, Sent, Statement},
};

pub(super) async fn fill(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &mut [Write],
) -> Result<Writing> {
    let mut writing = Writing::of_bulk(definition);
    let inserts = writes.iter().filter(|write| write.kind == Kind::Insert).map(|write| write.statement.clone());
    let inserts: Vec<RawDocumentBuf> = inserts.collect();
    if !inserts.is_empty() {
        let filled = Box::pin(writing.fill_inserts(context, inserts, None)).await?;
        let places = writes.iter_mut().filter(|write| write.kind == Kind::Insert);
        places.zip(filled).for_each(|(write, filled)| write.statement = filled);
    }
    for write in writes.iter_mut().filter(|write| write.kind == Kind::Update) {
        let Statement { q, u, multi, upsert, array_filters } =
            codec::decode(&write.statement).map_err(Error::encode)?;
        let mut sent = Sent { filter: q, update: u, array_filters, upsert, ..Sent::default() };
        // None is left out: an older copy that is written here is mended by the look.
        Box::pin(writing.fill_update(context, &mut sent, Manner::InBulk)).await?;
        let Sent { filter: q, update: u, array_filters, upsert, .. } = sent;
        write.statement = statement(&Statement { q, u, multi, upsert, array_filters })?;
    }
    Ok(writing)
}
