//! One field of a model or of an embedded struct.

use super::{Flat, HistoryDefinition, ManagedAs, Shape, SlugDefinition, TreeField};

/// A field as serde writes it.
#[derive(Clone, Copy, Debug)]
pub struct FieldDefinition {
    /// The name in Rust, without `r#`.
    pub rust_name: &'static str,
    /// The name in the stored document, as serde's attributes make it.
    pub name: &'static str,
    /// The type and the bounds.
    pub shape: Shape,
    /// True when every stored document must have the field. False for an `Option`, a serde `default` or
    /// `skip_serializing_if`.
    pub required: bool,
    /// True when serde may leave the field out (`skip_serializing_if`).
    pub skippable: bool,
    /// The kind of value that this crate sets the field to; `None` for a field that this crate does not set.
    pub managed: Option<ManagedAs>,
    /// True when changes of the field do not count for the version (`#[unversioned]`).
    pub unversioned: bool,
    /// How often the field changes, as far as the user says.
    pub changes: ChangeRate,
    /// How often a day the field changes, in all documents together, as the user says.
    pub changes_per_day: Option<u64>,
    /// True when the field may refer to a missing document.
    pub may_dangle: bool,
    /// The history whose newest entries the field keeps (`#[history(..)]`).
    pub history: Option<HistoryDefinition>,
    /// The slug that the field holds, made from another field (`#[slug(..)]`).
    pub slug: Option<SlugDefinition>,
    /// The part of a tree that the field holds (`#[tree(..)]`), and the most ancestors of a document.
    pub tree: Option<(TreeField, u64)>,
    /// The name of the field in JSON.
    pub json: JsonField,
    /// The flat field (`#[embed(flat)]`) that holds the field; `None` for a field of the struct itself.
    pub flat: Option<&'static Flat>,
    /// The sequence that numbers the field in new values (`#[auto(sequence)]`).
    pub sequence: Option<&'static str>,
    /// True when a read gets the field only by name (`#[hidden]`).
    pub hidden: bool,
    /// True when only an insert sets the field (`#[immutable]`).
    pub immutable: bool,
}

/// The field of a counter with the last number of a sequence.
pub(crate) const LAST_NUMBER: &str = "last";

/// The name of a field in the JSON that clients of an application read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonField {
    /// The stored name; `id` for an `_id`.
    AsStored,
    /// `#[json(rename = "..")]`
    Renamed(&'static str),
    /// `#[json(skip)]`: the field is not in JSON.
    Skipped,
}

/// How often a field changes, which decides whether the field is worth a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeRate {
    /// The user says nothing.
    Sometimes,
    /// `#[changes(often)]`
    Often,
    /// `#[changes(seldom)]`
    Seldom,
}

impl FieldDefinition {
    /// Creates a field that every document has, unless its shape is nullable.
    pub const fn new(rust_name: &'static str, name: &'static str, shape: Shape) -> Self {
        FieldDefinition {
            rust_name,
            name,
            shape,
            required: !shape.nullable,
            skippable: false,
            managed: None,
            unversioned: false,
            changes: ChangeRate::Sometimes,
            changes_per_day: None,
            may_dangle: false,
            history: None,
            slug: None,
            tree: None,
            json: JsonField::AsStored,
            flat: None,
            sequence: None,
            hidden: false,
            immutable: false,
        }
    }

    /// Creates a field of a patch, which changes nothing where the field is absent or null.
    pub const fn patch(rust_name: &'static str, name: &'static str, shape: Shape) -> Self {
        FieldDefinition::new(rust_name, name, shape.nullable()).defaulted()
    }

    /// Adds a serde `default`: a document may lack the field.
    pub const fn defaulted(self) -> Self {
        FieldDefinition { required: false, ..self }
    }

    /// Adds a serde `skip_serializing_if`: a document may lack the field, and this crate may write a document without
    /// the field.
    pub const fn skippable(self) -> Self {
        FieldDefinition { required: false, skippable: true, ..self }
    }

    /// Marks the field as `#[version]`.
    pub const fn version(self) -> Self {
        FieldDefinition { managed: Some(ManagedAs::Version), ..self }
    }

    /// Marks the field as `#[created_at]`.
    pub const fn created_at(self) -> Self {
        FieldDefinition { managed: Some(ManagedAs::CreatedAt), ..self }
    }

    /// Marks the field as `#[updated_at]`.
    pub const fn updated_at(self) -> Self {
        FieldDefinition { managed: Some(ManagedAs::UpdatedAt), ..self }
    }

    /// Marks the field as `#[unversioned]`.
    pub const fn unversioned(self) -> Self {
        FieldDefinition { unversioned: true, ..self }
    }

    /// Marks the field as `#[reference(may_dangle)]`.
    pub const fn may_dangle(self) -> Self {
        FieldDefinition { may_dangle: true, ..self }
    }

    /// Marks the field as `#[changes(often)]`.
    pub const fn changes_often(self) -> Self {
        FieldDefinition { changes: ChangeRate::Often, ..self }
    }

    /// Adds `#[changes(per_day = ..)]`.
    pub const fn changes_per_day(self, per_day: u64) -> Self {
        FieldDefinition { changes_per_day: Some(per_day), ..self }
    }

    /// Adds `#[history(..)]`.
    pub const fn history(self, history: HistoryDefinition) -> Self {
        FieldDefinition { history: Some(history), ..self }
    }

    /// Adds `#[slug(..)]`.
    pub const fn slug(self, slug: SlugDefinition) -> Self {
        FieldDefinition { slug: Some(slug), ..self }
    }

    /// Adds `#[json(rename = "..")]`.
    pub const fn json_renamed(self, name: &'static str) -> Self {
        FieldDefinition { json: JsonField::Renamed(name), ..self }
    }

    /// Marks the field as `#[json(skip)]`.
    pub const fn json_skipped(self) -> Self {
        FieldDefinition { json: JsonField::Skipped, ..self }
    }

    /// Adds `#[auto(sequence)]`.
    pub const fn sequence(self, name: &'static str) -> Self {
        FieldDefinition { sequence: Some(name), ..self }
    }

    /// Marks the field as `#[hidden]`.
    pub const fn hidden(self) -> Self {
        FieldDefinition { hidden: true, ..self }
    }

    /// Marks the field as `#[immutable]`.
    pub const fn immutable(self) -> Self {
        FieldDefinition { immutable: true, ..self }
    }

    /// Marks the field as `#[changes(seldom)]`.
    pub const fn changes_seldom(self) -> Self {
        FieldDefinition { changes: ChangeRate::Seldom, ..self }
    }
}
