//! Collations: the rules by which a server compares texts.

use syn::Expr;

/// `collation(locale = "nb", strength = 2, numeric_ordering)`, or `case_insensitive`.
#[derive(Clone)]
pub(crate) struct Collation {
    pub(crate) locale: String,
    pub(crate) options: Vec<CollationOption>,
    /// The whole argument of the user.
    pub(crate) tokens: Expr,
}

/// An option of a collation, as written.
#[derive(Clone)]
pub(crate) struct CollationOption {
    pub(crate) word: &'static str,
    pub(crate) value: CollationValue,
    pub(crate) tokens: Expr,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CollationValue {
    Number(u64),
    Switch(bool),
    /// A word, as `upper`.
    Word(String),
}

impl Collation {
    /// Returns the collation of the word `case_insensitive`.
    pub(crate) fn case_insensitive(tokens: &Expr) -> Collation {
        let strength = CollationOption { word: "strength", value: CollationValue::Number(2), tokens: tokens.clone() };
        Collation { locale: "en".to_owned(), options: vec![strength], tokens: tokens.clone() }
    }

    /// Returns the comparison by bytes, in a collection with another collation.
    pub(crate) fn simple(other: &Collation) -> Collation {
        Collation { locale: "simple".to_owned(), options: Vec::new(), tokens: other.tokens.clone() }
    }

    /// Returns whether the collation compares by bytes.
    pub(crate) fn is_simple(&self) -> bool {
        self.locale == "simple"
    }

    pub(crate) fn option(&self, word: &str) -> Option<&CollationOption> {
        self.options.iter().find(|option| option.word == word)
    }

    /// Returns the locale and the options. The strength that is not given is the strength of all languages.
    pub(crate) fn whole(&self) -> (&str, Vec<(&'static str, &CollationValue)>) {
        static STRENGTH: CollationValue = CollationValue::Number(3);
        let mut options: Vec<_> = self.options.iter().map(|option| (option.word, &option.value)).collect();
        if !self.is_simple() && self.option("strength").is_none() {
            options.push(("strength", &STRENGTH));
        }
        options.sort_by_key(|(word, _)| *word);
        (&self.locale, options)
    }

    /// Returns whether two declarations say the same collation.
    pub(crate) fn same(left: Option<&Collation>, right: Option<&Collation>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => {
                left.locale == right.locale
                    && left.options.len() == right.options.len()
                    && left
                        .options
                        .iter()
                        .all(|option| right.option(option.word).is_some_and(|other| other.value == option.value))
            }
            (left, right) => left.is_none() && right.is_none(),
        }
    }

    /// Returns the end of the default name of an index with the collation: `nb_2`, `en_2_numericOrdering`.
    pub(crate) fn in_name(&self) -> String {
        let mut parts = vec![self.locale.clone()];
        let of = |word: &str| self.option(word).map(|option| &option.value);
        if let Some(CollationValue::Number(strength)) = of("strength") {
            parts.push(strength.to_string());
        }
        for (word, name) in [
            ("case_level", "caseLevel"),
            ("numeric_ordering", "numericOrdering"),
            ("normalization", "normalization"),
            ("backwards", "backwards"),
        ] {
            if let Some(CollationValue::Switch(on)) = of(word) {
                parts.push(if *on { name.to_owned() } else { format!("{name}_off") });
            }
        }
        for (word, name) in [("case_first", "caseFirst"), ("alternate", "alternate"), ("max_variable", "maxVariable")] {
            if let Some(CollationValue::Word(chosen)) = of(word) {
                parts.push(format!("{name}_{}", spelled(chosen)));
            }
        }
        parts.join("_")
    }
}

/// Returns a word of an attribute in the spelling of the server: `non_ignorable` is `non-ignorable`.
pub(crate) fn spelled(word: &str) -> String {
    word.replace('_', "-")
}
