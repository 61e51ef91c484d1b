//! The result of a derive for one model, as `const` data. No I/O and no types of the driver but its BSON values.

mod aggregate;
mod bucket;
mod collation;
mod collection_kind;
mod constant;
mod copy;
mod delete_rule;
mod document_rule;
mod extra;
mod facets;
mod field;
mod flat;
mod form;
mod history;
mod index;
mod index_kind;
mod inverse;
mod judge;
mod managed;
mod mirror;
mod model;
mod path;
mod place;
mod query;
mod relation;
mod rollup;
mod search_index;
mod shape;
mod shard_key;
mod size;
mod slug;
mod stored_as;
pub(crate) mod stored_names;
mod tree;
mod validation;
mod value_rule;
pub(crate) mod variants;

pub use aggregate::{
    AggregateDefinition, ChildrenDefinition, Groups, KeyDefinition, KeyForm, Operation, Term, Test, TestOperator,
    ValueDefinition, ValueKind,
};
pub use bucket::{BucketDefinition, BucketField, Span};
pub use collation::CollationDefinition;
pub(crate) use collation::Texts;
pub use collection_kind::{
    CollectionKind, Compression, Granularity, RenamedField, TimeSeriesDefinition, ViewDefinition,
};
pub(crate) use copy::Copies;
pub use copy::{CopiedTo, CopyDefinition, CopyMode, Source};
pub use delete_rule::DeleteRule;
pub use document_rule::{Comparison, DocumentRule};
pub use extra::ExtraFields;
pub(crate) use extra::OWN_NAMES;
pub use facets::{FacetDefinition, FacetKind, FacetsDefinition};
pub(crate) use field::LAST_NUMBER;
pub use field::{ChangeRate, FieldDefinition, JsonField};
pub(crate) use flat::find_flat;
pub use flat::{Flat, joined, joined_len};
pub use form::{Form, Holds};
pub(crate) use form::{Reason, hold_forms};
pub use history::HistoryDefinition;
pub(crate) use index::HintIndex;
pub(crate) use index::default_index_name;
pub use index::{Direction, IndexDefinition, IndexKey, IndexOrigin, Literal, PartialClause, PartialOperator};
pub use index_kind::{IndexKind, PlaneIndex, TextIndex, TextLanguage, TextWeight, WildcardPaths};
pub use inverse::InverseDefinition;
pub(crate) use judge::JUDGED;
pub use judge::Judge;
pub use managed::{ManagedAs, ManagedFields};
pub use mirror::MirrorDefinition;
pub use model::{Allow, ModelDefinition};
pub use path::{ResolvedPath, resolve};
pub use query::{ConditionDefinition, ConditionOperator, QueryDefinition, QuerySize};
pub use relation::{Cardinality, OrderKey, RelationDefinition, Storage, Target};
pub use rollup::{RollupDefinition, RollupKind};
pub use search_index::{SearchField, SearchForm, SearchIndexDefinition, SearchIndexKind, Similarity, VectorIndex};
pub use shape::{Integer, Kind, Raw, Scalar, Shape};
pub use shard_key::{ShardKeyDefinition, ShardKeyField, Workload};
pub use slug::{KeptSlugs, SlugDefinition};
pub use stored_as::StoredAs;
pub(crate) use stored_as::hold_stored_as;
pub use tree::TreeField;
pub use validation::{CollectionOptions, ValidationAction, ValidationLevel};
#[cfg(feature = "json")]
pub(crate) use value_rule::hold_rules;
pub(crate) use value_rule::{EMAIL, URL};
pub use value_rule::{ValueRule, ValueRules};
pub use variants::{VariantDefinition, Variants};

pub(crate) use bucket::stored;
pub(crate) use constant::{
    Text, assert_parts, digits, dotted, each, last_segment, refuse, report, rule_of, str_before, str_eq, text,
};
pub(crate) use history::of_entry;
pub(crate) use path::{find, find_stored, stored_path};
pub(crate) use place::{Place, copy_inside, is_whole};
pub(crate) use relation::find_relation;
pub(crate) use shard_key::{is_id, is_path};
pub(crate) use size::{hold_hashed, largest_document, largest_value, levels};
pub(crate) use tree::{HEADROOM, id_len, is_tree};
pub(crate) use variants::{same_shape, same_variants};
