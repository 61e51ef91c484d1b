//! What the user said, with meaning and with the user's tokens. `lower` makes it, `rules` and `expand` read it.

mod bucket;
mod history;
mod index;
mod lost;
mod methods;
mod query;
mod relation;
mod shard_key;
mod slug;
mod tagged;
mod tree;
mod writes;

use proc_macro2::Ident;
use syn::{Expr, Generics, LitStr, Path, Type, Visibility};

pub(crate) use bucket::{Bucket, By, Span};
pub(crate) use history::{History, Interval};
pub(crate) use index::{Clause, Direction, Index, IndexKey, Literal, Origin};
pub(crate) use lost::{CHILDREN, Lost, LostForm};
pub(crate) use methods::{BY_SHARD_KEY, Clash, Method};
pub(crate) use query::{Condition, Need, Operator, Query, QueryKey};
pub(crate) use relation::{Apart, Cardinality, DeleteRule, MirrorOf, Misfit, OnDelete, Relation, Storage};

pub(crate) use shard_key::{ShardKey, ShardKeyField, Workload};
pub(crate) use slug::Slug;
pub(crate) use tagged::{Data, KEYWORDS, Tagged, Variant};
pub(crate) use tree::{Tree, TreeRole};
pub(crate) use writes::Writes;

use crate::words::words;

/// A struct with named fields.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    /// The user's own item: the struct, or the enum of which this is a part.
    pub(crate) item: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    /// The stored fields, in the order of the struct.
    pub(crate) fields: Vec<Field>,
    /// The fields that serde skips.
    pub(crate) skipped: Vec<Ident>,
    /// Whether serde refuses fields that the struct does not have.
    pub(crate) strict: bool,
}

/// One stored field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The name in Rust, without `r#`.
    pub(crate) rust_name: String,
    /// The name as stored.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) default: bool,
    pub(crate) skippable: bool,
    pub(crate) storage: Stored,
    /// The function by which serde writes it.
    pub(crate) encoder: Option<syn::ExprPath>,
    /// What the crate sets it to.
    pub(crate) managed: Option<ManagedField>,
    /// That its changes do not count for the version, in the user's word.
    pub(crate) unversioned: Option<Path>,
    /// What it is a copy of.
    pub(crate) copy: Option<Copy>,
    /// Where it is copied to.
    pub(crate) copied_to: Vec<CopiedTo>,
    /// What it keeps of the children.
    pub(crate) rollup: Option<Rollup>,
    /// What it is made from, if it is a slug.
    pub(crate) slug: Option<Slug>,
    /// What it holds of a tree.
    pub(crate) tree: Option<Tree>,
    /// How often it changes, and the user's word for it.
    pub(crate) changes: Option<(ChangeRate, Path)>,
    /// How often a day it is written, in all documents together.
    pub(crate) written: Option<Number>,
    /// That it may refer to what is not there, in the user's word.
    pub(crate) may_dangle: Option<Expr>,
    /// Whether it has an attribute that is called nearly as one of this crate: rustc reports the attribute, and the checks of
    /// other structs report nothing about the field.
    pub(crate) misspelt: bool,
    /// Whether its attributes have a mistake already: rules then say nothing of it.
    pub(crate) broken: bool,
    /// What its attributes bring, by their names.
    pub(crate) lost: Vec<Lost>,
    /// What its type makes impossible; a rule tells it, and `expand` writes the field as far as it can be.
    pub(crate) defect: Option<Defect>,
}

/// What the type of a field makes impossible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    /// It names the struct itself, which then has no last level.
    EmbedsItself,
    /// It is declared as a reference and holds a bare id, which does not say to what.
    BareReference,
}

/// A field that the crate sets at every write, and the user's word for it.
pub(crate) struct ManagedField {
    pub(crate) managed: Managed,
    pub(crate) tokens: Path,
}

