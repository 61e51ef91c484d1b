//! Reading the children again after one has gone that was the least, the greatest, or among the first. Others may write in between:
//! what they add is in `plus`, and what they take away makes it begin again. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    apply::{CHUNK, change},
    path::{GONE, RollupField, RollupPath, RollupValue},
    read::Applied,
    tally::Tally,
};
use crate::{
    error::{Result, server},
    executor::{Attempts, Context},
    read::Query,
};

impl RollupPath {
    /// Refreshes those of these parents that have lost something.
    pub(super) async fn refresh_stale(&self, context: &Context, parents: &[Bson]) -> Result<()> {
        if let [parent] = parents {
            return self.refresh(context, parent).await.map(drop);
        }
        for ids in parents.chunks(CHUNK) {
            let mut query = Query::by_ids(self.parent.collection, ids);
            query.filter.insert(self.state("stale"), doc! { "$exists": true });
            query.projection = doc! { "_id": 1 };
            let mut stale = query.ids(&context.newest()).await?;
            while let Some(batch) = stale.next().await? {
                for parent in batch {
                    self.refresh(context, &parent).await?;
                }
            }
        }
        Ok(())
    }

    /// Says that the least, the greatest and the first of a parent are to be read again, and does it.
    pub(super) async fn refresh_all(&self, context: &Context, parent: &Bson) -> Result<()> {
        let filter = doc! { "_id": { "$eq": parent } };
        let pipeline = vec![doc! { "$set": self.read_again() }];
        change(context, self.parent, filter, pipeline, false).await?;
        self.refresh(context, parent).await.map(drop)
    }

    /// What a parent gets that is to be read again. What somebody else is reading now may be older than what made this necessary.
    pub(super) fn read_again(&self) -> Document {
        let refresh = format!("${}", self.state("refresh"));
        let is_there = doc! { "$eq": [{ "$type": &refresh }, "object"] };
        let dirty = doc! { "$cond": [is_there, { "$mergeObjects": [&refresh, { "dirty": true }] }, "$$REMOVE"] };
        doc! { self.state("stale"): true, self.state("refresh"): dirty }
    }

