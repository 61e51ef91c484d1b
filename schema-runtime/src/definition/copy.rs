//! Copies of other models' fields (denormalization), as their holder and their source declare them.

use super::{
    Allow, ChangeRate, FieldDefinition, Kind, ModelDefinition, RelationDefinition, Target, find_relation, str_eq,
};

/// A field that is a copy of a field of another model: `#[denormalize(from = host.ipaddr)]`.
#[derive(Clone, Copy, Debug)]
pub struct CopyDefinition {
    /// The field that holds the copy, in Rust.
    pub field: &'static str,
    /// The same, as stored.
    pub name: &'static str,
    /// The field of the same struct that refers to the source, in Rust.
    pub reference: &'static str,
    /// The same, as stored.
    pub reference_name: &'static str,
    /// The path of what is copied, in the source, in Rust.
    pub from: &'static [&'static str],
    /// The source.
    pub source: Source,
    /// How the copy follows its source.
    pub mode: CopyMode,
    /// Of a snapshot whether the program gives its value: no write fills it.
    pub given: bool,
    /// The rules it may break, with the reasons.
    pub allows: &'static [Allow],
}

/// How a copy follows its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyMode {
    /// The writes of the source propagate it.
    Synced,
    /// It keeps the value that the source had when the reference was written (`snapshot`).
    Snapshot,
    /// The source is written elsewhere, and a change stream propagates it (`streamed`).
    Streamed,
}

/// The model that a copy is of, and what that says of its copies.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The model.
    pub target: Target,
    /// Where it says it is copied to.
    pub copied_to: &'static [CopiedTo],
    /// Its fields that may be copied, in Rust.
    pub copyable: &'static [&'static str],
    /// The relations that it stores.
    pub relations: &'static [RelationDefinition],
}

/// Where a field is copied to: `#[copied_to(Product::parts, fan_out = 500)]`.
#[derive(Clone, Copy, Debug)]
pub struct CopiedTo {
    /// The field that is copied, in Rust.
    pub field: &'static str,
    /// The model that holds the copies.
    pub holder: Target,
    /// Its field that holds the copies, in Rust.
    pub holder_field: &'static str,
    /// The most holders that one source has, if that is declared.
    pub fan_out: Option<u64>,
    /// How often the field changes, as far as the user says.
    pub changes: ChangeRate,
    /// The rules it may break, with the reasons.
    pub allows: &'static [Allow],
}

impl CopyDefinition {
    /// The same, as a copy that keeps the value of its day.
    pub const fn snapshot(self) -> Self {
        CopyDefinition { mode: CopyMode::Snapshot, ..self }
    }

    /// The same, as a snapshot whose value the program gives.
    pub const fn given(self) -> Self {
        CopyDefinition { given: true, ..self }
    }

    /// The same, as a copy whose source is written elsewhere.
    pub const fn streamed(self) -> Self {
        CopyDefinition { mode: CopyMode::Streamed, ..self }
    }

    /// The same with rules it may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        CopyDefinition { allows, ..self }
    }

    /// Whether a write of the reference fills it, and no write of the source reaches it.
    pub const fn is_filled_snapshot(&self) -> bool {
        matches!(self.mode, CopyMode::Snapshot) && !self.given
    }

    /// Whether it has the value of its source, now or soon: not a snapshot.
    pub const fn tracks_source(&self) -> bool {
        !matches!(self.mode, CopyMode::Snapshot)
    }

    /// What the source says of its copies in `field` of the model of this full name.
    pub const fn declared(&self, holder: &str, field: &str) -> Option<&'static CopiedTo> {
        let mut at = 0;
        while at < self.source.copied_to.len() {
            let copied = &self.source.copied_to[at];
            if str_eq(copied.field, self.from[0])
                && str_eq(copied.holder.name, holder)
                && str_eq(copied.holder_field, field)
            {
                return Some(copied);
            }
            at += 1;
        }
        None
    }

    /// The model behind the source to which a path leads that goes through a reference of the source.
    pub(crate) const fn behind(&self) -> Option<&'static Target> {
        match find_relation(self.source.relations, self.from[0]) {
            Some(relation) if self.from.len() > 1 && relation.reference.is_none() => relation.target.as_ref(),
            _ => None,
        }
    }

    /// The definition of the source.
    pub fn source(&self) -> &'static ModelDefinition {
        (self.source.target.definition)()
    }
}

impl CopiedTo {
    /// The same, where one source has at most so many holders.
    pub const fn fan_out(self, fan_out: u64) -> Self {
        CopiedTo { fan_out: Some(fan_out), ..self }
    }

    /// The same of a field with `#[volatile]`.
    pub const fn volatile(self) -> Self {
        CopiedTo { changes: ChangeRate::Often, ..self }
    }

    /// The same of a field with `#[rarely_changes]`.
    pub const fn rarely_changes(self) -> Self {
        CopiedTo { changes: ChangeRate::Rarely, ..self }
    }

    /// The same with rules it may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        CopiedTo { allows, ..self }
    }
}

impl ModelDefinition {
    /// Whether a write of its documents fills snapshots.
    pub const fn has_snapshots(&self) -> bool {
        hold(self.copies, self.fields, Copies::FilledSnapshots)
    }

    /// Whether a write of its documents puts something into them: what is derived, or snapshots.
    pub const fn fills(&self) -> bool {
        self.derives() || self.has_snapshots()
    }
}

/// Which copies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    /// Copies that follow their source.
    Following,
    /// Snapshots that a write of the reference fills.
    FilledSnapshots,
}

impl Copies {
    /// Whether the copy is such a copy.
    pub(crate) const fn are(self, copy: &CopyDefinition) -> bool {
        match self {
            Copies::Following => copy.tracks_source(),
            Copies::FilledSnapshots => copy.is_filled_snapshot(),
        }
    }
}

/// Whether such copies are among these, or in embedded structs of these fields.
pub(super) const fn hold(copies: &[CopyDefinition], fields: &[FieldDefinition], asked: Copies) -> bool {
    let mut at = 0;
    while at < copies.len() {
        if asked.are(&copies[at]) {
            return true;
        }
        at += 1;
    }
    let mut at = 0;
    while at < fields.len() {
        let mut shape = &fields[at].shape;
        while let Kind::Array { items: inner, .. } | Kind::Map { values: inner, .. } = &shape.kind {
            shape = inner;
        }
        if let Kind::Document { fields, copies, .. } = &shape.kind
            && hold(copies, fields, asked)
        {
            return true;
        }
        at += 1;
    }
    false
}
