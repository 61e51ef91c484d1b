//! The stored form of a bucket and of the children in the bucket. Pure.

use mongodb::bson::{Bson, DateTime, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc};

use crate::{
    codec,
    definition::{BucketDefinition, ModelDefinition},
    error::{Error, Result},
    field,
    key::Key,
};

pub(crate) use crate::definition::stored::{COUNT, EMPTIED, FIRST, FOLLOWED, ITEM_ID, ITEMS, LAST, PAGE};

/// The stored layout of the children of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The definition of the children.
    pub(crate) model: &'static ModelDefinition,
    pub(crate) bucket: &'static BucketDefinition,
}

/// A child as written into a bucket.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) id: Bson,
    /// The key of the buckets of the child: the parent, and with `by` the day or the hour.
    pub(crate) chain: Document,
    /// The value of the order field, if the children have an order.
    pub(crate) order: Option<Bson>,
    /// The child without the parent.
    pub(crate) item: Document,
}

impl Layout {
    pub(crate) fn collection(&self) -> &'static str {
        self.model.collection
    }

    /// Returns the maximum number of children in a bucket.
    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.bucket.size).unwrap_or(usize::MAX)
    }

    /// Returns the filter for all buckets of a parent.
    pub(crate) fn of_parent(&self, parent: Bson) -> Document {
        field::equal(self.bucket.parent.name.to_owned(), parent)
    }

    /// Returns the filter for the buckets of a parent that hold children of this time; without `by`, the filter for all
    /// buckets of the parent.
    pub(crate) fn chain(&self, parent: Bson, time: DateTime) -> Document {
        let mut chain = self.of_parent(parent);
        if let Some((span, _)) = self.bucket.by {
            chain.insert(span.word(), span.start(time));
        }
        chain
    }

    /// Returns the fields that identify a chain.
    pub(crate) fn chain_fields(&self) -> Vec<&'static str> {
        self.bucket.chain_fields()
    }

    /// Returns a chain as a key, whatever numeric type the parent is written with.
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

    /// Returns the order of the children of a bucket, by the names of the fields in the bucket.
    pub(crate) fn item_order(&self) -> Document {
        self.bucket.item_order()
    }

    /// Makes a child as stored in a bucket, from the value as a document.
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

    /// Makes a child of a chain from the stored element of a bucket.
    pub(crate) fn item(&self, chain: Document, item: Document) -> Result<Child> {
        let id = item.get("_id").cloned().ok_or_else(|| self.lacks("_id"))?;
        let order = self.bucket.order.map(|order| item.get(order.name).cloned().ok_or_else(|| self.lacks(order.name)));
        Ok(Child { id, chain, order: order.transpose()?, item })
    }

    fn lacks(&self, name: &str) -> Error {
        Error::encode(format!("`{}` was serialized without `{name}`", self.model.model))
    }

    /// Returns the children of a stored bucket as documents, in the order of the bucket.
    ///
    /// # Errors
    /// [`Error::Encode`] when the document is no bucket.
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

    /// Turns a projection of children into a projection of buckets. The projection always includes the fields that
    /// identify the bucket and the order field of the children.
    pub(crate) fn projection(&self, fields: &Document) -> Document {
        let mut projection = self.projection_beside_items();
        match self.item_fields(fields) {
            Some(names) => projection.extend(names.map(|name| (format!("{ITEMS}.{name}"), Bson::Int32(1)))),
            None => drop(projection.insert(ITEMS, 1)),
        }
        projection
    }

    /// Returns the same projection, but only with the children for which an expression holds. The expression names the
    /// child `$$child`.
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

    /// Returns the fields asked of a child; `None` for all fields.
    fn item_fields<'f>(&self, fields: &'f Document) -> Option<impl Iterator<Item = &'f str>> {
        let parent = self.bucket.parent.name;
        let of_items = fields.keys().map(String::as_str).filter(move |name| *name != parent);
        (!fields.is_empty()).then(|| of_items.chain(self.bucket.order.map(|order| order.name)))
    }

    /// Returns the stages that turn each bucket into its children, as documents.
    pub(crate) fn unwind(&self) -> Vec<Document> {
        let parent = self.bucket.parent.name;
        let child = doc! { "$mergeObjects": [format!("${ITEMS}"), { parent: format!("${parent}") }] };
        vec![doc! { "$unwind": format!("${ITEMS}") }, doc! { "$replaceWith": child }]
    }
}
