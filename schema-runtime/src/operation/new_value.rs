//! New values of a model: the fields that a program gives, without the fields that an insert or a write fills.

use futures_util::future::BoxFuture;
use mongodb::bson::{Binary, Bson, DateTime, Decimal128, Document, RawDocument, RawDocumentBuf, Timestamp, Uuid, doc};
use serde::Serialize;

use super::{sequence, write};
use crate::{
    codec,
    definition::{FieldDefinition, Kind, Scalar, Shape},
    error::{Error, Result},
    executor::Executor,
    field::{Record, canonical_fields},
    model::{Insertable, Model, OwnDocument},
    read,
};

/// A struct of new values, as `NewPost` of a model `Post`. The derive of the model writes the struct and implements the
/// trait: see [the page `new_values`](crate::guide).
pub trait NewValue: Sized + Send + 'static {
    /// The model.
    type Of: Model;
    /// The sequences that number a value.
    #[doc(hidden)]
    const SEQUENCES: &'static [&'static str];
    /// The stored names of the fields that a write fills.
    #[doc(hidden)]
    const LEFT: &'static [&'static str];

    /// Encodes the value as a document that an insert completes.
    #[doc(hidden)]
    fn encode(self, numbers: &[i64]) -> Result<RawDocumentBuf>;

    /// Inserts the value, and returns the model exactly as stored: one `insert` command, and one `findAndModify` before
    /// for each sequence.
    ///
    /// # Errors
    /// The errors of [`Operations::insert`](super::Operations::insert); [`Error::Decode`], before anything is inserted,
    /// for a value that the model does not read back. A failed insert leaves a gap in each sequence.
    fn insert<'a>(self, db: &'a impl Executor) -> BoxFuture<'a, Result<Self::Of>>
    where
        Self::Of: OwnDocument + Insertable,
    {
        Box::pin(async move {
            let numbers = sequence::take_all(db, Self::SEQUENCES, 1).await?;
            write::insert_new(db, self.encode(&numbers)).await
        })
    }

    /// Inserts the values in order, and returns the models exactly as stored: the commands of
    /// [`Operations::insert_many`](super::Operations::insert_many), and one `findAndModify` before for each sequence.
    /// Without values no command is sent.
    ///
    /// # Errors
    /// [`Error::InsertMany`], with the position of the failed value and the number of the values that are inserted.
    fn insert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item = Self>,
    ) -> BoxFuture<'a, Result<Vec<Self::Of>>>
    where
        Self::Of: OwnDocument + Insertable,
    {
        let values: Vec<Self> = values.into_iter().collect();
        Box::pin(async move {
            let documents = encode_all(db, values).await?;
            write::insert_many_new(db, documents).await
        })
    }

    /// Returns the model of the value, without a command: for a bulk, an upsert, a child in a bucket, or a field that
    /// the struct of new values does not have. Fields that a write fills hold a value of no meaning.
    ///
    /// # Errors
    /// [`Error::Encode`] for a value that BSON cannot hold; [`Error::Decode`] for a model that reads not every value of
    /// a copy's type.
    fn into_model(self) -> Result<Self::Of>
    where
        Self: Unnumbered,
    {
        decode(&self.encode(&[])?)
    }

    /// Returns the model of the value, as [`into_model`](NewValue::into_model) does, with the numbers of the sequences:
    /// one `findAndModify` for each sequence.
    ///
    /// # Errors
    /// The errors of [`into_model`](NewValue::into_model) and of the driver.
    fn prepare<'a>(self, db: &'a impl Executor) -> BoxFuture<'a, Result<Self::Of>> {
        Box::pin(async move {
            let numbers = sequence::take_all(db, Self::SEQUENCES, 1).await?;
            decode(&self.encode(&numbers)?)
        })
    }

    /// Returns the models of the values, as [`prepare`](NewValue::prepare) does: one `findAndModify` for each sequence.
    ///
    /// # Errors
    /// The errors of [`prepare`](NewValue::prepare).
    fn prepare_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item = Self>,
    ) -> BoxFuture<'a, Result<Vec<Self::Of>>> {
        let values: Vec<Self> = values.into_iter().collect();
        Box::pin(async move {
            let documents = encode_all(db, values).await?;
            documents.into_iter().map(|document| decode(&document?)).collect()
        })
    }
}

