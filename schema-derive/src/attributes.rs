//! The table of attributes: the name, the places, the excluded attributes, the words and an example of each attribute.
//! Every list of attributes or of words comes from this table.

mod excluded;
mod place;
mod reasons;
mod rows;
pub(crate) mod words;

use crate::{model::Managed, parse::Word, words::words};
pub(crate) use place::Place;
pub(crate) use reasons::Reason;

words! {
    /// An attribute of this crate.
    pub(crate) enum Attribute {
        Model = "model",
        Inverse = "inverse",
        Query = "query",
        Index = "index",
        SearchIndex = "search_index",
        VectorIndex = "vector_index",
        ShardKey = "shard_key",
        Embed = "embed",
        Projection = "projection",
        Patch = "patch",
        Relation = "relation",
        Reference = "reference",
        Bound = "bound",
        Opaque = "opaque",
        StoredAs = "stored_as",
        Version = Managed::Version.word(),
        CreatedAt = Managed::CreatedAt.word(),
        UpdatedAt = Managed::UpdatedAt.word(),
        Unversioned = "unversioned",
        Denormalize = "denormalize",
        CopiedTo = "copied_to",
        Changes = "changes",
        Subset = "subset",
        Computed = "computed",
        History = "history",
        Slug = "slug",
        Tree = "tree",
        Json = "json",
        Auto = "auto",
        Default = "default",
        Extra = "extra",
        Hidden = "hidden",
        Check = "check",
        Immutable = "immutable",
    }
}

/// The row of an attribute in the table.
pub(crate) struct Row {
    pub(crate) places: &'static [Place],
    /// True when the attribute may stand several times on the same item.
    pub(crate) repeats: bool,
    /// The attributes that cannot stand beside this attribute, and why. A pair is in the row of either attribute, not
    /// in both rows.
    pub(crate) excludes: &'static [(&'static [Attribute], Reason)],
    /// The words of the attribute, beside names of fields and models.
    pub(crate) words: &'static [&'static [Word]],
    /// An example of the attribute, and a field that may have the attribute.
    pub(crate) example: (&'static str, &'static str),
}

impl Row {
    /// Makes the row of an attribute that stands above models, several times.
    const fn above_models(words: &'static [&'static [Word]], example: &'static str) -> Row {
        Row { places: &[Place::Model], repeats: true, excludes: &[], words, example: (example, "") }
    }
}

impl Attribute {
    /// Returns the attribute with this path; `None` for an attribute of another crate.
    pub(crate) fn of(path: &syn::Path) -> Option<Attribute> {
        Attribute::ALL.iter().copied().find(|attribute| path.is_ident(attribute.word()))
    }

    /// Returns whether a model is the only place of the attribute.
    pub(crate) fn is_of_models(self) -> bool {
        matches!(self.row().places, [Place::Model])
    }

    pub(crate) fn may_stand(self, place: Place) -> bool {
        self.row().places.contains(&place)
    }

    /// Returns the words of the attribute.
    pub(crate) fn words(self) -> Vec<Word> {
        self.row().words.concat()
    }

    /// Returns whether the attribute takes words in parentheses.
    pub(crate) fn takes_words(self) -> bool {
        self.row().example.0.contains('(')
    }

    /// Returns the attribute as text: `#[version]`, `#[relation(..)]`.
    pub(crate) fn text(self) -> String {
        let words = if self.takes_words() { "(..)" } else { "" };
        format!("#[{}{words}]", self.word())
    }
}
