//! The declarations of the user, with meaning and tokens. `lower` makes the model, `rules` and `expand` read the model.

pub(crate) mod aggregate;
mod bucket;
mod changes;
mod check;
mod collation;
mod collection_kind;
mod copy;
mod document_rule;
mod embed;
mod extra;
pub(crate) mod facets;
mod flat;
mod hidden;
mod history;
mod index;
mod index_kind;
mod json;
mod lost;
mod managed;
mod methods;
mod new_value;
pub(crate) mod patch;
mod query;
mod relation;
mod search_index;
mod shard_key;
mod slug;
mod stored_as;
mod tagged;
mod tree;
mod writes;

use proc_macro2::Ident;
use syn::{Expr, Generics, LitStr, Path, Type, Visibility};

pub(crate) use bucket::{Bucket, By, Span};
pub(crate) use changes::{ChangeRate, Changes};
pub(crate) use check::{Check, CheckRule};
pub(crate) use collation::{Collation, CollationOption, CollationValue, spelled};
pub(crate) use collection_kind::{CollectionOptions, GivenKind, Kind, RenamedField, TimeSeries, View};
pub(crate) use copy::{CopiedTo, Copy, CopyMode};
pub(crate) use document_rule::{DocumentRule, DocumentRuleKind, Judges};
pub(crate) use embed::{Embed, Projection};
pub(crate) use extra::{Extra, GivenUnknownFields, UnknownFields};
pub(crate) use flat::Flat;
pub(crate) use hidden::Hidden;
pub(crate) use history::{History, Interval};
pub(crate) use index::{Clause, Direction, Index, IndexKey, Origin};
pub(crate) use index_kind::{LANGUAGES, Place, Settings, Weight};
pub(crate) use json::Json;
pub(crate) use lost::{CHILDREN, Lost, LostForm};
pub(crate) use managed::{Managed, ManagedField};
pub(crate) use methods::{BY_SHARD_KEY, Clash, Method};
pub(crate) use new_value::{Fill, FillValue, NewField, NewStruct, Sequence, SerdeDefault};
pub(crate) use query::{Condition, Need, Operator, Query, QueryKey};
pub(crate) use relation::{Apart, Cardinality, DeleteRule, MirrorOf, Misfit, OnDelete, Relation, Storage};
pub(crate) use search_index::{SearchField, SearchForm, SearchIndex, SearchIndexKind, Similarity, VectorIndex};
pub(crate) use shard_key::{ShardKey, ShardKeyField, Workload};
pub(crate) use slug::Slug;
pub(crate) use stored_as::StoredAs;
pub(crate) use tagged::{Data, KEYWORDS, Tagged, Variant};
pub(crate) use tree::{Tree, TreeRole};
pub(crate) use writes::Writes;

/// A struct with named fields.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    /// The user's own item: the struct, or the enum that holds this struct as a part.
    pub(crate) item: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    /// The stored fields, in the order of the struct, without the flat fields.
    pub(crate) fields: Vec<Field>,
    /// The flat fields: the fields of each struct are stored behind the fields of this struct.
    pub(crate) flats: Vec<Flat>,
    /// The fields that serde skips.
    pub(crate) skipped: Vec<Ident>,
    /// The fields with `#[extra]`; a right model has at most one.
    pub(crate) extra: Vec<Extra>,
    /// True when serde refuses fields that the struct does not have.
    pub(crate) strict: bool,
}

