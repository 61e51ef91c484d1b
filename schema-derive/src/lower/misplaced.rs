//! The message about a misplaced attribute: the right places, the actual place, the reason and the help.

use crate::attributes::{Attribute, Place};

/// Returns the message. `field` is the name of the field under the attribute; `None` for an item or a variant.
pub(super) fn misplaced(attribute: Attribute, place: Place, field: Option<&str>) -> String {
    if (attribute, place) == (Attribute::Projection, Place::Model) {
        // An item with both derives gets this message from both.
        return "`#[projection(..)]` is for a separate struct, and this item is a model\nhelp: write a struct without `Model` and `#[model(..)]`: `#[derive(Projection, Serialize, Deserialize)] #[projection(of = Part)]`".to_owned();
    }
    if (attribute, place) == (Attribute::StoredAs, Place::NewtypeField) {
        return "`#[stored_as(..)]` declares the stored type of the whole newtype\nhelp: write the attribute above the struct: `#[derive(Embed)] #[stored_as(String)] struct Name(..)`".to_owned();
    }
    let why = why(attribute, place).map(|why| format!(": {why}")).unwrap_or_default();
    format!(
        "`{}` is for {}, and this is {}{why}\nhelp: {}",
        attribute.text(),
        home(attribute, place),
        here(place),
        help(attribute, place, field)
    )
}

/// Returns the right places of the attribute, without the actual place.
fn home(attribute: Attribute, place: Place) -> &'static str {
    match attribute {
        _ if attribute.is_of_models() => "a struct with `#[derive(Model)]`",
        Attribute::Projection => "a struct with `#[derive(Projection)]`",
        Attribute::Embed => match place {
            Place::VariantField | Place::ModelVariantField | Place::Id | Place::VariantValue => "a field of a struct",
            _ => "a struct or an enum with `#[derive(Embed)]`, or a field of a struct",
        },
        Attribute::Patch => "a struct with `#[derive(Patch)]`",
        Attribute::Index => "a model or a field of a model",
        _ if !attribute.may_stand(Place::EmbedField) => "a field of a model",
        _ => match place {
            Place::Model | Place::Embed | Place::Newtype | Place::Enum | Place::Variant | Place::ModelVariant => {
                "a field"
            }
            Place::NewtypeField | Place::VariantValue => "a field with a name",
            Place::Id => "another field",
            Place::ModelField
            | Place::EmbedField
            | Place::VariantField
            | Place::ModelVariantField
            | Place::Projection
            | Place::ProjectionField
            | Place::Patch
            | Place::PatchField => "a field of a model or of an embedded struct",
        },
    }
}

fn here(place: Place) -> &'static str {
    match place {
        Place::Model | Place::Newtype => "a struct",
        Place::ModelField => "a field",
        Place::Id => "the `_id`",
        Place::Embed => "an embedded struct",
        Place::EmbedField => "a field of an embedded struct",
        Place::NewtypeField => "the value of a newtype",
        Place::Enum => "an enum",
        Place::Variant | Place::ModelVariant => "a variant",
        Place::VariantField | Place::ModelVariantField => "a field of a variant",
        Place::VariantValue => "the struct that a variant holds",
        Place::Projection => "a projection",
        Place::ProjectionField => "a field of a projection",
        Place::Patch => "a patch",
        Place::PatchField => "a field of a patch",
    }
}

fn why(attribute: Attribute, place: Place) -> Option<&'static str> {
    match place {
        Place::Model | Place::ModelField => None,
        Place::Id => match attribute {
            Attribute::CopiedTo => Some("each reference to this model holds the `_id`"),
            Attribute::StoredAs => Some("a document is found and referred to by the type of the `_id` alone"),
            Attribute::Reference => Some("a document with a reference as `_id` belongs to the referenced document"),
            Attribute::Denormalize => Some("an `_id` never changes, and a copy changes with the source"),
            Attribute::Hidden => Some("this crate names a document by the `_id`"),
            _ if attribute.may_stand(Place::ModelField) => Some("an `_id` never changes"),
            _ => None,
        },
        Place::Variant | Place::ModelVariant => Some("only the name and the fields of a variant are stored"),
        Place::ModelVariantField if attribute == Attribute::Embed => None,
        Place::EmbedField | Place::VariantField | Place::ModelVariantField if attribute == Attribute::Hidden => {
            Some("a read leaves out whole fields at the top of a document, for each shape of the document")
        }
        Place::EmbedField | Place::VariantField if attribute == Attribute::Immutable => {
            Some("a replace compares whole fields of a document")
        }
        Place::ModelVariantField => Some("the effect of a write would depend on the variant"),
        Place::VariantField | Place::VariantValue if attribute == Attribute::Denormalize => {
            Some("a copy is written by a path, and the path may be another field in another variant")
        }
        Place::Projection | Place::ProjectionField => Some("a projection uses the attributes of the model"),
        Place::Patch | Place::PatchField => Some("a patch uses the attributes of the model"),
        Place::Embed
        | Place::EmbedField
        | Place::Newtype
        | Place::NewtypeField
        | Place::Enum
        | Place::VariantField
        | Place::VariantValue => match attribute {
            Attribute::Index => Some("an index is of a whole collection"),
            Attribute::Version | Attribute::CreatedAt | Attribute::UpdatedAt => {
                Some("the attribute is about the whole document")
            }
            Attribute::Unversioned => {
                Some("a version is about a whole document, and knows only the fields of the model")
            }
            Attribute::CopiedTo | Attribute::Changes => Some("the writes of a model update the copies"),
            Attribute::Auto | Attribute::Default => Some("a new value is a whole document"),
            Attribute::Subset | Attribute::Computed => Some("children refer to a model"),
            _ => None,
        },
    }
}

