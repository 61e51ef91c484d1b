//! Copies that are written again, whatever version is beside them: those that a client with another version of the model has
//! written, and those of other programs. Reaches the server.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::{
    correct::{Correction, correct},
    held::Held,
    marker::PendingMarker,
    path::{CopyPath, Swept},
    source::{self, version_of},
    sweep::{Refused, send_all, send_each, sweep},
    writing::clearing,
};
use crate::{derived::throttle::Throttle, error::Result, executor::Context, key::Key};

/// What became of some copies.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    /// How many holders have the values of their sources now.
    pub(super) holders: u64,
    /// How many copies have no source, and stay as they are.
    pub(super) gone: u64,
    /// The holders that were refused.
    pub(super) refused: Refused,
}

/// Writes the values and the versions of their sources over these copies.
pub(super) async fn rewrite(
    context: &Context,
    path: &CopyPath,
    held: Vec<Held>,
    throttle: &Throttle,
) -> Result<Rewritten> {
    let mut rewritten = Rewritten::default();
    let mut groups: HashMap<Key, Vec<Held>> = HashMap::new();
    let (of_nothing, held): (Vec<Held>, Vec<Held>) = held.into_iter().partition(Held::is_of_nothing);
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
            rewritten.gone += if path.may_dangle { 0 } else { group.len() as u64 };
            continue;
        };
        let Some(source) = group.first().map(|held| held.source.clone()) else { continue };
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

/// New versions for sources whose holders have their version, or a newer one, and not all of their fields: the guard lets only a new
/// version over it.
struct Renewal<'a> {
    context: &'a Context,
    path: &'a CopyPath,
    mark: PendingMarker,
    throttle: &'a Throttle,
}

/// What became of a source.
enum Renewed {
    /// It has this mark, and its other holders are as new as before.
    Touched(Document, Timestamp),
    /// It had a mark, perhaps of a client that copies other fields, and was propagated to all of its holders, but for
    /// those that were refused. Also one that is gone by now.
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

/// A source that has a new version and this mark is propagated to all of its holders; then the mark is cleared, unless one was refused.
pub(super) async fn sweep_touched(
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

/// Clears this mark of these sources.
pub(super) async fn clear_marks(
    context: &Context,
    path: &CopyPath,
    ids: impl IntoIterator<Item = &Bson>,
    mark: PendingMarker,
) -> Result<()> {
    let clear = |id| (clearing(path, doc! { "_id": { "$eq": id }, path.source_mark(): mark }), false);
    send_all(context, path.source, ids.into_iter().map(clear).collect()).await
}
