//! The attributes of serde on an enum, read by serde's own parser.

use serde_derive_internals::{ast, attr};
use syn::DeriveInput;

use super::serde_names::{SerdeField, container, has_alias, read_field, read_value, refuse_container};
use crate::errors::Errors;

/// How serde stores the variant of a value.
pub(crate) enum SerdeTag {
    /// The name of the variant; every stored variant is a unit variant.
    Names,
    /// `tag = ".."`, with or without `content = ".."`.
    Field { tag: String, content: Option<String> },
}

/// The attributes of serde on an enum.
pub(crate) struct SerdeEnum {
    pub(crate) tag: SerdeTag,
    /// The variants in the order of the enum.
    pub(crate) variants: Vec<SerdeVariant>,
    /// True when `deny_unknown_fields` refuses fields that the variant does not have.
    pub(crate) strict: bool,
}

/// The attributes of serde on a variant.
pub(crate) struct SerdeVariant {
    /// The stored name.
    pub(crate) name: String,
    /// True when the variant is never stored.
    pub(crate) skipped: bool,
    /// The fields in the order of the variant.
    pub(crate) fields: Vec<SerdeField>,
}

impl SerdeEnum {
    /// Reads the variants, and refuses attributes that make the stored value differ from the definition. `None` after a
    /// mistake that leaves nothing to go on with: a mistake that serde reports, or an enum whose values do not say the
    /// variant.
    pub(crate) fn read(input: &DeriveInput, errors: &Errors) -> Option<SerdeEnum> {
        container(input, |container| {
            refuse_container(container, errors);
            let ast::Data::Enum(variants) = &container.data else { return None };
            let tag = read_tag(container, variants, errors)?;
            let variants = variants.iter().map(|variant| read_variant(variant, errors)).collect();
            Some(SerdeEnum { tag, variants, strict: container.attrs.deny_unknown_fields() })
        })?
    }
}

fn read_tag(container: &ast::Container<'_>, variants: &[ast::Variant<'_>], errors: &Errors) -> Option<SerdeTag> {
    let is_stored =
        |variant: &&ast::Variant<'_>| !(variant.attrs.skip_serializing() && variant.attrs.skip_deserializing());
    match container.attrs.tag() {
        attr::TagType::Internal { tag } => Some(SerdeTag::Field { tag: tag.clone(), content: None }),
        attr::TagType::Adjacent { tag, content } => {
            Some(SerdeTag::Field { tag: tag.clone(), content: Some(content.clone()) })
        }
        attr::TagType::External => {
            let data = variants.iter().filter(is_stored).find(|variant| !matches!(variant.style, ast::Style::Unit));
            let Some(variant) = data else { return Some(SerdeTag::Names) };
            let name = &variant.ident;
            errors.at(
                variant.original,
                format!(
                    "serde writes `{name}` as a document with a single field `{name}`, so that no field of the document holds the name of the variant, and no index can be over the name\nhelp: write `#[serde(tag = \"type\")]` on the enum: the name of the variant is then stored beside the fields"
                ),
            );
            None
        }
        attr::TagType::None => {
            errors.at(
                &container.ident,
                "serde does not store the name of the variant of an untagged enum, and reads a value as the first variant that fits\nhelp: write `#[serde(tag = \"type\")]` in place of `untagged`: the name of the variant is then stored beside the fields",
            );
            None
        }
    }
}

fn read_variant(variant: &ast::Variant<'_>, errors: &Errors) -> SerdeVariant {
    let attributes = &variant.attrs;
    let name = attributes.name().serialize_name().value.clone();
    let (written, read) = (!attributes.skip_serializing(), !attributes.skip_deserializing());
    let skipped = !written && !read;
    if let (Some(mistake), false) = (mistake(variant, &name), skipped) {
        errors.at(&variant.ident, mistake);
    }
    let fields = match variant.style {
        ast::Style::Struct if !skipped => {
            variant.fields.iter().map(|field| read_field(field, false, true, errors)).collect()
        }
        ast::Style::Newtype if !skipped => variant.fields.iter().map(|field| read_value(field, errors)).collect(),
        _ => Vec::new(),
    };
    SerdeVariant { name, skipped, fields }
}

/// Returns the mistake that makes serde store or read the variant otherwise than the name and the fields say.
fn mistake(variant: &ast::Variant<'_>, name: &str) -> Option<String> {
    let attributes = &variant.attrs;
    let message = if attributes.name().deserialize_name().value != name {
        "serde writes and reads this variant under different names\nhelp: use a single name: `#[serde(rename = \"..\")]`"
    } else if has_alias(attributes.aliases(), attributes.name()) {
        return Some(format!(
            "serde's `alias` reads this variant under an older name, and filters, indexes and the validator know only `{name}`\nhelp: remove `alias`, and rename the stored values with an update, before this enum is in use"
        ));
    } else if attributes.skip_serializing() != attributes.skip_deserializing() {
        "serde stores but does not read this variant, or reads but does not store this variant\nhelp: use `#[serde(skip)]` for a variant that is not stored"
    } else if attributes.untagged() {
        "serde does not store the name of this variant\nhelp: remove `untagged`: serde then stores the name"
    } else if attributes.other() {
        "serde reads every unknown variant as this variant, and the data of the unknown variant is lost when the value is written again\nhelp: remove `other`: the read of an unknown variant is then an error, and a validator refuses an unknown variant"
    } else if attributes.serialize_with().is_some() || attributes.deserialize_with().is_some() {
        "serde's `with` stores this variant as another type, and the derive does not know the stored type\nhelp: remove `with`: the name and the fields of the variant are then stored unchanged"
    } else {
        return None;
    };
    Some(message.to_owned())
}
