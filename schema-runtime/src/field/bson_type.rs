//! The types of stored values, for the condition on the type of a value.

/// A type of BSON, for [`has_type`](super::FormOperators::has_type).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BsonType {
    /// An array.
    Array,
    /// `binData`.
    Binary,
    /// `bool`.
    Bool,
    /// `date`.
    DateTime,
    /// `decimal`.
    Decimal128,
    /// `object`: an embedded document.
    Document,
    /// `double`.
    Double,
    /// `int`.
    Int32,
    /// `long`.
    Int64,
    /// `maxKey`.
    MaxKey,
    /// `minKey`.
    MinKey,
    /// `null`. An absent field has no type.
    Null,
    /// A number of any type: `int`, `long`, `double` or `decimal`.
    Number,
    /// `objectId`.
    ObjectId,
    /// `regex`.
    RegularExpression,
    /// `string`.
    String,
    /// `timestamp`, the server's internal type.
    Timestamp,
}

impl BsonType {
    /// Returns the server's name of the type.
    pub(super) const fn alias(self) -> &'static str {
        match self {
            BsonType::Array => "array",
            BsonType::Binary => "binData",
            BsonType::Bool => "bool",
            BsonType::DateTime => "date",
            BsonType::Decimal128 => "decimal",
            BsonType::Document => "object",
            BsonType::Double => "double",
            BsonType::Int32 => "int",
            BsonType::Int64 => "long",
            BsonType::MaxKey => "maxKey",
            BsonType::MinKey => "minKey",
            BsonType::Null => "null",
            BsonType::Number => "number",
            BsonType::ObjectId => "objectId",
            BsonType::RegularExpression => "regex",
            BsonType::String => "string",
            BsonType::Timestamp => "timestamp",
        }
    }
}