/// A struct of new values without a sequence. The derive of the model implements the trait.
#[diagnostic::on_unimplemented(
    message = "the server counts the numbers of a sequence, and `{Self}` has a field with a sequence",
    label = "this call sends no command",
    note = "help: write `prepare(&db).await?`, which takes the numbers and inserts nothing"
)]
pub trait Unnumbered {}

/// Takes the numbers of all values, and encodes each value.
async fn encode_all<N: NewValue>(db: &dyn Executor, values: Vec<N>) -> Result<Vec<Result<RawDocumentBuf>>> {
    let mut numbers = sequence::take_all(db, N::SEQUENCES, values.len()).await?;
    let encode = |value: N| {
        let document = value.encode(&numbers);
        numbers.iter_mut().for_each(|number| *number += 1);
        document
    };
    Ok(values.into_iter().map(encode).collect())
}

fn decode<M: Model>(document: &RawDocument) -> Result<M> {
    read::decode(M::DEFINITION.collection, document)
}

/// Encodes the fields of a new value that no write fills, and adds the fields that a write fills.
///
/// # Errors
/// [`Error::Encode`] for a value that BSON cannot hold.
pub fn encode_new<N: NewValue>(filled: &impl Serialize) -> Result<RawDocumentBuf> {
    complete(<N::Of as Record>::FIELDS, N::LEFT, codec::encode(filled).map_err(Error::encode))
}

/// Returns the document in the order of the fields, with a placeholder in each field that a write fills.
fn complete(fields: &[FieldDefinition], left: &[&str], given: Result<RawDocumentBuf>) -> Result<RawDocumentBuf> {
    let mut given = Document::try_from(&*given?).map_err(Error::encode)?;
    let mut whole = Document::new();
    for field in fields {
        if left.contains(&field.name) {
            whole.insert(field.name, placeholder(&field.shape));
        } else if let Some(value) = given.remove(field.name) {
            // A hidden value that is not given is a null.
            if field.hidden && !field.shape.nullable && value == Bson::Null {
                continue;
            }
            whole.insert(field.name, value);
        }
    }
    whole.extend(given);
    codec::encode(&canonical_fields(fields, whole)?).map_err(Error::encode)
}

/// Returns a value of the shape, which a write replaces; null where no value of the shape is known.
fn placeholder(shape: &Shape) -> Bson {
    if shape.nullable {
        return Bson::Null;
    }
    match shape.kind {
        Kind::Scalar(scalar) => match scalar {
            Scalar::ObjectId => Bson::ObjectId(mongodb::bson::oid::ObjectId::from_bytes([0; 12])),
            Scalar::DateTime => Bson::DateTime(DateTime::from_millis(0)),
            Scalar::Decimal128 => Bson::Decimal128(Decimal128::from_bytes([0; 16])),
            Scalar::Binary => Binary { subtype: mongodb::bson::spec::BinarySubtype::Generic, bytes: Vec::new() }.into(),
            Scalar::Uuid => Uuid::from_bytes([0; 16]).into(),
            Scalar::Timestamp => Bson::Timestamp(Timestamp { time: 0, increment: 0 }),
            Scalar::Integer => match shape.integer {
                Some(integer) if integer.greatest <= i64::from(i32::MAX) => Bson::Int32(0),
                _ => Bson::Int64(0),
            },
            Scalar::Double | Scalar::Single => Bson::Double(0.0),
            Scalar::Bool => Bson::Boolean(false),
        },
        Kind::String { .. } => Bson::String(String::new()),
        Kind::Enum(names) => names.first().map_or(Bson::Null, |name| Bson::String((*name).to_owned())),
        Kind::Array { items, min, .. } => Bson::Array((0..min).map(|_| placeholder(items)).collect()),
        Kind::Map { .. } => Bson::Document(doc! {}),
        Kind::Document { fields, .. } if shape.variants.is_none() => {
            let each = fields.iter().map(|field| (field.name.to_owned(), placeholder(&field.shape)));
            Bson::Document(each.collect())
        }
        Kind::Document { .. } | Kind::Model { .. } | Kind::Opaque { .. } => Bson::Null,
    }
}
