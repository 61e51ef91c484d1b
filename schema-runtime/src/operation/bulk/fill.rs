//! Bulk writes of models with copies or rollups: all of them have one mark, by which what follows them is done at the end. What is
//! to be deleted is marked first where its parents keep something of it.

use std::mem;

use mongodb::bson::{Document, RawDocumentBuf};

use super::statement::{DeleteStatement, Kind, Write, statement};
use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Context, Sent, Statement},
    operation::{effects::Effects, write},
};

pub(super) async fn fill(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &mut [Write],
) -> Result<Effects> {
    let mut effects = Effects::new(definition, false);
    let inserts = |write: &&mut Write| write.kind == Kind::Insert;
    let taken = writes.iter_mut().filter(inserts).map(|write| mem::take(&mut write.statement));
    let taken: Vec<RawDocumentBuf> = taken.collect();
    if !taken.is_empty() {
        let filled = effects.fill_inserts(context, taken, None).await?;
        writes.iter_mut().filter(inserts).zip(filled).for_each(|(write, filled)| write.statement = filled);
    }
    for write in writes {
        let (sent, multi) = match write.kind {
            Kind::Update => {
                let update: Statement<Document> = codec::decode(&write.statement).map_err(Error::encode)?;
                let multi = update.multi;
                let mut sent = Sent { touched: mem::take(&mut write.touched), ..Sent::from(update) };
                effects.fill_update(context, &mut sent, multi).await?;
                (sent, multi)
            }
            Kind::Delete if write::is_rolled_up(definition) => {
                let DeleteStatement { q, limit } = codec::decode(&write.statement).map_err(Error::encode)?;
                let Some(rollups) = &mut effects.rollups else { continue };
                (rollups.of_delete(&q), limit == 0)
            }
            Kind::Insert | Kind::Delete => continue,
        };
        write.statement = statement(&sent.into_statement(multi))?;
    }
    Ok(effects)
}