fn help(attribute: Attribute, place: Place, field: Option<&str>) -> String {
    let (example, example_field) = example_of(attribute);
    if attribute == Attribute::Projection {
        return match place {
            Place::ProjectionField => format!("write `{example}` above the struct"),
            _ => format!("write a separate struct: `#[derive(Projection)] {example}`"),
        };
    }
    if attribute == Attribute::Patch {
        return format!("write a separate struct: `#[derive(Patch)] {example}`");
    }
    if attribute == Attribute::Embed {
        return match place {
            Place::Model => "write `#[model(collection = \"people\", crate = odm)]`".to_owned(),
            Place::Projection => "write `#[projection(of = Part, crate = odm)]`".to_owned(),
            Place::Patch => "write `#[patch(Post, crate = odm)]`".to_owned(),
            Place::NewtypeField | Place::Variant => format!("write `{example}` above the item"),
            Place::VariantField | Place::ModelVariantField => {
                "write the fields of the struct in the variant; or embed the struct under a name with `#[relation(one_to_one, embed)]`".to_owned()
            }
            _ => "remove the attribute".to_owned(),
        };
    }
    if (attribute, place) == (Attribute::StoredAs, Place::Id) {
        return "write a newtype: `#[derive(Embed)] #[stored_as(String)] struct Name(String);`".to_owned();
    }
    match place {
        Place::Model => format!("put the attribute on a field: `{example} {example_field}`"),
        Place::ModelField | Place::Id if attribute.may_stand(Place::Model) => {
            format!("write `{example}` above the struct")
        }
        Place::ModelField | Place::Id => "remove the attribute, or put the attribute on a separate field".to_owned(),
        Place::Variant
        | Place::VariantField
        | Place::VariantValue
        | Place::Enum
        | Place::Newtype
        | Place::NewtypeField
            if attribute.is_of_models() =>
        {
            "remove the attribute".to_owned()
        }
        Place::VariantValue if attribute.may_stand(Place::EmbedField) => {
            "put the attribute on a field of the struct that the variant holds".to_owned()
        }
        Place::ModelVariantField | Place::ModelVariant if attribute.may_stand(Place::Model) => {
            format!("write `{example}` above the enum")
        }
        Place::ModelVariantField => {
            "derive `Model` on a struct with this field, and put the fields that differ in an enum with `#[derive(Embed)]`"
                .to_owned()
        }
        Place::ModelVariant => "put the attribute on a field of the variant".to_owned(),
        Place::VariantField if attribute == Attribute::Denormalize => {
            "put the copy beside the enum, in the struct that holds the enum".to_owned()
        }
        Place::Variant => "put the attribute on the field that holds this enum".to_owned(),
        Place::Projection | Place::ProjectionField | Place::Patch | Place::PatchField => "remove the attribute, or put the attribute on the model".to_owned(),
        Place::Embed if attribute.may_stand(Place::EmbedField) => {
            format!("put the attribute on a field: `{example} {example_field}`")
        }
        Place::Newtype if attribute.may_stand(Place::NewtypeField) => {
            format!("put the attribute on the value: `struct Name({example} ..)`")
        }
        Place::Enum if attribute.may_stand(Place::EmbedField) => "put the attribute on the field that holds this enum".to_owned(),
        Place::Newtype | Place::NewtypeField if attribute.may_stand(Place::EmbedField) => {
            "put the attribute on the field that holds this type".to_owned()
        }
        Place::Embed
        | Place::EmbedField
        | Place::Newtype
        | Place::NewtypeField
        | Place::Enum
        | Place::VariantField
        | Place::VariantValue => in_model(attribute, field),
    }
}

/// Returns the attribute, and a field that may have the attribute, with the attributes of serde that the field needs.
fn example_of(attribute: Attribute) -> (&'static str, &'static str) {
    match attribute {
        Attribute::Extra => (attribute.row().example.0, "#[serde(skip)] rest: Document"),
        _ => attribute.row().example,
    }
}

/// Returns the help for an attribute of models that stands in an embedded type.
fn in_model(attribute: Attribute, field: Option<&str>) -> String {
    match (attribute, field) {
        (Attribute::Index, Some(field)) => {
            format!("write `#[index(outer.{field})]` on the model that holds this type in a field `outer`")
        }
        (Attribute::Index, None) => {
            "write `#[index(outer.city)]` on the model that holds this type in a field `outer`".to_owned()
        }
        _ if attribute.is_of_models() => "derive `Model` instead of `Embed`, or remove the attribute".to_owned(),
        (Attribute::CopiedTo | Attribute::Changes, Some(field)) => format!(
            "put the attribute on the field of the model that holds this struct, and write `from = part.outer.{field}` at the copy, with the name of that field in the place of `outer`"
        ),
        (Attribute::Subset | Attribute::Computed, _) => {
            "put the attribute on a field of the model that the children refer to".to_owned()
        }
        _ => {
            let (example, field) = example_of(attribute);
            format!("put the attribute on a field of the model that holds this type: `{example} {field}`")
        }
    }
}
