//! The attributes of this crate on an item, a field or a variant, without the misplaced and the excluded attributes.

use syn::Meta;

use super::misplaced::misplaced;
use crate::{
    attributes::{Attribute, Place, Reason},
    errors::Errors,
};

pub(super) struct Given<'a> {
    list: Vec<(Attribute, &'a syn::Attribute)>,
}

impl<'a> Given<'a> {
    /// Reads the attributes. An attribute that may not stand here is a mistake, and is left out. `field` is the name of
    /// the field; `None` for an item or a variant.
    pub(super) fn read(
        attributes: &'a [syn::Attribute],
        place: Place,
        field: Option<&str>,
        errors: &Errors,
    ) -> Given<'a> {
        let mut given = Given { list: Vec::new() };
        for tokens in attributes {
            let Some(attribute) = Attribute::of(tokens.path()) else { continue };
            if !attribute.may_stand(place) {
                errors.at(tokens.path(), misplaced(attribute, place, field));
            } else if let Some(message) = given.excluding(attribute, place) {
                errors.at(tokens.path(), message);
            } else if !attribute.takes_words() && !matches!(tokens.meta, Meta::Path(_)) {
                errors.at(&tokens.meta, format!("`{0}` takes no words\nhelp: write `{0}`", attribute.text()));
            } else {
                given.list.push((attribute, tokens));
            }
        }
        given
    }

    /// Returns all attributes of this crate, in right and wrong places.
    pub(super) fn all_of(attributes: &'a [syn::Attribute]) -> Given<'a> {
        let known = attributes.iter().filter_map(|tokens| Some((Attribute::of(tokens.path())?, tokens)));
        Given { list: known.collect() }
    }

    /// Returns why an attribute cannot stand beside an earlier attribute; `None` when both may stand.
    fn excluding(&self, attribute: Attribute, place: Place) -> Option<String> {
        let may_stand = |earlier: Attribute| earlier != attribute && place.is_embedded_item();
        let mut earlier = self.list.iter().filter(|(earlier, _)| !may_stand(*earlier));
        let (earlier, reason) = earlier.find_map(|(earlier, _)| Some((*earlier, earlier.excludes(attribute)?)))?;
        let what = match earlier == attribute {
            true => format!("`{}` is given twice", attribute.text()),
            false => format!("`{}` cannot be used with `{}`", attribute.text(), earlier.text()),
        };
        Some(with_reason(&what, reason))
    }

    /// Returns why a word of an attribute cannot stand beside the rest of the attributes; `None` when the word may
    /// stand.
    pub(super) fn excluding_word(&self, attribute: Attribute, word: &str) -> Option<String> {
        let mut others = self.list.iter();
        let (other, reason) = others.find_map(|(other, _)| Some((*other, attribute.excludes_with(word, *other)?)))?;
        let what = format!("`{word}` of `{}` cannot be used with `{}`", attribute.text(), other.text());
        Some(with_reason(&what, reason))
    }

    pub(super) fn all(&self, attribute: Attribute) -> impl Iterator<Item = &'a syn::Attribute> {
        self.list.iter().filter(move |(found, _)| *found == attribute).map(|(_, tokens)| *tokens)
    }

    /// Returns the attribute of this kind, or the first of several.
    pub(super) fn get(&self, attribute: Attribute) -> Option<&'a syn::Attribute> {
        self.all(attribute).next()
    }

    /// Returns the first attribute of any kind.
    pub(super) fn first(&self) -> Option<&'a syn::Attribute> {
        self.list.first().map(|(_, tokens)| *tokens)
    }
}

fn with_reason(what: &str, reason: Reason) -> String {
    let why = reason.why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("{what}{why}\nhelp: {}", reason.help)
}
