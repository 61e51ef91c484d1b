//! Rule: `unkept_slug`
//!
//! A slug with `keep_old` is the first of the slugs that the document keeps. A slug that is not the first was written bypassing this crate,
//! or before the model had a `keep_old`: another document could keep the same slug as an earlier slug. A list may also be longer than a
//! smaller `keep_old` allows. `repair` writes the list.
//!
//! Source: MongoDB, "unique indexes", "multikey indexes": an index is unique over one array, not over two fields.

use std::fmt;

use mongodb::bson::Bson;

use super::EXAMPLES;
use crate::{definition::ModelDefinition, derived::slug::unkept, error::Result, executor::Context, report::counted};

/// Documents that do not keep the current slug, or that keep too many slugs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnkeptSlug {
    /// The model.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored name of the slug.
    pub field: &'static str,
    /// The number of documents.
    pub count: u64,
    /// The `_id`s of some of the documents.
    pub examples: Vec<Bson>,
}

pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<UnkeptSlug>> {
    let found = unkept(model, context, EXAMPLES).await?;
    let (model, collection) = (model.model, model.collection);
    let finding = |(field, count, examples)| UnkeptSlug { model, collection, field, count, examples };
    Ok(found.into_iter().map(finding).collect())
}

impl fmt::Display for UnkeptSlug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnkeptSlug { model, collection, field, .. } = self;
        let documents = counted(self.count, "document", "documents");
        write!(
            formatter,
            "{model}.{field}: {documents} of `{collection}` whose list of slugs does not begin with it, or is too long"
        )?;
        for example in &self.examples {
            write!(formatter, "\n  {example}")?;
        }
        Ok(())
    }
}
