//! Copies of other models' fields (denormalization), as the holder and the source of a copy declare the copy.

use super::{
    Allow, ChangeRate, FieldDefinition, Kind, ModelDefinition, RelationDefinition, Target, each, find_relation, str_eq,
};

/// A field that is a copy of a field of another model: `#[denormalize(from = host.ipaddr)]`.
#[derive(Clone, Copy, Debug)]
pub struct CopyDefinition {
    /// The field that holds the copy, in Rust.
    pub field: &'static str,
    /// The field that holds the copy, as stored.
    pub name: &'static str,
    /// The field of the same struct that refers to the source, in Rust.
    pub reference: &'static str,
    /// The field that refers to the source, as stored.
    pub reference_name: &'static str,
    /// The path of the copied field in the source, in Rust.
    pub from: &'static [&'static str],
    /// The source.
    pub source: Source,
    /// How the copy follows its source.
    pub mode: CopyMode,
    /// For a snapshot, whether the program gives the value: no write fills the snapshot.
    pub given: bool,
    /// The rules that the copy may break, with the reasons.
    pub allows: &'static [Allow],
}

/// How a copy follows its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyMode {
    /// The writes of the source propagate the new value to the copy.
    Synced,
    /// The copy keeps the value that the source had when the reference was written (`snapshot`).
    Snapshot,
    /// Another program writes the source, and a change stream propagates the new value to the copy (`external`).
    External,
}

/// The source model of a copy, and the declarations of the source about its copies.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The model.
    pub target: Target,
    /// The declarations of the source about the places of its copies.
    pub copied_to: &'static [CopiedTo],
    /// The fields of the source that may be copied, in Rust.
    pub copyable: &'static [&'static str],
    /// The relations that the source stores.
    pub relations: &'static [RelationDefinition],
}

/// The declared place of the copies of a field: `#[copied_to(Product::parts, fan_out = 500)]`.
#[derive(Clone, Copy, Debug)]
pub struct CopiedTo {
    /// The copied field, in Rust.
    pub field: &'static str,
    /// The model that holds the copies.
    pub holder: Target,
    /// The field of the holder that has the copies, in Rust.
    pub holder_field: &'static str,
    /// The most holders that one source has, if the source declares a number.
    pub fan_out: Option<u64>,
    /// How often the field changes, as far as the user says.
    pub changes: ChangeRate,
    /// The rules that the declaration may break, with the reasons.
    pub allows: &'static [Allow],
}

impl CopyDefinition {
    /// Makes the copy a snapshot, which keeps the value that the source has when the reference is written.
    pub const fn snapshot(self) -> Self {
        CopyDefinition { mode: CopyMode::Snapshot, ..self }
    }

    /// Declares that the program gives the value of the snapshot.
    pub const fn given(self) -> Self {
        CopyDefinition { given: true, ..self }
    }

    /// Makes the copy an external copy: another program writes the source.
    pub const fn external(self) -> Self {
        CopyDefinition { mode: CopyMode::External, ..self }
    }

    /// Sets the rules that the copy may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        CopyDefinition { allows, ..self }
    }

    /// True when a write of the reference fills the copy, and no write of the source reaches the copy.
    pub const fn is_filled_snapshot(&self) -> bool {
        matches!(self.mode, CopyMode::Snapshot) && !self.given
    }

    /// True when the copy has the value of its source, now or soon: the copy is not a snapshot.
    pub const fn tracks_source(&self) -> bool {
        !matches!(self.mode, CopyMode::Snapshot)
    }

    /// Returns the declaration of the source about its copies in `field` of the model with this full name.
    pub const fn declared(&self, holder: &str, field: &str) -> Option<&'static CopiedTo> {
        each!(for copied in self.source.copied_to {
            if str_eq(copied.field, self.from[0])
                && str_eq(copied.holder.name, holder)
                && str_eq(copied.holder_field, field)
            {
                return Some(copied);
            }
        });
        None
    }

    /// Returns the model behind the source; `None` unless the path of the copy leads through a reference of the source.
    pub(crate) const fn behind(&self) -> Option<&'static Target> {
        match find_relation(self.source.relations, self.from[0]) {
            Some(relation) if self.from.len() > 1 && relation.reference.is_none() => relation.target.as_ref(),
            _ => None,
        }
    }

    /// Returns the definition of the source.
    pub fn source(&self) -> &'static ModelDefinition {
        (self.source.target.definition)()
    }
}

impl CopiedTo {
    /// Sets the most holders that one source has.
    pub const fn fan_out(self, fan_out: u64) -> Self {
        CopiedTo { fan_out: Some(fan_out), ..self }
    }

    /// Marks the copied field as `#[changes(often)]`.
    pub const fn changes_often(self) -> Self {
        CopiedTo { changes: ChangeRate::Often, ..self }
    }

    /// Marks the copied field as `#[changes(seldom)]`.
    pub const fn changes_seldom(self) -> Self {
        CopiedTo { changes: ChangeRate::Seldom, ..self }
    }

    /// Sets the rules that the declaration may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        CopiedTo { allows, ..self }
    }
}

impl ModelDefinition {
    /// True when a write of the model's documents fills snapshots.
    pub const fn has_snapshots(&self) -> bool {
        hold(self.copies, self.fields, Copies::FilledSnapshots)
    }

    /// True when a write of the model's documents fills derived fields or snapshots.
    pub const fn fills(&self) -> bool {
        self.derives() || self.has_snapshots()
    }
}

impl FieldDefinition {
    /// True when an embedded struct in the field holds copies that this crate writes.
    pub(crate) const fn holds_copies(&self) -> bool {
        let own = std::slice::from_ref(self);
        hold(&[], own, Copies::Following) || hold(&[], own, Copies::FilledSnapshots)
    }
}

/// A kind of copies, for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    /// Copies that follow their source.
    Following,
    /// Snapshots that a write of the reference fills.
    FilledSnapshots,
}

impl Copies {
    /// Returns whether the copy is of this kind.
    pub(crate) const fn are(self, copy: &CopyDefinition) -> bool {
        match self {
            Copies::Following => copy.tracks_source(),
            Copies::FilledSnapshots => copy.is_filled_snapshot(),
        }
    }
}

/// Returns whether copies of the kind `asked` are among `copies`, or in embedded structs of `fields`.
pub(super) const fn hold(copies: &[CopyDefinition], fields: &[FieldDefinition], asked: Copies) -> bool {
    each!(for copy in copies {
        if asked.are(copy) {
            return true;
        }
    });
    each!(for field in fields {
        let mut shape = &field.shape;
        while let Kind::Array { items: inner, .. } | Kind::Map { values: inner, .. } = &shape.kind {
            shape = inner;
        }
        if let Kind::Document { fields, copies, .. } = &shape.kind
            && hold(copies, fields, asked)
        {
            return true;
        }
    });
    false
}
