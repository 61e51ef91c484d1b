//! Rule: `dangling_reference`. The page is `guide/pages/rules/dangling_reference.md`.

use std::{
    collections::{HashMap, HashSet},
    fmt, iter,
    ops::ControlFlow,
    sync::Arc,
};

use mongodb::bson::{Bson, RawBsonRef, RawDocument, doc};

use super::{EXAMPLES, only};
use crate::{
    codec::{self, Element},
    definition::{ModelDefinition, RelationDefinition},
    error::Result,
    executor::Context,
    key::{self, Key},
    limits::CHUNK_DOCUMENTS,
    read::{self, Query, Walk},
    report::counted,
};

/// References of a relation to documents that do not exist.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DanglingReference {
    /// The model that stores the references.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored name of the field.
    pub field: &'static str,
    /// The collection of the referenced documents.
    pub target: &'static str,
    /// The number of references that lead nowhere; a reference that is stored twice counts twice.
    pub references: u64,
    /// The number of documents with a dangling reference.
    pub documents: u64,
    /// Some of the dangling references: at most 5, of the first documents.
    pub examples: Vec<DanglingExample>,
}

/// A reference to a document that does not exist.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DanglingExample {
    /// The `_id` of the document that holds the reference.
    pub id: Bson,
    /// The `_id` in the reference.
    pub reference: Bson,
}

impl fmt::Display for DanglingReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DanglingReference { model, collection, field, target, .. } = self;
        let references = counted(self.references, "reference", "references");
        let documents = counted(self.documents, "document", "documents");
        write!(
            formatter,
            "{model}.{field}: {references} in {documents} of `{collection}` without a document in `{target}`"
        )?;
        for example in &self.examples {
            write!(formatter, "\n  {} refers to {}", example.id, example.reference)?;
        }
        Ok(())
    }
}

/// The most references in a lookup, and the most bytes of references in a lookup.
const CHUNK: usize = 10_000;
const CHUNK_BYTES: usize = 1024 * 1024;

/// About how many bytes of checked references are remembered.
const REMEMBERED_BYTES: usize = 8 * 1024 * 1024;

/// The bytes that a remembered reference takes besides the reference itself.
const ENTRY_BYTES: usize = 64;

/// Finds dangling references in a single pass over the collection. The references of all relations are looked up by
/// `_id`, in chunks.
pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<DanglingReference>> {
    let mut searches: Vec<_> = model.relations.iter().filter_map(|relation| Search::new(model, relation)).collect();
    if searches.is_empty() {
        return Ok(Vec::new());
    }
    let projection = only(searches.iter().map(|search| search.relation.name));
    let query = Query { projection, ..Query::new(model.collection, doc! {}) };
    let mut walk = Walk::by_id(context, query, CHUNK_DOCUMENTS);
    while let Some(chunk) = walk.next_raw().await? {
        for document in &chunk {
            for search in &mut searches {
                search.document(document, context).await?;
            }
        }
    }
    let mut found = Vec::new();
    for mut search in searches {
        search.look_up(context).await?;
        if search.found.references > 0 {
            found.push(search.found);
        }
    }
    Ok(found)
}

/// The search for the dangling references of one relation.
struct Search {
    relation: &'static RelationDefinition,
    /// The stored field of an extended reference that holds the `_id`.
    by: Option<String>,
    /// Maps each checked reference to true when the document exists.
    remembered: HashMap<Key, bool>,
    remembered_bytes: usize,
    /// The references to look up next, in the order of the documents.
    pending: Vec<Pending>,
    pending_bytes: usize,
    /// The number of documents that were read.
    seen: u64,
    /// The position of the last document with a dangling reference.
    last: u64,
    found: DanglingReference,
}

struct Pending {
    /// The position of the document that holds the reference.
    position: u64,
    id: Arc<Bson>,
    key: Key,
    reference: Bson,
}

impl Search {
    fn new(model: &'static ModelDefinition, relation: &'static RelationDefinition) -> Option<Self> {
        let field: Vec<&str> = [Some(relation.field), relation.by].into_iter().flatten().collect();
        if !relation.storage.refers() || model.resolve(&field).is_some_and(|field| field.may_dangle) {
            return None;
        }
        let found = DanglingReference {
            model: model.model,
            collection: model.collection,
            field: relation.name,
            target: (relation.target?.definition)().collection,
            references: 0,
            documents: 0,
            examples: Vec::new(),
        };
        let path = relation.path(model);
        Some(Search {
            relation,
            by: path.rsplit_once('.').map(|(_, by)| by.to_owned()),
            remembered: HashMap::new(),
            remembered_bytes: 0,
            pending: Vec::new(),
            pending_bytes: 0,
            seen: 0,
            last: 0,
            found,
        })
    }

