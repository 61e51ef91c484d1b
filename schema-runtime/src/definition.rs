//! What a derive says about a model, as `const` data. No I/O and no types of the driver but its BSON values.

mod constant;
mod copy;
mod delete_rule;
mod field;
mod history;
mod index;
mod inverse;
mod managed;
mod mirror;
mod model;
mod path;
mod place;
mod query;
mod relation;
mod rollup;
mod shape;
mod shard_key;
mod slug;
mod tree;

pub use copy::{CopiedTo, CopyDefinition, CopyMode, Source};
pub use delete_rule::DeleteRule;
pub use field::{ChangeRate, FieldDefinition};
pub use history::HistoryDefinition;
pub use index::{Direction, IndexDefinition, IndexKey, IndexOrigin, Literal, PartialClause, PartialOperator};
pub use inverse::InverseDefinition;
pub use managed::{ManagedAs, ManagedFields};
pub use mirror::MirrorDefinition;
pub use model::{Allow, CollectionOptions, ModelDefinition, ValidationAction, ValidationLevel};
pub use path::{ResolvedPath, resolve};
pub use query::{ConditionDefinition, ConditionOperator, QueryDefinition, QuerySize};
pub use relation::{Cardinality, OrderKey, RelationDefinition, Storage, Target};
pub use rollup::{RollupDefinition, RollupKind};
pub use shape::{Integer, Kind, Scalar, Shape};
pub use shard_key::{ShardKeyDefinition, ShardKeyField, Workload};
pub use slug::{KeptSlugs, SlugDefinition};
pub use tree::TreeField;

pub(crate) use constant::{Message, str_eq};
pub(crate) use history::of_entry;
pub(crate) use path::{find, find_stored};
pub(crate) use place::{Place, copy_inside, is_whole};
pub(crate) use relation::find_relation;
pub(crate) use shard_key::{is_id, is_path};
pub(crate) use tree::{id_len, is_tree};
