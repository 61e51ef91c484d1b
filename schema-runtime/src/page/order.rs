//! An order of documents without ties: no two documents are equal in the order.

use mongodb::bson::{Document, doc};

use crate::field::{SCORE, SCORE_KEY};

/// The keys of an order, then `_id` in the direction of the last key, so that no two documents are equal in the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Stored paths; `true` for descending.
    pub(crate) keys: Vec<(String, bool)>,
}

impl Order {
    /// Returns the order by these keys; `descending` is the direction of `_id` when `keys` is empty. A repeated path
    /// changes nothing.
    pub(crate) fn new(keys: impl IntoIterator<Item = (String, bool)>, descending: bool) -> Self {
        let mut order = Order { keys: Vec::new() };
        let id = "_id".to_owned();
        for (path, descending) in keys {
            if !order.has(&path) {
                order.keys.push((path, descending));
            }
        }
        if !order.has(&id) {
            let descending = order.keys.last().map_or(descending, |(_, descending)| *descending);
            order.keys.push((id, descending));
        }
        order
    }

    /// Returns the order of the same documents from the last to the first.
    pub(crate) fn reversed(&self) -> Self {
        Order { keys: self.keys.iter().map(|(path, descending)| (path.clone(), !descending)).collect() }
    }

    /// Returns the `sort` of a query.
    pub(crate) fn sort(&self) -> Document {
        sort_by(&self.keys)
    }

    /// Returns the stored paths.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(path, _)| path.as_str())
    }

    fn has(&self, path: &str) -> bool {
        self.paths().any(|known| known == path)
    }
}

/// Returns keys as the `sort` of a query; for a repeated path the first key counts.
pub(crate) fn sort_by(keys: &[(String, bool)]) -> Document {
    let mut sort = Document::new();
    for (path, descending) in keys {
        if path == SCORE_KEY {
            sort.insert(SCORE, doc! { "$meta": "textScore" });
        } else if !sort.contains_key(path) {
            sort.insert(path, if *descending { -1 } else { 1 });
        }
    }
    sort
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(keys: &[(&str, bool)]) -> Order {
        Order::new(keys.iter().map(|(path, descending)| ((*path).to_owned(), *descending)), false)
    }

    #[test]
    fn the_id_is_the_last_key_unless_it_is_one() {
        assert_eq!(order(&[]).sort(), doc! { "_id": 1 });
        assert_eq!(order(&[("a.b", true)]).sort(), doc! { "a.b": -1, "_id": -1 });
        assert_eq!(order(&[("a", true), ("b", false)]).sort(), doc! { "a": -1, "b": 1, "_id": 1 });
        assert_eq!(order(&[("_id", true), ("b", false)]).sort(), doc! { "_id": -1, "b": 1 });
        assert_eq!(order(&[("a", true), ("a", false)]).sort(), doc! { "a": -1, "_id": -1 });
    }

    #[test]
    fn reversed_twice_is_the_same() {
        let order = order(&[("a", true), ("b", false)]);
        assert_eq!(order.reversed().sort(), doc! { "a": 1, "b": -1, "_id": -1 });
        assert_eq!(order.reversed().reversed(), order);
    }
}
