//! The rules by which a server compares texts, as the attributes of indexes, queries and collections state the rules.

use mongodb::bson::{Bson, Document};

use super::{IndexDefinition, IndexOrigin, ModelDefinition, RelationDefinition, str_eq};

/// A collation: the language and the options by which a server compares texts. An option that is `None` has the value
/// of the language.
///
/// ```
/// use schema_runtime::definition::CollationDefinition;
///
/// let norwegian = CollationDefinition::new("nb").strength(2).numeric_ordering(true);
/// assert_eq!(norwegian.to_document().get_str("locale").ok(), Some("nb"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollationDefinition {
    /// The ICU locale, as `nb` or `de@collation=phonebook`; `simple` for the comparison by bytes.
    pub locale: &'static str,
    /// The level of the comparison, from 1 (letters) to 5 (identical code points).
    pub strength: Option<u32>,
    /// True when case counts at strength 1 and 2.
    pub case_level: Option<bool>,
    /// The case that comes first: `upper`, `lower` or `off`.
    pub case_first: Option<&'static str>,
    /// True when digits compare as numbers: `a2` before `a10`.
    pub numeric_ordering: Option<bool>,
    /// `shifted` when spaces and punctuation do not count below strength 4, else `non-ignorable`.
    pub alternate: Option<&'static str>,
    /// The characters that `shifted` leaves out: `punct` or `space`.
    pub max_variable: Option<&'static str>,
    /// True when the server normalizes texts before the comparison.
    pub normalization: Option<bool>,
    /// True when accents compare from the end of the text.
    pub backwards: Option<bool>,
}

impl CollationDefinition {
    /// The collation of the word `case_insensitive`: letters and accents count, case does not.
    pub const CASE_INSENSITIVE: CollationDefinition = CollationDefinition::new("en").strength(2);

    /// The comparison by bytes.
    pub const SIMPLE: CollationDefinition = CollationDefinition::new("simple");

    /// Creates the collation of a language.
    pub const fn new(locale: &'static str) -> Self {
        CollationDefinition {
            locale,
            strength: None,
            case_level: None,
            case_first: None,
            numeric_ordering: None,
            alternate: None,
            max_variable: None,
            normalization: None,
            backwards: None,
        }
    }

    /// Sets the level of the comparison, from 1 to 5.
    pub const fn strength(self, strength: u32) -> Self {
        CollationDefinition { strength: Some(strength), ..self }
    }

    /// Makes case count at strength 1 and 2, or not.
    pub const fn case_level(self, case_level: bool) -> Self {
        CollationDefinition { case_level: Some(case_level), ..self }
    }

    /// Sets the case that comes first: `upper`, `lower` or `off`.
    pub const fn case_first(self, case_first: &'static str) -> Self {
        CollationDefinition { case_first: Some(case_first), ..self }
    }

    /// Makes digits compare as numbers, or not.
    pub const fn numeric_ordering(self, numeric_ordering: bool) -> Self {
        CollationDefinition { numeric_ordering: Some(numeric_ordering), ..self }
    }

    /// Sets whether spaces and punctuation count: `non-ignorable` or `shifted`.
    pub const fn alternate(self, alternate: &'static str) -> Self {
        CollationDefinition { alternate: Some(alternate), ..self }
    }

    /// Sets the characters that `shifted` leaves out: `punct` or `space`.
    pub const fn max_variable(self, max_variable: &'static str) -> Self {
        CollationDefinition { max_variable: Some(max_variable), ..self }
    }

    /// Makes the server normalize texts before the comparison, or not.
    pub const fn normalization(self, normalization: bool) -> Self {
        CollationDefinition { normalization: Some(normalization), ..self }
    }

    /// Makes accents compare from the end of the text, or not.
    pub const fn backwards(self, backwards: bool) -> Self {
        CollationDefinition { backwards: Some(backwards), ..self }
    }

    /// Returns whether the collation compares by bytes.
    pub const fn is_simple(&self) -> bool {
        str_eq(self.locale, "simple")
    }

