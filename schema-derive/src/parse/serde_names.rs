//! The attributes of serde on a struct, read by serde's own parser.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::ToTokens;
use serde_derive_internals::{
    Ctxt, Derive, ast, attr,
    name::{MultiName, Name},
};
use syn::{DeriveInput, ExprPath, Member};

use super::arguments::marked;
use crate::errors::Errors;

/// The attributes of serde on a field.
#[derive(Clone)]
pub(crate) struct SerdeField {
    /// The stored name.
    pub(crate) name: String,
    /// True when the field is not stored at all.
    pub(crate) skipped: bool,
    /// True when a document may lack the field.
    pub(crate) default: bool,
    /// True when serde may leave out the field.
    pub(crate) skip_if: bool,
    /// True when `with`, `serialize_with` or `deserialize_with` decide the stored value.
    pub(crate) custom: bool,
    /// The function that writes the field.
    pub(crate) encoder: Option<ExprPath>,
    /// The function that reads the field.
    pub(crate) decoder: Option<ExprPath>,
    /// True when an absent `Option` may read as another value than `None`.
    pub(crate) default_is_own: bool,
    /// True when serde stores the fields of the value beside the fields of the struct (`flatten`).
    pub(crate) flat: bool,
    /// True when the attributes have a mistake already.
    pub(crate) broken: bool,
}

impl SerdeField {
    /// Makes a field without attributes of serde.
    fn plain(name: String) -> Self {
        let (skipped, default, skip_if, custom) = (false, false, false, false);
        let (encoder, decoder, default_is_own, flat, broken) = (None, None, false, false, false);
        SerdeField { name, skipped, default, skip_if, custom, encoder, decoder, default_is_own, flat, broken }
    }
}

/// The attributes of serde on a struct with named fields or on a newtype.
pub(crate) struct SerdeStruct {
    /// The fields in the order of the struct.
    pub(crate) fields: Vec<SerdeField>,
    /// True when `deny_unknown_fields` refuses fields that the struct does not have.
    pub(crate) strict: bool,
}

/// The refusals of the item by serde's own derives. A serde derive has a better message than this crate, and then
/// writes no impl.
pub(crate) struct SerdeRefusal {
    pub(crate) serialize: Option<syn::Error>,
    pub(crate) deserialize: Option<syn::Error>,
}

impl SerdeRefusal {
    pub(crate) fn of(input: &DeriveInput) -> Self {
        let read = parse(input, Derive::Deserialize, |container| container.attrs.transparent());
        // The two derives differ only in the demands on a `transparent` struct.
        let serialize = match read.value {
            Some(true) => parse(input, Derive::Serialize, |_| ()).refusal,
            _ => read.refusal.clone(),
        };
        SerdeRefusal { serialize, deserialize: read.refusal }
    }

    pub(crate) fn is_any(&self) -> bool {
        self.error().is_some()
    }

    /// Returns the message of serde.
    pub(crate) fn error(&self) -> Option<syn::Error> {
        self.serialize.clone().or(self.deserialize.clone())
    }
}

struct Parsed<T> {
    /// The value that was read; after a mistake, the rest of the item without the mistake.
    value: Option<T>,
    refusal: Option<syn::Error>,
}

