//! The figures of a server about the collections of a schema, beside the limits: sizes, the largest documents, the
//! longest arrays, and the use of each index. Reads the server.

use std::fmt;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::{Database, bson::DateTime};

use super::{
    schema::Schema,
    statistics::{self, SAMPLED},
    verify::{LongestArray, longest},
};
use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::{Context, Executor},
    limits::DOCUMENT_BYTES,
    report::{bytes, counted, lines},
};

/// The figures of a database, from [`Schema::measure`](crate::Schema::measure). Data, and `Display` for people.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SchemaStatistics {
    /// The models with a collection in the database, in the order of the schema. Views and time series are left out:
    /// the server has no sizes of either.
    pub collections: Vec<CollectionStatistics>,
}

/// The figures of the collection of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CollectionStatistics {
    /// The model.
    pub model: &'static str,
    /// The collection.
    pub collection: &'static str,
    /// The number of documents, from the metadata of the server.
    pub documents: u64,
    /// The bytes of the documents, without compression.
    pub bytes: u64,
    /// The bytes of the largest document of a sample of 1,000 documents. A document has at most 16 MiB.
    pub largest_sampled: u64,
    /// The longest bounded arrays and maps of a sample of 1,000 documents, without subsets and histories, which are
    /// full as a rule.
    pub arrays: Vec<LongestArray>,
    /// The indexes, by name.
    pub indexes: Vec<IndexStatistics>,
}

/// The figures of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexStatistics {
    /// The name of the index.
    pub name: String,
    /// The size of the index in bytes.
    pub bytes: u64,
    /// The number of operations that have used the index.
    pub used: u64,
    /// The time at which the server began to count the operations.
    pub since: DateTime,
}

impl Schema {
    /// Measures the collections of the schema: documents and bytes, the largest documents, the longest arrays beside
    /// the bounds, and the size and the use of each index. Changes nothing; reads statistics, and samples of a thousand
    /// documents of each collection.
    ///
    /// # Errors
    /// [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not read statistics (the privileges `collStats`
    /// and `indexStats`); errors of the driver.
    ///
    /// # Examples
    /// ```
    /// use schema_runtime::{Schema, prelude::*};
    ///
    /// async fn print_sizes(schema: Schema, db: &Database) -> Result<()> {
    ///     for collection in schema.measure(db).await?.collections {
    ///         println!("{}: {} bytes", collection.collection, collection.bytes);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn measure<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<SchemaStatistics>> {
        measure(self.models(), db).boxed()
    }
}

async fn measure(models: &[&'static ModelDefinition], database: &Database) -> Result<SchemaStatistics> {
    let stored = statistics::collections(database).await?;
    let context = database.plain_context()?;
    let mut all = SchemaStatistics::default();
    for model in models.iter().filter(|model| stored.iter().any(|name| name == model.collection)) {
        all.collections.push(collection(model, &context).await?);
    }
    Ok(all)
}

async fn collection(model: &'static ModelDefinition, context: &Context) -> Result<CollectionStatistics> {
    let collection = model.collection;
    let sizes = statistics::sizes(collection, context).await?;
    let uses = statistics::index_uses(collection, context).await?;
    let indexes = uses.into_iter().map(|index| {
        let bytes = sizes.indexes.iter().find(|(name, _)| *name == index.name).map_or(0, |(_, bytes)| *bytes);
        IndexStatistics { name: index.name, bytes, used: index.used, since: index.since }
    });
    let mut indexes: Vec<IndexStatistics> = indexes.collect();
    indexes.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(CollectionStatistics {
        model: model.model,
        collection,
        documents: sizes.documents,
        bytes: sizes.bytes,
        largest_sampled: statistics::largest_sampled(collection, context).await?,
        arrays: longest(model, context, SAMPLED).await?,
        indexes,
    })
}

impl fmt::Display for SchemaStatistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.collections.is_empty() {
            return formatter.write_str("no collection of the schema is stored");
        }
        lines(formatter, &self.collections)
    }
}

impl fmt::Display for CollectionStatistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CollectionStatistics { model, collection, largest_sampled, arrays, indexes, .. } = self;
        let documents = counted(self.documents, "document", "documents");
        write!(formatter, "{collection} ({model}): {documents} of {}", bytes(self.bytes))?;
        if self.documents > 0 {
            let (largest, most) = (bytes(*largest_sampled), bytes(DOCUMENT_BYTES as u64));
            write!(formatter, ", the largest of a sample {largest} of at most {most}")?;
        }
        for LongestArray { field, bound, unit, longest } in arrays {
            write!(formatter, "\n  {field}: at most {longest} {unit} in a sample, the bound is {bound}")?;
        }
        for IndexStatistics { name, bytes: size, used, since } in indexes {
            let used = counted(*used, "time", "times");
            write!(formatter, "\n  index {name}: {}, used {used} since {since}", bytes(*size))?;
        }
        Ok(())
    }
}
