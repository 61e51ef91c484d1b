//! What parents have, and what the invariant says that they should: read at one time, and corrected by the difference. Reaches the
//! server.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    hash::Hasher,
    ops::ControlFlow,
};

use mongodb::bson::{Bson, Document, RawDocument, doc, oid::ObjectId};

use super::{
    apply::{CHUNK, change},
    fold::{divided, or},
    path::{RollupField, RollupPath, RollupValue, paths_of_parent},
    read::Applied,
    refused::Refused,
    same::{is_finite, is_other_average, like, same},
    tally::Tally,
};
use crate::{
    definition::ModelDefinition,
    document::value_at,
    error::{Error, Result},
    executor::{Attempts, Context},
    key::Key,
    read::{Aggregate, Query},
    report::named,
};

/// The most elements of subsets that are read together.
const MOST_ELEMENTS: usize = 20_000;

/// What is read of a parent and of its children at one time.
pub(super) struct Compared {
    pub(super) parent: Document,
    pub(super) tally: Tally,
    /// The sums of the absolute values, by the position of the field: what fractions are compared to.
    absolute: Vec<f64>,
    /// Nothing but another recompute makes the difference another.
    is_at_one_time: bool,
}

/// How a parent is beside what its children say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Differs {
    /// A count, a sum or an average.
    totals: bool,
    /// A least, a greatest or a first.
    extremes: bool,
}

impl Differs {
    pub(super) fn any(self) -> bool {
        self.totals || self.extremes
    }
}

/// What a recompute writes.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    /// What is wrong.
    Wrong,
    /// The same, and each parent in any case.
    All,
    /// Counts, sums and averages that are wrong.
    Totals,
}

impl Scope {
    fn corrects(self, differs: Differs) -> bool {
        self == Scope::All || differs.totals
    }

    fn refreshes(self, differs: Differs) -> bool {
        self != Scope::Totals && differs.extremes
    }
}

/// Recomputes what a parent keeps; `false` when it is not there.
pub(crate) async fn recompute_one(parent: &'static ModelDefinition, context: &Context, id: &Bson) -> Result<bool> {
    let mut found = true;
    for path in paths_of_parent(parent) {
        found &= path.recompute(context, std::slice::from_ref(id)).await? > 0;
    }
    Ok(found)
}

/// What a recompute of all parents of a model has done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recomputed {
    /// How many parents there were.
    pub parents: u64,
    /// How many of them the server refused to write, as one that its validator does not take. They stay as they are.
    pub refused: u64,
    /// The `_id`s of some of those.
    pub examples: Vec<Bson>,
}

/// Recomputes what all parents of a model keep.
pub(crate) async fn recompute_all(parent: &'static ModelDefinition, context: &Context) -> Result<Recomputed> {
    let mut done = Recomputed::default();
    let query = Query { batch_size: CHUNK as u32, ..Query::new(parent.collection, Document::new()) };
    let mut ids = query.ids(context).await?;
    while let Some(batch) = ids.next().await? {
        let (mut refused, mut refusing): (_, HashMap<Key, Bson>) = (Refused::default(), HashMap::new());
        for path in paths_of_parent(parent) {
            if refused.unless(context, path.recompute(context, &batch).await)?.is_some() {
                continue;
            }
            for id in &batch {
                if refused.unless(context, path.recompute(context, std::slice::from_ref(id)).await)?.is_none() {
                    refusing.insert(Key::of(id), id.clone());
                }
            }
        }
        done.parents += batch.len() as u64;
        done.refused += refusing.len() as u64;
        named(&mut done.examples, refusing.into_values());
    }
    Ok(done)
}

impl RollupPath {
    /// Recomputes these parents: how many are there.
    pub(super) async fn recompute(&self, context: &Context, ids: &[Bson]) -> Result<u64> {
        self.recompute_if(context, ids, Scope::Wrong).await
    }

    /// Recomputes these parents, and stops every recompute of them that has read before this one: it may have read what a client that
    /// found no parent was about to clear.
    pub(super) async fn recompute_new(&self, context: &Context, ids: &[Bson]) -> Result<()> {
        self.recompute_if(context, ids, Scope::All).await.map(drop)
    }

    /// How many parents are read together: those that keep many elements are few.
    pub(super) fn at_a_time(&self) -> usize {
        let kept = self.fields.iter().map(|field| match &field.value {
            RollupValue::Subset { keep, .. } => usize::try_from(*keep).unwrap_or(0),
            _ => 0,
        });
        (MOST_ELEMENTS / kept.sum::<usize>().max(1)).clamp(1, CHUNK)
    }

    async fn recompute_if(&self, context: &Context, ids: &[Bson], scope: Scope) -> Result<u64> {
        let mut found = 0;
        for ids in ids.chunks(self.at_a_time()) {
            found += self.recompute_some(context, ids, scope).await?;
        }
        Ok(found)
    }

