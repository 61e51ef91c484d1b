//! The writes of sources, by every operation.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use schema_runtime::{Executor, Result, Throttle, prelude::*};

use super::{Owner, Place, SOURCES, Tag};

/// A write of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SourceWrite {
    /// Sets a new label.
    Label,
    /// Increments the count.
    Count,
    /// Increments the count, with chunks of a single document and a pause between the chunks.
    CountSlowly,
    /// Increments the count by a filter.
    CountOne,
    /// Increments the count of all sources.
    CountMany,
    /// Sets a new label for all sources.
    LabelMany,
    /// `find_one_and_update` that returns the document before the update.
    FindBefore,
    /// `find_one_and_update` that returns the document after the update.
    FindAfter,
    /// `find_one_and_update` as an upsert.
    FindUpsert,
    /// A source is read, changed and replaced.
    Replace,
    /// A source is read, changed in a field without copies, and replaced.
    ReplacePlain,
    /// A source is read, changed and saved.
    Save,
    /// An upsert by `_id`.
    Upsert,
    /// Two updates and a replace in a bulk.
    Bulk,
    /// Two updates, a replace and an insert in an unordered bulk.
    BulkInsert,
    /// An insert, also with an `_id` of a deleted source.
    Insert,
    /// An insert of all missing sources, up to the first existing source.
    InsertMany,
    /// A delete.
    Delete,
    /// A delete and an insert.
    Again,
    /// A write of a field without copies.
    Plain,
    /// Increments the count; the copies are left to a worker.
    Later,
}

impl SourceWrite {
    /// All writes of a source.
    pub const ALL: [SourceWrite; 21] = [
        SourceWrite::Label,
        SourceWrite::Count,
        SourceWrite::CountSlowly,
        SourceWrite::CountOne,
        SourceWrite::CountMany,
        SourceWrite::LabelMany,
        SourceWrite::FindBefore,
        SourceWrite::FindAfter,
        SourceWrite::FindUpsert,
        SourceWrite::Replace,
        SourceWrite::ReplacePlain,
        SourceWrite::Save,
        SourceWrite::Upsert,
        SourceWrite::Bulk,
        SourceWrite::BulkInsert,
        SourceWrite::Insert,
        SourceWrite::InsertMany,
        SourceWrite::Delete,
        SourceWrite::Again,
        SourceWrite::Plain,
        SourceWrite::Later,
    ];
}

/// Returns a label that no earlier write has used.
fn label(id: i64) -> String {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    format!("{id}:{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The writes of a model: [`Tag`] and [`Owner`] have the same fields, and no common trait.
macro_rules! writes_of {
    ($name:ident, $model:ident) => {
        impl SourceWrite {
            /// Runs the write on the source with this number.
            ///
            /// # Errors
            /// The errors of the write.
            pub async fn $name(self, place: Place, number: i64, db: &impl Executor) -> Result<()> {
                let (id, f) = (place.id(number), $model::F);
                let new = |id| $model { id, label: label(id), count: 0, plain: 0 };
                let all = || $model::F.id.between(place.range());
                let count = || $model::update_by_id(id).inc(f.count, 1);
                match self {
                    SourceWrite::Label => {
                        $model::update_by_id(id).set(f.label, label(id)).set(f.count, 0).execute(db).await.map(drop)
                    }
                    SourceWrite::Count => count().execute(db).await.map(drop),
                    SourceWrite::CountSlowly => {
                        let throttle = Throttle::new().chunk(1).pause(Duration::from_millis(1)).progress(|_| ());
                        count().throttle(throttle).execute(db).await.map(drop)
                    }
                    SourceWrite::CountOne => {
                        $model::update_one(f.id.eq(id)).inc(f.count, 1).execute(db).await.map(drop)
                    }
                    SourceWrite::CountMany => $model::update_many(all()).inc(f.count, 1).execute(db).await.map(drop),
                    SourceWrite::LabelMany => {
                        let label = label(place.0);
                        $model::update_many(all()).set(f.label, label).set(f.count, 0).execute(db).await.map(drop)
                    }
                    SourceWrite::FindBefore => {
                        $model::find_one_and_update(f.id.eq(id)).inc(f.count, 1).fetch_before(db).await.map(drop)
                    }
                    SourceWrite::FindAfter => {
                        $model::find_one_and_update(f.id.eq(id)).inc(f.count, 1).fetch_after(db).await.map(drop)
                    }
                    SourceWrite::FindUpsert => {
                        let found = $model::find_one_and_update(f.id.eq(id)).set(f.label, label(id)).set(f.count, 0);
                        found.set_on_insert(f.plain, 0).upsert().fetch_after(db).await.map(drop)
                    }
                    SourceWrite::Replace => {
                        $model::get_by_id(db, &id).await?;
                        $model::replace(db, &new(id)).await
                    }
                    SourceWrite::ReplacePlain => {
                        let there = $model::get_by_id(db, &id).await?;
                        $model::replace(db, &$model { plain: there.plain + 1, ..there }).await
                    }
                    SourceWrite::Save => {
                        let mut value = new(id);
                        $model::save(db, &mut value).await
                    }
                    SourceWrite::Upsert => {
                        let upsert = $model::update_by_id(id).set(f.label, label(id)).set(f.count, 0).set(f.plain, 1);
                        upsert.upsert().execute(db).await.map(drop)
                    }
                    SourceWrite::Bulk => {
                        let other = place.id((number + 1) % SOURCES);
                        let bulk = $model::bulk().update(count()).replace(&new(other));
                        bulk.update($model::update_many(all()).inc(f.plain, 1)).execute(db).await?.complete().map(drop)
                    }
                    SourceWrite::BulkInsert => {
                        let other = place.id((number + 1) % SOURCES);
                        let bulk = $model::bulk().update(count()).insert(&new(other)).unordered();
                        bulk.execute(db).await?.complete().map(drop)
                    }
                    SourceWrite::Insert => $model::insert(db, &new(id)).await,
                    SourceWrite::InsertMany => {
                        let all: Vec<_> = (0..SOURCES).map(|at| new(place.id((number + at) % SOURCES))).collect();
                        $model::insert_many(db, &all).await
                    }
                    SourceWrite::Delete => $model::delete_by_id(db, &id).await.map(drop),
                    SourceWrite::Again => {
                        $model::delete_by_id(db, &id).await?;
                        $model::insert(db, &new(id)).await
                    }
                    SourceWrite::Plain => $model::update_by_id(id).inc(f.plain, 1).execute(db).await.map(drop),
                    SourceWrite::Later => count().defer_copies().execute(db).await.map(drop),
                }
            }
        }
    };
}

writes_of!(of_tag, Tag);
writes_of!(of_owner, Owner);
