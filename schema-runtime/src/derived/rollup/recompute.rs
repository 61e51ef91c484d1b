//! A recompute: the marks of the children are taken, the children are read, the parent is written and open again. Reaches the
//! server.

use std::{ops::ControlFlow, pin::pin, time::Duration};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, doc, oid::ObjectId};
use tokio::time::timeout;

use super::path::{GONE, RollupField, RollupPath, RollupValue};
use crate::{
    error::{Error, Result, server},
    executor::{Context, Sent},
    read::{Aggregate, Query},
};

/// How often a recompute shows that it is at work.
pub(super) const BEAT: Duration = Duration::from_millis(250);

/// A parent that one has closed.
#[derive(Debug)]
pub(super) struct Recompute {
    pub(super) parent: Bson,
    pub(super) id: ObjectId,
}

impl RollupPath {
    /// Recomputes a parent that is closed by this. `false`: it was taken over, or is gone.
    pub(super) fn recompute<'a>(&'a self, context: &'a Context, closed: &'a Recompute) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            self.claim(context, closed).await?;
            let mut values = pin!(self.values(context, &closed.parent, Some(closed.id)));
            let values = loop {
                match timeout(BEAT, &mut values).await {
                    Ok(values) => break values?,
                    Err(_) => self.still(context, closed).await?,
                }
            };
            if !self.write(context, closed, values).await? {
                return Ok(false);
            }
            let taken = doc! { self.reference: { "$eq": &closed.parent }, self.mark(): closed.id };
            self.clear(context, taken).await?;
            Ok(true)
        })
    }

    async fn claim(&self, context: &Context, closed: &Recompute) -> Result<()> {
        let mut filter = self.of_parent(&closed.parent);
        filter.insert(self.mark(), doc! { "$exists": true });
        self.update_children(context, filter, doc! { "$set": { self.mark(): closed.id } }).await
    }

    /// Clears the marks of the children that match. One that comes back in a rollback is not wrong.
    pub(super) async fn clear(&self, context: &Context, filter: Document) -> Result<()> {
        self.update_children(&context.on_the_primary(), filter, doc! { "$unset": { self.mark(): "" } }).await
    }

    pub(super) async fn update_children(&self, context: &Context, filter: Document, update: Document) -> Result<()> {
        let sent = Sent { filter, update, ..Sent::default() };
        let updated = context.update_many(self.child.collection, sent).await;
        updated.map(drop).map_err(|error| server::write(self.child, error))
    }

    /// Shows that this recompute is at work.
    async fn still(&self, context: &Context, closed: &Recompute) -> Result<()> {
        let update = doc! { "$set": { self.beat(): ObjectId::new() } };
        self.update_closed(context, closed, update).await.map(drop)
    }

    async fn write(&self, context: &Context, closed: &Recompute, values: Values) -> Result<bool> {
        let Values { set, mut unset } = values;
        unset.insert(self.closed(), "");
        unset.insert(self.beat(), "");
        self.update_closed(context, closed, doc! { "$set": set, "$unset": unset }).await
    }

    async fn update_closed(&self, context: &Context, closed: &Recompute, update: Document) -> Result<bool> {
        let mut filter = Self::parent(&closed.parent);
        filter.insert(self.closed(), closed.id);
        let sent = Sent { filter, update, ..Sent::default() };
        let updated = context.update_one(self.parent.collection, sent).await;
        Ok(updated.map_err(|error| server::write(self.parent, error))?.matched_count > 0)
    }

    /// What the children say that the parent has. `taken`: those with this mark are counted, and those with another are not.
    pub(super) async fn values(&self, context: &Context, parent: &Bson, taken: Option<ObjectId>) -> Result<Values> {
        let mut counted = self.of_parent(parent);
        counted.insert(GONE, doc! { "$exists": false });
        if let Some(taken) = taken {
            counted.insert(self.mark(), doc! { "$in": [Bson::Null, Bson::ObjectId(taken)] });
        }
        let mut values = Values::default();
        self.totals(context, &counted, &mut values).await?;
        for RollupField { name, value } in &self.fields {
            let RollupValue::Subset { keep, sort, elements } = value else { continue };
            let mut query = Query::new(self.child.collection, counted.clone());
            query.sort = sort.clone();
            query.limit = *keep as u64;
            query.batch_size = *keep as u32 + 1;
            query.projection = elements.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))).collect();
            let mut subset = Vec::new();
            let visit = |child: &RawDocument| {
                let child = Document::try_from(child).map_err(Error::encode)?;
                subset.push(Self::element(elements, &child));
                Ok(ControlFlow::Continue(()))
            };
            query.for_each(context, visit).await?;
            values.set.insert(*name, subset);
        }
        Ok(values)
    }

    /// All but the subsets.
    async fn totals(&self, context: &Context, counted: &Document, values: &mut Values) -> Result<()> {
        let mut group = doc! { "_id": null, "n": { "$sum": 1 } };
        for (at, RollupField { value, .. }) in self.fields.iter().enumerate() {
            let (operator, from) = match value {
                RollupValue::Subset { .. } | RollupValue::Count => continue,
                RollupValue::Sum { from, .. } | RollupValue::Avg { from, .. } => ("$sum", from),
                RollupValue::Min { from } => ("$min", from),
                RollupValue::Max { from } => ("$max", from),
            };
            group.insert(format!("f{at}"), doc! { operator: format!("${from}") });
            if matches!(value, RollupValue::Avg { .. }) {
                group.insert(format!("a{at}"), doc! { "$avg": format!("${from}") });
            }
        }
        let mut totals = Document::new();
        if self.fields.iter().any(|field| !matches!(field.value, RollupValue::Subset { .. })) {
            let pipeline = vec![doc! { "$match": counted.clone() }, doc! { "$group": group }];
            let visit = |found: &RawDocument| {
                totals = Document::try_from(found).map_err(Error::encode)?;
                Ok(ControlFlow::Continue(()))
            };
            Aggregate { collection: Some(self.child.collection), pipeline }.for_each(context, visit).await?;
        }
        let count = match totals.get("n") {
            Some(Bson::Int32(count)) => i64::from(*count),
            Some(Bson::Int64(count)) => *count,
            _ => 0,
        };
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let total = totals.get(format!("f{at}")).filter(|_| count > 0);
            match value {
                RollupValue::Subset { .. } => {}
                RollupValue::Count => drop(values.set.insert(*name, count)),
                RollupValue::Sum { zero, .. } => drop(values.set.insert(*name, like(zero, total))),
                RollupValue::Avg { zero, .. } => {
                    let (parts_count, parts_sum) = self.parts(name);
                    let sum = like(zero, total);
                    match average(&sum, count) {
                        Some(average) => drop(values.set.insert(*name, average)),
                        None if count > 0 => drop(values.set.insert(*name, totals.get(format!("a{at}")).cloned())),
                        None => drop(values.unset.insert(*name, "")),
                    }
                    values.set.insert(parts_count, count);
                    values.set.insert(parts_sum, sum);
                }
                RollupValue::Min { .. } | RollupValue::Max { .. } => match total {
                    Some(value) => drop(values.set.insert(*name, value.clone())),
                    None => drop(values.unset.insert(*name, "")),
                },
            }
        }
        Ok(())
    }
}

/// The fields of a parent, and those that it does not have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    pub(super) set: Document,
    pub(super) unset: Document,
}

/// A sum in the type that the parent's field has.
fn like(zero: &Bson, sum: Option<&Bson>) -> Bson {
    match (zero, sum) {
        (_, None) => zero.clone(),
        (Bson::Int64(_), Some(Bson::Int32(sum))) => Bson::Int64(i64::from(*sum)),
        (Bson::Double(_), Some(Bson::Int32(sum))) => Bson::Double(f64::from(*sum)),
        (Bson::Double(_), Some(Bson::Int64(sum))) => Bson::Double(*sum as f64),
        (_, Some(sum)) => sum.clone(),
    }
}

/// As the server divides; `None` for decimals, and without children.
fn average(sum: &Bson, count: i64) -> Option<f64> {
    match sum {
        _ if count == 0 => None,
        Bson::Int64(sum) => Some(*sum as f64 / count as f64),
        Bson::Double(sum) => Some(*sum / count as f64),
        _ => None,
    }
}
