//! The attributes of a random collection.

use std::fmt::Write;

use super::cases::{Collation, Direction, FIELDS, Index, Kind, Things};

impl Kind {
    /// Returns the attribute.
    fn attribute(&self) -> String {
        let ttl = |ttl: &Option<u32>| ttl.map(|seconds| format!("ttl = \"{seconds}s\""));
        match self {
            Kind::Capped { bytes, documents } => {
                let documents = documents.map_or_else(String::new, |most| format!(", max = {most}"));
                format!("capped(size = \"{bytes}B\"{documents})")
            }
            Kind::Clustered { ttl: given } => match ttl(given) {
                Some(ttl) => format!("clustered({ttl})"),
                None => "clustered".to_owned(),
            },
            Kind::Series { meta, granularity, ttl: given } => {
                let meta = if *meta { ", meta = meta" } else { "" };
                let ttl = ttl(given).map_or_else(String::new, |ttl| format!(", {ttl}"));
                format!("time_series(time = at{meta}, granularity = {granularity}{ttl})")
            }
            Kind::View { filter } => {
                let filter = if *filter { ", filter(gt(number, 5))" } else { "" };
                format!("view(of = Source{filter})")
            }
        }
    }
}

impl Things {
    /// Returns the struct with the attributes.
    pub(crate) fn source(&self) -> String {
        let mut words = vec!["collection = \"things\"".to_owned()];
        words.extend(self.kinds.iter().map(Kind::attribute));
        words.extend(self.images.then(|| "pre_and_post_images".to_owned()));
        words.extend(self.compression.map(|word| format!("compression = {word}")));
        words.extend(self.collation.map(|collation| collation.attribute()));
        words.extend(self.validation.then(|| "validation(level = moderate)".to_owned()));
        let mut text = format!("#[model({})]\n", words.join(", "));
        for index in &self.indexes {
            let _ = writeln!(text, "#[index({})]", index.attribute());
        }
        text + &format!("struct Thing {{ {FIELDS} }}")
    }
}

impl Collation {
    fn attribute(&self) -> String {
        let mut words = vec![format!("locale = \"{}\"", self.locale)];
        words.extend(self.strength.map(|strength| format!("strength = {strength}")));
        words.extend(self.numeric.then(|| "numeric_ordering".to_owned()));
        format!("collation({})", words.join(", "))
    }
}

impl Index {
    fn attribute(&self) -> String {
        let mut words = self.key_words();
        words.extend(self.name.map(|name| format!("name = \"{name}\"")));
        for (word, is_given) in [("unique", self.unique), ("sparse", self.sparse), ("hidden", self.hidden)] {
            words.extend(is_given.then(|| word.to_owned()));
        }
        words.extend(self.ttl.map(|seconds| format!("ttl = \"{seconds}s\"")));
        words.extend(self.partial.map(|bound| format!("partial(gt(number, {bound}))")));
        words.extend(self.collation.map(|collation| match collation {
            Collation::CASE_INSENSITIVE => "case_insensitive".to_owned(),
            collation => collation.attribute(),
        }));
        let weight = self.words().zip(self.weight);
        words.extend(weight.map(|(path, weight)| format!("weights({path} = {weight})")));
        words.extend(self.language.map(|language| format!("language = \"{language}\"")));
        for (word, paths) in [("only", &self.only), ("except", &self.except)] {
            words.extend((!paths.is_empty()).then(|| format!("{word}({})", paths.join(", "))));
        }
        words.extend(self.bits.map(|bits| format!("bits = {bits}")));
        words.extend(self.limits.map(|(min, max)| format!("min = {min:?}, max = {max:?}")));
        words.join(", ")
    }

    /// Returns the keys. Neighboring keys of words are one `text(..)`.
    fn key_words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut is_text = false;
        for (direction, path) in &self.keys {
            let continues = is_text && *direction == Direction::Text && !path.is_empty();
            is_text = *direction == Direction::Text && !path.is_empty();
            if continues && let Some(last) = words.last_mut() {
                last.pop();
                let _ = write!(last, ", {path})");
                continue;
            }
            let word = match direction {
                Direction::Ascending => (*path).to_owned(),
                Direction::Descending => format!("desc({path})"),
                Direction::Hashed => format!("hashed({path})"),
                Direction::Sphere => format!("geo({path})"),
                Direction::Plane => format!("geo_2d({path})"),
                Direction::Text if path.is_empty() => "wildcard_text".to_owned(),
                Direction::Text => format!("text({path})"),
                Direction::Wildcard if path.is_empty() => "wildcard".to_owned(),
                Direction::Wildcard => format!("wildcard({path})"),
            };
            words.push(word);
        }
        words
    }
}