fn parse<T>(input: &DeriveInput, derive: Derive, read: impl FnOnce(&ast::Container<'_>) -> T) -> Parsed<T> {
    let context = Ctxt::new();
    let private = Ident::new("__private", proc_macro2::Span::call_site());
    let container = ast::Container::from_ast(&context, input, derive, &private);
    let refusal = context.check().err();
    Parsed { value: container.as_ref().map(read), refusal }
}

/// Runs serde's parser; `None` when serde finds nothing to go on with.
pub(super) fn container<T>(input: &DeriveInput, read: impl FnOnce(&ast::Container<'_>) -> T) -> Option<T> {
    parse(input, Derive::Deserialize, read).value
}

impl SerdeStruct {
    /// Reads the fields, and refuses attributes that make the stored document differ from the definition.
    pub(crate) fn read(input: &DeriveInput, errors: &Errors) -> SerdeStruct {
        container(input, |container| {
            refuse_container(container, errors);
            let by_struct = !container.attrs.default().is_none();
            let strict = container.attrs.deny_unknown_fields();
            let fields = match &container.data {
                ast::Data::Struct(ast::Style::Newtype, fields) => {
                    fields.iter().map(|field| read_value(field, errors)).collect()
                }
                ast::Data::Struct(_, fields) => {
                    fields.iter().map(|field| read_field(field, by_struct, false, errors)).collect()
                }
                ast::Data::Enum(_) => Vec::new(),
            };
            SerdeStruct { fields, strict }
        })
        .unwrap_or_else(|| SerdeStruct::plain(input))
    }

    /// Returns the fields under the names in Rust.
    fn plain(input: &DeriveInput) -> SerdeStruct {
        let syn::Data::Struct(data) = &input.data else {
            return SerdeStruct { fields: Vec::new(), strict: false };
        };
        let field =
            |field: &syn::Field| SerdeField::plain(field.ident.as_ref().map(super::identifier).unwrap_or_default());
        SerdeStruct { fields: data.fields.iter().map(field).collect(), strict: false }
    }
}

pub(super) fn refuse_container(container: &ast::Container<'_>, errors: &Errors) {
    let attributes = &container.attrs;
    let refuse = |word: &str| {
        errors.at(
            &container.ident,
            format!(
                "serde's `{word}` stores a document that differs from the fields of this struct\nhelp: remove `{word}`, and declare the fields of the stored document"
            ),
        );
    };
    refuse_conversion(container, errors);
    if attributes.remote().is_some() {
        refuse("remote");
    }
    if matches!(container.data, ast::Data::Struct(..)) && !matches!(attributes.tag(), attr::TagType::External) {
        refuse("tag");
    }
    if let (true, ast::Data::Struct(ast::Style::Struct, fields)) = (attributes.transparent(), &container.data) {
        let value = fields.iter().find(|field| field.attrs.transparent()).or(fields.first());
        let ty = value.map(|field| field.ty.to_token_stream().to_string()).unwrap_or_default();
        errors.at(
            &container.ident,
            format!(
                "serde's `transparent` stores the single value of this struct in place of a document with fields\nhelp: remove `transparent`; or write a newtype with `#[derive(Embed)]`, stored as the value alone: `struct {}({ty});`",
                container.ident
            ),
        );
    }
    if !matches!(attributes.identifier(), attr::Identifier::No) {
        errors.at(
            &container.ident,
            "serde reads this enum as the name of a field or of a variant, and writes the enum in another form\nhelp: remove `field_identifier` and `variant_identifier`",
        );
    }
}

/// Refuses a type that serde converts as a whole: the stored type is another type, and nothing is known of the stored
/// type.
fn refuse_conversion(container: &ast::Container<'_>, errors: &Errors) {
    let attributes = &container.attrs;
    let conversions =
        [("into", attributes.type_into()), ("from", attributes.type_from()), ("try_from", attributes.type_try_from())];
    let words: Vec<String> =
        conversions.iter().filter(|(_, ty)| ty.is_some()).map(|(word, _)| format!("`{word}`")).collect();
    if words.is_empty() {
        return;
    }
    let is_embedded = marked(container.original, "model").or(marked(container.original, "projection")).is_none();
    let stored = conversions.iter().find_map(|(_, ty)| *ty).map(|ty| ty.to_token_stream().to_string().replace(' ', ""));
    let (name, words, stored) = (&container.ident, words.join(" and "), stored.unwrap_or_default());
    let help = match is_embedded {
        true => format!(
            "write `#[stored_as({stored})]` above `{name}`: the declared type is the type that serde writes; or, for a document, remove `Embed` here, and write `#[opaque(max_bytes = 300)]` on each field that holds `{name}`"
        ),
        false => format!("remove {words}, and declare the fields of the stored document"),
    };
    errors.at(
        name,
        format!("serde stores `{name}` as another type, by {words}, and a derive knows the fields that are written here\nhelp: {help}"),
    );
}

/// Returns whether serde reads the field or the variant under further names, too.
pub(super) fn has_alias(aliases: &BTreeSet<Name>, name: &MultiName) -> bool {
    let own = &name.deserialize_name().value;
    aliases.iter().any(|alias| alias.value != *own)
}

/// Returns the message about a `flatten` that the derive knows nothing of.
fn unnamed_flatten(member: &Member, in_variant: bool) -> String {
    let help = match member {
        Member::Named(ident) if !in_variant => {
            format!("write `#[embed(flat)]` above `#[serde(flatten)]` of `{ident}`")
        }
        _ => "write the flattened fields in this variant".to_owned(),
    };
    format!(
        "serde's `flatten` hides the stored names of this field\nhelp: {help}; or embed the field under a name with `#[relation(one_to_one, embed)]`"
    )
}

/// Reads a field of a struct, or of a variant (`in_variant`).
pub(super) fn read_field(
    field: &ast::Field<'_>,
    default_by_struct: bool,
    in_variant: bool,
    errors: &Errors,
) -> SerdeField {
    let (attributes, before) = (&field.attrs, errors.count());
    let name = attributes.name().serialize_name().value.clone();
    let tokens: &dyn ToTokens = match &field.member {
        Member::Named(ident) => ident,
        Member::Unnamed(_) => field.ty,
    };
    if attributes.name().deserialize_name().value != name {
        errors.at(
            tokens,
            "serde writes and reads this field under different names\nhelp: use a single name: `#[serde(rename = \"..\")]`",
        );
    }
    if has_alias(attributes.aliases(), attributes.name()) {
        errors.at(
            tokens,
            format!(
                "serde's `alias` reads this field under an older name, and filters, updates, indexes and relations see only `{name}`\nhelp: remove `alias`, and rename the stored field: `update_many(Filter::all()).raw(doc! {{ \"$rename\": {{ \"<older>\": \"{name}\" }} }})`"
            ),
        );
    }
    if attributes.flatten() && !field.original.attrs.iter().any(|attribute| attribute.path().is_ident("embed")) {
        errors.at(tokens, unnamed_flatten(&field.member, in_variant));
    }
    let (written, read) = (!attributes.skip_serializing(), !attributes.skip_deserializing());
    if written != read {
        errors.at(
            tokens,
            "serde stores but does not read this field, or reads but does not store this field\nhelp: use `#[serde(skip)]` for a field that is not stored",
        );
    }
    let default_is_own = match attributes.default() {
        attr::Default::None => default_by_struct,
        attr::Default::Default => false,
        attr::Default::Path(_) => true,
    };
    let default = default_by_struct || !attributes.default().is_none();
    let custom = attributes.serialize_with().is_some() || attributes.deserialize_with().is_some();
    let skipped = !written && !read;
    if let (Some(leaves_out), false) = (attributes.skip_serializing_if(), skipped) {
        let is_slug = field.original.attrs.iter().any(|attribute| attribute.path().is_ident("slug"));
        let needs_default = attributes.deserialize_with().is_some() && !default;
        refuse_leaving_out(leaves_out, (tokens, &name, is_slug), needs_default, errors);
    }
    SerdeField {
        name,
        skipped,
        default,
        skip_if: attributes.skip_serializing_if().is_some(),
        custom,
        encoder: attributes.serialize_with().cloned(),
        decoder: attributes.deserialize_with().cloned(),
        default_is_own: default_is_own && !skipped,
        flat: attributes.flatten(),
        broken: errors.count() > before,
    }
}

/// Refuses every `skip_serializing_if` but `is_none`. Serde may leave out only a `None`: an absent field reads as
/// `None`, and filters, sorts and updates take an absent field for `None`.
fn refuse_leaving_out(
    leaves_out: &ExprPath,
    (tokens, name, is_slug): (&dyn ToTokens, &str, bool),
    needs_default: bool,
    errors: &Errors,
) {
    let last = leaves_out.path.segments.last();
    let message = if last.is_none_or(|last| last.ident != "is_none") {
        match name {
            _ if is_slug => {
                "a slug that serde leaves out is not stored, and no document is found by the slug\nhelp: remove `skip_serializing_if`: an insert makes the slug of a value with an empty slug"
            }
            "_id" => {
                "serde leaves out the `_id` of some documents: the driver then stores a new `_id`, and no filter finds the document\nhelp: remove `skip_serializing_if`"
            }
            _ => {
                "a field that serde leaves out is not found, sorted or changed by a value: nothing is stored\nhelp: remove `skip_serializing_if`; or make the field an `Option` with `skip_serializing_if = \"Option::is_none\"`"
            }
        }
    } else if needs_default {
        "serde leaves out a `None`, and cannot read a document without the field: `with` knows of no absent value\nhelp: add `default`, or remove `skip_serializing_if`"
    } else {
        return;
    };
    errors.at(tokens, message);
}

/// Reads the single value of a newtype or of a variant. The value has no name, and serde cannot leave out the value.
pub(super) fn read_value(field: &ast::Field<'_>, errors: &Errors) -> SerdeField {
    let attributes = &field.attrs;
    let word = if attributes.skip_serializing() || attributes.skip_deserializing() {
        "skip"
    } else if attributes.skip_serializing_if().is_some() {
        "skip_serializing_if"
    } else if !attributes.default().is_none() {
        "default"
    } else {
        let custom = attributes.serialize_with().is_some() || attributes.deserialize_with().is_some();
        return SerdeField { custom, ..SerdeField::plain(String::new()) };
    };
    errors.at(
        field.ty,
        format!("this value is always stored, and serde's `{word}` is for a field with a name\nhelp: remove `{word}`"),
    );
    SerdeField::plain(String::new())
}