    /// Returns the collation in the notation of the server.
    pub fn to_document(&self) -> Document {
        let mut document = Document::new();
        document.insert("locale", self.locale);
        let options: [(&str, Option<Bson>); 8] = [
            ("caseLevel", self.case_level.map(Bson::from)),
            ("caseFirst", self.case_first.map(Bson::from)),
            ("strength", self.strength.map(|strength| Bson::Int32(strength as i32))),
            ("numericOrdering", self.numeric_ordering.map(Bson::from)),
            ("alternate", self.alternate.map(Bson::from)),
            ("maxVariable", self.max_variable.map(Bson::from)),
            ("normalization", self.normalization.map(Bson::from)),
            ("backwards", self.backwards.map(Bson::from)),
        ];
        document.extend(options.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        document
    }

    /// Returns the end of the default name of an index with the collation: `nb_2`, `en_2_numericOrdering`.
    pub(crate) fn in_name(&self) -> String {
        let mut parts = vec![self.locale.to_owned()];
        parts.extend(self.strength.map(|strength| strength.to_string()));
        let switches = [
            ("caseLevel", self.case_level),
            ("numericOrdering", self.numeric_ordering),
            ("normalization", self.normalization),
            ("backwards", self.backwards),
        ];
        let words = [("caseFirst", self.case_first), ("alternate", self.alternate), ("maxVariable", self.max_variable)];
        for (name, on) in switches {
            parts.extend(on.map(|on| if on { name.to_owned() } else { format!("{name}_off") }));
        }
        parts.extend(words.into_iter().filter_map(|(name, word)| Some(format!("{name}_{}", word?))));
        parts.join("_")
    }
}

/// The comparison of texts by a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Texts {
    /// By the collation of the collection.
    #[default]
    Inherited,
    /// By bytes.
    Bytes,
    /// By a collation.
    By(CollationDefinition),
}

impl ModelDefinition {
    /// Returns the comparison of texts by a read that compares the references of a relation of the model. References to
    /// texts are equal by bytes alone.
    pub(crate) fn texts_of(&self, relation: &RelationDefinition) -> Texts {
        let path = match relation.by {
            Some(by) => self.resolve(&[relation.field, by]),
            None => self.resolve(&[relation.field]),
        };
        match self.options.collation {
            Some(_) if path.is_some_and(|path| path.shape.may_hold_text()) => Texts::Bytes,
            _ => Texts::Inherited,
        }
    }

    /// Returns the comparison of texts by a write of the model. A write with derived data also compares values of its
    /// own, by bytes.
    pub(crate) fn texts_of_writes(&self) -> Texts {
        if self.fills() { Texts::Bytes } else { Texts::Inherited }
    }

    /// Returns the collation that an index of the collection states; `None` for the collation of the collection. The
    /// index of references to texts compares by bytes.
    pub(crate) fn index_collation(&self, index: &IndexDefinition) -> Option<CollationDefinition> {
        let refers_to_texts = || {
            let IndexOrigin::Relation(field) = index.origin else { return false };
            self.relation(field).is_some_and(|relation| self.texts_of(relation) == Texts::Bytes)
        };
        match index.collation {
            None if refers_to_texts() => Some(CollationDefinition::SIMPLE),
            own => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_collation_in_the_notation_of_the_server_and_in_names() {
        let none = CollationDefinition::new("nb");
        assert_eq!((none.to_document(), none.in_name()), (doc! { "locale": "nb" }, "nb".to_owned()));
        let all = none
            .strength(1)
            .case_level(true)
            .case_first("upper")
            .numeric_ordering(true)
            .alternate("shifted")
            .max_variable("space")
            .normalization(false)
            .backwards(false);
        assert_eq!(
            all.to_document(),
            doc! {
                "locale": "nb", "caseLevel": true, "caseFirst": "upper", "strength": 1, "numericOrdering": true,
                "alternate": "shifted", "maxVariable": "space", "normalization": false, "backwards": false,
            }
        );
        assert_eq!(
            all.in_name(),
            "nb_1_caseLevel_numericOrdering_normalization_off_backwards_off_caseFirst_upper_alternate_shifted_maxVariable_space"
        );
        assert_eq!(CollationDefinition::CASE_INSENSITIVE.in_name(), "en_2");
        assert!(CollationDefinition::SIMPLE.is_simple());
    }
}