/// `#[denormalize(from = host.ipaddr)]`
pub(crate) struct Copy {
    /// The field of the same struct that refers to the source, in Rust, without `r#`.
    pub(crate) reference: String,
    /// The path in the source, in the names of Rust.
    pub(crate) from: Vec<String>,
    pub(crate) mode: CopyMode,
    /// Of a snapshot whether the program gives its value.
    pub(crate) given: bool,
    /// `host.ipaddr`, as written.
    pub(crate) tokens: Expr,
    pub(crate) allows: Vec<Allow>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CopyMode {
    Synced,
    Snapshot,
    Streamed,
}

/// `#[copied_to(Product::parts, fan_out = 500)]`
pub(crate) struct CopiedTo {
    pub(crate) holder: Path,
    pub(crate) field: Ident,
    pub(crate) fan_out: Option<Number>,
    /// `Product::parts`, as written.
    pub(crate) tokens: Expr,
    pub(crate) allows: Vec<Allow>,
}

/// `#[subset(of = LogMsg::host, keep = 1_000)]`, `#[computed(count(LogMsg::host))]`
pub(crate) struct Rollup {
    pub(crate) child: Path,
    /// The field of the children that refers to this model.
    pub(crate) reference: Ident,
    pub(crate) kind: RollupKind,
    /// `LogMsg::host`, as written.
    pub(crate) tokens: Expr,
}

#[allow(
    clippy::large_enum_variant,
    reason = "the tests build tokens with their places in the source, which are larger"
)]
pub(crate) enum RollupKind {
    /// The number is with the field's storage.
    Subset {
        order: Vec<OrderKey>,
    },
    Count,
    /// `sum`, `avg`, `min` or `max` of a field of the children, in Rust without `r#`.
    Function {
        word: &'static str,
        field: String,
        tokens: Expr,
    },
}

/// How often a field changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChangeRate {
    Often,
    Rarely,
}

words! {
    /// What the crate sets a field to.
    pub(crate) enum Managed {
        Version = "version",
        CreatedAt = "created_at",
        UpdatedAt = "updated_at",
    }
}

/// What the attributes of a field say of its storage.
#[allow(clippy::large_enum_variant, reason = "one for each field of a struct")]
pub(crate) enum Stored {
    /// Nothing: its type says all.
    Plain,
    /// `#[bound(..)]`
    Bound(Bound),
    /// `#[opaque(max_bytes = N)]`
    Opaque {
        max_bytes: u64,
        /// Whether serde writes or reads it by a function.
        converted: bool,
    },
    /// `#[relation(..)]`
    Relation(Relation),
    /// `#[subset(..)]`, which says how many it keeps.
    Subset { keep: Number },
    /// `#[history(..)]`
    History(History),
}

pub(crate) struct Bound {
    pub(crate) max: Option<Number>,
    pub(crate) max_len: Option<Number>,
    pub(crate) allows: Vec<Allow>,
}

/// A number and the argument that says it.
pub(crate) struct Number {
    pub(crate) value: u64,
    pub(crate) tokens: Expr,
}

pub(crate) struct OrderKey {
    /// The field in Rust, without `r#`.
    pub(crate) field: String,
    pub(crate) descending: bool,
    pub(crate) tokens: Expr,
}

/// A rule that may be broken here, and why.
pub(crate) struct Allow {
    pub(crate) rule: String,
    pub(crate) reason: LitStr,
}

/// A struct with a collection of its own.
pub(crate) struct Model {
    /// The struct, or the fields that all variants of an enum share.
    pub(crate) record: Record,
    /// The enum, if it is one.
    pub(crate) tagged: Option<Tagged>,
    pub(crate) collection: LitStr,
    pub(crate) level: &'static str,
    pub(crate) action: &'static str,
    pub(crate) indexes: Vec<Index>,
    /// By what its documents are spread over shards.
    pub(crate) shard_key: Option<ShardKey>,
    pub(crate) inverses: Vec<Inverse>,
    /// How the application says that it reads it.
    pub(crate) queries: Vec<Query>,
    /// What attributes of the struct bring that have a mistake.
    pub(crate) lost: Vec<Lost>,
    /// Whether a mistake leaves a tree without its parent.
    pub(crate) has_lost_tree: bool,
    pub(crate) writes: Writes,
    /// How many of its values are in one document, if they are.
    pub(crate) bucket: Option<Bucket>,
    pub(crate) allows: Vec<Allow>,
}

/// `#[inverse(accessor = Child::field, one_to_one, on_delete = restrict, at_most = 500_000)]`
pub(crate) struct Inverse {
    pub(crate) accessor: Ident,
    pub(crate) child: Path,
    pub(crate) field: Ident,
    /// Whether one document refers to each, so that the far side reads one and not a list.
    pub(crate) is_one: bool,
    pub(crate) on_delete: Option<OnDelete>,
    /// How many there are at most, as the user says.
    pub(crate) at_most: Option<Number>,
    /// How often it is read a day.
    pub(crate) per_day: Option<Number>,
    pub(crate) allows: Vec<Allow>,
}

