//! Field tokens, and the paths, filters, changes and sort keys that are made of tokens.

mod access;
mod aggregated;
pub(crate) mod bson_type;
mod canonical;
mod change;
pub mod class;
mod compared;
mod condition;
mod declared;
mod distinct;
mod encoded;
pub(crate) mod expression;
pub(crate) mod filter;
pub(crate) mod history;
mod keys;
mod of_element;
mod operators;
pub(crate) mod patches;
mod path;
pub(crate) mod pattern;
mod place;
mod sort;
pub(crate) mod stored;
pub(crate) mod text_search;
mod token;
mod update;
mod value;

pub use access::{
    Access, Changeable, Given, History, HistoryOfIntervals, NotCopied, NotHidden, NotId, NotImmutable, NotManaged,
    NotMirrored, NotPlaced, NotRecorded, NotRolledUp, NotSharded, NotTag, Revealable,
};
pub use aggregated::{Addend, Extreme, ExtremeOf, GroupKey, OnePerDocument, SumOf, Summed};
pub(crate) use canonical::{
    canonical, canonical_document, canonical_fields, canonical_item, readable, readable_document, readable_fields,
};
pub use change::Changes;
pub(crate) use change::{Cap, Change, ChangeList, MIN_BESIDE_NULL, Parts, change_set, of_null, refuse_upsert};
pub use compared::{all_fitting, fitting, fitting_item, fitting_range};
pub(crate) use condition::{and, asks, asks_place, equal, nor, nothing, of_variants, or};
pub use distinct::{Distinct, DistinctOf};
pub(crate) use encoded::decode_by_function;
pub use encoded::{Decodes, Encoded, Encodes};
pub use expression::{Arithmetic, AssignedTo, ExpressionOperators, Operand};
pub(crate) use filter::Filter;
pub use history::HistoryOperators;
pub(crate) use history::{history_of, interval_in, interval_of};
pub(crate) use of_element::elem_match_at;
pub use operators::{
    ComparedWith, FieldComparisons, FormOperators, ItemOf, OperandOf, OrderedWith, QueryOperators, SameGroup, Single,
    WholeDocument,
};
pub use patches::{PatchOf, PatchValue, add_patch_field};
pub use path::{Each, InVariant, OneValue, Path, PathNode, Root, Segment, Tagged};
pub use pattern::AsPattern;
pub(crate) use pattern::Pattern;
pub use place::{AtIndex, Below, ElementAt, Entry, EntryOf, InEntry, InnerOf, InnerPlaces, Place, RawPath};
pub use sort::{OneKey, SortKey, SortKeyOf, SortKeyOfElement, SortKeys, SortOperators};
pub(crate) use sort::{SCORE, SCORE_KEY};
pub use stored::{ExtraHolder, Field, Record};
pub use text_search::TextIndexed;
pub use token::{
    Converted, Copied, Element, ElementToken, FieldKind, FieldToken, FlatToken, Foreign, HiddenField, HiddenImmutable,
    IdField, Immutable, InTree, Managed, Mirrored, NestedTokens, NoFields, Placed, Plain, Recorded, RecordedIntervals,
    RolledUp, Sharded, StoredAsField, StoredByFunction, TagField, Token,
};
pub use update::{FieldUpdates, ListUpdates, NumberUpdates, TakesValuesOf, UpdateOperators};
pub use value::IntoValue;
