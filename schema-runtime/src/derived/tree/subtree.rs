//! Filters of subtrees, and updates of the documents in a subtree. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::{
    chain::Chain,
    id::{BEHIND_SEPARATOR, SEPARATOR, ids_in},
    layout::{Layout, Node},
};
use crate::{error::Result, key::Key};

impl Layout {
    /// Returns the filter of the documents whose ancestors begin with the chain.
    pub(super) fn beginning_with(&self, chain: &Chain) -> Document {
        if let Some(path) = self.path {
            return doc! { path: in_subtree(&chain.path) };
        }
        let (Some(ancestors), Some(last)) = (&self.ancestors, chain.ids.last()) else { return Document::new() };
        let length = i64::try_from(chain.depth).unwrap_or(i64::MAX);
        let first = doc! { "$slice": [format!("${}", ancestors.ids()), length] };
        doc! { ancestors.ids(): { "$eq": last }, "$expr": { "$eq": [first, { "$literal": &chain.ids }] } }
    }

    /// Returns the `_id`s of ancestors.
    pub(super) fn ids(&self, chain: &Chain) -> Vec<Bson> {
        match self.path {
            Some(_) => self.ids_of_path(&chain.path),
            None => chain.ids.clone(),
        }
    }

    /// Returns the ancestors in a path.
    pub(crate) fn ids_of_path(&self, path: &str) -> Vec<Bson> {
        ids_in(path, &self.id)
    }

    /// Returns the filter of the documents below a document, down to the given number of levels. `path` is the path of
    /// the document.
    pub(crate) fn descendants(&self, path: Option<&str>, id: &Bson, levels: Option<u32>) -> Result<Document> {
        let deeper = |levels: u32, above: usize| i64::from(levels) + i64::try_from(above).unwrap_or(i64::MAX);
        if let (Some(name), Some(path)) = (self.path, path) {
            let own = Chain::new(Some(path), None);
            let below = Layout { ancestors: None, ..*self }.below(&own, id)?;
            let mut filter = doc! { name: in_subtree(&below.path) };
            if let Some(levels) = levels {
                let size = doc! { "$size": { "$split": [format!("${name}"), SEPARATOR.to_string()] } };
                filter.insert("$expr", doc! { "$lte": [size, deeper(levels, own.depth + 1)] });
            }
            return Ok(filter);
        }
        let Some(ancestors) = &self.ancestors else { return Ok(doc! { self.parent: { "$eq": id } }) };
        let mut filter = doc! { ancestors.ids(): { "$eq": id } };
        if let Some(levels) = levels {
            let ids = format!("${}", ancestors.ids());
            let place = doc! { "$indexOfArray": [&ids, { "$literal": id }] };
            let distance = doc! { "$subtract": [{ "$size": &ids }, place] };
            filter.insert("$expr", doc! { "$lte": [distance, deeper(levels, 0)] });
        }
        Ok(filter)
    }

    /// Returns whether a chain of ancestors begins with the second chain.
    pub(super) fn begins_with(&self, chain: &Chain, first: &Chain) -> bool {
        match self.path {
            Some(_) => chain.path.starts_with(&first.path),
            None => same(chain.ids.get(..first.depth), Some(&first.ids)),
        }
    }

    /// Returns whether a document stores the right ancestors.
    pub(super) fn is_right(&self, node: &Node, right: &Chain) -> bool {
        let depth = i64::try_from(right.depth).unwrap_or(i64::MAX);
        (self.path.is_none() || node.chain.path == right.path)
            && (self.ancestors.is_none() || same(Some(&node.chain.ids), Some(&right.ids)))
            && (self.depth.is_none() || Key::of(&node.depth) == Key::of(&Bson::Int64(depth)))
    }

    /// Returns a chain of ancestors with the new prefix in place of the old prefix.
    pub(super) fn moved(&self, chain: &Chain, old: &Chain, new: &Chain) -> Chain {
        let path = self.path.map(|_| format!("{}{}", new.path, chain.path.strip_prefix(&old.path).unwrap_or_default()));
        let rest = chain.ids.iter().skip(old.depth);
        let ids = self.ancestors.map(|_| new.ids.iter().chain(rest).cloned().collect());
        Chain::new(path.as_deref(), ids)
    }

    /// Returns the update that replaces the first ancestors of documents and keeps the rest.
    pub(super) fn rewriting(&self, old: &Chain, new: &Chain) -> Vec<Document> {
        let mut set = Document::new();
        if let Some(path) = self.path {
            let length = i64::try_from(old.path.len()).unwrap_or(i64::MAX);
            let rest = doc! { "$substrBytes": [format!("${path}"), length, -1] };
            set.insert(path, doc! { "$concat": [{ "$literal": &new.path }, rest] });
        }
        if let Some(ancestors) = &self.ancestors {
            let length = i64::try_from(old.depth).unwrap_or(i64::MAX);
            let rest = doc! { "$slice": [format!("${}", ancestors.name), length, i32::MAX] };
            let first = doc! { "$literal": self.elements(ancestors, new) };
            set.insert(ancestors.name, doc! { "$concatArrays": [first, rest] });
        }
        if let Some(depth) = self.depth {
            let deeper = i32::try_from(new.depth).unwrap_or(0) - i32::try_from(old.depth).unwrap_or(0);
            set.insert(depth, doc! { "$add": [format!("${depth}"), deeper] });
        }
        vec![doc! { "$set": set }]
    }
}

fn same(one: Option<&[Bson]>, other: Option<&[Bson]>) -> bool {
    let keys = |ids: &[Bson]| ids.iter().map(Key::of).collect::<Vec<_>>();
    one.map(keys) == other.map(keys)
}

/// Returns the range of the paths that begin with the given path.
pub(crate) fn in_subtree(path: &str) -> Document {
    let end = path.strip_suffix(SEPARATOR).map(|path| format!("{path}{BEHIND_SEPARATOR}"));
    match end {
        Some(end) => doc! { "$gte": path, "$lt": end },
        None => doc! { "$gte": "" },
    }
}
