//! Rule: `stale_copy`. The page is `guide/pages/rules/stale_copy.md`.

use std::{
    collections::{HashMap, HashSet},
    mem,
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    held::{self, Held, held_by_ids},
    repair::write_again,
};
use crate::{
    codec,
    derived::{
        copies::{
            stored::{
                path::CopyPath,
                source::{self, version_of},
            },
            write::intent,
        },
        maintenance::{Fault, MaintenanceKind, Place, Tally, rewrite},
        throttle::{Throttle, Throttler},
    },
    document::value_at,
    error::{Error, Result},
    executor::Context,
    key::Key,
    limits::{KNOWN_BYTES, KNOWN_ENTRY_BYTES},
    read::Walk,
};

/// The wrong copies of some holders.
#[derive(Debug, Default)]
struct Surveyed {
    /// The copies that differ from the source.
    stale: Vec<Held>,
    /// The copies of a missing source whose reference may not dangle.
    gone: Vec<Held>,
    /// The sources of the stale copies, in the present state.
    sources: HashMap<Key, Document>,
}

impl Surveyed {
    /// Returns the number of holders with stale copies.
    fn stale_holders(&self) -> u64 {
        let holders: HashSet<Key> = self.stale.iter().map(|held| Key::of(&held.holder)).collect();
        holders.len() as u64
    }
}

/// The copies of one path. Each holder is read once, the sources are read in chunks, and each stale copy is read again
/// before the report.
pub(in crate::derived::copies) struct StaleCopies {
    path: CopyPath,
    /// The sources that were read, up to `KNOWN_BYTES`; `None` for a missing source.
    known: HashMap<Key, Option<Document>>,
    known_bytes: usize,
    /// The wrong copies of the last chunk.
    surveyed: Surveyed,
}

impl Place for StaleCopies {
    fn name(&self) -> (&'static str, String) {
        (self.path.holder.model, self.path.reference_path())
    }

    fn walk(&self, context: &Context) -> Walk {
        held::walk(&context.majority(), &self.path, doc! {})
    }

    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        Box::pin(async move {
            let context = &context.majority();
            let suspects = self.suspects(context, held::held_in(&self.path, chunk)).await?;
            self.surveyed =
                if suspects.is_empty() { Surveyed::default() } else { self.again(context, suspects).await? };
            let stale = self.surveyed.stale.iter().map(|held| held.fault(MaintenanceKind::StaleCopy));
            let gone = self.surveyed.gone.iter().map(|held| held.fault(MaintenanceKind::CopyWithoutSource));
            Ok(stale.chain(gone).collect())
        })
    }

    fn rewrite_chunk<'a>(
        &'a mut self,
        context: &'a Context,
        _: &'a Throttle,
        faults: Vec<Fault>,
        tally: &'a mut Tally,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            tally.leave_all(
                faults.into_iter().filter(|fault| fault.kind == MaintenanceKind::CopyWithoutSource).collect(),
            );
            let surveyed = mem::take(&mut self.surveyed);
            let (copies, holders) = (surveyed.stale.len() as u64, surveyed.stale_holders());
            let refused = write_again(&context.majority(), &self.path, surveyed.stale, surveyed.sources).await?;
            let entry = tally.entry(MaintenanceKind::StaleCopy);
            entry.add_several(copies, holders, holders.saturating_sub(refused.documents));
            entry.add_refused(refused);
            Ok(())
        })
    }
}

impl StaleCopies {
    pub(in crate::derived::copies) fn new(path: CopyPath) -> Self {
        StaleCopies { path, known: HashMap::new(), known_bytes: 0, surveyed: Surveyed::default() }
    }

    /// Returns the copies that differ from the source at the time of the read.
    async fn suspects(&mut self, context: &Context, held: Vec<Held>) -> Result<Vec<Held>> {
        if self.known_bytes > KNOWN_BYTES {
            self.known.clear();
            self.known_bytes = 0;
        }
        let unknown = held.iter().filter(|held| !held.is_of_nothing() && !self.known.contains_key(&held.key));
        let unknown: HashMap<Key, Bson> = unknown.map(|held| (held.key.clone(), held.source.clone())).collect();
        if !unknown.is_empty() {
            let mut found = source::as_they_are(context, &self.path, unknown.values().cloned().collect()).await?;
            for (key, id) in unknown {
                let source = found.remove(&key);
                self.know(key, &id, source)?;
            }
        }
        let fits = |held: &Held| {
            let source = self.known.get(&held.key).and_then(Option::as_ref);
            if held.is_of_nothing() {
                return !held.has_values();
            }
            source.map_or(self.path.may_dangle, |source| !is_stale(&self.path, held, source))
        };
        Ok(held.into_iter().filter(|held| !fits(held)).collect())
    }

