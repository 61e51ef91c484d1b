//! Repairs the copies that a survey finds stale, and leaves all remaining copies. The survey finds changes of writes that bypass this
//! crate; documents with a pending marker are left to `recover`. Repair may run beside all writers and beside a second repair, and a
//! stopped repair resumes when run again.

use std::{collections::HashMap, fmt};

use mongodb::bson::{Bson, Timestamp, doc};

use super::{
    correct::{Correction, correct},
    held::Held,
    survey::{Survey, Surveyed},
};
use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{
            stored::{
                marker::PendingMarker,
                path::{CopyPath, Swept},
                paths::of_schema,
                source::{self, version_of},
            },
            write::writing::clearing,
        },
        refused::{Refused, send_all, send_each},
        throttle::{Throttle, Throttler},
    },
    error::Result,
    executor::Context,
    key::Key,
    report::{but_for_refused, counted, named},
};

/// The result of the repair of one place that holds copies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedPath {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references to the source.
    pub reference: String,
    /// The number of holders that were read.
    pub read: u64,
    /// The number of stale copies that were written again.
    pub copies: u64,
    /// The number of holders with stale copies.
    pub holders: u64,
    /// The number of copies with a missing source. A copy without a source stays unchanged.
    pub gone: u64,
    /// The number of holders that the server refused to write, as by a validator. A refused holder stays unchanged.
    pub refused: u64,
    /// The `_id`s of some refused holders.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RepairedPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RepairedPath { holder, reference, .. } = self;
        let copies = counted(self.copies, "copy", "copies");
        let holders = counted(self.holders, "document", "documents");
        write!(
            formatter,
            "{holder}.{reference}: {copies} in {holders} written again{}",
            but_for_refused(self.refused, &self.examples)
        )
    }
}

pub(crate) async fn repair(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
) -> Result<Vec<RepairedPath>> {
    let context = context.majority();
    let mut repaired = Vec::new();
    let paths = of_schema(models);
    let work = paths.iter().map(|path| (path.holder.collection, doc! {}));
    let mut throttler = Throttler::new(&context, work.collect(), throttle).await?;
    for path in &paths {
        repaired.push(repair_path(&context, path, &mut throttler).await?);
    }
    Ok(repaired)
}

/// Repairs all holders of one path.
pub(in crate::derived::copies) async fn repair_path(
    context: &Context,
    path: &CopyPath,
    throttler: &mut Throttler<'_>,
) -> Result<RepairedPath> {
    let mut repaired = RepairedPath {
        holder: path.holder.collection,
        reference: path.reference_path(),
        read: 0,
        copies: 0,
        holders: 0,
        gone: 0,
        refused: 0,
        examples: Vec::new(),
    };
    let mut survey = Survey::new(context, path, doc! {}, throttler.throttle.chunk).await?;
    while let Some(surveyed) = survey.next().await? {
        repaired.read += surveyed.holders;
        repaired.copies += surveyed.stale.len() as u64;
        repaired.holders += surveyed.stale_holders();
        repaired.gone += surveyed.gone.len() as u64;
        throttler.done(surveyed.holders);
        let wrote = !surveyed.stale.is_empty();
        let refused = write_again(context, path, surveyed).await?;
        repaired.refused += refused.documents;
        named(&mut repaired.examples, refused.examples);
        if wrote {
            throttler.pause().await;
        }
    }
    Ok(repaired)
}

/// The stale copies of one source.
struct Group {
    id: Bson,
    holders: Vec<Bson>,
    /// True when a copy has the version of the source, or a newer version. The guard then lets only a new version overwrite the copy.
    needs_version: bool,
}

/// Writes the values of the sources over stale copies, and returns the refused holders.
async fn write_again(context: &Context, path: &CopyPath, surveyed: Surveyed) -> Result<Refused> {
    let mut groups: HashMap<Key, Group> = HashMap::new();
    let (of_nothing, stale): (Vec<Held>, Vec<Held>) = surveyed.stale.into_iter().partition(Held::is_of_nothing);
    let emptying = of_nothing.iter().map(|held| (held.holder.clone(), path.emptying(&held.holder)));
    let mut refused = send_each(context, path.holder, emptying).await?;
    let mut ahead: HashMap<Key, Vec<(Bson, Timestamp)>> = HashMap::new();
    for held in stale {
        let version = surveyed.sources.get(&held.key).and_then(version_of);
        let Held { holder, source, key, version: of_copy, .. } = held;
        if let Some(of_copy) = of_copy {
            ahead.entry(key.clone()).or_default().push((holder.clone(), of_copy));
        }
        let group = groups.entry(key);
        let group = group.or_insert_with(|| Group { id: source, holders: Vec::new(), needs_version: false });
        if group.holders.last() != Some(&holder) {
            group.holders.push(holder);
        }
        group.needs_version |= version.is_none() || of_copy.is_some_and(|copy| version.is_some_and(|now| copy >= now));
    }
    if !path.synced {
        refused.add(write_external_again(context, path, groups).await?);
        return Ok(refused);
    }
    let mark = PendingMarker::new();
    let (mut corrections, mut clears, mut of_the_future) = (Vec::new(), Vec::new(), Vec::new());
    for (key, Group { id, holders, needs_version }) in groups {
        let document = match needs_version {
            true => {
                // A source with a mark is propagated by the client that has set the mark.
                match source::touch_unmarked(context, path, &id, mark).await {
                    Err(error) if error.is_refusal() => {
                        refused.add(Refused::of(holders));
                        continue;
                    }
                    touched => touched?,
                }
            }
            false => surveyed.sources.get(&key).cloned(),
        };
        if needs_version {
            clears.push((clearing(path, doc! { "_id": { "$eq": &id }, path.source_mark(): mark }), false));
        }
        let Some((document, version)) = document.and_then(|document| version_of(&document).map(|v| (document, v)))
        else {
            continue;
        };
        // The server's clock has not reached the version of the copy, so a newer version is impossible. The repair overwrites exactly the
        // version of the copy.
        let swept = Swept { id: &id, version, document: &document };
        let ahead = ahead.remove(&key).unwrap_or_default().into_iter().filter(|(_, of_copy)| *of_copy > version);
        of_the_future.extend(ahead.map(|(holder, of_copy)| {
            let one = doc! { "_id": { "$eq": &holder } };
            (holder, path.statement_over(swept, one, doc! { "$eq": of_copy }))
        }));
        corrections.push(Correction { source: id, version, document, holders });
    }
    refused.add(send_each(context, path.holder, of_the_future).await?);
    refused.add(correct(context, path, &corrections).await?);
    send_all(context, path.source, clears).await?;
    Ok(refused)
}

/// Repairs copies of sources that a different program writes and that have no versions. The version of a repaired copy is the read time of
/// the source.
async fn write_external_again(context: &Context, path: &CopyPath, groups: HashMap<Key, Group>) -> Result<Refused> {
    let ids = groups.values().map(|group| group.id.clone()).collect();
    let mut sources = source::at_one_time(context, path, ids).await?;
    let corrections = groups.into_iter().filter_map(|(key, Group { id, holders, .. })| {
        let (document, version) = sources.remove(&key)?;
        Some(Correction { source: id, version, document, holders })
    });
    correct(context, path, &corrections.collect::<Vec<_>>()).await
}