/// A stored field.
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
    /// The function that serde writes the field with.
    pub(crate) encoder: Option<syn::ExprPath>,
    /// The function that serde reads the field with.
    pub(crate) decoder: Option<syn::ExprPath>,
    /// The type that serde writes, as the user declares.
    pub(crate) stored_as: Option<StoredAs>,
    /// The value that the crate sets the field to.
    pub(crate) managed: Option<ManagedField>,
    /// The user's word, when changes of the field do not count for the version.
    pub(crate) unversioned: Option<Path>,
    /// The source of a copy.
    pub(crate) copy: Option<Copy>,
    /// The holders that the field is copied to.
    pub(crate) copied_to: Vec<CopiedTo>,
    /// The value that the field keeps of children.
    pub(crate) rollup: Option<Rollup>,
    /// The source of a slug.
    pub(crate) slug: Option<Slug>,
    /// The role of the field in a tree.
    pub(crate) tree: Option<Tree>,
    /// The value that a new document gives the field.
    pub(crate) fill: Option<Fill>,
    /// How often the field changes.
    pub(crate) changes: Changes,
    /// The name in JSON.
    pub(crate) json: Json,
    /// The rules about the value.
    pub(crate) checks: Vec<Check>,
    /// How the field is hidden from reads; `None` for a field that each read gets.
    pub(crate) hidden: Option<Hidden>,
    /// The rule that demands a value of the field.
    pub(crate) required_if: Option<DocumentRule>,
    /// The user's word, when only an insert sets the field.
    pub(crate) immutable: Option<Path>,
    /// The user's word, when the reference may refer to a missing document.
    pub(crate) may_dangle: Option<Expr>,
    /// True when an attribute of the field is nearly named like an attribute of this crate: rustc reports the
    /// attribute, and the checks of related structs report nothing about the field.
    pub(crate) misspelt: bool,
    /// True when the attributes have a mistake already; rules then say nothing about the field.
    pub(crate) broken: bool,
    /// The names that the attributes bring.
    pub(crate) lost: Vec<Lost>,
    /// The defect of the type; a rule reports the defect, and `expand` writes the field as far as possible.
    pub(crate) defect: Option<Defect>,
}

/// A defect of the type of a field that makes a storage impossible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    /// The type names the struct itself. The struct then has no last level.
    EmbedsItself,
    /// The field is declared as a reference and holds a bare id. A bare id does not name the target model.
    BareReference,
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
    reason = "the tests build tokens with places in the source, and tokens with places are larger"
)]
pub(crate) enum RollupKind {
    /// The number of elements is in the storage of the field.
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

/// The storage of a field, in the words of the attributes.
#[allow(clippy::large_enum_variant, reason = "a value for each field of a struct")]
pub(crate) enum Stored {
    /// No storage attribute: the type says all.
    Plain,
    /// `#[bound(..)]`
    Bound(Bound),
    /// `#[opaque(max_bytes = N)]`
    Opaque {
        max_bytes: u64,
        /// True when serde writes or reads the value by a function.
        converted: bool,
    },
    /// `#[relation(..)]`
    Relation(Relation),
    /// `#[subset(..)]`, with the number of kept children.
    Subset { keep: Number },
    /// `#[history(..)]`
    History(History),
}

pub(crate) struct Bound {
    pub(crate) max: Option<Number>,
    pub(crate) max_len: Option<Number>,
    /// The most bytes of a raw value.
    pub(crate) max_bytes: Option<Number>,
    pub(crate) allows: Vec<Allow>,
}

/// A number, with the argument of the user.
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

/// A rule that may be broken here, with the reason.
pub(crate) struct Allow {
    pub(crate) rule: String,
    pub(crate) reason: LitStr,
}

/// A struct or an enum that has a collection.
pub(crate) struct Model {
    /// The struct, or the fields that all variants of an enum share.
    pub(crate) record: Record,
    /// The enum; `None` for a struct.
    pub(crate) tagged: Option<Tagged>,
    pub(crate) collection: LitStr,
    pub(crate) level: &'static str,
    pub(crate) action: &'static str,
    pub(crate) indexes: Vec<Index>,
    pub(crate) search_indexes: Vec<SearchIndex>,
    /// The key that spreads the documents over shards.
    pub(crate) shard_key: Option<ShardKey>,
    pub(crate) inverses: Vec<Inverse>,
    /// The reads that the application declares.
    pub(crate) queries: Vec<Query>,
    /// The names that attributes of the struct with a mistake would bring.
    pub(crate) lost: Vec<Lost>,
    /// True when a mistake leaves a tree without the parent.
    pub(crate) has_lost_tree: bool,
    pub(crate) writes: Writes,
    /// The kind and the options of the collection.
    pub(crate) options: CollectionOptions,
    /// The effect of unknown fields, as the user says.
    pub(crate) unknown_fields: Option<GivenUnknownFields>,
    /// The number of values in a document, for a model in buckets.
    pub(crate) bucket: Option<Bucket>,
    /// The struct of new values; `None` for a model that does not ask for the struct.
    pub(crate) new: Option<NewStruct>,
    /// The rules about several fields in the attribute of the model.
    pub(crate) document_rules: Vec<DocumentRule>,
    /// The derives of other crates that judge a value.
    pub(crate) judges: Judges,
    pub(crate) allows: Vec<Allow>,
}

/// `#[inverse(accessor = Child::field, one_to_one, on_delete = restrict, at_most = 500_000)]`
pub(crate) struct Inverse {
    pub(crate) accessor: Ident,
    pub(crate) child: Path,
    pub(crate) field: Ident,
    /// True when a single document refers to each document, so that the far side reads a document and not a list.
    pub(crate) is_one: bool,
    pub(crate) on_delete: Option<OnDelete>,
    /// The most documents that refer, as the user says.
    pub(crate) at_most: Option<Number>,
    /// How often the inverse is read a day.
    pub(crate) per_day: Option<Number>,
    pub(crate) allows: Vec<Allow>,
}

impl Model {
    /// Returns the effect of fields that the struct does not have.
    pub(crate) fn unknown_fields(&self) -> UnknownFields {
        match (&self.unknown_fields, self.record.extra.is_empty()) {
            (Some(given), _) => given.fields,
            (None, false) => UnknownFields::Keep,
            (None, true) => UnknownFields::Drop,
        }
    }

