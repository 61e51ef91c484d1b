//! The struct of new values of a model, and the fields that a new document fills by itself.

use proc_macro2::Ident;
use syn::{Attribute, Expr, ExprPath, LitStr, Meta, Path};

use super::{Copy, Field, Model, Relation, Tree, TreeRole};

/// The struct of new values: `NewPost` of `Post`.
pub(crate) struct NewStruct {
    pub(crate) ident: Ident,
    /// The word `new` of the user; `None` where an attribute of a field asks for the struct.
    pub(crate) tokens: Option<Expr>,
    /// The derives that the user asks for.
    pub(crate) derives: Vec<Path>,
    /// The attributes of serde on the model that also apply to the struct.
    pub(crate) serde: Vec<Meta>,
    /// The default of serde for all fields of the model.
    pub(crate) serde_default: Option<SerdeDefault>,
    /// The stored fields, in the order of the model.
    pub(crate) fields: Vec<NewField>,
    /// The flat fields, in the order of the model.
    pub(crate) flats: Vec<NewField>,
}

/// `#[serde(default)]` or `#[serde(default = "f")]` on a struct.
pub(crate) enum SerdeDefault {
    Trait,
    Function(ExprPath),
}

/// The attributes of another crate on a field, as far as a new value has them too.
pub(crate) struct NewField {
    pub(crate) docs: Vec<Attribute>,
    /// The attributes of serde, without names.
    pub(crate) serde: Vec<Meta>,
    /// The function of the user that reads the field.
    pub(crate) reader: Option<ExprPath>,
}

/// The value of a field in a new document where the program gives no value.
pub(crate) struct Fill {
    /// `auto`, `default`
    pub(crate) tokens: Path,
    pub(crate) value: FillValue,
}

#[allow(
    clippy::large_enum_variant,
    reason = "the tests build tokens with places in the source, and tokens with places are larger"
)]
pub(crate) enum FillValue {
    /// `#[auto]`: a new value of the type.
    Type,
    /// `#[auto(with = new_code)]`
    Function(Path),
    /// `#[auto(sequence)]`, `#[auto(sequence = "invoices")]`
    Sequence(Sequence),
    /// `#[default(0)]`, `#[default]`
    Default(Option<Expr>),
}

pub(crate) struct Sequence {
    /// The name; without a name of the user, the collection and the stored field.
    pub(crate) name: String,
    /// The name of the user.
    pub(crate) tokens: Option<LitStr>,
}

impl Fill {
    /// Returns whether a new value may give another value to the field.
    pub(crate) fn is_default(&self) -> bool {
        matches!(self.value, FillValue::Default(_))
    }
}

impl NewField {
    /// Returns the attribute of serde with this name.
    pub(crate) fn serde_of(&self, name: &str) -> Option<&Meta> {
        self.serde.iter().find(|meta| meta.path().is_ident(name))
    }
}

impl Model {
    /// Returns the fields of the struct of new values, in the order of the model.
    pub(crate) fn new_fields<'m>(&'m self, new: &'m NewStruct) -> impl Iterator<Item = (&'m Field, &'m NewField)> {
        let is_given = |(field, _): &(&Field, &NewField)| {
            !field.is_left_to_writes() && field.fill.as_ref().is_none_or(Fill::is_default)
        };
        self.record.fields.iter().zip(&new.fields).filter(is_given)
    }
}

impl Field {
    /// Returns the name of the sequence that numbers the field.
    pub(crate) fn sequence(&self) -> Option<&str> {
        match &self.fill.as_ref()?.value {
            FillValue::Sequence(sequence) => Some(&sequence.name),
            FillValue::Type | FillValue::Function(_) | FillValue::Default(_) => None,
        }
    }

    /// Returns whether a write sets or fills the field, whatever an inserted value holds.
    pub(crate) fn is_left_to_writes(&self) -> bool {
        let is_filled = |copy: &Copy| !copy.given;
        let is_below_parent = |tree: &Tree| tree.role != TreeRole::Parent;
        self.managed.is_some()
            || self.copy.as_ref().is_some_and(is_filled)
            || self.rollup.is_some()
            || self.slug.is_some()
            || self.tree.as_ref().is_some_and(is_below_parent)
            || self.relation().is_some_and(Relation::is_mirror)
    }
}
