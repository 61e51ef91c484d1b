//! A field that an attribute of the struct names.

use syn::{Expr, Type};

use crate::{
    errors::Errors,
    model::{Data, Record, Tagged, Variant},
    parse::did_you_mean,
};

/// The fields that an attribute may name: the fields of a struct, or the fields that all variants of an enum share.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) record: &'a Record,
    pub(super) tagged: Option<&'a Tagged>,
}

/// Returns the type of the field of the struct that the first name of a path names. rustc judges the further names.
pub(super) fn known<'a>(path: &[String], tokens: &Expr, asked: Asked<'a>, errors: &Errors) -> Option<&'a Type> {
    let (first, record) = (path.first()?, asked.record);
    if let Some(flat) = record.flat(first) {
        if path.len() > 1 {
            return Some(&flat.ty);
        }
        errors.rule(
            tokens,
            "unknown_field",
            &format!("`{first}` is flat: the fields inside `{first}` are stored, and no value `{first}`"),
            &format!("name a field inside `{first}`, as in `{first}.city`"),
        );
        return None;
    }
    let field = record.fields.iter().find(|field| field.rust_name == *first);
    let has_it = |variant: &&Variant| matches!(&variant.data, Data::Fields(own) if own.fields.iter().any(|field| field.rust_name == *first));
    let mut variants = asked.tagged.iter().flat_map(|tagged| &tagged.variants);
    if let (None, Some(variant)) = (field, variants.find(has_it)) {
        let (ident, view, method) = (&record.ident, variant.view(), variant.method());
        errors.rule(
            tokens,
            "unknown_field",
            &format!("the variants of `{ident}` do not share a field `{first}`, and a query reads all variants"),
            &format!("read a single variant, as `{ident}::{view}().filter({ident}::F.{method}().{first}.eq(..))`"),
        );
    } else if field.is_none() {
        let near = did_you_mean(first, &record.rust_names());
        errors.rule(
            tokens,
            "unknown_field",
            &format!("`{}` has no stored field `{first}`{near}", record.ident),
            "write the Rust name of a field of the struct",
        );
    }
    field.map(|field| &field.ty)
}
