//! Holders and sources: few and many holders to a source, copies in an array and beside a reference, two paths to a
//! source and two sources of a holder.

use schema_runtime::prelude::*;

/// A source with few holders.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "tags")]
pub struct Tag {
    /// The `_id`. The program chooses the `_id`, and may use the `_id` again after a delete.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The label. The label begins with the `_id`, and no label repeats.
    #[copied_to(Item::tags, fan_out = 400)]
    #[copied_to(Card::label, fan_out = 400)]
    pub label: String,
    /// The number of increments since the last change of the label.
    #[copied_to(Item::tags, fan_out = 400)]
    #[copied_to(Card::count, fan_out = 400)]
    pub count: i64,
    /// Not copied.
    #[changes(often)]
    pub plain: i64,
}

/// A source with many holders.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "owners")]
pub struct Owner {
    /// The `_id`, as for a [`Tag`].
    #[serde(rename = "_id")]
    pub id: i64,
    /// The label, as for a [`Tag`].
    #[copied_to(Item::label)]
    #[copied_to(Item::backup_label)]
    pub label: String,
    /// The count, as for a [`Tag`].
    #[copied_to(Item::count)]
    pub count: i64,
    /// Not copied.
    #[changes(often)]
    pub plain: i64,
}

/// An extended reference.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct TagRef {
    /// The reference to the tag.
    #[serde(rename = "tagId")]
    pub id: Ref<Tag>,
    /// The label of the tag.
    #[denormalize(from = id.label)]
    pub label: String,
    /// The count of the tag.
    #[denormalize(from = id.count)]
    pub count: i64,
    /// A key that is unique among all elements.
    pub key: i64,
}

/// A holder of copies of tags and of two owners.
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
    /// A reference with copies beside the reference.
    pub owner: Ref<Owner>,
    /// The owner's label.
    #[denormalize(from = owner.label)]
    pub label: String,
    /// The owner's count.
    #[denormalize(from = owner.count)]
    pub count: i64,
    /// An optional second reference to the same model.
    pub backup: Option<Ref<Owner>>,
    /// The label of the backup.
    #[denormalize(from = backup.label)]
    pub backup_label: Option<String>,
}

/// A holder of the copies of a single tag.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "cards")]
pub struct Card {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The reference to the tag.
    pub tag: Ref<Tag>,
    /// The label of the tag.
    #[denormalize(from = tag.label)]
    pub label: String,
    /// The count of the tag.
    #[denormalize(from = tag.count)]
    pub count: i64,
    /// No copy.
    pub text: String,
}
