//! Elements of an array in the place of the documents that hold them. Pure.

use mongodb::bson::{Bson, Document, doc};

/// Each element of an array as the document that it is in, with it in the place of the array. The documents and the elements in each are stored in
/// the order of the query, so that nothing is sorted, and a limit ends the read.
#[derive(Clone, Debug)]
pub(crate) struct Unwind {
    pub(crate) array: &'static str,
    /// How many keys of the query's sort are of the documents: the first ones.
    pub(crate) keys: usize,
    /// Which documents; the query's filter is of the elements.
    pub(crate) filter: Document,
}

impl Unwind {
    /// The stages before the query's own.
    pub(super) fn into_stages(self, sort: &Document) -> Vec<Document> {
        let array = format!("${}", self.array);
        let of_documents: Document = sort.iter().take(self.keys).map(|(key, way)| (key.clone(), way.clone())).collect();
        let backward = sort.values().last() == Some(&Bson::Int32(-1));
        let mut stages = vec![doc! { "$match": self.filter }, doc! { "$sort": of_documents }];
        stages.extend(backward.then(|| doc! { "$set": { self.array: { "$reverseArray": &array } } }));
        stages.push(doc! { "$unwind": array });
        stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_are_sorted_and_the_elements_are_read_from_either_end() {
        let unwind = Unwind { array: "items", keys: 1, filter: doc! { "post": 7 } };
        let forward = unwind.clone().into_stages(&doc! { "page": 1, "items._id": 1 });
        assert_eq!(
            forward,
            [doc! { "$match": { "post": 7 } }, doc! { "$sort": { "page": 1 } }, doc! { "$unwind": "$items" }]
        );
        let backward = unwind.into_stages(&doc! { "page": -1, "items._id": -1 });
        assert_eq!(
            backward[1..3],
            [doc! { "$sort": { "page": -1 } }, doc! { "$set": { "items": { "$reverseArray": "$items" } } }]
        );
    }
}
