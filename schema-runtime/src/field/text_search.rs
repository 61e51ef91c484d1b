//! A search for words in the text index of a model.

use std::fmt;

use mongodb::bson::{Document, doc};

use crate::definition::TextLanguage;

/// A model with a text index, `#[index(text(title, body))]`. The derive implements the trait, unless the index is
/// hidden.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no text index, and only a text index finds words",
    label = "this is a search for words",
    note = "help: declare the index above the struct: `#[index(text(title, body))]`; or search one field without an index: `{Self}::F.title.contains_text(..)`"
)]
pub trait TextIndexed {}

/// The words of a [`Filter::text`](crate::Filter::text), with the options of the search.
///
/// Each text is taken literally: a quote or a minus has no meaning.
///
/// ```
/// # use schema_runtime::{TextLanguage, TextSearch, prelude::*};
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")] #[index(text(title))]
/// # struct Post { #[serde(rename = "_id")] id: ObjectId, title: String }
/// let search = TextSearch::words("coffee cake").phrase("with cream").without("tea").language(TextLanguage::English);
/// let filter = Post::find(Filter::text(search));
/// # let _ = filter;
/// ```
#[derive(Clone)]
pub struct TextSearch {
    search: String,
    language: Option<TextLanguage>,
    case_sensitive: bool,
    diacritic_sensitive: bool,
}

impl TextSearch {
    /// Finds documents with at least one of these words. The server compares the stems of the words in the language of
    /// the index: `cakes` finds `cake`.
    ///
    /// ```
    /// # use schema_runtime::TextSearch;
    /// let search = TextSearch::words("coffee cakes");
    /// # let _ = search;
    /// ```
    pub fn words(words: &str) -> Self {
        TextSearch { search: plain(words), language: None, case_sensitive: false, diacritic_sensitive: false }
    }

    /// Also demands these words one after another. With a phrase, a document needs no further word.
    ///
    /// ```
    /// # use schema_runtime::TextSearch;
    /// let search = TextSearch::words("cake").phrase("with cream");
    /// # let _ = search;
    /// ```
    pub fn phrase(mut self, phrase: &str) -> Self {
        let phrase = plain(phrase);
        if !phrase.trim().is_empty() {
            self.search.push_str(&format!(" \"{}\"", phrase.trim()));
        }
        self
    }

    /// Leaves out the documents with any of these words.
    ///
    /// ```
    /// # use schema_runtime::TextSearch;
    /// let search = TextSearch::words("cake").without("sugar flour");
    /// # let _ = search;
    /// ```
    pub fn without(mut self, words: &str) -> Self {
        for word in plain(words).split_whitespace() {
            self.search.push_str(" -");
            self.search.push_str(word);
        }
        self
    }

    /// Reads the searched words in another language than the language of the index.
    ///
    /// ```
    /// # use schema_runtime::{TextLanguage, TextSearch};
    /// let search = TextSearch::words("kaker").language(TextLanguage::Norwegian);
    /// # let _ = search;
    /// ```
    pub fn language(self, language: TextLanguage) -> Self {
        TextSearch { language: Some(language), ..self }
    }

    /// Tells capital letters from small letters.
    ///
    /// ```
    /// # use schema_runtime::TextSearch;
    /// let search = TextSearch::words("Rust").case_sensitive();
    /// # let _ = search;
    /// ```
    pub fn case_sensitive(self) -> Self {
        TextSearch { case_sensitive: true, ..self }
    }

    /// Tells letters with marks from letters without marks: `cafe` does not find `café`.
    ///
    /// ```
    /// # use schema_runtime::TextSearch;
    /// let search = TextSearch::words("café").diacritic_sensitive();
    /// # let _ = search;
    /// ```
    pub fn diacritic_sensitive(self) -> Self {
        TextSearch { diacritic_sensitive: true, ..self }
    }

    /// Returns the condition for the server.
    pub(super) fn into_document(self) -> Document {
        let mut text = doc! { "$search": self.search };
        if let Some(language) = self.language {
            text.insert("$language", language.name());
        }
        for (option, given) in
            [("$caseSensitive", self.case_sensitive), ("$diacriticSensitive", self.diacritic_sensitive)]
        {
            if given {
                text.insert(option, true);
            }
        }
        doc! { "$text": text }
    }
}

/// Returns the words without the letters that have a meaning to the server.
fn plain(words: &str) -> String {
    words.chars().map(|letter| if matches!(letter, '"' | '-') { ' ' } else { letter }).collect()
}

impl From<&str> for TextSearch {
    fn from(words: &str) -> Self {
        TextSearch::words(words)
    }
}

impl From<&String> for TextSearch {
    fn from(words: &String) -> Self {
        TextSearch::words(words)
    }
}

impl From<String> for TextSearch {
    fn from(words: String) -> Self {
        TextSearch::words(&words)
    }
}

/// Shows no word of the search.
impl fmt::Debug for TextSearch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TextSearch").field("language", &self.language).finish_non_exhaustive()
    }
}
