//! Rewrites copies regardless of their version: copies from clients with a different version of the model, and copies
//! from different programs. Reaches the server.

use std::collections::{HashMap, HashSet};

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
            write::{clears::clearing, sweep::sweep},
        },
        marks::PendingMarker,
        refused::{Refused, send_all, send_each},
        throttle::Throttle,
    },
    error::Result,
    executor::Context,
    key::Key,
};

/// The result of a rewrite of some copies.
#[derive(Debug, Default)]
pub(in crate::derived::copies) struct Rewritten {
    /// The number of copies that now have the values of the sources.
    pub(in crate::derived::copies) copies: u64,
    /// The number of holders of these copies.
    pub(in crate::derived::copies) holders: u64,
    /// The copies without a source. A copy without a source stays unchanged.
    pub(in crate::derived::copies) gone: Vec<Held>,
    /// The holders that were refused.
    pub(in crate::derived::copies) refused: Refused,
}

/// Writes the values and the versions of the sources over the given copies.
pub(in crate::derived::copies) async fn rewrite(
    context: &Context,
    path: &CopyPath,
    held: Vec<Held>,
    throttle: &Throttle,
) -> Result<Rewritten> {
    let mut rewritten = Rewritten::default();
    let mut groups: HashMap<Key, Vec<Held>> = HashMap::new();
    let (of_nothing, held): (Vec<Held>, Vec<Held>) = held.into_iter().partition(Held::is_of_nothing);
    rewritten.copies = of_nothing.len() as u64;
    let emptying = of_nothing.iter().map(|held| (held.holder.clone(), path.emptying(&held.holder)));
    rewritten.refused = send_each(context, path.holder, emptying).await?;
    for held in held {
        groups.entry(held.key.clone()).or_default().push(held);
    }
    let ids = groups.values().filter_map(|group| Some(group.first()?.source.clone())).collect();
    let mut without_version = HashMap::new();
    let mut sources: HashMap<Key, (Document, Timestamp)> = match path.synced {
        true => {
            let (read, refused) = source::read_through(context, path, ids).await?;
            without_version = refused;
            read.into_iter().map(|(key, source)| (key, (source.document, source.version))).collect()
        }
        false => source::at_one_time(context, path, ids).await?,
    };
    let mut corrections = Vec::new();
    let mut distinct: HashSet<Key> = of_nothing.iter().map(|held| Key::of(&held.holder)).collect();
    let renewal = Renewal { context, path, mark: PendingMarker::new(), throttle };
    let mut renewed = Vec::new();
    for (key, group) in groups {
        if without_version.contains_key(&key) {
            rewritten.refused.add(Refused::of(group.into_iter().map(|held| held.holder)));
            continue;
        }
        let Some((mut document, mut version)) = sources.remove(&key) else {
            rewritten.gone.extend(group.into_iter().filter(|_| !path.may_dangle));
            continue;
        };
        let Some(source) = group.first().map(|held| held.source.clone()) else { continue };
        rewritten.copies += group.len() as u64;
        distinct.extend(group.iter().map(|held| Key::of(&held.holder)));
        if path.synced && group.iter().any(|held| held.version >= Some(version)) {
            match renewal.renew(&source).await {
                Ok(Renewed::Touched(touched, of_touch)) => {
                    (document, version) = (touched, of_touch);
                    renewed.push(source.clone());
                }
                Ok(Renewed::Propagated(refused)) => {
                    rewritten.refused.add(refused);
                    continue;
                }
                Err(error) if error.is_refusal() => {
                    rewritten.refused.add(Refused::of(group.into_iter().map(|held| held.holder)));
                    continue;
                }
                Err(error) => return Err(error),
            }
        }
        let holders = group.into_iter().map(|held| held.holder).collect();
        corrections.push(Correction { source, version, document, holders });
    }
    rewritten.holders = distinct.len() as u64;
    rewritten.refused.add(correct(context, path, &corrections).await?);
    clear_marks(context, path, &renewed, renewal.mark).await?;
    Ok(rewritten)
}

/// Gives new versions to sources whose holders have the same or a newer version without all fields. The guard lets only
/// a new version overwrite the copies.
struct Renewal<'a> {
    context: &'a Context,
    path: &'a CopyPath,
    mark: PendingMarker,
    throttle: &'a Throttle,
}

/// The result for a source.
enum Renewed {
    /// The source has the mark of the renewal, and all remaining holders are as new as before.
    Touched(Document, Timestamp),
    /// The source had a mark, perhaps of a client that copies different fields, and was propagated to all holders
    /// except for the refused holders. Also the result for a source that is gone by now.
    Propagated(Refused),
}

impl Renewal<'_> {
    async fn renew(&self, id: &Bson) -> Result<Renewed> {
        let Renewal { context, path, mark, throttle } = *self;
        if let Some(document) = source::touch_unmarked(context, path, id, mark).await?
            && let Some(version) = version_of(&document)
        {
            return Ok(Renewed::Touched(document, version));
        }
        let Some(document) = source::touch(context, &[path], id, mark).await? else {
            return Ok(Renewed::Propagated(Refused::default()));
        };
        let refused = sweep_touched(context, path, &document, mark, &throttle.clone().quiet()).await?;
        Ok(Renewed::Propagated(refused))
    }
}

/// Propagates a source with a new version and the given mark to all holders. Clears the mark unless a holder was
/// refused.
pub(in crate::derived::copies) async fn sweep_touched(
    context: &Context,
    path: &CopyPath,
    touched: &Document,
    mark: PendingMarker,
    throttle: &Throttle,
) -> Result<Refused> {
    let (Some(id), Some(version)) = (touched.get("_id"), version_of(touched)) else { return Ok(Refused::default()) };
    let refused = sweep(context, path, Swept { id, version, document: touched }, throttle).await?;
    if refused.documents == 0 {
        clear_marks(context, path, [id], mark).await?;
    }
    Ok(refused)
}

/// Clears the given mark of the sources.
pub(in crate::derived::copies) async fn clear_marks(
    context: &Context,
    path: &CopyPath,
    ids: impl IntoIterator<Item = &Bson>,
    mark: PendingMarker,
) -> Result<()> {
    let clear = |id| (clearing(path, doc! { "_id": { "$eq": id }, path.source_mark(): mark }), false);
    send_all(context, path.source, ids.into_iter().map(clear).collect()).await
}
