//! Fills copies beside references: a write of a reference also writes the values of the source, the version and a mark.
//! Reads the sources, and writes nothing but the first version of a source.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::{
    changes::{ChangeSet, Operator, UpdateSpec},
    derived::{
        copies::stored::{
            path::CopyPath,
            source::{self, Presence, SourceRead},
            structs::{self, Put},
        },
        marks::PendingMarker,
    },
    document::{equal_to, get_at, put_at, value_at},
    error::{Error, Result},
    executor::Context,
    key::Key,
    read::Query,
};

/// The version of a copy of a source without a version: older than any version. The server replaces a timestamp of two
/// zeros.
const UNVERSIONED: Timestamp = Timestamp { time: 0, increment: 1 };

/// The sources that a write has used, by key.
pub(in crate::derived::copies) type Used = HashMap<Key, SourceRead>;

/// The holders of each source, by `_id`.
pub(in crate::derived::copies) type HoldersOf = HashMap<Key, Vec<Bson>>;

/// The manner of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// An update of its own that can be tried again. The update leaves out a document with newer copies.
    Alone,
    /// An update in a command with several updates, which are not tried again one by one.
    InBulk,
}

/// A field that is added to an update: the operator, the path, and the value.
type Added = (Operator, String, Bson);

/// The result of filling an update.
pub(in crate::derived::copies) struct Filled {
    pub(in crate::derived::copies) used: Used,
    /// True when the update leaves out documents with newer copies.
    pub(in crate::derived::copies) guarded: bool,
    /// True when further references of a holder stay unchanged.
    pub(in crate::derived::copies) partial: bool,
}

impl CopyPath {
    /// Sets the copies of a struct, and the version of the copies.
    fn fill(&self, found: &mut Document, used: &Used) {
        match found.get(self.reference).and_then(|id| used.get(&Key::of(id))) {
            Some(source) => {
                found.extend(self.values_of(Some(source)));
                if self.synced {
                    found.extend(self.stamp(source.version));
                }
            }
            None if found.get(self.reference).is_none_or(|id| *id == Bson::Null) => {
                // Without a reference, the copies are null.
                for field in &self.fields {
                    if let Some(copy) = found.get_mut(field.name) {
                        *copy = Bson::Null;
                    }
                }
            }
            None => {}
        }
    }

    /// Returns the values of the copies; null without a reference. A source that has left some copies behind gives only
    /// the present copies.
    fn values_of(&self, source: Option<&SourceRead>) -> impl Iterator<Item = (String, Bson)> {
        let value = move |from| source.map_or(Bson::Null, |source| value_at(&source.document, from));
        let left = source.filter(|source| source.presence == Presence::Left);
        let fields = self
            .fields
            .iter()
            .filter(move |field| left.is_none_or(|left| get_at(&left.document, &field.from).is_some()));
        fields.map(move |field| (field.name.to_owned(), value(&field.from)))
    }

    /// Returns the operators, paths and values that go beside a reference which an operator writes.
    fn beside(&self, operator: Operator, prefix: &str, source: Option<&SourceRead>) -> Vec<Added> {
        let values = self.values_of(source).map(|(name, value)| (operator, format!("{prefix}{name}"), value));
        let stamp: Vec<Added> = match source.filter(|_| self.synced) {
            Some(source) => {
                self.stamp(source.version).map(|(name, value)| (operator, format!("{prefix}{name}"), value)).into()
            }
            // The update removes the version of the previous source. A document that an upsert inserts has no version,
            // and an existing document keeps the present version.
            None if operator == Operator::Set => [self.version(), self.field_set()]
                .map(|name| (Operator::Unset, format!("{prefix}{name}"), Bson::from("")))
                .into(),
            None => Vec::new(),
        };
        values.chain(stamp).collect()
    }

    /// Returns the sources among documents that are inserted together, as in a tree, a cycle, or a reference to the
    /// document itself. The copies get the values of the documents. The re-check after the insert gives the sources a
    /// version.
    fn among(&self, documents: &[Document], wanted: &HashMap<Key, Wanted>) -> Used {
        // A copy that is not synced is not re-checked, so the copy must be of a stored source.
        if self.source.collection != self.holder.collection || !self.synced {
            return Used::new();
        }
        let is_wanted = |id: &&Bson| wanted.contains_key(&Key::of(id));
        let names = source::fields([self]);
        let source = |document: &Document| {
            let id = document.get("_id").filter(is_wanted)?.clone();
            let copied = names.keys().filter_map(|name| Some((name.clone(), document.get(name)?.clone())));
            let document = copied.collect();
            Some((
                Key::of(&id),
                SourceRead { model: self.source.name, id, version: UNVERSIONED, document, presence: Presence::There },
            ))
        };
        documents.iter().filter_map(source).collect()
    }

    fn dangling(&self, wanted: &Wanted) -> Error {
        let place = (self.holder.model, self.reference_path());
        Error::dangling(place, self.source.collection, wanted.source.clone(), wanted.holder.clone())
    }