    fn know(&mut self, key: Key, id: &Bson, source: Option<Document>) -> Result<()> {
        let document = doc! { "id": id, "source": &source };
        self.known_bytes += KNOWN_ENTRY_BYTES + 3 * codec::encode(&document).map_err(Error::encode)?.as_bytes().len();
        self.known.insert(key, source);
        Ok(())
    }

    /// Reads the suspects again, between two reads of their sources. A source that moved in between is propagated by
    /// the writer. A marked source waits for a sweep. A marked holder waits for a re-check, which corrects only an
    /// older version.
    async fn again(&mut self, context: &Context, suspects: Vec<Held>) -> Result<Surveyed> {
        let of_sources = suspects.iter().filter(|held| !held.is_of_nothing());
        let keys: HashMap<Key, Bson> = of_sources.map(|held| (held.key.clone(), held.source.clone())).collect();
        let ids: Vec<Bson> = keys.values().cloned().collect();
        let mut holders = HashSet::new();
        let holders = suspects.into_iter().filter(|held| holders.insert(Key::of(&held.holder)));
        let holders: Vec<Bson> = holders.map(|held| held.holder).collect();

        let before = source::as_they_are(context, &self.path, ids.clone()).await?;
        // The holders existed before the read of the intents: a client that has inserted a holder with an intent has
        // since corrected the holder, or still has the intent.
        let intended: HashSet<Key> = intent::named(context, &self.path, &holders).await?.into_iter().collect();
        let held = held_by_ids(context, &self.path, &holders).await?;
        let after = source::as_they_are(context, &self.path, ids).await?;

        let mut surveyed = Surveyed::default();
        // A command that removes a reference also removes the copies. Copies beside a null reference therefore belong
        // to no write.
        let (of_nothing, held): (Vec<Held>, Vec<Held>) = held.into_iter().partition(Held::is_of_nothing);
        surveyed.stale.extend(of_nothing.into_iter().filter(Held::has_values));
        for held in held.into_iter().filter(|held| keys.contains_key(&held.key)) {
            match (before.get(&held.key), after.get(&held.key)) {
                (None, None) if self.path.may_dangle => {}
                (None, None) => surveyed.gone.push(held),
                (Some(before), Some(after)) if same(before, after)? => {
                    let is_pending = held.marked || intended.contains(&Key::of(&held.holder));
                    let waits = is_marked(&self.path, after) || (is_pending && held.version < version_of(after));
                    if !waits && is_stale(&self.path, &held, after) {
                        surveyed.stale.push(held);
                    }
                }
                _ => {}
            }
        }
        for (key, id) in keys {
            self.know(key.clone(), &id, after.get(&key).cloned())?;
        }
        surveyed.sources = after;
        Ok(surveyed)
    }
}

/// Repairs all holders of one path, and returns the number of refused holders.
pub(in crate::derived::copies) async fn repair_path(
    context: &Context,
    path: &CopyPath,
    throttler: &mut Throttler<'_>,
) -> Result<u64> {
    let entries = rewrite(&mut StaleCopies::new(path.clone()), context, throttler).await?;
    Ok(entries.iter().map(|entry| entry.refused).sum())
}

/// Returns whether a copy has different values from the source, or no version although the source has a version. An
/// older version alone proves nothing: each path gives the source a new version.
pub(in crate::derived::copies) fn is_stale(path: &CopyPath, held: &Held, source: &Document) -> bool {
    let unversioned = path.synced && held.version.is_none() && version_of(source).is_some();
    let mut values = path.fields.iter().zip(&held.values);
    unversioned || values.any(|(field, value)| !same_value(value, &value_at(source, &field.from)))
}

fn is_marked(path: &CopyPath, source: &Document) -> bool {
    path.synced && source.contains_key(path.source_mark())
}

/// Compares the bytes when a value is not equal to the value itself (NaN).
fn same_value(one: &Bson, other: &Bson) -> bool {
    one == other || same(&doc! { "v": one }, &doc! { "v": other }).unwrap_or(false)
}

fn same(one: &Document, other: &Document) -> Result<bool> {
    let bytes = |document: &Document| codec::encode(document).map_err(Error::encode);
    Ok(one == other || bytes(one)?.as_bytes() == bytes(other)?.as_bytes())
}
