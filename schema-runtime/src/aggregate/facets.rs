//! A page of documents with the numbers beside the page, built before the read is sent.

mod parts;
mod send;

use std::{fmt, marker::PhantomData, sync::Arc};

use derive_where::derive_where;
use mongodb::bson::Document;

use self::{
    parts::{Facetted, Part},
    send::Commands,
};
use super::result::check;
use crate::{
    codec,
    definition::CollectionKind,
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    field::Filter,
    model::{Facets, Model},
    mongosh::{ToMongosh, line},
    operation::asked,
    read::{self, Query},
};

/// The facets of the documents that match a filter, read as `F`.
///
/// A filter whose value cannot be written as BSON is an error of the awaited method.
#[must_use = "nothing is read until `fetch` is awaited"]
#[derive_where(Clone)]
pub struct FacetSearch<F> {
    filter: Result<Document>,
    skip: u64,
    separately: bool,
    options: Option<Arc<OperationOptions>>,
    result: PhantomData<fn() -> F>,
}

impl<F: Facets> FacetSearch<F> {
    pub(super) fn new() -> Self {
        FacetSearch { filter: Ok(Document::new()), skip: 0, separately: false, options: None, result: PhantomData }
    }

    /// Adds a condition on the documents. The condition is the first stage, so that an index can serve the condition.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: ObjectId, brand: String, price: f64 }
    /// # #[derive(Facets, Deserialize)] #[facets(of = Product)]
    /// # struct Search { #[count_by(brand, limit = 20)] brands: Vec<FacetCount<String>> }
    /// let cheap = Product::facets::<Search>().filter(Product::F.price.lt(10.0));
    /// # let _ = cheap;
    /// ```
    pub fn filter(mut self, filter: Filter<F::Of>) -> Self {
        self.filter = self.filter.and_then(|earlier| Filter::<F::Of>::raw(earlier).and(filter).into_document());
        self
    }

    /// Skips the first `skip` documents of the page. All other facets stay the same.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: ObjectId, rank: i64 }
    /// # #[derive(Projection, Deserialize)] #[projection(of = Product)] struct Card { rank: i64 }
    /// # #[derive(Facets, Deserialize)] #[facets(of = Product)]
    /// # struct Search { #[page(limit = 20, order = desc(rank))] found: Vec<Card> }
    /// let third_page = Product::facets::<Search>().skip(40);
    /// # let _ = third_page;
    /// ```
    pub fn skip(self, skip: u64) -> Self {
        FacetSearch { skip, ..self }
    }

    /// Reads each facet by a command of its own, side by side, all as of one time (read concern `snapshot`): for facets
    /// that are over the 16 MB of one reply, or over the memory of one command. In a transaction the commands run one
    /// after another in the transaction. A standalone server has no reads as of one time, and reads each facet at a
    /// time of its own.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: ObjectId, brand: String }
    /// # #[derive(Facets, Deserialize)] #[facets(of = Product)]
    /// # struct Search { #[count_by(brand, limit = 20)] brands: Vec<FacetCount<String>> }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let search = Product::facets::<Search>().separately().fetch(db).await?;
    /// # drop(search); Ok(())
    /// # }
    /// ```
    pub fn separately(self) -> Self {
        FacetSearch { separately: true, ..self }
    }

    /// Reads the facets: by one `aggregate` with a `$facet`. A page whose order an index serves is a second `aggregate`
    /// side by side, since the server uses no index inside of a `$facet`.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: ObjectId, brand: String }
    /// # #[derive(Facets, Deserialize)] #[facets(of = Product)]
    /// # struct Search { #[count_by(brand, limit = 20)] brands: Vec<FacetCount<String>>, #[count] total: i64 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let search = Product::facets::<Search>().fetch(db).await?;
    /// println!("{} products of {} brands", search.total, search.brands.len());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`AggregateError::FacetsTooLarge`](crate::AggregateError::FacetsTooLarge) when the facets do not fit a command,
    /// [`AggregateError::Overflow`](crate::AggregateError::Overflow) when a sum of integers is over 64 bits;
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit `F`, [`Error::Query`](crate::Error::Query)
    /// with a [`near`](crate::field::QueryOperators::near) in the filter, and the errors of the driver.
    pub async fn fetch(self, db: &impl Executor) -> Result<F> {
        let commands = self.commands()?;
        let collection = commands.query.collection;
        let mut rows = commands.send(db).await?;
        let facetted = facetted::<F>();
        let result = facetted.result(|name| rows.remove(name).unwrap_or_default());
        let message = |_| Error::Query { message: "the facets are over 16 MB: lower the limits" };
        let result = codec::encode(&result).map_err(message)?;
        check(F::STRUCT, F::FIELDS, &facetted.definition.values, &result)?;
        read::decode(collection, &result)
    }

    fn commands(self) -> Result<Commands> {
        let model = <F::Of as Model>::DEFINITION;
        let (filter, skip) = (self.filter?, read::skipped(self.skip)?);
        Query::new(model.collection, filter.clone()).refuse_near()?;
        let has_collation = self.options.as_ref().is_some_and(|options| options.collation_set().is_some());
        let is_single = |part: &Part| self.separately || part.is_served && !has_collation;
        let (single, together) = facetted::<F>().parts(&filter, skip).into_iter().partition(is_single);
        let query = Query::new(model.collection, Document::new());
        let query = Query { asked: Some(asked::asked::<F::Of>()), options: self.options, ..query };
        // The server reads no capped collection as of one time.
        let at_one_time = self.separately && !matches!(model.options.kind, CollectionKind::Capped { .. });
        Ok(Commands { query, filter, together, single, at_one_time, model: model.model })
    }
}

fn facetted<F: Facets>() -> Facetted {
    let documents = || <F::Of as Model>::DEFINITION;
    Facetted { model: documents(), documents, fields: F::FIELDS, definition: F::FACETS }
}

impl<F> Configurable for FacetSearch<F> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.options.get_or_insert_default()));
        self
    }
}

/// A read of several commands has a line for each command. [`explain`](Explain::explain) explains the command with the
/// `$facet`; each facet that is a command of its own is in no plan.
impl<F: Facets> ToMongosh for FacetSearch<F> {
    fn command(&self) -> Result<Document> {
        let commands = FacetSearch { separately: false, ..self.clone() }.commands()?;
        let first = || commands.single.first().map(|part| commands.single(part));
        Ok(commands.together().or_else(first).map(Query::into_command).unwrap_or_default())
    }

    fn to_mongosh(&self) -> Result<String> {
        let commands = self.clone().commands()?;
        let singles = commands.single.iter().map(|part| commands.single(part));
        let lines = commands.together().into_iter().chain(singles).map(|query| line(&query.into_command()));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }
}

impl<F: Facets> Explain for FacetSearch<F> {}

/// Shows no values.
impl<F> fmt::Debug for FacetSearch<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FacetSearch").finish_non_exhaustive()
    }
}
