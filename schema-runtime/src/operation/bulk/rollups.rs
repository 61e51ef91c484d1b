//! Bulk writes of models whose parents keep something of them, or that keep something themselves: all of them have one mark, by
//! which the parents follow at the end. What is to be deleted is marked first.

use mongodb::bson::RawDocumentBuf;

use super::{DeleteStatement, Kind, Write, statement};
use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Context, Sent, Statement},
    rollup::Keeping,
};

pub(super) async fn fill(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &mut [Write],
) -> Result<Keeping> {
    let mut keeping = Keeping::new(definition);
    let inserts = writes.iter().filter(|write| write.kind == Kind::Insert).map(|write| write.statement.clone());
    let inserts: Vec<RawDocumentBuf> = inserts.collect();
    if !inserts.is_empty() {
        let filled = Box::pin(keeping.fill_inserts(context, inserts)).await?;
        let places = writes.iter_mut().filter(|write| write.kind == Kind::Insert);
        places.zip(filled).for_each(|(write, filled)| write.statement = filled);
    }
    let is_kept = definition.relations.iter().any(|relation| relation.kept);
    for write in writes.iter_mut() {
        let (sent, multi) = match write.kind {
            Kind::Insert => continue,
            Kind::Update => {
                let Statement { q, u, multi, upsert, array_filters } =
                    codec::decode(&write.statement).map_err(Error::encode)?;
                let mut sent = Sent { filter: q, update: u, array_filters, upsert, ..Sent::default() };
                keeping.fill_update(context, &mut sent, multi).await?;
                (sent, multi)
            }
            Kind::Delete if !is_kept => continue,
            Kind::Delete => {
                let DeleteStatement { q, limit } = codec::decode(&write.statement).map_err(Error::encode)?;
                (keeping.of_delete(&q), limit == 0)
            }
        };
        let Sent { filter: q, update: u, array_filters, upsert, .. } = sent;
        write.statement = statement(&Statement { q, u, multi, upsert, array_filters })?;
    }
    Ok(keeping)
}
