//! An update of one child by a command that also returns the child before the update: one command instead of a read and
//! an update. Reaches the server.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::{simulate, writing::RollupWriting};
use crate::{
    changes::UpdateSpec,
    codec,
    definition::{Kind, ModelDefinition, Scalar, find_stored},
    derived::{rollup::stored::path::projection, updated::read_by_ids},
    error::{Error, Result, server},
    executor::{Context, Outcome},
};

impl RollupWriting {
    /// Returns whether one command can update the child and return the child before the update. The server then does
    /// not say whether the update changed the child: the changed fields are compared, and must be short.
    pub(in crate::derived::rollup) fn is_returned(&self, spec: &UpdateSpec) -> bool {
        let is_plain = !self.changes.is_empty() && !self.updated.has_read && !spec.upsert;
        let projected = projection(&self.changes);
        let is_short = |name: &str| projected.contains_key(name) || is_short_value(self.definition, name);
        is_plain && self.definition.shard_key.is_none() && changed_fields(spec).iter().all(|name| is_short(name))
    }

    /// Updates one child that matches, and keeps the child before and after the update.
    pub(in crate::derived::rollup) async fn update_returned(
        &mut self,
        context: &Context,
        spec: UpdateSpec,
    ) -> Result<Outcome> {
        let collection = self.definition.collection;
        let changed = changed_fields(&spec);
        let mut fields = projection(&self.changes);
        fields.extend(changed.iter().map(|name| (name.clone(), Bson::Int32(1))));
        let changes = spec.changes.clone();
        let found = context.find_one_and_update(collection, spec.into_request(), false, fields.clone()).await;
        let Some(found) = found.map_err(|error| server::write(self.definition, error))? else {
            return Ok(Outcome::default());
        };
        let before = Document::try_from(&*found).map_err(Error::encode)?;
        let names: Vec<&str> = changed.iter().map(String::as_str).collect();
        let after = match simulate::after(&before, &changes, &names) {
            Some(after) => Some(after),
            None => {
                let ids: Vec<Bson> = before.get("_id").cloned().into_iter().collect();
                read_by_ids(context, collection, &ids, &fields).await?.pop()
            }
        };
        let is_same = after.as_ref().is_some_and(|after| values(&before, &names) == values(after, &names));
        self.updated.before = vec![before];
        self.updated.has_read = true;
        self.after = after;
        Ok(Outcome { matched: 1, modified: u64::from(!is_same), upserted_id: None })
    }
}

/// Returns the stored names of the fields that an update changes or touches.
fn changed_fields(spec: &UpdateSpec) -> BTreeSet<String> {
    let top = |path: &str| path.split('.').next().map(str::to_owned);
    spec.changes.paths().filter_map(top).collect()
}

fn is_short_value(definition: &'static ModelDefinition, name: &str) -> bool {
    let is_short = |kind: &Kind| matches!(kind, Kind::Scalar(scalar) if *scalar != Scalar::Binary);
    find_stored(definition.fields, name).is_some_and(|field| !field.hidden && is_short(&field.shape.kind))
}

/// Returns the named values as bytes: the server compares the bytes too.
fn values(document: &Document, names: &[&str]) -> Option<RawDocumentBuf> {
    let values: Document =
        names.iter().filter_map(|name| Some(((*name).to_owned(), document.get(name)?.clone()))).collect();
    codec::encode(&values).ok()
}
