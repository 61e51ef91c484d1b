//! Holders and sources: few holders to a source and many, in an array and beside a reference, two paths to one source and
//! two sources of one holder.

use schema_runtime::prelude::*;

/// A source with few holders.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "tags")]
pub struct Tag {
    /// Chosen by the program, so that it comes again.
    #[serde(rename = "_id")]
    pub id: i64,
    /// Begins with the `_id`, and is never the same twice.
    #[copied_to(Item::tags, fan_out = 400)]
    #[copied_to(Card::label, fan_out = 400)]
    pub label: String,
    /// How often it was counted up since it has this label.
    #[copied_to(Item::tags, fan_out = 400)]
    #[copied_to(Card::count, fan_out = 400)]
    pub count: i64,
    /// Not copied.
    #[volatile]
    pub plain: i64,
}

/// A source with many holders.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "owners")]
pub struct Owner {
    /// As of a [`Tag`].
    #[serde(rename = "_id")]
    pub id: i64,
    /// As of a [`Tag`].
    #[copied_to(Item::label)]
    #[copied_to(Item::backup_label)]
    pub label: String,
    /// As of a [`Tag`].
    #[copied_to(Item::count)]
    pub count: i64,
    /// Not copied.
    #[volatile]
    pub plain: i64,
}

/// An extended reference.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct TagRef {
    /// The source.
    #[serde(rename = "tagId")]
    pub id: Ref<Tag>,
    /// Its label.
    #[denormalize(from = id.label)]
    pub label: String,
    /// Its count.
    #[denormalize(from = id.count)]
    pub count: i64,
    /// Tells one element from all others.
    pub key: i64,
}

/// Holds copies of tags and of two owners.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "items")]
pub struct Item {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// No copy.
    pub title: String,
    /// Extended references.
    #[relation(one_to_many, child_refs, by = id, max = 40)]
    pub tags: Vec<TagRef>,
    /// A reference with copies beside it.
    pub owner: Ref<Owner>,
    /// The owner's label.
    #[denormalize(from = owner.label)]
    pub label: String,
    /// The owner's count.
    #[denormalize(from = owner.count)]
    pub count: i64,
    /// A second reference to the same model, which may be none.
    pub backup: Option<Ref<Owner>>,
    /// The label of that.
    #[denormalize(from = backup.label)]
    pub backup_label: Option<String>,
}

/// Holds copies of one tag.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "cards")]
pub struct Card {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The source.
    pub tag: Ref<Tag>,
    /// Its label.
    #[denormalize(from = tag.label)]
    pub label: String,
    /// Its count.
    #[denormalize(from = tag.count)]
    pub count: i64,
    /// No copy.
    pub text: String,
}