    async fn recompute_some(&self, context: &Context, ids: &[Bson], scope: Scope) -> Result<u64> {
        let (mut left, mut found, mut attempts) = (ids.to_vec(), None, Attempts::default());
        loop {
            let compared = self.compare(context, &left).await?;
            let found = *found.get_or_insert(compared.len() as u64);
            left.clear();
            for compared in compared {
                let Some(id) = compared.parent.get("_id").cloned() else { continue };
                let differs = self.differs(&compared);
                let is_corrected = !scope.corrects(differs) || self.correct(context, &id, &compared, scope).await?;
                if scope.refreshes(differs) {
                    self.refresh_all(context, &id).await?;
                } else if scope.corrects(differs) && self.stales(scope) {
                    self.refresh(context, &id).await?;
                }
                if !is_corrected {
                    left.push(id);
                }
            }
            if left.is_empty() {
                return Ok(found);
            }
            attempts.again().await?;
        }
    }

    /// Sums that are infinite or no number, or beside which others were too small, are what the children say.
    pub(super) async fn restore_totals(&self, context: &Context, parent: &Bson) -> Result<()> {
        let mut query = Query::by_id(self.parent.collection, parent.clone());
        let sums = self.fields.iter().filter(|field| field.value.is_fraction()).map(|field| match field.value {
            RollupValue::Avg { .. } => self.parts(field.name).1,
            _ => field.name.to_owned(),
        });
        let sums: Vec<String> = sums.collect();
        let totals = self.state("totals");
        query.projection = sums.iter().chain([&totals]).map(|name| (name.clone(), Bson::Int32(1))).collect();
        for stored in query.all(&context.newest()).await? {
            let are_lost = value_at(&stored, &totals) == Bson::Boolean(true);
            if are_lost || sums.iter().any(|name| !is_finite(&value_at(&stored, name))) {
                // Whoever asks for this refreshes the others next.
                self.recompute_if(context, std::slice::from_ref(parent), Scope::Totals).await?;
            }
        }
        Ok(())
    }

