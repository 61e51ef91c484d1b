//! Computes the references of a document after an update, as far as the update operators determine the references. Pure.

use mongodb::bson::{Bson, Document};

use super::link::ids_in;
use crate::{document::is_inside, key::Key};

/// Returns the references at a field after an update, from the references before; `None` where only the server knows.
pub(super) fn after(before: &[Bson], update: &Document, name: &str) -> Option<Vec<Bson>> {
    let mut after = before.to_vec();
    for (operator, fields) in update {
        let fields = fields.as_document()?;
        if fields.keys().any(|path| is_inside(path, name)) || operator == "$rename" {
            return None;
        }
        let Some(value) = fields.get(name) else { continue };
        match operator.as_str() {
            "$set" => after = ids_in(value),
            "$unset" => after.clear(),
            "$setOnInsert" => {}
            "$addToSet" | "$push" => after.extend(added(value)?),
            "$pull" => retain(&mut after, &pulled(value)?),
            "$pullAll" => retain(&mut after, value.as_array()?),
            _ => return None,
        }
    }
    Some(after)
}

/// Returns the added elements; `None` where the value has further modifiers.
fn added(value: &Bson) -> Option<Vec<Bson>> {
    match value {
        Bson::Document(each) if each.len() == 1 => Some(ids_in(&Bson::Array(each.get_array("$each").ok()?.clone()))),
        Bson::Document(_) => None,
        id => Some(ids_in(id)),
    }
}

/// Returns the removed elements; `None` where the condition does not name the elements.
fn pulled(value: &Bson) -> Option<Vec<Bson>> {
    match value {
        Bson::Document(condition) => match (condition.get("$eq"), condition.get("$in")) {
            (Some(id), None) if condition.len() == 1 => Some(vec![id.clone()]),
            (None, Some(Bson::Array(ids))) if condition.len() == 1 => Some(ids.clone()),
            _ => None,
        },
        id => Some(vec![id.clone()]),
    }
}

fn retain(ids: &mut Vec<Bson>, gone: &[Bson]) {
    let gone: Vec<Key> = gone.iter().map(Key::of).collect();
    ids.retain(|id| !gone.contains(&Key::of(id)));
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn of(update: Document) -> Option<Vec<i32>> {
        let before = [Bson::Int32(1), Bson::Int32(2)];
        after(&before, &update, "a").map(|ids| ids.iter().filter_map(Bson::as_i32).collect())
    }

    #[test]
    fn what_the_words_say() {
        assert_eq!(of(doc! { "$set": { "b": 1, "ab": 2 } }), Some(vec![1, 2]));
        assert_eq!(of(doc! { "$set": { "a": 3 } }), Some(vec![3]));
        assert_eq!(of(doc! { "$set": { "a": null } }), Some(vec![]));
        assert_eq!(of(doc! { "$set": { "a": [4, null] }, "$inc": { "b": 1 } }), Some(vec![4]));
        assert_eq!(of(doc! { "$unset": { "a": "" } }), Some(vec![]));
        assert_eq!(of(doc! { "$addToSet": { "a": { "$each": [3, 1] } } }), Some(vec![1, 2, 3, 1]));
        assert_eq!(of(doc! { "$push": { "a": 3 } }), Some(vec![1, 2, 3]));
        assert_eq!(of(doc! { "$pull": { "a": 1_i64 } }), Some(vec![2]));
        assert_eq!(of(doc! { "$pull": { "a": { "$in": [1, 7] } } }), Some(vec![2]));
        assert_eq!(of(doc! { "$pullAll": { "a": [2, 1] } }), Some(vec![]));
    }

    #[test]
    fn what_only_the_server_knows() {
        for update in [
            doc! { "$set": { "a.0": 3 } },
            doc! { "$pop": { "a": 1 } },
            doc! { "$push": { "a": { "$each": [3], "$slice": 2 } } },
            doc! { "$pull": { "a": { "$gt": 1 } } },
            doc! { "$rename": { "b": "a" } },
            doc! { "$min": { "a": 0 } },
        ] {
            assert_eq!(of(update.clone()), None, "{update}");
        }
    }
}