    /// Returns the rules about several fields: the rules of the model, then the rules of the fields.
    pub(crate) fn document_rules(&self) -> impl Iterator<Item = &DocumentRule> {
        let of_fields = self.record.fields.iter().filter_map(|field| field.required_if.as_ref());
        self.document_rules.iter().chain(of_fields)
    }

    /// Returns the field stored as `_id`.
    pub(crate) fn id(&self) -> Option<&Field> {
        self.record.fields.iter().find(|field| field.name == "_id")
    }

    /// Returns whether the shard key has this field. Only the runtime can tell the updates that change a key inside of
    /// the field.
    pub(crate) fn is_sharded_by(&self, field: &Field) -> bool {
        let mut fields = self.shard_key.iter().flat_map(|key| &key.fields);
        fields.any(|key| key.path == [field.rust_name.clone()])
    }
}

impl Record {
    /// Returns the names of the stored fields and of the flat fields in Rust.
    pub(crate) fn rust_names(&self) -> Vec<&str> {
        let flats = self.flats.iter().map(|flat| flat.rust_name.as_str());
        self.fields.iter().map(|field| field.rust_name.as_str()).chain(flats).collect()
    }

    /// Returns the only field by which all copies of this struct refer to the source, or the only literal `Ref<..>`.
    /// The struct is then an extended reference itself.
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

    /// Returns the field by which a copy refers to the source; `None` after a mistake that the rule `unknown_field`
    /// reports.
    pub(crate) fn reference_of(&self, copy: &Copy) -> Option<&Field> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.rust_name == copy.reference && !crate::parse::is_plain(&field.ty))
    }

    /// Returns whether the struct has copies.
    pub(crate) fn has_copies(&self) -> bool {
        self.fields.iter().any(|field| field.copy.is_some())
    }

    /// Returns whether fields of the struct are copied elsewhere.
    pub(crate) fn is_copied(&self) -> bool {
        self.copied().next().is_some()
    }

    /// Returns the fields that rules judge.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.broken)
    }
}

impl Field {
    /// Returns the type that says how the field is stored.
    pub(crate) fn stored_type(&self) -> &Type {
        self.stored_as.as_ref().map_or(&self.ty, |stored_as| &stored_as.ty)
    }

    /// Returns the type of the field in the struct: `Hidden<T>` of a hidden field.
    pub(crate) fn written_ty(&self) -> &Type {
        self.hidden.as_ref().and_then(|hidden| hidden.written.as_ref()).unwrap_or(&self.ty)
    }

    pub(crate) fn relation(&self) -> Option<&Relation> {
        match &self.storage {
            Stored::Relation(relation) if self.defect.is_none() => Some(relation),
            _ => None,
        }
    }

    /// Returns the most elements that the field may hold, as the attribute says.
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
