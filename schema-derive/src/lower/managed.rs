//! Fields that the crate sets at every write: `#[version]`, `#[created_at]`, `#[updated_at]`.

use syn::{Attribute, Meta};

use crate::{
    errors::Errors,
    model::{Managed, ManagedField, Stored},
};

/// The words, each an attribute of its own.
pub(super) const WORDS: [&str; 3] = ["version", "created_at", "updated_at"];

/// What the crate sets this field to, if it does.
pub(super) fn lower_managed(field: &syn::Field, storage: &Stored, errors: &Errors) -> Option<ManagedField> {
    let mut attributes = field.attrs.iter().filter_map(|attribute| Some((managed(attribute)?, attribute)));
    let (managed, attribute) = attributes.next()?;
    let word = managed.word();
    if let Some((second, attribute)) = attributes.next() {
        let message = match second == managed {
            true => format!("`#[{word}]` is given twice"),
            false => format!(
                "a field is one of `#[version]`, `#[created_at]` and `#[updated_at]`, and this is `#[{word}]`\nhelp: put `#[{}]` on a field of its own",
                second.word()
            ),
        };
        errors.at(attribute.path(), message);
        return None;
    }
    if !matches!(attribute.meta, Meta::Path(_)) {
        errors.at(&attribute.meta, format!("`#[{word}]` takes no words\nhelp: write `#[{word}]`"));
        return None;
    }
    let other = match storage {
        Stored::Plain => return Some(ManagedField { managed, tokens: attribute.path().clone() }),
        Stored::Bound(_) => "bound",
        Stored::Opaque { .. } => "opaque",
        Stored::Relation(_) => "relation",
        Stored::Subset { .. } => "subset",
    };
    errors.at(
        attribute.path(),
        format!("the crate sets a field with `#[{word}]`, which is a single value: `#[{other}(..)]` says nothing of it\nhelp: remove one of the two"),
    );
    None
}

fn managed(attribute: &Attribute) -> Option<Managed> {
    [Managed::Version, Managed::CreatedAt, Managed::UpdatedAt]
        .into_iter()
        .find(|managed| attribute.path().is_ident(managed.word()))
}
