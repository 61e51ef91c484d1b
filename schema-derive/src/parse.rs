//! From tokens to attributes as written. The meaning of the attributes is not known here.

mod arguments;
mod constant;
mod forms;
mod pattern;
mod serde_names;
mod serde_patch;
mod serde_variants;
mod types;

pub(crate) use arguments::{
    Argument, Arguments, Value, did_you_mean, identifier, marked, path_of, read_argument, similar,
};
pub(crate) use constant::Constant;
pub(crate) use forms::{Form, Word, flags, judge, listed, names_of, refuse_unknown, word};
pub(crate) use pattern::Pattern;
pub(crate) use serde_names::{SerdeField, SerdeRefusal, SerdeStruct};
pub(crate) use serde_patch::{SerdePatchField, read_patch};
pub(crate) use serde_variants::{SerdeEnum, SerdeTag, SerdeVariant};
pub(crate) use types::{
    HIDDEN, Literal, borrows, collection_literal, inside_option, is_borrowed, is_plain, is_reference, is_scalar,
    last_segment, may_be_struct, names, referred, unfit_key, ungroup,
};
