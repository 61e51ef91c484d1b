//! The counts in the server's reply to a command.

use mongodb::bson::{Bson, Document};

use crate::document;

/// The counts of a reply; `None` for a count that the reply does not have.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// The number of documents, or of values, in the reply.
    pub(super) returned: Option<u64>,
    /// The number of inserted, matched or deleted documents.
    pub(super) matched: Option<u64>,
    pub(super) modified: Option<u64>,
    pub(super) upserted: Option<u64>,
    /// The number of writes that the server refused.
    pub(super) refused: Option<u64>,
}

impl Counts {
    pub(super) fn of(reply: &Document) -> Self {
        let count = |name: &str| reply.contains_key(name).then(|| document::count(reply.get(name)));
        Counts {
            returned: returned(reply),
            matched: count("n"),
            modified: count("nModified"),
            upserted: length(reply, "upserted"),
            refused: length(reply, "writeErrors"),
        }
    }
}

fn returned(reply: &Document) -> Option<u64> {
    if let Ok(cursor) = reply.get_document("cursor") {
        return length(cursor, "firstBatch").or_else(|| length(cursor, "nextBatch"));
    }
    // `findAndModify` has one document, or null.
    let found =
        || reply.contains_key("lastErrorObject").then(|| reply.get("value").is_some_and(|found| *found != Bson::Null));
    length(reply, "values").or_else(|| found().map(u64::from))
}

fn length(document: &Document, name: &str) -> Option<u64> {
    document.get_array(name).ok().map(|list| list.len() as u64)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn each_reply_has_its_counts() {
        let found = |returned| Counts { returned: Some(returned), ..Counts::default() };
        assert_eq!(Counts::of(&doc! { "cursor": { "firstBatch": [{}, {}], "id": 0 }, "ok": 1 }), found(2));
        assert_eq!(Counts::of(&doc! { "cursor": { "nextBatch": [{}], "id": 0 }, "ok": 1 }), found(1));
        assert_eq!(Counts::of(&doc! { "values": [1, 2, 3], "ok": 1 }), found(3));
        assert_eq!(Counts::of(&doc! { "ok": 1 }), Counts::default());
        let updated = Counts { matched: Some(2), modified: Some(1), upserted: Some(1), ..Counts::default() };
        assert_eq!(Counts::of(&doc! { "n": 2, "nModified": 1, "upserted": [{ "index": 0, "_id": 1 }] }), updated);
        let refused = Counts { matched: Some(0), refused: Some(1), ..Counts::default() };
        assert_eq!(Counts::of(&doc! { "n": 0, "writeErrors": [{}] }), refused);
        assert_eq!(Counts::of(&doc! { "lastErrorObject": { "n": 1 }, "value": { "_id": 1 } }), found(1));
        assert_eq!(Counts::of(&doc! { "lastErrorObject": { "n": 0 }, "value": Bson::Null }), found(0));
    }
}