    /// These parents, as far as they are there, each with what it should have.
    pub(super) async fn compare(&self, context: &Context, ids: &[Bson]) -> Result<Vec<Compared>> {
        let fields: Vec<&str> = self.fields.iter().map(|field| field.name).collect();
        if !context.in_transaction() {
            let mut wanted = doc! { self.states(): 1 };
            wanted.extend(fields.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))));
            let filter = doc! { "_id": { "$in": ids } };
            match context.find_at_one_time(self.parent.collection, filter, wanted, ids.len()).await {
                Ok(Some((parents, _))) if parents.is_empty() => return Ok(Vec::new()),
                Ok(Some((parents, time))) => {
                    let pipeline = self.counted(ids, &self.applied_by(&parents));
                    let groups = context.aggregate_at(self.child.collection, pipeline, time).await?;
                    return Ok(self.compared(parents, groups, true));
                }
                // More than one reply holds: fewer at a time.
                Ok(None) => {
                    let (one, other) = ids.split_at(ids.len() / 2);
                    let mut both = Box::pin(self.compare(context, one)).await?;
                    both.extend(Box::pin(self.compare(context, other)).await?);
                    return Ok(both);
                }
                Err(Error::NotReplicaSet) => {}
                Err(error) => return Err(error),
            }
        }
        let context = context.newest();
        let mut attempts = Attempts::default();
        loop {
            let before = self.records_of(&context, ids).await?;
            let parents = self.parents(&context, ids, &fields).await?;
            let groups = self.all(&context, self.counted(ids, &self.applied_by(&parents))).await?;
            let is_quiet = before == self.records_of(&context, ids).await?;
            if is_quiet {
                return Ok(self.compared(parents, groups, context.in_transaction()));
            }
            attempts.again().await?;
        }
    }

    /// What the records of the children of these parents are, as a hash.
    async fn records_of(&self, context: &Context, ids: &[Bson]) -> Result<u64> {
        let pipeline = vec![
            doc! { "$match": { self.at_parent(): { "$in": ids } } },
            doc! { "$project": { self.record(): 1 } },
            doc! { "$sort": { "_id": 1 } },
        ];
        let mut hasher = DefaultHasher::new();
        let visit = |record: &RawDocument| {
            hasher.write(record.as_bytes());
            Ok(ControlFlow::Continue(()))
        };
        Aggregate { collection: Some(self.child.collection), pipeline }.for_each(context, visit).await?;
        Ok(hasher.finish())
    }

    fn applied_by(&self, parents: &[Document]) -> Applied {
        let of = |parent: &Document| {
            let id = parent.get("_id").cloned().unwrap_or(Bson::Null);
            self.marks(parent, "applied").into_iter().map(move |mark| (id.clone(), mark)).collect::<Vec<_>>()
        };
        parents.iter().flat_map(of).collect()
    }

    fn compared(&self, parents: Vec<Document>, groups: Vec<Document>, is_at_one_time: bool) -> Vec<Compared> {
        let of_parent = |group: Document| Some((Key::of(group.get("_id")?), group));
        let groups: HashMap<Key, Document> = groups.into_iter().filter_map(of_parent).collect();
        let compared = parents.into_iter().map(|parent| {
            let group = parent.get("_id").and_then(|id| groups.get(&Key::of(id)));
            let none = Document::new();
            let group = group.unwrap_or(&none);
            let absolute = |at| group.get(format!("a{at}")).and_then(Bson::as_f64).unwrap_or_default();
            Compared {
                tally: self.tally(group),
                absolute: (0..self.fields.len()).map(absolute).collect(),
                parent,
                is_at_one_time,
            }
        });
        compared.collect()
    }

    /// Whether a parent is about to be read again, so that its least, greatest and first may not be right.
    pub(super) fn is_pending(&self, parent: &Document) -> bool {
        let state = parent.get_document(self.states()).ok();
        state.is_some_and(|state| state.contains_key("stale") || state.contains_key("new"))
    }

    pub(super) fn differs(&self, compared: &Compared) -> Differs {
        let mut differs = Differs::default();
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let stored = compared.parent.get(name).unwrap_or(&Bson::Null);
            let tolerance = 1e-9 * compared.absolute[at];
            let values = compared.tally.of(at);
            match value {
                RollupValue::Count => differs.totals |= !same(stored, &Bson::Int64(compared.tally.count), 0.0),
                RollupValue::Sum { zero, .. } => {
                    differs.totals |= !same(stored, values.first().unwrap_or(zero), tolerance);
                }
                RollupValue::Avg { zero, .. } => {
                    let (count, total) = self.parts(name);
                    // A parent that never had a child has neither.
                    let part = |path: &str, zero: &Bson| match value_at(&compared.parent, path) {
                        Bson::Null => zero.clone(),
                        part => part,
                    };
                    let total = part(&total, zero);
                    differs.totals |= !same(&part(&count, &Bson::Int64(0)), &Bson::Int64(compared.tally.count), 0.0)
                        || !same(&total, values.first().unwrap_or(zero), tolerance)
                        || is_other_average(stored, &total, compared.tally.count);
                }
                RollupValue::Min { .. } | RollupValue::Max { .. } => {
                    differs.extremes |= !same(stored, values.first().unwrap_or(&Bson::Null), 0.0);
                }
                RollupValue::Subset { .. } => {
                    differs.extremes |= !same(stored, &Bson::Array(values.to_vec()), 0.0);
                }
            }
        }
        differs
    }

    /// Whether a correction has the least, the greatest and the first read again.
    fn stales(&self, scope: Scope) -> bool {
        scope != Scope::Totals && self.fields.iter().any(|field| field.value.is_extreme())
    }

    /// Corrects counts, sums and averages by the difference: whether no other recompute came between.
    async fn correct(&self, context: &Context, id: &Bson, compared: &Compared, scope: Scope) -> Result<bool> {
        let (mut set, mut averages) = (Document::new(), Document::new());
        let mut are_finite = true;
        let mut corrected = |name: &str, stored: Bson, right: Bson, zero: Bson| {
            let are_numbers = [&stored, &right].into_iter().all(|value| *value != Bson::Null && is_finite(value));
            are_finite &= are_numbers;
            let value = if are_numbers {
                let error = doc! { "$subtract": [{ "$literal": right }, { "$literal": stored }] };
                doc! { "$add": [or(name, zero), error] }
            } else {
                doc! { "$literal": right }
            };
            set.insert(name, value);
        };
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let stored = |path: &str| value_at(&compared.parent, path);
            let right = |zero: &Bson| compared.tally.of(at).first().map_or_else(|| zero.clone(), |sum| like(zero, sum));
            match value {
                RollupValue::Count => {
                    corrected(name, stored(name), Bson::Int64(compared.tally.count), Bson::Int64(0));
                }
                RollupValue::Sum { zero, .. } => corrected(name, stored(name), right(zero), zero.clone()),
                RollupValue::Avg { zero, .. } => {
                    let (count, total) = self.parts(name);
                    corrected(&count, stored(&count), Bson::Int64(compared.tally.count), Bson::Int64(0));
                    corrected(&total, stored(&total), right(zero), zero.clone());
                    averages.insert(*name, divided(&count, &total));
                }
                RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => {}
            }
        }
        let state = |of: &str| value_at(&compared.parent, &self.state(of));
        let mut filter = doc! { "_id": { "$eq": id }, self.state("corrected"): state("corrected") };
        if !compared.is_at_one_time || !are_finite {
            filter.insert(self.state("last"), state("last"));
        }
        set.insert(self.state("corrected"), ObjectId::new());
        if self.stales(scope) {
            // Who reads the least, the greatest or the first now may have read what this corrects.
            set.extend(self.read_again());
        }
        let mut pipeline = vec![doc! { "$set": set }];
        if !averages.is_empty() {
            pipeline.push(doc! { "$set": averages });
        }
        Ok(change(context, self.parent, filter, pipeline, false).await? > 0)
    }
}
