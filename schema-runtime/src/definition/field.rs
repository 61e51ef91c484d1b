//! One field of a model or of an embedded struct.

use super::{HistoryDefinition, ManagedAs, Shape, SlugDefinition, TreeField};

/// A field as serde writes it.
#[derive(Clone, Copy, Debug)]
pub struct FieldDefinition {
    /// The name in Rust, without `r#`.
    pub rust_name: &'static str,
    /// The name in the stored document, as serde's attributes make it.
    pub name: &'static str,
    /// The type and the bounds.
    pub shape: Shape,
    /// Whether every stored document must have it: not for an `Option`, a serde `default` or `skip_serializing_if`.
    pub required: bool,
    /// Whether serde may leave it out (`skip_serializing_if`).
    pub skippable: bool,
    /// What this crate sets it to, if it does.
    pub managed: Option<ManagedAs>,
    /// Whether its changes do not count for the version (`#[unversioned]`).
    pub unversioned: bool,
    /// How often it changes, as far as the user says.
    pub changes: ChangeRate,
    /// How often a day it is written, in all documents together, as the user says.
    pub written_per_day: Option<u64>,
    /// Whether it may refer to a document that is not there.
    pub may_dangle: bool,
    /// That it keeps its newest entries (`#[history(..)]`).
    pub history: Option<HistoryDefinition>,
    /// That it is made from another field (`#[slug(..)]`).
    pub slug: Option<SlugDefinition>,
    /// What it holds of a tree (`#[tree(..)]`), and how many ancestors a document has at most.
    pub tree: Option<(TreeField, u64)>,
}

/// How often a field changes, which decides whether it is worth a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeRate {
    /// Nothing is said.
    Sometimes,
    /// `#[volatile]`
    Often,
    /// `#[rarely_changes]`
    Rarely,
}

impl FieldDefinition {
    /// A field that every document has, unless its shape is nullable.
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
            written_per_day: None,
            may_dangle: false,
            history: None,
            slug: None,
            tree: None,
        }
    }

    /// The same with a serde `default`: a document may lack it.
    pub const fn defaulted(self) -> Self {
        FieldDefinition { required: false, ..self }
    }

    /// The same with a serde `skip_serializing_if`: a document may lack it, and this crate may write one without it.
    pub const fn skippable(self) -> Self {
        FieldDefinition { required: false, skippable: true, ..self }
    }

    /// The same with `#[version]`.
    pub const fn version(self) -> Self {
        FieldDefinition { managed: Some(ManagedAs::Version), ..self }
    }

    /// The same with `#[created_at]`.
    pub const fn created_at(self) -> Self {
        FieldDefinition { managed: Some(ManagedAs::CreatedAt), ..self }
    }

    /// The same with `#[updated_at]`.
    pub const fn updated_at(self) -> Self {
        FieldDefinition { managed: Some(ManagedAs::UpdatedAt), ..self }
    }

    /// The same with `#[unversioned]`.
    pub const fn unversioned(self) -> Self {
        FieldDefinition { unversioned: true, ..self }
    }

    /// The same with `#[reference(may_dangle)]`.
    pub const fn may_dangle(self) -> Self {
        FieldDefinition { may_dangle: true, ..self }
    }

    /// The same with `#[volatile]`.
    pub const fn volatile(self) -> Self {
        FieldDefinition { changes: ChangeRate::Often, ..self }
    }

    /// The same with `#[written(per_day = ..)]`.
    pub const fn written_per_day(self, per_day: u64) -> Self {
        FieldDefinition { written_per_day: Some(per_day), ..self }
    }

    /// The same with `#[history(..)]`.
    pub const fn history(self, history: HistoryDefinition) -> Self {
        FieldDefinition { history: Some(history), ..self }
    }

    /// The same with `#[slug(..)]`.
    pub const fn slug(self, slug: SlugDefinition) -> Self {
        FieldDefinition { slug: Some(slug), ..self }
    }

    /// The same with `#[rarely_changes]`.
    pub const fn rarely_changes(self) -> Self {
        FieldDefinition { changes: ChangeRate::Rarely, ..self }
    }
}
