//! The types that `#[auto]` and `#[auto(sequence)]` make values of.

use mongodb::bson::oid::ObjectId;

use crate::error::{Error, Result};

/// A type with a new value for each document.
#[diagnostic::on_unimplemented(
    message = "`#[auto]` makes no values of the type `{Self}`",
    label = "`#[auto]` makes an `ObjectId`, a `uuid::Uuid` (feature `uuid`) or a `ulid::Ulid` (feature `ulid`)",
    note = "help: write `#[auto(sequence)]` for an integer, or `#[auto(with = new_value)]` with a function `fn new_value() -> {Self}`"
)]
pub trait AutoValue {
    /// Makes a value that no earlier document has.
    fn new_value() -> Self;
}

impl AutoValue for ObjectId {
    fn new_value() -> Self {
        ObjectId::new()
    }
}

/// Version 7: the order of the values is the order in time, to the millisecond between processes.
#[cfg(feature = "uuid")]
impl AutoValue for uuid::Uuid {
    fn new_value() -> Self {
        uuid::Uuid::now_v7()
    }
}

/// Version 7, as of the crate `uuid`.
#[cfg(feature = "uuid")]
impl AutoValue for mongodb::bson::Uuid {
    fn new_value() -> Self {
        mongodb::bson::Uuid::from_bytes(uuid::Uuid::now_v7().into_bytes())
    }
}

/// The values of a process rise.
#[cfg(feature = "ulid")]
impl AutoValue for ulid::Ulid {
    fn new_value() -> Self {
        use std::sync::{Mutex, PoisonError};
        static GENERATOR: Mutex<ulid::Generator> = Mutex::new(ulid::Generator::new());
        let mut generator = GENERATOR.lock().unwrap_or_else(PoisonError::into_inner);
        // The generator fails where a millisecond has more values than random bits.
        generator.generate().unwrap_or_else(|_| ulid::Ulid::generate())
    }
}

/// A type that holds the number of a sequence.
#[diagnostic::on_unimplemented(
    message = "a sequence gives integers, and the field has the type `{Self}`",
    label = "`#[auto(sequence)]` is for `i32`, `i64`, `u32` and `u64`",
    note = "help: write the type `i64`"
)]
pub trait SequenceNumber: Sized {
    /// Converts a number; `None` for a number that the type does not hold.
    fn of_number(number: i64) -> Option<Self>;

    /// Returns the number of a field, of the numbers that the sequences of a value give.
    #[doc(hidden)]
    fn numbered(numbers: &[i64], at: usize, field: &str) -> Result<Self> {
        let number = numbers.get(at).and_then(|number| Self::of_number(*number));
        number.ok_or_else(|| Error::Encode {
            field: field.to_owned(),
            message: "the sequence is beyond the numbers of the type".to_owned(),
        })
    }
}

impl SequenceNumber for i32 {
    fn of_number(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl SequenceNumber for i64 {
    fn of_number(number: i64) -> Option<Self> {
        Some(number)
    }
}

impl SequenceNumber for u32 {
    fn of_number(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl SequenceNumber for u64 {
    fn of_number(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}