    /// Returns the references of a stored document with the present copies. The copies stay when the source is gone.
    fn left_in(&self, stored: &Document) -> Used {
        let mut left = Used::new();
        structs::in_document(self, &mut stored.clone(), &mut |found| {
            let Some(id) = found.get(self.reference).filter(|id| **id != Bson::Null) else { return };
            let mut document = Document::new();
            for field in &self.fields {
                if let Some(value) = found.get(field.name) {
                    put_at(&mut document, &field.from, value.clone());
                }
            }
            let version = found.get_timestamp(self.version()).unwrap_or(UNVERSIONED);
            let source =
                SourceRead { model: self.source.name, id: id.clone(), version, document, presence: Presence::Left };
            // The newest of several copies wins.
            if left.get(&Key::of(id)).is_none_or(|other: &SourceRead| other.version < version) {
                left.insert(Key::of(id), source);
            }
        });
        left
    }

    /// Returns the sources with the given `_id`s; `known` are read already. A missing source is an error, unless the
    /// reference may dangle or was in the `stored` document.
    async fn sources(
        &self,
        context: &Context,
        wanted: HashMap<Key, Wanted>,
        known: &[&Used],
        stored: Option<&Document>,
    ) -> Result<Used> {
        let is_known = |key: &Key| known.iter().find_map(|known| known.get(key));
        let known = wanted.keys().filter_map(|key| Some((key.clone(), is_known(key)?.clone())));
        let mut used: Used = known.collect();
        let missing: Vec<_> = wanted.iter().filter(|(key, _)| !used.contains_key(*key)).collect();
        if !missing.is_empty() {
            let ids = missing.iter().map(|(_, wanted)| wanted.source.clone()).collect();
            let found = source::read(context, self, ids).await?;
            let missing: Vec<_> = missing.into_iter().filter(|(key, _)| !found.contains_key(*key)).collect();
            let mut left =
                stored.filter(|_| !missing.is_empty()).map(|stored| self.left_in(stored)).unwrap_or_default();
            for (key, wanted) in missing {
                if let Some(source) = left.remove(key) {
                    used.insert(key.clone(), source);
                    continue;
                }
                if !self.may_dangle {
                    return Err(self.dangling(wanted));
                }
                // The version is older than any version. A source that is inserted later is newer, and the inserting
                // client finds the holders.
                let (model, id) = (self.source.name, wanted.source.clone());
                let absent = SourceRead {
                    model,
                    id,
                    version: UNVERSIONED,
                    document: Document::new(),
                    presence: Presence::Absent,
                };
                used.insert(key.clone(), absent);
            }
            used.extend(found);
        }
        Ok(used)
    }
}

/// Fills whole documents that are to be inserted. Returns `None` for documents without a reference. Without a mark, the
/// function also returns the holders of each source.
pub(in crate::derived::copies) fn documents<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    documents: &'a mut [Document],
    mark: Option<PendingMarker>,
    known: &'a [&'a Used],
) -> BoxFuture<'a, Result<Option<(Used, HoldersOf)>>> {
    Box::pin(async move {
        let mut wanted = HashMap::new();
        for document in &mut *documents {
            let holder = document.get("_id").cloned().unwrap_or(Bson::Null);
            structs::in_document(path, document, &mut |found| want(&mut wanted, found.get(path.reference), &holder));
        }
        if wanted.is_empty() {
            return Ok(None);
        }
        let own = path.among(documents, &wanted);
        let known: Vec<&Used> = known.iter().copied().chain([&own]).collect();
        let used = path.sources(context, wanted, &known, None).await?;
        let mut holders = HoldersOf::new();
        for document in documents {
            let intended = document.get("_id").filter(|_| mark.is_none() && path.synced).cloned();
            let mut holds = false;
            structs::in_document(path, document, &mut |found| {
                path.fill(found, &used);
                let Some(source) = found.get(path.reference).filter(|source| **source != Bson::Null) else { return };
                holds = true;
                if let Some(id) = &intended {
                    holders.entry(Key::of(source)).or_default().push(id.clone());
                }
            });
            if let Some(mark) = mark.filter(|_| holds && path.synced) {
                document.insert(path.holder_mark(), mark);
            }
        }
        Ok(Some((used, holders)))
    })
}

/// Fills an upsert that takes references from its filter: an inserted document gets the copies. Returns `None` when the
/// filter has no reference, or a matching document refers to a missing source.
pub(in crate::derived::copies) fn of_filter<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    spec: &'a mut UpdateSpec,
    mark: PendingMarker,
    known: &'a [&'a Used],
) -> BoxFuture<'a, Result<Option<Used>>> {
    Box::pin(async move {
        let reference = path.reference_path();
        let Some(id) = equal_to(&spec.filter, &reference).filter(|_| !path.is_in_array()) else {
            return Ok(None);
        };
        let mut wanted = HashMap::new();
        want(&mut wanted, Some(id), equal_to(&spec.filter, "_id").unwrap_or(&Bson::Null));
        let used = match path.sources(context, wanted, known, None).await {
            Err(dangling @ Error::DanglingReference { .. }) => {
                // An existing document may refer to the source.
                let there = Query::new(path.holder.collection, spec.filter.clone()).first_id(&context.newest()).await?;
                return there.map(|_| None).ok_or(dangling);
            }
            used => used?,
        };
        let prefix = reference.strip_suffix(path.reference).unwrap_or_default();
        for source in used.values() {
            for (operator, field, value) in path.beside(Operator::SetOnInsert, prefix, Some(source)) {
                spec.changes.put(operator, field, value);
            }
            if path.synced {
                spec.changes.put(Operator::SetOnInsert, path.holder_mark(), mark);
            }
        }
        Ok(Some(used).filter(|used| !used.is_empty()))
    })
}

