//! What serde's own attributes say of a struct, read by serde's own parser.

use proc_macro2::Ident;
use serde_derive_internals::{Ctxt, Derive, ast, attr};
use syn::{DeriveInput, Member};

use crate::errors::Errors;

/// What serde's attributes say of one field.
#[derive(Clone)]
pub(crate) struct SerdeField {
    /// The stored name.
    pub(crate) name: String,
    /// Whether it is not stored at all.
    pub(crate) skipped: bool,
    /// Whether a document may lack it.
    pub(crate) default: bool,
    /// Whether serde may leave it out.
    pub(crate) skip_if: bool,
    /// Whether `with`, `serialize_with` or `deserialize_with` decide what is stored.
    pub(crate) custom: bool,
}

/// What serde's attributes say of a struct with named fields or a newtype.
pub(crate) struct SerdeStruct {
    /// In the order of the struct.
    pub(crate) fields: Vec<SerdeField>,
    /// Whether `deny_unknown_fields` refuses fields that the struct does not have.
    pub(crate) strict: bool,
}

/// Runs serde's parser. `None` when serde itself will refuse the item: it says so better than we could.
pub(super) fn container<T>(input: &DeriveInput, read: impl FnOnce(&ast::Container<'_>) -> T) -> Option<T> {
    let context = Ctxt::new();
    let private = Ident::new("__private", proc_macro2::Span::call_site());
    let container = ast::Container::from_ast(&context, input, Derive::Deserialize, &private);
    context.check().ok()?;
    container.as_ref().map(read)
}

impl SerdeStruct {
    /// Reads the fields and refuses what would make the stored document another than the definition says.
    pub(crate) fn read(input: &DeriveInput, errors: &Errors) -> SerdeStruct {
        container(input, |container| {
            refuse_container(container, errors);
            let by_struct = !matches!(container.attrs.default(), attr::Default::None);
            let strict = container.attrs.deny_unknown_fields();
            let fields = match &container.data {
                ast::Data::Struct(_, fields) => {
                    fields.iter().map(|field| read_field(field, by_struct, errors)).collect()
                }
                ast::Data::Enum(_) => Vec::new(),
            };
            SerdeStruct { fields, strict }
        })
        .unwrap_or_else(|| SerdeStruct::plain(input))
    }

    /// The fields under their own names.
    fn plain(input: &DeriveInput) -> SerdeStruct {
        let syn::Data::Struct(data) = &input.data else { return SerdeStruct { fields: Vec::new(), strict: false } };
        let field = |field: &syn::Field| SerdeField {
            name: field.ident.as_ref().map(super::identifier).unwrap_or_default(),
            skipped: false,
            default: false,
            skip_if: false,
            custom: false,
        };
        SerdeStruct { fields: data.fields.iter().map(field).collect(), strict: false }
    }
}

pub(super) fn refuse_container(container: &ast::Container<'_>, errors: &Errors) {
    let attributes = &container.attrs;
    let refuse = |word: &str| {
        errors.at(
            &container.ident,
            format!(
                "serde's `{word}` stores another document than the fields of this struct\nhelp: remove `{word}` and write the fields as they are stored"
            ),
        );
    };
    if attributes.type_into().is_some() {
        refuse("into");
    }
    if attributes.type_from().is_some() {
        refuse("from");
    }
    if attributes.type_try_from().is_some() {
        refuse("try_from");
    }
    if attributes.remote().is_some() {
        refuse("remote");
    }
    if matches!(container.data, ast::Data::Struct(..)) && !matches!(attributes.tag(), attr::TagType::External) {
        refuse("tag");
    }
}

pub(super) fn read_field(field: &ast::Field<'_>, default_by_struct: bool, errors: &Errors) -> SerdeField {
    let attributes = &field.attrs;
    let name = attributes.name().serialize_name().value.clone();
    let tokens: &dyn quote::ToTokens = match &field.member {
        Member::Named(ident) => ident,
        Member::Unnamed(_) => field.ty,
    };
    if attributes.name().deserialize_name().value != name {
        errors.at(
            tokens,
            "serde writes this field under one name and reads it under another\nhelp: use one name, `#[serde(rename = \"..\")]`; `alias` may read an older one",
        );
    }
    if attributes.flatten() {
        errors.at(
            tokens,
            "serde's `flatten` hides the stored names of this field\nhelp: write its fields in this struct, or embed it under a name with `#[relation(one_to_one, embed)]`",
        );
    }
    let (written, read) = (!attributes.skip_serializing(), !attributes.skip_deserializing());
    if written != read {
        errors.at(
            tokens,
            "serde stores this field but does not read it, or reads it but does not store it\nhelp: use `#[serde(skip)]` for a field that is not stored",
        );
    }
    SerdeField {
        name,
        skipped: !written && !read,
        default: default_by_struct || !attributes.default().is_none(),
        skip_if: attributes.skip_serializing_if().is_some(),
        custom: attributes.serialize_with().is_some() || attributes.deserialize_with().is_some(),
    }
}
