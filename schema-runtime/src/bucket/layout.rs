//! What a bucket is as it is stored, and the children in it. Pure.

use mongodb::bson::{Bson, DateTime, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc};

use crate::{
    codec,
    definition::{BucketDefinition, ModelDefinition},
    error::{Error, Result},
    field,
    key::Key,
};

pub(crate) use crate::definition::stored::{COUNT, EMPTIED, FIRST, FOLLOWED, ITEM_ID, ITEMS, LAST, PAGE};

/// How the children of a model are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The definition of the children.
    pub(crate) model: &'static ModelDefinition,
    pub(crate) bucket: &'static BucketDefinition,
}

/// A child as it is written into a bucket.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) id: Bson,
    /// By what its buckets are found: the parent, and with `by` the day or the hour.
    pub(crate) chain: Document,
    /// By what it is sorted, where there is an order.
    pub(crate) order: Option<Bson>,
    /// It without the parent.
    pub(crate) item: Document,
}

impl Layout {
    pub(crate) fn collection(&self) -> &'static str {
        self.model.collection
    }

    /// The most children of a bucket.
    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.bucket.size).unwrap_or(usize::MAX)
    }

    /// All buckets of a parent.
    pub(crate) fn of_parent(&self, parent: Bson) -> Document {
        field::equal(self.bucket.parent.name.to_owned(), parent)
    }

    /// The buckets of a parent in which a child of this time is; of no time where the children are not stored by it.
    pub(crate) fn chain(&self, parent: Bson, time: DateTime) -> Document {
        let mut chain = self.of_parent(parent);
        if let Some((span, _)) = self.bucket.by {
            chain.insert(span.word(), span.start(time));
        }
        chain
    }

    /// The fields that name a chain.
    pub(crate) fn chain_fields(&self) -> Vec<&'static str> {
        self.bucket.chain_fields()
    }

    /// A chain as a key, whatever numeric type its parent is written with.
    pub(crate) fn chain_key(&self, chain: &Document) -> Vec<Key> {
        let operand = |value: &Bson| match value {
            Bson::Document(condition) => condition.get("$eq").unwrap_or(value).clone(),
            value => value.clone(),
        };
        self.chain_fields()
            .into_iter()
            .filter_map(|name| chain.get(name))
            .map(|value| Key::of(&operand(value)))
            .collect()
    }

    /// The order of the children of a bucket, by the names that they have in it.
    pub(crate) fn item_order(&self) -> Document {
        self.bucket.item_order()
    }

    /// A child as it is stored in a bucket, from what its value is as a document.
    pub(crate) fn child(&self, document: &RawDocument) -> Result<Child> {
        let mut item = Document::try_from(document).map_err(Error::encode)?;
        let parent = item.remove(self.bucket.parent.name).ok_or_else(|| self.lacks(self.bucket.parent.name))?;
        let chain = match self.bucket.by {
            None => self.of_parent(parent),
            Some((_, time)) => match item.get(time.name) {
                Some(Bson::DateTime(at)) => self.chain(parent, *at),
                _ => return Err(self.lacks(time.name)),
            },
        };
        self.item(chain, item)
    }

    /// A child of a chain, from what is stored of it in a bucket.
    pub(crate) fn item(&self, chain: Document, item: Document) -> Result<Child> {
        let id = item.get("_id").cloned().ok_or_else(|| self.lacks("_id"))?;
        let order = self.bucket.order.map(|order| item.get(order.name).cloned().ok_or_else(|| self.lacks(order.name)));
        Ok(Child { id, chain, order: order.transpose()?, item })
    }

    fn lacks(&self, name: &str) -> Error {
        Error::encode(format!("`{}` was serialized without `{name}`", self.model.model))
    }

    /// The children of a stored bucket as documents, in its order.
    ///
    /// # Errors
    /// [`Error::Encode`] when it is no bucket.
    pub(crate) fn children(&self, bucket: &RawDocument) -> Result<Vec<RawDocumentBuf>> {
        let no_bucket = || Error::encode(format!("a document of `{}` is no bucket", self.collection()));
        let items = match bucket.get(ITEMS) {
            Ok(Some(RawBsonRef::Array(items))) => codec::as_document(items).ok_or_else(no_bucket)?,
            _ => return Err(no_bucket()),
        };
        let parent = codec::bytes_of(bucket, self.bucket.parent.name).ok_or_else(no_bucket)?;
        codec::elements(items)
            .map(|item| match item.value() {
                Some(RawBsonRef::Document(item)) => codec::with_bytes(item, parent).ok_or_else(no_bucket),
                _ => Err(no_bucket()),
            })
            .collect()
    }

    /// What a projection of children is of buckets. The fields that say which bucket it is are always asked for, and so is what children are
    /// sorted by.
    pub(crate) fn projection(&self, fields: &Document) -> Document {
        let mut projection = self.projection_beside_items();
        match self.item_fields(fields) {
            Some(names) => projection.extend(names.map(|name| (format!("{ITEMS}.{name}"), Bson::Int32(1)))),
            None => drop(projection.insert(ITEMS, 1)),
        }
        projection
    }

    /// The same, but of the children those for which an expression holds, in which each is `$$child`.
    pub(crate) fn projection_where(&self, fields: &Document, condition: Document) -> Document {
        let items = doc! { "$filter": { "input": format!("${ITEMS}"), "as": "child", "cond": condition } };
        let items = match self.item_fields(fields) {
            Some(names) => {
                let item: Document =
                    names.map(|name| (name.to_owned(), Bson::from(format!("$$child.{name}")))).collect();
                doc! { "$map": { "input": items, "as": "child", "in": item } }
            }
            None => items,
        };
        let mut projection = self.projection_beside_items();
        projection.insert(ITEMS, items);
        projection
    }

    fn projection_beside_items(&self) -> Document {
        let names = self.chain_fields().into_iter().chain([PAGE]).map(|name| (name.to_owned(), Bson::Int32(1)));
        [("_id".to_owned(), Bson::Int32(0))].into_iter().chain(names).collect()
    }

    /// What is asked for of a child, where that is not all.
    fn item_fields<'f>(&self, fields: &'f Document) -> Option<impl Iterator<Item = &'f str>> {
        let parent = self.bucket.parent.name;
        let of_items = fields.keys().map(String::as_str).filter(move |name| *name != parent);
        (!fields.is_empty()).then(|| of_items.chain(self.bucket.order.map(|order| order.name)))
    }

    /// What makes of each bucket its children, as documents.
    pub(crate) fn unwind(&self) -> Vec<Document> {
        let parent = self.bucket.parent.name;
        let child = doc! { "$mergeObjects": [format!("${ITEMS}"), { parent: format!("${parent}") }] };
        vec![doc! { "$unwind": format!("${ITEMS}") }, doc! { "$replaceWith": child }]
    }
}
