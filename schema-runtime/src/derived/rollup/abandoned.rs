//! Which records nobody is at work on. It is no part of what makes the protocol right: those of a client at work may be taken over,
//! which costs both. Reads from the server.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use mongodb::bson::{RawDocument, doc, oid::ObjectId};

use super::path::RollupPath;
use crate::{error::Result, executor::Context, read::Aggregate};

/// A client at work gets on in this time, as a rule.
const STEP: Duration = Duration::from_millis(50);

/// So long a client at work is left alone.
const LONGEST: Duration = Duration::from_secs(30);

/// How many marks are watched together.
pub(super) const WATCHED: usize = 10_000;

/// How far writes are, by mark: how many records each has, and how many of those were written by the update of many that they are of.
type Progress = HashMap<ObjectId, (i64, i64)>;

impl RollupPath {
    /// The marks that children bear: 12 bytes of each.
    pub(super) async fn all_marks(&self, context: &Context) -> Result<Vec<ObjectId>> {
        let pipeline = vec![
            doc! { "$match": { self.mark(): { "$exists": true } } },
            doc! { "$group": { "_id": format!("${}", self.mark()) } },
        ];
        let mut marks = Vec::new();
        let visit = |found: &RawDocument| {
            marks.extend(found.get_object_id("_id").ok());
            Ok(ControlFlow::Continue(()))
        };
        Aggregate { collection: Some(self.child.collection), pipeline }.for_each(context, visit).await?;
        Ok(marks)
    }

    /// These marks, without those of clients that get on while they are watched.
    pub(super) async fn abandoned(&self, context: &Context, marks: &[ObjectId]) -> Result<Vec<ObjectId>> {
        let begun = Instant::now();
        let mut seen = self.progress(context, marks).await?;
        let (mut took, mut abandoned) = (begun.elapsed(), Vec::new());
        while !seen.is_empty() {
            // A client needs about as long to read so many records.
            tokio::time::sleep(STEP.max(took * 2)).await;
            let look = Instant::now();
            let mut now = self.progress(context, marks).await?;
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

    async fn progress(&self, context: &Context, marks: &[ObjectId]) -> Result<Progress> {
        let written = doc! { "$size": { "$ifNull": [format!("${}", self.by()), []] } };
        let pipeline = vec![
            doc! { "$match": { self.mark(): { "$in": marks } } },
            doc! { "$group": { "_id": format!("${}", self.mark()), "records": { "$sum": 1_i64 }, "written": { "$sum": { "$toLong": written } } } },
        ];
        let mut progress = Progress::new();
        let visit = |found: &RawDocument| {
            let of = |name: &str| found.get_i64(name).unwrap_or_default();
            let mark = found.get_object_id("_id").ok();
            progress.extend(mark.map(|mark| (mark, (of("records"), of("written")))));
            Ok(ControlFlow::Continue(()))
        };
        Aggregate { collection: Some(self.child.collection), pipeline }.for_each(context, visit).await?;
        Ok(progress)
    }
}