/// Reads the sources of the given updates together. A missing source is reported when the update is filled.
pub(in crate::derived::copies) fn read_of_updates<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    updates: &'a mut [UpdateSpec],
) -> BoxFuture<'a, Result<Used>> {
    Box::pin(async move {
        let mut wanted = HashMap::new();
        for spec in updates {
            structs::in_changes(path, &mut spec.changes, &mut |place| match place {
                Put::Struct(found) => want(&mut wanted, found.get(path.reference), &Bson::Null),
                Put::Reference { id, .. } => want(&mut wanted, Some(id), &Bson::Null),
            });
        }
        if wanted.is_empty() {
            return Ok(Used::new());
        }
        source::read(context, path, wanted.into_values().map(|wanted| wanted.source).collect()).await
    })
}

/// Fills an update in the form of the server. Returns `None` for an update without a reference.
pub(in crate::derived::copies) fn update<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    spec: &'a mut UpdateSpec,
    mark: PendingMarker,
    manner: Manner,
    known: &'a [&'a Used],
) -> BoxFuture<'a, Result<Option<Filled>>> {
    Box::pin(async move {
        refuse_strange(path, &spec.changes)?;
        let (mut wanted, mut puts) = (HashMap::new(), false);
        let holder = equal_to(&spec.filter, "_id").cloned().unwrap_or(Bson::Null);
        structs::in_changes(path, &mut spec.changes, &mut |place| {
            puts = true;
            match place {
                Put::Struct(found) => want(&mut wanted, found.get(path.reference), &holder),
                Put::Reference { id, .. } => want(&mut wanted, Some(id), &holder),
            }
        });
        for prefix in structs::unset(path, &spec.changes) {
            for name in path.fields.iter().map(|field| field.name).chain([&*path.version(), &path.field_set()]) {
                spec.changes.put(Operator::Unset, format!("{prefix}{name}"), "");
            }
        }
        if !puts {
            return Ok(None);
        }
        let used = path.sources(context, wanted, known, spec.stored.as_ref()).await?;
        let mut beside = Vec::new();
        structs::in_changes(path, &mut spec.changes, &mut |place| match place {
            Put::Struct(found) => path.fill(found, &used),
            Put::Reference { operator, prefix, id } => {
                beside.extend(path.beside(operator, &prefix, used.get(&Key::of(id))));
            }
        });
        for (operator, field, value) in beside {
            spec.touched.push(field.clone());
            spec.changes.put(operator, field, value);
        }
        if used.is_empty() {
            // The written reference is null.
            return Ok(None);
        }
        let sets = structs::puts_by(Operator::Set, path, &spec.changes);
        if path.synced {
            let of_all = sets || structs::puts_by(Operator::Push, path, &spec.changes);
            let operator = if of_all { Operator::Set } else { Operator::SetOnInsert };
            spec.changes.put(operator, path.holder_mark(), mark);
        }
        let guarded = manner == Manner::Alone && path.synced && sets;
        if guarded {
            // A missing source has no newer copies; the old copies of a missing source are overwritten.
            let there = used.values().filter(|source| source.presence != Presence::Absent);
            let newer: Vec<Document> = there.map(|source| path.newer(&source.id, source.version)).collect();
            if !newer.is_empty() {
                spec.filter = doc! { "$and": [spec.filter.clone(), { "$nor": newer }] };
            }
        }
        Ok(Some(Filled { used, guarded, partial: structs::leaves_others(path, &spec.changes) }))
    })
}

/// A source that a write needs.
struct Wanted {
    source: Bson,
    /// A document that refers to the source, for the error about a missing source.
    holder: Bson,
}

fn want(wanted: &mut HashMap<Key, Wanted>, source: Option<&Bson>, holder: &Bson) {
    if let Some(source) = source.filter(|source| **source != Bson::Null) {
        wanted.entry(Key::of(source)).or_insert_with(|| Wanted { source: source.clone(), holder: holder.clone() });
    }
}

/// Refuses an operator that writes references and does not propagate copies.
fn refuse_strange(path: &CopyPath, changes: &ChangeSet) -> Result<()> {
    if !structs::is_strange(path, changes) {
        return Ok(());
    }
    let (model, reference) = (path.holder.model, path.reference_path());
    let message = format!(
        "`{reference}` of `{model}` has copies beside the reference: write the reference by `set`, `push` or `each`"
    );
    Err(Error::Update { message })
}
