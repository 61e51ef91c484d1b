//! Rewrites stale copies, and leaves all remaining copies. Documents with a pending marker are left to `recover`.
//! Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::{
    correct::{Correction, correct},
    held::Held,
};
use crate::{
    derived::{
        copies::{
            stored::{
                path::{CopyPath, Swept},
                source::{self, version_of},
            },
            write::clears::clearing,
        },
        marks::PendingMarker,
        refused::{Refused, send_all, send_each},
    },
    error::Result,
    executor::Context,
    key::Key,
};

/// The stale copies of one source.
struct Group {
    id: Bson,
    holders: Vec<Bson>,
    /// True when a copy has the version of the source, or a newer version. The guard then lets only a new version
    /// overwrite the copy.
    needs_version: bool,
}

/// Writes the values of the sources over stale copies, and returns the refused holders.
pub(super) async fn write_again(
    context: &Context,
    path: &CopyPath,
    stale: Vec<Held>,
    sources: HashMap<Key, Document>,
) -> Result<Refused> {
    if stale.is_empty() {
        return Ok(Refused::default());
    }
    let mut groups: HashMap<Key, Group> = HashMap::new();
    let (of_nothing, stale): (Vec<Held>, Vec<Held>) = stale.into_iter().partition(Held::is_of_nothing);
    let emptying = of_nothing.iter().map(|held| (held.holder.clone(), path.emptying(&held.holder)));
    let mut refused = send_each(context, path.holder, emptying).await?;
    let mut ahead: HashMap<Key, Vec<(Bson, Timestamp)>> = HashMap::new();
    for held in stale {
        let version = sources.get(&held.key).and_then(version_of);
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
            false => sources.get(&key).cloned(),
        };
        if needs_version {
            clears.push((clearing(path, doc! { "_id": { "$eq": &id }, path.source_mark(): mark }), false));
        }
        let Some((document, version)) = document.and_then(|document| version_of(&document).map(|v| (document, v)))
        else {
            continue;
        };
        // The server's clock has not reached the version of the copy, so a newer version is impossible. The repair
        // overwrites exactly the version of the copy.
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

/// Repairs copies of sources that a different program writes and that have no versions. The version of a repaired copy
/// is the read time of the source.
async fn write_external_again(context: &Context, path: &CopyPath, groups: HashMap<Key, Group>) -> Result<Refused> {
    let ids = groups.values().map(|group| group.id.clone()).collect();
    let mut sources = source::at_one_time(context, path, ids).await?;
    let corrections = groups.into_iter().filter_map(|(key, Group { id, holders, .. })| {
        let (document, version) = sources.remove(&key)?;
        Some(Correction { source: id, version, document, holders })
    });
    correct(context, path, &corrections.collect::<Vec<_>>()).await
}
