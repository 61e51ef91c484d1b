//! Reads the rows of parents, and fills the values of the children: for each part of the rows a command for up to
//! 1,000 parents.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow,
    sync::Arc,
};

use futures_util::{
    FutureExt, StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, TryChunksError},
};
use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf};

use super::part::{CHILD, PARENT, Part, parts};
use crate::{
    aggregate::asked::Asked,
    codec,
    definition::{CollationDefinition, Groups, Texts},
    error::{Error, Result},
    executor::{Context, Executor, OperationOptions},
    join::query::chunks,
    key::Key,
    mongosh::{line, literal},
    read::{self, Aggregate, Query, run},
};

/// The number of parents of a command.
const PARENTS: usize = 1_000;

/// The number of commands in flight at a time, outside of a transaction.
const IN_FLIGHT: usize = 4;

/// The values of each parent, by the parent.
type Values = HashMap<Key, Document>;

/// The parts of the rows that are read after the parents.
#[derive(Default)]
pub(in crate::aggregate) struct Fill {
    parts: Vec<Part>,
    /// True when the first command compares references that may be texts.
    compares_texts: bool,
    /// True when the row has the `_id` of the parent under its own name.
    has_id: bool,
    options: Option<Arc<OperationOptions>>,
}

impl Fill {
    pub(in crate::aggregate) fn new(groups: &Groups, asked: &Asked, options: Option<Arc<OperationOptions>>) -> Self {
        let (decided, parts): (Vec<Part>, Vec<Part>) = parts(groups).into_iter().partition(|part| part.decides(asked));
        let compares_texts = decided.iter().any(|part| part.refers_by_text);
        Fill { parts, compares_texts, has_id: groups.fields.iter().any(|field| field.name == "_id"), options }
    }

    /// Refuses a collation by which two references may be equal.
    fn check(&self, context: &Context) -> Result<()> {
        if self.compares_texts && context.options().is_some_and(|options| options.collation_set().is_some()) {
            let message = "the condition or the sort names a value of children whose references are texts, and under a \
                           collation two references may be equal: remove the collation";
            return Err(Error::Query { message });
        }
        Ok(())
    }

