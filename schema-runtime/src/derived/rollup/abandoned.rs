//! Which records nobody is at work on. It is no part of what makes the protocol right: those of a client at work may be taken over,
//! which costs both. Reads from the server.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::path::RollupPath;
use crate::{error::Result, executor::Context};

/// A client at work gets on in this time, as a rule.
const STEP: Duration = Duration::from_millis(50);

/// So long a client at work is left alone.
const LONGEST: Duration = Duration::from_secs(30);

/// How far writes are, by mark: what the server counts of their records.
type Progress = HashMap<ObjectId, Document>;

impl RollupPath {
    /// The marks that children bear, without those of clients that get on while they are watched.
    pub(super) async fn abandoned(&self, context: &Context) -> Result<Vec<ObjectId>> {
        let begun = Instant::now();
        let mut seen = self.progress(context).await?;
        let (mut took, mut abandoned) = (begun.elapsed(), Vec::new());
        while !seen.is_empty() {
            // A client needs about as long to read so many records.
            tokio::time::sleep(STEP.max(took * 2)).await;
            let look = Instant::now();
            let mut now = self.progress(context).await?;
            // What began meanwhile is of clients at work.
            now.retain(|mark, _| seen.contains_key(mark));
            took = look.elapsed();
            let is_late = begun.elapsed() > LONGEST;
            now.retain(|mark, progress| {
                let stands = is_late || seen.get(mark) == Some(progress);
                abandoned.extend(stands.then_some(*mark));
                !stands
            });
            seen = now;
        }
        Ok(abandoned)
    }

    /// How many records each mark has, and how many of those were written by the update of many that they are of.
    async fn progress(&self, context: &Context) -> Result<Progress> {
        let written = doc! { "$size": { "$ifNull": [format!("${}", self.by()), []] } };
        let pipeline = vec![
            doc! { "$match": { self.mark(): { "$exists": true } } },
            doc! { "$group": { "_id": format!("${}", self.mark()), "records": { "$sum": 1 }, "written": { "$sum": written } } },
        ];
        let found = self.all(context, pipeline).await?;
        Ok(found.into_iter().filter_map(|mut found| Some((found.remove("_id")?.as_object_id()?, found))).collect())
    }
}
