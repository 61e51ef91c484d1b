//! The types of a schema file, in the order of the file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::facts::{BucketEntry, SearchIndexEntry, WriteEntry};

/// The schema of an application, as a value that a file can hold.
///
/// [`Schema::snapshot`](crate::Schema::snapshot) makes the value from the models, [`to_json`](SchemaFile::to_json)
/// writes the file, [`from_json`](SchemaFile::from_json) reads a file. The same models give the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SchemaFile {
    /// The version of the format, 1.
    pub format: u32,
    /// The models, in the order of the collections.
    pub models: Vec<ModelEntry>,
}

/// One model and its collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelEntry {
    /// The collection.
    pub collection: String,
    /// The struct of Rust.
    pub model: String,
    /// The module of the struct; empty in a file of an earlier version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub module: String,
    /// The options of the command `create`, in the notation of the server; absent for a plain collection.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// The effect of the validator; absent for a collection without a validator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<ValidationEntry>,
    /// The effect of stored fields that the struct does not have.
    pub unknown_fields: UnknownFields,
    /// True when serde refuses to read fields that the struct does not have.
    #[serde(default, skip_serializing_if = "is_false")]
    pub strict: bool,
    /// True when the application never writes the collection.
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_only: bool,
    /// True when stored documents are never changed or deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub insert_only: bool,
    /// The variants of a model that is an enum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<VariantsEntry>,
    /// The stored fields, in the order of the struct. The fields inside follow each field.
    pub fields: Vec<FieldEntry>,
    /// The rules about several fields, in the notation of the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Value>,
    /// The indexes, in the order of the names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<IndexEntry>,
    /// The declared queries, in the order of the names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<QueryEntry>,
    /// The search indexes and the vector indexes, in the order of the names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub search_indexes: Vec<SearchIndexEntry>,
    /// The buckets that hold the values; absent for a collection with a document for each value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<BucketEntry>,
    /// The shard key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard_key: Option<ShardKeyEntry>,
    /// The rules that the model may break.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub silenced: Vec<SilencedRule>,
}

/// The effect of a validator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ValidationEntry {
    /// The writes that the validator judges: `off`, `moderate`, `strict`.
    pub level: String,
    /// The action for a document that fails: `error`, `warn`.
    pub action: String,
}

/// The effect of stored fields that a struct does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnknownFields {
    /// A read leaves the fields out, and a write of a whole value removes the fields.
    #[default]
    Drop,
    /// A read keeps the fields in the value, and a write of the value keeps the fields.
    Keep,
    /// A read fails, and the validator refuses the fields.
    Refuse,
}

/// The variants of an enum that holds data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct VariantsEntry {
    /// The field with the name of the variant.
    pub tag: String,
    /// The names of the variants, as stored.
    pub names: Vec<String>,
}

/// One stored field, or the elements of a list or a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FieldEntry {
    /// The stored path. `[]` stands for the elements of a list, `{}` for the values of a map: `parts[].name`.
    pub path: String,
    /// The variant that has the field, for a field of an enum that holds data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The type of the stored value.
    #[serde(rename = "type")]
    pub stored_type: FieldType,
    /// True when `null` may be stored.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// True when a stored document may lack the field.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// The bounds and the value rules by name: `max_len`, `max_items`, `min`, `pattern`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, Value>,
    /// The values of a unit enum, as stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The variants of an enum that holds data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<VariantsEntry>,
    /// True when a read refuses fields that the embedded struct does not have.
    #[serde(default, skip_serializing_if = "is_false")]
    pub strict: bool,
    /// The origin of a value that this crate sets: `version`, `created_at`, `updated_at`, `sequence orders`,
    /// `slug of title`, `history of 10`, `tree parent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by: Option<String>,
    /// True when only an insert sets the field.
    #[serde(default, skip_serializing_if = "is_false")]
    pub immutable: bool,
    /// The relation that the field stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<RelationEntry>,
    /// The source of a copied value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<CopyEntry>,
    /// The value that writes of children keep in the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollup: Option<RollupEntry>,
    /// The cost of a write of the field; absent when a write changes the document alone and no rate is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<WriteEntry>,
}

/// The type of a stored value, in the words of MongoDB where MongoDB has a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum FieldType {
    /// 12 bytes.
    ObjectId,
    /// Milliseconds since 1970 in UTC.
    Date,
    /// A decimal number of 34 digits.
    Decimal,
    /// Bytes.
    BinData,
    /// `binData` of 16 bytes, subtype 4.
    Uuid,
    /// The server's internal type of time.
    Timestamp,
    /// `int` or `long`; the rules `least` and `greatest` state a smaller range.
    Int,
    /// A binary floating-point number of 64 bits.
    Double,
    /// A `double` within the range of 32 bits.
    Float,
    /// `true` or `false`.
    Bool,
    /// A text of UTF-8.
    String,
    /// A list.
    Array,
    /// A document whose names are data.
    Map,
    /// A document with fields.
    Object,
    /// A value of any form.
    Any,
}

/// A relation, stored in a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RelationEntry {
    /// The cardinality: `one_to_few`.
    pub cardinality: String,
    /// The stored form: `parent_ref`.
    pub storage: String,
    /// The collection that the relation refers to; absent for an embedded struct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The effect of a delete: `cascade`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_delete: Option<String>,
    /// True when the field follows the relation of the far side.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mirror: bool,
    /// For a mirror, the stored field of the far side that the mirror follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mirror_of: Option<String>,
    /// The accessor that reads the relation from the far side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
    /// The most documents that refer to one document, as the far side says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u64>,
}

/// The source of a copied value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CopyEntry {
    /// The collection of the source.
    pub of: String,
    /// The stored path of the copied field in the source.
    pub field: String,
    /// The stored path of the reference beside the copy.
    pub by: String,
    /// The way in which the copy follows: `synced`, `snapshot`, `external`.
    pub mode: String,
}

/// A value that writes of children keep in the document of the parent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RollupEntry {
    /// The kind of value: `subset`, `count`, `sum`, `avg`, `min`, `max`.
    pub kind: String,
    /// The collection of the children.
    pub of: String,
    /// The field of the children that refers to the parent.
    pub by: String,
    /// The field of the children that the value is computed from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// One index, in the notation of the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct IndexEntry {
    /// The name.
    pub name: String,
    /// The keys in order, each with the direction: `time: -1`.
    pub keys: Vec<String>,
    /// The options: `unique`, `partialFilterExpression`, `expireAfterSeconds`, `collation`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// The users of the index: `declared`, `unique`, `the relation host`, `derived data`, the name of a query.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used_by: Vec<String>,
}

/// One declared query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct QueryEntry {
    /// The method.
    pub name: String,
    /// The conditions: `ipaddr eq`, `time gte`.
    pub conditions: Vec<String>,
    /// The order: `time descending`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// How often a day the query runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u64>,
}

/// The key that spreads the documents over shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ShardKeyEntry {
    /// The stored paths in order, each with the direction: `host: 1`, `_id: hashed`.
    pub keys: Vec<String>,
    /// True when two documents may not have the same key.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique: bool,
}

/// A rule that a model may break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SilencedRule {
    /// The id of the rule.
    pub rule: String,
    /// The reason of the user.
    pub reason: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature of serde")]
fn is_false(value: &bool) -> bool {
    !value
}