    /// Reads all rows.
    pub(in crate::aggregate) fn all<'a>(
        self,
        db: &'a dyn Executor,
        query: Query,
    ) -> BoxFuture<'a, Result<Vec<RawDocumentBuf>>> {
        Box::pin(async move {
            let context = db.context()?.with(self.options.as_deref())?;
            let rows = self.parents(&context, query).await?;
            self.filled(&context, rows).await
        })
    }

    async fn parents(&self, context: &Context, query: Query) -> Result<Vec<RawDocumentBuf>> {
        self.check(context)?;
        let mut rows = Vec::new();
        let mut visit = |row: &RawDocument| {
            rows.push(row.to_owned());
            Ok(ControlFlow::Continue(()))
        };
        run::each(context, Ok(query), &mut visit).await?;
        Ok(rows)
    }

    /// Streams all rows: the stream holds one reply of parents, and up to 1,000 rows.
    pub(in crate::aggregate) fn stream<'a>(
        self,
        db: &'a dyn Executor,
        query: Query,
    ) -> BoxFuture<'a, Result<run::RawDocuments>> {
        Box::pin(async move {
            // Each part of the stream has a time limit of its own: the caller takes any time between two rows.
            let plain = db.plain_context()?;
            let context = plain.context()?.with(self.options.as_deref())?;
            self.check(&context)?;
            let rows = run::stream(&context, Ok(query)).await?;
            let shared = Arc::new((self, plain));
            let chunks = rows.try_chunks(PARENTS).then(move |chunk| {
                let shared = shared.clone();
                async move {
                    let (rows, failed) = match chunk {
                        Ok(rows) => (rows, None),
                        Err(TryChunksError(rows, error)) => (rows, Some(error)),
                    };
                    let (fill, plain) = &*shared;
                    let filled = match plain.context().and_then(|context| context.with(fill.options.as_deref())) {
                        Ok(context) => fill.filled(&context, rows).await,
                        Err(error) => Err(error),
                    };
                    let filled: Vec<Result<RawDocumentBuf>> = match filled {
                        Ok(rows) => rows.into_iter().map(Ok).collect(),
                        Err(error) => vec![Err(error)],
                    };
                    stream::iter(filled.into_iter().chain(failed.map(Err)).collect::<Vec<_>>())
                }
            });
            Ok(chunks.flatten().boxed())
        })
    }

    /// Adds the values of the children to the rows. A row whose parent is gone keeps the fields of the parent.
    async fn filled(&self, context: &Context, rows: Vec<RawDocumentBuf>) -> Result<Vec<RawDocumentBuf>> {
        let context = context.along();
        let chunks = chunks(ids(&rows), PARENTS)?;
        let commands = self.parts.iter().enumerate().flat_map(|(at, _)| chunks.iter().map(move |ids| (at, ids)));
        let in_flight = if context.in_transaction() { 1 } else { IN_FLIGHT };
        let reads: Vec<BoxFuture<'_, Result<(usize, Values)>>> =
            commands.map(|(at, ids)| self.values(&context, at, ids).boxed()).collect();
        let found: Vec<(usize, Values)> = stream::iter(reads).buffered(in_flight).try_collect().await?;
        let mut values: Vec<Values> = self.parts.iter().map(|_| Values::new()).collect();
        for (at, found) in found {
            values[at].extend(found);
        }
        rows.into_iter().map(|row| self.whole(&row, &values)).collect()
    }

    /// Reads part number `at` of the rows of these parents.
    async fn values(&self, context: &Context, at: usize, ids: &[Bson]) -> Result<(usize, Values)> {
        let part = &self.parts[at];
        let command = part.command(part.operand(ids));
        let (mut numbers, mut first) = (Values::new(), HashMap::<Key, Vec<Document>>::new());
        let visit = |row: &RawDocument| {
            let name = if part.is_first() { PARENT } else { "_id" };
            let parent = row.get(name).ok().flatten().and_then(Key::of_raw);
            let found = if part.is_first() { row.get_document(CHILD).ok() } else { Some(row) };
            if let (Some(parent), Some(found)) = (parent, found) {
                let mut found = document(found)?;
                if part.is_first() {
                    first.entry(parent).or_default().push(found);
                } else {
                    found.remove("_id");
                    numbers.insert(parent, found);
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        command.for_each(&context.clone().comparing(part.texts()), visit).await?;
        numbers.extend(first.into_iter().map(|(parent, children)| (parent, part.value_of(children))));
        Ok((at, numbers))
    }

    /// Puts a row together.
    fn whole(&self, row: &RawDocument, values: &[Values]) -> Result<RawDocumentBuf> {
        let key = read::key(row);
        let mut whole = document(row)?;
        if !self.has_id {
            whole.remove("_id");
        }
        for (part, values) in self.parts.iter().zip(values) {
            let found = key.as_ref().and_then(|key| values.get(key)).cloned();
            whole.extend(found.unwrap_or_else(|| part.empty()));
        }
        codec::encode(&whole).map_err(Error::encode)
    }

    /// Explains the command of the parents, and under `children` the commands for the first parents.
    pub(in crate::aggregate) fn explain<'a>(
        self,
        db: &'a dyn Executor,
        query: Query,
    ) -> BoxFuture<'a, Result<Document>> {
        Box::pin(async move {
            let context = db.context()?.with(self.options.as_deref())?;
            self.check(&context)?;
            let shown = Query { options: self.options.clone(), ..query.clone() };
            let mut explained = context.explain(shown.into_command()).await?;
            let limit = if query.limit == 0 { PARENTS as u64 } else { query.limit.min(PARENTS as u64) };
            let parents = ids(&self.parents(&context, Query { limit, ..query }).await?);
            let mut children = Vec::new();
            for part in &self.parts {
                let mut parents = parents.clone();
                // The server leaves out the last parent of the numbers of an unwound `$lookup`.
                parents.extend(part.is_first().then_some(Bson::MinKey));
                children.push(Bson::Document(context.explain(command(part, part.operand(&parents))).await?));
            }
            explained.insert("children", children);
            Ok(explained)
        })
    }

    /// Returns the lines of all commands for `mongosh`: the first line keeps the parents for the further lines.
    pub(in crate::aggregate) fn lines(&self, first: &Document) -> String {
        if self.parts.is_empty() {
            return line(first);
        }
        let mark = || Bson::JavaScriptCode("parents".to_owned());
        let code = format!("Code({})", literal("parents"));
        let mut lines = vec![format!("const parents = {}.toArray()", line(first))];
        for part in &self.parts {
            let of_parent = if part.is_first() { "({ k: { $literal: parent._id } })" } else { "parent._id" };
            let ids = format!("parents.map((parent) => {of_parent})");
            lines.push(line(&command(part, mark())).replacen(&code, &ids, 1));
        }
        lines.join("\n")
    }
}

/// Returns a command of the children, as a document.
fn command(part: &Part, operand: Bson) -> Document {
    let mut command = Aggregate::into_command(part.command(operand));
    match part.texts() {
        Texts::Inherited => {}
        Texts::Bytes => drop(command.insert("collation", CollationDefinition::SIMPLE.to_document())),
        Texts::By(collation) => drop(command.insert("collation", collation.to_document())),
    }
    command
}

/// Returns the distinct `_id`s of the parents: a view may have an `_id` twice. The server takes a null of an `$in` for
/// an absent field too.
fn ids(rows: &[RawDocumentBuf]) -> Vec<Bson> {
    let mut known = HashSet::new();
    let ids = rows.iter().filter_map(|row| read::id(row));
    ids.filter(|id| *id != Bson::Null && known.insert(Key::of(id))).collect()
}

fn document(row: &RawDocument) -> Result<Document> {
    Document::try_from(row).map_err(Error::encode)
}