/// What `Embed` was derived on.
#[allow(clippy::large_enum_variant, reason = "one for each derive")]
pub(crate) enum Embed {
    Struct(Record),
    /// Its variants, with their stored names.
    Enum {
        ident: Ident,
        variants: Vec<(Ident, String)>,
    },
    /// An enum that holds data.
    Tagged(Tagged),
    /// The type inside, with its `max_len` or `max_bytes`.
    Newtype {
        ident: Ident,
        generics: Generics,
        ty: Box<Type>,
        storage: Stored,
    },
}

/// `#[derive(Projection)]`
pub(crate) struct Projection {
    pub(crate) record: Record,
    pub(crate) of: Path,
}

impl Model {
    /// The field stored as `_id`.
    pub(crate) fn id(&self) -> Option<&Field> {
        self.record.fields.iter().find(|field| field.name == "_id")
    }

    /// Whether the shard key has this field. Of a field inside of it, only the runtime can tell which updates change the key.
    pub(crate) fn is_sharded_by(&self, field: &Field) -> bool {
        let mut fields = self.shard_key.iter().flat_map(|key| &key.fields);
        fields.any(|key| key.path == [field.rust_name.clone()])
    }
}

impl Record {
    /// The names of its stored fields in Rust.
    pub(crate) fn rust_names(&self) -> Vec<&str> {
        self.fields.iter().map(|field| field.rust_name.as_str()).collect()
    }

    /// The one field by which all copies of this struct refer to their source, or its only literal `Ref<..>`: it is then an
    /// extended reference itself.
    pub(crate) fn reference(&self) -> Option<&Field> {
        let named = |name: &str| self.fields.iter().find(|field| field.rust_name == name);
        let copies = self.fields.iter().filter_map(|field| field.copy.as_ref());
        let mut copies = copies.filter(|copy| self.reference_of(copy).is_some());
        match copies.next() {
            Some(first) if copies.all(|copy| copy.reference == first.reference) => named(&first.reference),
            Some(_) => None,
            None => {
                let mut references = self.fields.iter().filter(|field| crate::parse::is_reference(&field.ty));
                references.next().filter(|_| references.next().is_none())
            }
        }
    }

    /// The field by which a copy refers to its source; `None` where that is a mistake, which the rule `unknown_field` tells.
    pub(crate) fn reference_of(&self, copy: &Copy) -> Option<&Field> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.rust_name == copy.reference && !crate::parse::is_plain(&field.ty))
    }

    /// Whether it has copies.
    pub(crate) fn has_copies(&self) -> bool {
        self.fields.iter().any(|field| field.copy.is_some())
    }

    /// Whether its fields are copied elsewhere.
    pub(crate) fn is_copied(&self) -> bool {
        self.fields.iter().any(|field| !field.copied_to.is_empty())
    }

    /// The fields that rules judge.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.broken)
    }
}

impl Field {
    pub(crate) fn relation(&self) -> Option<&Relation> {
        match &self.storage {
            Stored::Relation(relation) if self.defect.is_none() => Some(relation),
            _ => None,
        }
    }

    /// The most elements the field may hold, as its attribute says.
    pub(crate) fn max(&self) -> Option<&Number> {
        match &self.storage {
            Stored::Bound(bound) => bound.max.as_ref(),
            Stored::Relation(relation) => relation.max.as_ref(),
            Stored::Subset { keep } | Stored::History(History { keep, .. }) => Some(keep),
            Stored::Plain | Stored::Opaque { .. } => None,
        }
    }

    pub(crate) fn allows(&self, rule: &str) -> bool {
        let of_copies = self.copy.iter().flat_map(|copy| &copy.allows);
        if of_copies.chain(self.copied_to.iter().flat_map(|copied| &copied.allows)).any(|allow| allow.rule == rule) {
            return true;
        }
        let allows = match &self.storage {
            Stored::Bound(bound) => &bound.allows,
            Stored::Relation(relation) => &relation.allows,
            Stored::Plain | Stored::Opaque { .. } | Stored::Subset { .. } | Stored::History(_) => return false,
        };
        allows.iter().any(|allow| allow.rule == rule)
    }
}

impl Copy {
    /// Whether it has the value of its source, now or soon: not a snapshot.
    pub(crate) fn tracks_source(&self) -> bool {
        self.mode != CopyMode::Snapshot
    }
}
