//! An aggregation, built before the aggregation is sent.

use std::{fmt, marker::PhantomData, ops::Range, sync::Arc};

use derive_where::derive_where;
use futures_util::StreamExt;
use mongodb::bson::{DateTime, Document, RawDocument};

use super::{
    asked::Asked,
    children::Fill,
    fill,
    lookup::{looks_up_texts, texts},
    pipeline::stages,
    result::check,
    zone,
};
use crate::{
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::{self, Explain},
    field::{Filter, SortKeys},
    model::{Aggregate, Filled, Model},
    mongosh::{ToMongosh, line},
    operation::asked,
    page::sort_by,
    read::{self, Documents, Query, run},
};

/// The groups of an aggregation, read as `A`.
///
/// A filter whose value cannot be written as BSON is an error of the awaited method.
#[must_use = "nothing is read until `fetch_all`, `stream`, `fetch_optional` or `fetch_one` is awaited"]
#[derive_where(Clone)]
pub struct Aggregation<A> {
    asked: Result<Asked>,
    options: Option<Arc<OperationOptions>>,
    result: PhantomData<fn() -> A>,
}

impl<A: Aggregate> Aggregation<A> {
    pub(super) fn new() -> Self {
        Aggregation { asked: Ok(Asked::default()), options: None, result: PhantomData }
    }

    /// Adds a condition on the documents of the groups. The condition is the first stage, so that an index can serve
    /// the condition.
    pub fn filter(self, filter: Filter<A::Of>) -> Self {
        self.with(|asked| {
            let filter = Filter::<A::Of>::raw(asked.filter).and(filter).into_document()?;
            Ok(Asked { filter, ..asked })
        })
    }

    /// Adds a condition on the groups, by the tokens of the result: `CustomerMonth::F.orders.gte(2)`.
    pub fn having(self, condition: Filter<A>) -> Self {
        self.with(|asked| {
            let having = Filter::<A>::raw(asked.having).and(condition).into_document()?;
            Ok(Asked { having, ..asked })
        })
    }

    /// Adds a condition on the groups of the other aggregation, of an aggregation whose documents are groups.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, customer: String, status: String, total: i64 }
    /// #[derive(Aggregate, Deserialize)]
    /// #[aggregate(of = Order, by(customer, status))]
    /// struct OfCustomer {
    ///     customer: String,
    ///     status: String,
    ///     #[sum(total)]
    ///     revenue: i64,
    /// }
    ///
    /// #[derive(Aggregate, Deserialize)]
    /// #[aggregate(of = OfCustomer, by(status))]
    /// struct OfStatus {
    ///     status: String,
    ///     #[avg(revenue)]
    ///     of_one_customer: f64,
    /// }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let large = Order::aggregate::<OfStatus>().inner_having(OfCustomer::F.revenue.gte(1_000));
    /// let rows = large.fetch_all(db).await?;
    /// # drop(rows); Ok(())
    /// # }
    /// ```
    pub fn inner_having(self, condition: Filter<A::Source>) -> Self
    where
        A::Source: Aggregate,
    {
        self.with(|asked| {
            let inner_having = Filter::<A::Source>::raw(asked.inner_having).and(condition).into_document()?;
            Ok(Asked { inner_having, ..asked })
        })
    }

    /// Sets the time zone of the keys with `tz = zone`: a name of the Olson database, as `Europe/Oslo`, or an offset
    /// from UTC, as `+02:00`. The zone may come from a visitor: the zone is checked, and sent as a literal.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, placed: DateTime }
    /// #[derive(Aggregate, Deserialize)]
    /// #[aggregate(of = Order, by(day = day(placed, tz = zone)))]
    /// struct Day {
    ///     day: DateTime,
    ///     #[count]
    ///     orders: i64,
    /// }
    /// # async fn example(db: &Database, visitor: &str) -> Result<()> {
    /// let days = Order::aggregate::<Day>().zone(visitor).sort(Day::F.day.asc()).fetch_all(db).await?;
    /// # drop(days); Ok(())
    /// # }
    /// ```
    pub fn zone(self, zone: impl Into<String>) -> Self {
        self.with(|asked| Ok(Asked { zone: Some(zone::checked(zone.into())?), ..asked }))
    }

    /// Adds a group for each period without documents: from the period of the first date to the last period that begins
    /// before the second date, for each combination of the other keys that has a group. With the period as the only key
    /// there are groups also of no documents. Counts, sums and lists are empty, `any` is false, `all` is true, and all
    /// other values are `None`. Groups outside of the dates stay. `having` and `sort` are about the added groups, too.
    ///
    /// # Errors
    /// [`Error::Query`] of the awaited method for more than 100,000 periods.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, total: i64, placed: DateTime }
    /// #[derive(Aggregate, Deserialize)]
    /// #[aggregate(of = Order, by(day = day(placed, tz = "Europe/Oslo")), fill)]
    /// struct Day {
    ///     day: DateTime,
    ///     #[count]
    ///     orders: i64,
    ///     #[avg(total)]
    ///     mean: Option<f64>,
    /// }
    /// # async fn example(db: &Database, from: DateTime, to: DateTime) -> Result<()> {
    /// let placed = Order::F.placed.gte(from).and(Order::F.placed.lt(to));
    /// let days = Order::aggregate::<Day>().filter(placed).fill(from..to).sort(Day::F.day.asc()).fetch_all(db).await?;
    /// # drop(days); Ok(())
    /// # }
    /// ```
    pub fn fill(self, dates: Range<DateTime>) -> Self
    where
        A: Filled,
    {
        self.with(|asked| Ok(Asked { fill: Some(fill::checked(&A::ALL, dates)?), ..asked }))
    }

