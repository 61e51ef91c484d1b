//! Values that are ready to be written as JSON: each document is encoded as for the collection.

use std::collections::{BTreeMap, HashMap, VecDeque};

use mongodb::bson::{Bson, DateTime, Decimal128, Document, Uuid, oid::ObjectId};
use serde::Serialize;

use super::name::Fields;
use crate::{
    bounds::Ref,
    codec,
    definition::Shape,
    error::{Error, Result},
    field::{Field, Record, canonical_fields},
    join::CompleteJoin,
    model::Model,
    page::{Page, PageToken},
};

/// A type that this crate writes as JSON: a model, an embedded struct, a projection, a [`Ref`], an id, and lists, maps,
/// options, pages and joins of such values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON of this crate",
    label = "this derives no `Model`, `Embed` or `Projection`, or derives no `Serialize`",
    note = "help: derive `Serialize`, and one of `Model`, `Embed`, `Projection`, `Aggregate` and `Facets`, on the struct"
)]
pub trait ToJson {
    /// Encodes the value.
    #[doc(hidden)]
    fn prepare(&self) -> Result<PreparedJson>;
}

/// An encoded value.
#[doc(hidden)]
pub struct PreparedJson(pub(super) Content);

pub(super) enum Content {
    Null,
    Document(Fields, Document),
    Scalar(Box<Shape>, Bson),
    List(Vec<PreparedJson>),
    Map(Vec<(String, PreparedJson)>),
    Joined { row: Box<PreparedJson>, name: &'static str, joined: Box<PreparedJson> },
    Page { items: Box<PreparedJson>, next: Option<String>, previous: Option<String>, total: Option<u64> },
}

impl<T: Record + Serialize> ToJson for T {
    fn prepare(&self) -> Result<PreparedJson> {
        let fields = Fields { list: T::FIELDS, variants: T::TAGGED };
        Ok(PreparedJson(Content::Document(fields, encode(self)?)))
    }
}

/// Encodes a struct as a document is stored.
fn encode<T: Record + Serialize>(value: &T) -> Result<Document> {
    let document = codec::encode(value).map_err(Error::encode)?;
    let mut document = Document::try_from(&*document).map_err(Error::encode)?;
    // A hidden value that was not loaded is a null.
    for field in T::FIELDS.iter().filter(|field| field.hidden) {
        if document.get(field.name) == Some(&Bson::Null) {
            document.remove(field.name);
        }
    }
    canonical_fields(T::FIELDS, document)
}

macro_rules! scalars {
    ($($type:ty)*) => {$(
        impl ToJson for $type {
            fn prepare(&self) -> Result<PreparedJson> {
                Ok(PreparedJson(Content::Scalar(Box::new(<Self as Field>::SHAPE), Field::to_bson(self)?)))
            }
        }
    )*};
}

scalars! { ObjectId Uuid DateTime Decimal128 String bool i32 i64 u32 u64 f64 }

impl<M: Model> ToJson for Ref<M> {
    fn prepare(&self) -> Result<PreparedJson> {
        Ok(PreparedJson(Content::Scalar(Box::new(<Self as Field>::SHAPE), Field::to_bson(self)?)))
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn prepare(&self) -> Result<PreparedJson> {
        self.as_ref().map_or(Ok(PreparedJson(Content::Null)), T::prepare)
    }
}

macro_rules! lists {
    ($($type:ty $(, $count:ident)?;)*) => {$(
        impl<T: ToJson $(, const $count: usize)?> ToJson for $type {
            fn prepare(&self) -> Result<PreparedJson> {
                let items: Result<Vec<PreparedJson>> = self.iter().map(T::prepare).collect();
                Ok(PreparedJson(Content::List(items?)))
            }
        }
    )*};
}

lists! {
    [T];
    [T; N], N;
    Vec<T>;
    VecDeque<T>;
    CompleteJoin<T>;
}

fn entries<'a, T: ToJson + 'a>(entries: impl Iterator<Item = (&'a String, &'a T)>) -> Result<PreparedJson> {
    let entries = entries.map(|(key, value)| Ok((key.clone(), value.prepare()?)));
    Ok(PreparedJson(Content::Map(entries.collect::<Result<_>>()?)))
}

impl<T: ToJson> ToJson for BTreeMap<String, T> {
    fn prepare(&self) -> Result<PreparedJson> {
        entries(self.iter())
    }
}

/// Writes the entries in the order of the keys.
impl<T: ToJson, S> ToJson for HashMap<String, T, S> {
    fn prepare(&self) -> Result<PreparedJson> {
        let sorted: BTreeMap<&String, &T> = self.iter().collect();
        entries(sorted.into_iter())
    }
}

/// Writes `{"items": [..], "next": .., "previous": ..}`; the places are texts of page tokens, or null. A page with a
/// total also has `total`.
impl<I: ToJson> ToJson for Page<I> {
    fn prepare(&self) -> Result<PreparedJson> {
        let items = Box::new(self.items.prepare()?);
        let (next, previous) = (&self.next, &self.previous);
        let place = |token: &Option<PageToken>| token.as_ref().map(ToString::to_string);
        Ok(PreparedJson(Content::Page { items, next: place(next), previous: place(previous), total: self.total }))
    }
}