    /// Reads the children of a parent again if it is stale: whether it was.
    pub(super) fn refresh<'a>(&'a self, context: &'a Context, parent: &'a Bson) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let has_fractions = self.fields.iter().any(|field| field.value.is_fraction());
            // Where others take some away without end, the parent stays marked.
            let (mut attempts, mut is_begun) = (Attempts::default(), false);
            loop {
                let Some((id, applied)) = self.begin(context, parent).await? else { return Ok(is_begun) };
                is_begun = true;
                // Behind the beginning: what is lost from now on makes it begin again.
                if has_fractions {
                    self.restore_totals(context, parent).await?;
                }
                let read = [
                    self.extremes_by_index(context, parent, &applied).await?,
                    self.extremes_with_records(context, parent, &applied).await?,
                ];
                let filter = doc! {
                    "_id": { "$eq": parent }, self.state("refresh.id"): id, self.state("refresh.dirty"): { "$exists": false },
                };
                if change(context, self.parent, filter, self.refreshed(&read), false).await? > 0 {
                    return Ok(true);
                }
                attempts.again().await?;
            }
        })
    }

    /// Unless somebody reads already whom nobody has disturbed, begins; `None` if the parent is not stale.
    async fn begin(&self, context: &Context, parent: &Bson) -> Result<Option<(ObjectId, Applied)>> {
        let filter = doc! { "_id": { "$eq": parent }, self.state("stale"): { "$exists": true } };
        let refresh = format!("${}", self.state("refresh"));
        let goes_on = doc! { "$and": [
            { "$eq": [{ "$type": &refresh }, "object"] },
            { "$eq": [{ "$type": format!("{refresh}.dirty") }, "missing"] },
        ] };
        // By an expression: an object that a stage sets is merged into the one that is there.
        let begun = doc! { "$cond": [goes_on, &refresh, { "id": ObjectId::new(), "plus": { "$literal": {} } }] };
        let pipeline = vec![
            doc! { "$set": { self.states(): { "$mergeObjects": [format!("${}", self.states()), { "refresh": begun }] } } },
        ];
        let fields = doc! { self.states(): 1 };
        let collection = self.parent.collection;
        let begun = context.find_one_and_update_with_pipeline(collection, filter, pipeline, fields).await;
        let Some(found) = begun.map_err(|error| server::write(self.parent, error))? else { return Ok(None) };
        let state = found.get_document(self.states()).ok();
        let refresh = state.and_then(|state| state.get_document("refresh").ok());
        let Some(id) = refresh.and_then(|refresh| refresh.get_object_id("id").ok()) else { return Ok(None) };
        let applied = self.marks(&found, "applied").into_iter().map(|mark| (parent.clone(), mark));
        Ok(Some((id, applied.collect())))
    }

    /// The least, the greatest and the first of the children of which the parent counts what they say now, each by an index.
    async fn extremes_by_index(&self, context: &Context, parent: &Bson, applied: &Applied) -> Result<Tally> {
        let mut tally = Tally { count: 0, values: vec![Vec::new(); self.fields.len()] };
        for (at, RollupField { value, .. }) in self.fields.iter().enumerate() {
            let mut of_parent = doc! { self.reference: { "$eq": parent }, GONE: { "$exists": false } };
            let (sort, keep, fields) = match value {
                RollupValue::Subset { keep, sort, elements } => {
                    (sort.clone(), *keep, elements.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))).collect())
                }
                RollupValue::Min { from } | RollupValue::Max { from } => {
                    of_parent.insert(*from, doc! { "$ne": null });
                    let way = if matches!(value, RollupValue::Min { .. }) { 1 } else { -1 };
                    (doc! { *from: way }, 1, doc! { "_id": 0, *from: 1 })
                }
                RollupValue::Count | RollupValue::Sum { .. } | RollupValue::Avg { .. } => continue,
            };
            let pipeline = vec![
                doc! { "$match": of_parent },
                doc! { "$sort": sort },
                doc! { "$match": self.counts_as_it_is(parent, applied) },
                doc! { "$limit": keep },
                doc! { "$project": fields },
            ];
            let found = self.all(&context.newest(), pipeline).await?;
            tally.values[at] = match value {
                RollupValue::Min { from } | RollupValue::Max { from } => {
                    found.iter().filter_map(|child| child.get(from).cloned()).collect()
                }
                _ => found.into_iter().map(Bson::Document).collect(),
            };
        }
        Ok(tally)
    }

    /// The condition of a child without a record, or whose record makes no difference to the parent.
    fn counts_as_it_is(&self, parent: &Bson, applied: &Applied) -> Document {
        let marks = applied.iter().map(|(_, mark)| Bson::ObjectId(*mark));
        let marks: Vec<Bson> = [Bson::Null].into_iter().chain(marks).collect();
        let of_parent = doc! { "$eq": ["$$this.parent", { "$literal": parent }] };
        let same = doc! { "$and": [of_parent, { "$eq": ["$$this.has", self.said_of_child()] }] };
        let any = doc! { "$map": { "input": format!("${}", self.at()), "in": same } };
        doc! { "$or": [
            { self.mark(): { "$in": marks } },
            { "$expr": { "$and": [{ "$isArray": [format!("${}", self.at())] }, { "$anyElementTrue": [any] }] } },
        ] }
    }

    async fn extremes_with_records(&self, context: &Context, parent: &Bson, applied: &Applied) -> Result<Tally> {
        let children = self.counted_with_records(std::slice::from_ref(parent), applied);
        let grouped = self.all(&context.newest(), self.grouped(children)).await?;
        Ok(self.tally(&grouped.into_iter().next().unwrap_or_default()))
    }
}
