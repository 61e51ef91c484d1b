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
use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf};

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

/// The values of each parent, by the parent: each field but `_id` is a field of the row.
type Values = HashMap<Key, RawDocumentBuf>;

/// The parts of the rows that are read after the parents.
#[derive(Default)]
pub(in crate::aggregate) struct Fill {
    parts: Vec<Part>,
    /// True when the first command compares references that may be texts.
    compares_texts: bool,
    /// True when the read takes all parents of the collection.
    takes_all: bool,
    /// True when the row has the `_id` of the parent under its own name.
    has_id: bool,
    options: Option<Arc<OperationOptions>>,
}

impl Fill {
    pub(in crate::aggregate) fn new(groups: &Groups, asked: &Asked, options: Option<Arc<OperationOptions>>) -> Self {
        let (decided, parts): (Vec<Part>, Vec<Part>) = parts(groups).into_iter().partition(|part| part.decides(asked));
        let compares_texts = decided.iter().any(|part| part.refers_by_text);
        let has_id = groups.fields.iter().any(|field| field.name == "_id");
        let takes_all = asked.filter.is_empty() && asked.having.is_empty() && asked.skip == 0 && asked.limit == 0;
        Fill { parts, compares_texts, takes_all, has_id, options }
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
            let are_all = self.takes_all && rows.len() <= PARENTS;
            self.filled(&context, rows, are_all).await
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
                        Ok(context) => fill.filled(&context, rows, false).await,
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

    /// Adds the values of the children to the rows: `are_all` is true when the rows are of all parents. A row whose
    /// parent is gone keeps the fields of the parent.
    async fn filled(&self, context: &Context, rows: Vec<RawDocumentBuf>, are_all: bool) -> Result<Vec<RawDocumentBuf>> {
        let context = context.along();
        let chunks = chunks(ids(&rows), PARENTS)?;
        let commands = self.parts.iter().enumerate().flat_map(|(at, _)| chunks.iter().map(move |ids| (at, ids)));
        let in_flight = if context.in_transaction() { 1 } else { IN_FLIGHT };
        let reads: Vec<BoxFuture<'_, Result<(usize, Values)>>> =
            commands.map(|(at, ids)| self.values(&context, at, (ids, are_all)).boxed()).collect();
        let found: Vec<(usize, Values)> = stream::iter(reads).buffered(in_flight).try_collect().await?;
        let mut values: Vec<Values> = self.parts.iter().map(|_| Values::new()).collect();
        for (at, found) in found {
            values[at].extend(found);
        }
        let empty = self.parts.iter().map(|part| codec::encode(&part.empty()).map_err(Error::encode));
        let empty: Vec<RawDocumentBuf> = empty.collect::<Result<_>>()?;
        Ok(rows.into_iter().map(|row| self.whole(&row, &values, &empty)).collect())
    }

    /// Reads part number `at` of the rows of these parents, which may be all parents.
    async fn values(&self, context: &Context, at: usize, (ids, are_all): (&[Bson], bool)) -> Result<(usize, Values)> {
        let part = &self.parts[at];
        let command = part.command(part.operand(ids), are_all);
        let (mut numbers, mut first) = (Values::new(), HashMap::<Key, Vec<RawDocumentBuf>>::new());
        let visit = |row: &RawDocument| {
            let name = if part.is_first() { PARENT } else { "_id" };
            // The group of null has the children without a reference.
            let parent = row.get(name).ok().flatten().filter(|id| *id != RawBsonRef::Null).and_then(Key::of_raw);
            let found = if part.is_first() { row.get_document(CHILD).ok() } else { Some(row) };
            if let (Some(parent), Some(found)) = (parent, found) {
                match part.is_first() {
                    true => first.entry(parent).or_default().push(found.to_owned()),
                    false => drop(numbers.insert(parent, found.to_owned())),
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        command.for_each(&context.clone().comparing(part.texts()), visit).await?;
        for (parent, children) in first {
            numbers.insert(parent, codec::encode(&part.value_of(&children)).map_err(Error::encode)?);
        }
        Ok((at, numbers))
    }

    /// Puts a row together. A parent without children has the `empty` values of each part.
    fn whole(&self, row: &RawDocument, values: &[Values], empty: &[RawDocumentBuf]) -> RawDocumentBuf {
        let key = read::key(row);
        let mut whole = RawDocumentBuf::new();
        let is_shown = |name: &str| self.has_id || name != "_id";
        for element in codec::elements(row).filter(|element| is_shown(element.name())) {
            element.append_to(&mut whole);
        }
        for (values, empty) in values.iter().zip(empty) {
            let found = key.as_ref().and_then(|key| values.get(key)).unwrap_or(empty);
            for element in codec::elements(found).filter(|element| element.name() != "_id") {
                element.append_to(&mut whole);
            }
        }
        whole
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
            // One parent more than a command takes shows whether the command has all parents.
            let limit = limit + u64::from(self.takes_all);
            let mut parents = ids(&self.parents(&context, Query { limit, ..query }).await?);
            let are_all = self.takes_all && parents.len() <= PARENTS;
            parents.truncate(PARENTS);
            let mut children = Vec::new();
            for part in &self.parts {
                let mut parents = parents.clone();
                // The server leaves out the last parent of the numbers of an unwound `$lookup`.
                parents.extend(part.is_first().then_some(Bson::MinKey));
                children.push(Bson::Document(context.explain(command(part, part.operand(&parents), are_all)).await?));
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
            lines.push(line(&command(part, mark(), self.takes_all)).replacen(&code, &ids, 1));
        }
        lines.join("\n")
    }
}

/// Returns a command of the children, as a document.
fn command(part: &Part, operand: Bson, are_all: bool) -> Document {
    let mut command = Aggregate::into_command(part.command(operand, are_all));
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
