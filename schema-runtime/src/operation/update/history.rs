//! A new entry of a history of intervals. The open entry ends where the new entry begins, and no entry may overlap the
//! new entry. MongoDB takes no two operators on one array, so the list is read, and the new list is written where the
//! stored list is unchanged.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{by_id, command::Command, condition::Condition};
use crate::{
    changes::{IfAbsent, Operator, Reach},
    definition::{FieldDefinition, HistoryDefinition, ModelDefinition},
    derived::{
        effect::{Reply, Returns},
        throttle::Propagation,
    },
    document::value_at,
    error::{Error, Result},
    executor::{Attempts, Context, Executor, OperationOptions},
    field::{self, ChangeList, PathNode, interval_in, interval_of},
    read::Query,
};

/// The largest difference of two clients' clocks, in milliseconds, up to which an entry that begins now is moved behind
/// the open entry of another client. The number is ours.
const CLOCKS_APART: i64 = 60_000;

/// An entry that is to be recorded.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) node: &'static PathNode<'static>,
    pub(super) field: &'static FieldDefinition,
    pub(super) value: Bson,
}

/// An update that records entries.
pub(super) struct Recording {
    pub(super) definition: &'static ModelDefinition,
    pub(super) filter: Result<Document>,
    /// The condition on the document; `None` without a condition beside the filter.
    pub(super) condition: Result<Option<Document>>,
    pub(super) changes: ChangeList,
    pub(super) following: Propagation,
    pub(super) entries: Vec<Entry>,
    /// The projection document of the returned document.
    pub(super) returned: Document,
    pub(super) options: Option<Arc<OperationOptions>>,
}

impl Recording {
    /// Updates the document.
    pub(super) fn execute(self, db: &dyn Executor, returns: Returns) -> BoxFuture<'_, Result<Reply>> {
        Box::pin(async move {
            let (context, mut attempts) = (db.context()?.with(self.options.as_deref())?, Attempts::default());
            context.refuse_selection("an update that records an entry of a history of intervals")?;
            let (asked, condition) = (field::and(self.filter.clone()?, self.changes.needed()), self.condition.clone()?);
            loop {
                let Some(lists) = self.stored(&context, &asked, condition.as_ref()).await? else {
                    attempts.again().await?;
                    continue;
                };
                let (mut filter, mut changes) = (asked.clone(), self.changes.clone());
                for (entry, stored) in self.entries.iter().zip(lists) {
                    let recorded = entry.added_to(&stored).ok_or_else(|| self.overlaps(entry))?;
                    filter = field::and(filter, doc! { entry.field.name: { "$eq": stored } });
                    changes.add(Operator::Set, entry.node, Ok(Bson::Array(recorded)));
                }
                let following = self.following.clone();
                let command =
                    Command::new(self.definition, Ok(filter), changes, IfAbsent::Ignore, Reach::ById, following);
                let command = command.map(|command| command.returning(self.returned.clone()));
                let command = command.map(|command| match &condition {
                    Some(condition) => command.only_if(condition.clone()),
                    None => command,
                });
                match by_id::update(&context, command.and_then(|command| command.sharded(returns)), returns).await {
                    // Another client has changed the list, or the document is gone: the next read tells.
                    Err(Error::NotFound { .. }) => drop(attempts.again().await?),
                    updated => return updated,
                }
            }
        })
    }

    /// Returns the stored list of each entry; `None` when the document meets the condition only since the read.
    async fn stored(
        &self,
        context: &Context,
        asked: &Document,
        condition: Option<&Document>,
    ) -> Result<Option<Vec<Bson>>> {
        let filter = condition.map_or_else(|| asked.clone(), |condition| field::and(asked.clone(), condition.clone()));
        let mut query = Query::new(self.definition.collection, filter);
        query.projection = self.entries.iter().map(|entry| (entry.field.name.to_owned(), Bson::Int32(1))).collect();
        let Some(found) = query.first(&context.newest()).await? else {
            let Some(condition) = condition else { return Err(Error::not_found(self.definition)) };
            Condition::new(asked.clone(), condition.clone()).judge(self.definition, context).await?;
            return Ok(None);
        };
        let found = Document::try_from(&*found).map_err(mongodb::error::Error::from)?;
        Ok(Some(self.entries.iter().map(|entry| value_at(&found, entry.field.name)).collect()))
    }

    fn overlaps(&self, entry: &Entry) -> Error {
        Error::IntervalOverlap { model: self.definition.model, field: entry.field.name }
    }
}

impl Entry {
    /// Returns the list with the entry in its place; `None` where the entry overlaps another entry, or does not end
    /// after its begin.
    fn added_to(&self, stored: &Bson) -> Option<Vec<Bson>> {
        let (names, history) = (interval_of(self.field)?, self.field.history?);
        let (begin, end) = interval(&self.value, names);
        let mut entries: Vec<Bson> = stored.as_array().cloned().unwrap_or_default();
        let begin = begin.map(|begin| behind_the_open(begin, &entries, names))?;
        if end.is_some_and(|end| end <= begin) {
            return None;
        }
        let mut value = self.value.clone();
        value.as_document_mut()?.insert(names.0, begin);
        for entry in &mut entries {
            let (other, until) = interval(entry, names);
            let is_open = until.is_none() && other.is_some_and(|other| other < begin);
            if let (true, Bson::Document(entry)) = (is_open, &mut *entry) {
                entry.insert(names.1, begin);
                continue;
            }
            let begins_before = end.is_none_or(|end| other.is_none_or(|other| other < end));
            if begins_before && until.is_none_or(|until| until > begin) {
                return None;
            }
        }
        entries.push(value);
        entries.sort_by_key(|entry| interval(entry, names).0);
        Some(newest(entries, &history))
    }
}

/// Returns the begin of an entry. An entry that begins now, by the clock of this client, begins at least a millisecond
/// after the open entry: another client may have begun the open entry in the same millisecond, or with a clock that is
/// ahead.
fn behind_the_open(begin: DateTime, entries: &[Bson], names: (&str, &str)) -> DateTime {
    let opened = entries.iter().filter_map(|entry| match interval(entry, names) {
        (begin, None) => begin,
        _ => None,
    });
    let Some(opened) = opened.max().map(DateTime::timestamp_millis) else { return begin };
    let at = begin.timestamp_millis();
    let is_now = (at - DateTime::now().timestamp_millis()).abs() <= CLOCKS_APART;
    if is_now && (at..=at + CLOCKS_APART).contains(&opened) { DateTime::from_millis(opened + 1) } else { begin }
}

/// Returns the newest entries of a list in ascending order. The result is in the order of the history.
fn newest(mut entries: Vec<Bson>, history: &HistoryDefinition) -> Vec<Bson> {
    let keep = usize::try_from(history.keep).unwrap_or(usize::MAX);
    entries.drain(..entries.len().saturating_sub(keep));
    if history.is_newest_first() {
        entries.reverse();
    }
    entries
}

/// Returns the begin and the end of an entry.
fn interval(entry: &Bson, names: (&str, &str)) -> (Option<DateTime>, Option<DateTime>) {
    entry.as_document().map_or((None, None), |entry| interval_in(entry, names))
}