    /// Sorts the groups by the tokens of the result, as `[CustomerMonth::F.revenue.desc()]`. Without a sort, the groups
    /// have no order.
    pub fn sort(self, keys: impl SortKeys<A>) -> Self {
        let keys = keys.into_paths();
        self.with(|asked| Ok(Asked { sort: sort_by(&keys), ..asked }))
    }

    /// Limits the number of groups; 0 means all groups.
    pub fn limit(self, limit: u32) -> Self {
        self.with(|asked| Ok(Asked { limit: limit.into(), ..asked }))
    }

    /// Skips the first `skip` groups.
    pub fn skip(self, skip: u64) -> Self {
        self.with(|asked| Ok(Asked { skip: read::skipped(skip)?, ..asked }))
    }

    /// Returns all groups.
    ///
    /// # Errors
    /// [`Error::Decode`] when a group does not fit `A`, and
    /// [`AggregateError::Overflow`](crate::AggregateError::Overflow) when a sum of integers is over 64 bits.
    /// [`Error::Query`] with a [`near`](crate::field::QueryOperators::near) in the filter, and with a collation where a
    /// `lookup` is by texts. The errors of the driver.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Vec<A>> {
        if const { A::AGGREGATE.is_of_parents() } {
            let (query, fill) = self.of_parents()?;
            return fill.all(db, query).await?.iter().map(|row| decode(row)).collect();
        }
        run::all(db, self.query(), decode::<A>).await
    }

    /// Streams all groups. The stream holds one reply of the server at a time. A group that does not fit `A` is an
    /// error, and the stream goes on.
    ///
    /// # Errors
    /// The errors of [`fetch_all`](Aggregation::fetch_all); of the driver, for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<Documents<A>> {
        let groups = if const { A::AGGREGATE.is_of_parents() } {
            let (query, fill) = self.of_parents()?;
            fill.stream(db, query).await?
        } else {
            run::stream(db, self.query()).await?
        };
        let checked = groups.map(|group| {
            let group = group?;
            check(A::STRUCT, A::FIELDS, &A::AGGREGATE, &group)?;
            Ok(group)
        });
        Ok(Documents::new(collection::<A>(), checked.boxed()))
    }

    /// Returns the first group; `None` when there is no group.
    ///
    /// # Errors
    /// The errors of [`fetch_all`](Aggregation::fetch_all).
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<A>> {
        if const { A::AGGREGATE.is_of_parents() } {
            return Ok(self.limit(1).fetch_all(db).await?.pop());
        }
        match run::first(db, self.query()).await? {
            Some(group) => decode(&group).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the first group. Without keys there is always a group, also of no documents.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no group, and the errors of [`fetch_all`](Aggregation::fetch_all).
    pub async fn fetch_one(self, db: &impl Executor) -> Result<A> {
        self.fetch_optional(db).await?.ok_or_else(|| Error::not_found(<A::Of as Model>::DEFINITION))
    }

    /// Returns the aggregation as a query: the stages are before a search for all documents.
    pub(super) fn query(self) -> Result<Query> {
        let given = self.asked?;
        let collection = collection::<A>();
        Query::new(collection, given.filter.clone()).refuse_near()?;
        zone::require(&A::ALL, given.zone.as_deref())?;
        let is_chosen = self.options.as_ref().is_some_and(|options| options.select());
        let over = stages(&A::ALL, Asked { is_chosen, ..given });
        let looks_up_texts = looks_up_texts(&A::ALL);
        let texts = texts(<A::Of as Model>::DEFINITION, looks_up_texts);
        let query = Query::new(collection, Document::new());
        Ok(Query { over, asked: Some(asked::asked::<A::Of>()), options: self.options, looks_up_texts, texts, ..query })
    }

    /// Returns the query of the parents, and the reads of the children.
    fn of_parents(self) -> Result<(Query, Fill)> {
        let fill = self.asked.as_ref().ok().map(|asked| Fill::new(&A::ALL, asked, self.options.clone()));
        let query = self.query()?;
        Ok((Query { options: None, ..query }, fill.unwrap_or_default()))
    }

    fn with(mut self, change: impl FnOnce(Asked) -> Result<Asked>) -> Self {
        self.asked = self.asked.and_then(change);
        self
    }
}

fn collection<A: Aggregate>() -> &'static str {
    <A::Of as Model>::DEFINITION.collection
}

fn decode<A: Aggregate>(group: &RawDocument) -> Result<A> {
    check(A::STRUCT, A::FIELDS, &A::AGGREGATE, group)?;
    read::decode(collection::<A>(), group)
}

impl<A> Configurable for Aggregation<A> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.options.get_or_insert_default()));
        self
    }
}

impl<A: Aggregate> ToMongosh for Aggregation<A> {
    fn command(&self) -> Result<Document> {
        self.clone().query().map(Query::into_command)
    }

    fn to_mongosh(&self) -> Result<String> {
        let command = self.command()?;
        if const { A::AGGREGATE.is_of_parents() } {
            return Ok(self.clone().of_parents()?.1.lines(&command));
        }
        Ok(line(&command))
    }
}

impl<A: Aggregate> Explain for Aggregation<A> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        if const { A::AGGREGATE.is_of_parents() } {
            let (query, fill) = self.clone().of_parents()?;
            return fill.explain(db, query).await;
        }
        explain::command(db, self.command()).await
    }
}

/// Shows no values.
impl<A> fmt::Debug for Aggregation<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Aggregation").finish_non_exhaustive()
    }
}
