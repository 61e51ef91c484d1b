//! Collations in the form of the driver.

use mongodb::{
    bson::{Bson, Document},
    options::Collation,
};

use crate::{codec, definition::CollationDefinition};

impl From<CollationDefinition> for Collation {
    fn from(definition: CollationDefinition) -> Self {
        let collation = driver_collation(&definition.to_document());
        // A definition that a derive has not checked may hold a word that the driver does not know.
        collation.unwrap_or_else(|| Collation::builder().locale(definition.locale).build())
    }
}

/// Returns a collation of the server in the form of the driver; `None` for an option that the driver does not know.
pub(crate) fn driver_collation(collation: &Document) -> Option<Collation> {
    codec::decode_value(&Bson::Document(collation.clone())).ok()
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn every_option_arrives_at_the_driver() {
        let all = CollationDefinition::new("nb")
            .strength(1)
            .case_level(true)
            .case_first("upper")
            .numeric_ordering(true)
            .alternate("shifted")
            .max_variable("space")
            .normalization(true)
            .backwards(false);
        let encoded = codec::encode_value(&Collation::from(all)).expect("a document");
        let mut expected = all.to_document();
        let mut encoded = encoded.as_document().expect("a document").clone();
        let strength = |document: &mut Document| document.remove("strength").map(|strength| strength.to_string());
        assert_eq!(strength(&mut encoded), strength(&mut expected));
        let sorted = |document: Document| document.into_iter().collect::<std::collections::BTreeMap<_, _>>();
        assert_eq!(sorted(encoded), sorted(expected));
        assert!(driver_collation(&doc! { "locale": "nb", "alternate": "other" }).is_none());
    }
}