    /// Takes the references of a document. A single document may hold more references than a chunk.
    async fn document(&mut self, document: &RawDocument, context: &Context) -> Result<()> {
        self.seen += 1;
        let mut holder = None;
        for reference in references(document, self.relation, self.by.as_deref()) {
            let Some(found) = reference.value() else { continue };
            let Some(key) = Key::of_raw(found) else { continue };
            if self.remembered.get(&key) == Some(&true) {
                continue;
            }
            let Ok(value) = Bson::try_from(found) else { continue };
            let id = holder.get_or_insert_with(|| Arc::new(id_of(document)));
            self.pending.push(Pending { position: self.seen, id: Arc::clone(id), key, reference: value });
            self.pending_bytes += reference.size();
            if self.pending.len() >= CHUNK || self.pending_bytes >= CHUNK_BYTES {
                self.look_up(context).await?;
            }
        }
        Ok(())
    }

    /// Looks up the pending references that are not remembered, then counts the references without a document.
    async fn look_up(&mut self, context: &Context) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        if self.remembered_bytes >= REMEMBERED_BYTES {
            self.remembered.clear();
            self.remembered_bytes = 0;
        }
        self.remembered_bytes += self.pending_bytes + pending.len() * ENTRY_BYTES;
        self.pending_bytes = 0;
        let mut asked: HashMap<&Key, &Bson> = HashMap::new();
        for pending in pending.iter().filter(|pending| !self.remembered.contains_key(&pending.key)) {
            asked.insert(&pending.key, &pending.reference);
        }
        let there = there(self.found.target, asked.values().copied(), context).await?;
        for key in asked.into_keys() {
            self.remembered.insert(key.clone(), there.contains(key));
        }
        for pending in pending {
            if self.remembered.get(&pending.key) == Some(&false) {
                self.count(pending);
            }
        }
        Ok(())
    }

    fn count(&mut self, dangling: Pending) {
        self.found.references += 1;
        if self.last != dangling.position {
            self.last = dangling.position;
            self.found.documents += 1;
        }
        if self.found.examples.len() < EXAMPLES {
            let example = DanglingExample { id: (*dangling.id).clone(), reference: dangling.reference };
            self.found.examples.push(example);
        }
    }
}

/// Returns the given ids that the collection has.
async fn there(target: &'static str, ids: impl Iterator<Item = &Bson>, context: &Context) -> Result<HashSet<Key>> {
    let mut there = HashSet::new();
    let ids: Vec<Bson> = ids.filter(|id| key::may_be_an_id(id)).cloned().collect();
    if ids.is_empty() {
        return Ok(there);
    }
    let batch_size = ids.len() as u32 + 1;
    let filter = doc! { "_id": { "$in": ids } };
    let query = Query { projection: only([]), batch_size, ..Query::new(target, filter) };
    let visit = |document: &RawDocument| {
        there.extend(read::key(document));
        Ok(ControlFlow::Continue(()))
    };
    query.for_each(context, visit).await?;
    Ok(there)
}

fn id_of(document: &RawDocument) -> Bson {
    read::id(document).unwrap_or(Bson::Null)
}

/// Returns the references that a document holds for a relation; empty for a value of another type than declared.
fn references<'a>(
    document: &'a RawDocument,
    relation: &RelationDefinition,
    by: Option<&str>,
) -> impl Iterator<Item = Element<'a>> + Send + use<'a> {
    let is_list = relation.is_array();
    let name = relation.name;
    let field = codec::elements(document).find(|element| element.name() == name);
    let field = field.filter(|field| matches!(field.value(), Some(RawBsonRef::Array(_))) == is_list);
    let by = by.map(str::to_owned);
    field.into_iter().flat_map(flatten).filter_map(move |element| match (&by, element.value()) {
        (None, _) => Some(element),
        (Some(by), Some(RawBsonRef::Document(extended))) => {
            codec::elements(extended).find(|field| field.name() == by && field.value() != Some(RawBsonRef::Null))
        }
        (Some(_), _) => None,
    })
}

/// Returns the elements of nested arrays. No `_id` is an array.
fn flatten<'a>(element: Element<'a>) -> Box<dyn Iterator<Item = Element<'a>> + Send + 'a> {
    match element.value() {
        Some(RawBsonRef::Array(array)) => {
            Box::new(codec::as_document(array).into_iter().flat_map(codec::elements).flat_map(flatten))
        }
        Some(RawBsonRef::Null) | None => Box::new(iter::empty()),
        _ => Box::new(iter::once(element)),
    }
}
