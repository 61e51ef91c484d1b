//! Search indexes and vector indexes of MongoDB Atlas, as definitions: this crate makes the indexes, and the program
//! writes the stages `$search` and `$vectorSearch`.

/// A search index or a vector index of a collection.
#[derive(Clone, Copy, Debug)]
pub struct SearchIndexDefinition {
    /// The name on the server.
    pub name: &'static str,
    /// The kind of the index, with the contents.
    pub kind: SearchIndexKind,
}

/// The kind of a search index.
#[derive(Clone, Copy, Debug)]
pub enum SearchIndexKind {
    /// An index for `$search`.
    Search {
        /// True when the index also has the fields that `fields` does not name.
        dynamic: bool,
        /// The fields, each in one form. A field may have several forms.
        fields: &'static [SearchField],
    },
    /// An index for `$vectorSearch`.
    Vector(VectorIndex),
}

/// A field of a search index.
#[derive(Clone, Copy, Debug)]
pub struct SearchField {
    /// The path, in the names of Rust.
    pub path: &'static [&'static str],
    /// The form of the field in the index.
    pub form: SearchForm,
}

/// The form of a field in a search index.
#[derive(Clone, Copy, Debug)]
pub enum SearchForm {
    /// The words of a string, by an analyzer.
    Text {
        /// The analyzer of stored texts; `None` for `lucene.standard`.
        analyzer: Option<&'static str>,
        /// The analyzer of the text of a search; `None` for the analyzer of stored texts.
        search_analyzer: Option<&'static str>,
    },
    /// The beginnings of the words of a string.
    Autocomplete,
    /// The whole value of a string, a number or a date: for facets, sorts, and comparisons.
    Facet,
}

/// The vectors of an index for `$vectorSearch`.
#[derive(Clone, Copy, Debug)]
pub struct VectorIndex {
    /// The path of the list of numbers, in the names of Rust.
    pub path: &'static [&'static str],
    /// The length of each vector.
    pub dimensions: u32,
    /// The way in which two vectors are compared.
    pub similarity: Similarity,
    /// The paths of the fields that a search may compare before the vectors.
    pub filter: &'static [&'static [&'static str]],
}

/// The way in which two vectors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Similarity {
    /// By the angle between the vectors.
    Cosine,
    /// By the dot product; the vectors have the length 1.
    DotProduct,
    /// By the distance between the ends of the vectors.
    Euclidean,
}

impl Similarity {
    /// Returns the word of the server.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Similarity::Cosine => "cosine",
            Similarity::DotProduct => "dotProduct",
            Similarity::Euclidean => "euclidean",
        }
    }
}

impl SearchIndexDefinition {
    /// Creates a search index of these fields.
    pub const fn search(name: &'static str, fields: &'static [SearchField]) -> Self {
        SearchIndexDefinition { name, kind: SearchIndexKind::Search { dynamic: false, fields } }
    }

    /// Creates a vector index.
    pub const fn vector(name: &'static str, vectors: VectorIndex) -> Self {
        SearchIndexDefinition { name, kind: SearchIndexKind::Vector(vectors) }
    }

    /// Adds all further fields to a search index.
    pub const fn dynamic(self) -> Self {
        match self.kind {
            SearchIndexKind::Search { fields, .. } => {
                SearchIndexDefinition { kind: SearchIndexKind::Search { dynamic: true, fields }, ..self }
            }
            SearchIndexKind::Vector(_) => self,
        }
    }
}
