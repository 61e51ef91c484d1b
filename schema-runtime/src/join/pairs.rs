//! Pairs of elements and the outcomes of their references.

use hashbrown::HashMap;

use super::{JoinEntry, Slot, View};
use crate::{bounds::Reference, error::Result, key::Key, model::Model};

/// An element and the outcome of the reference; `None` for an element without a reference.
pub type Pair<'a, 'e, R, T, C> = (&'e R, Option<JoinEntry<'a, T, C>>);

impl<'a, T, C: Model> View<'a, T, C> {
    /// Returns each element with the outcome of the reference; `None` for an element without a reference (an `Option`).
    /// Each element has one pair, found by `_id` and not by position. Elements are references, or structs with a
    /// reference (`by = id`). The elements may be a part of the elements of the parent, in any order:
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)]
    /// # #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: ObjectId, name: String }
    /// # #[derive(Model, Serialize, Deserialize)]
    /// # #[model(collection = "products")]
    /// # struct Product {
    /// #     #[serde(rename = "_id")] id: ObjectId,
    /// #     #[relation(one_to_many, child_refs, max = 20)] slots: Vec<Option<Ref<Part>>>,
    /// # }
    /// # async fn example(db: &Database, product: Product) -> Result<()> {
    /// let parts = product.slots().fetch_all(db).await?;
    /// for (slot, part) in parts.pairs(&product.slots)? {
    ///     let name = part.and_then(|part| part.found()).map_or("(empty)", |part| &part.name);
    ///     println!("{slot:?}: {name}");
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// [`iter`](View::iter) and [`entries`](View::entries) leave out elements without a reference, so that a `zip` with
    /// the elements would shift.
    ///
    /// # Errors
    /// [`Error::NotLoaded`](crate::Error::NotLoaded) when an element refers to a document that is not among the
    /// children: the element belongs to another parent, the parent was changed after the read, or a
    /// [`matching`](crate::relation::Lookup::matching) or [`limit`](crate::relation::Lookup::limit) left out the
    /// document.
    pub fn pairs<'e, R>(self, elements: impl IntoIterator<Item = &'e R>) -> Result<Vec<Pair<'a, 'e, R, T, C>>>
    where
        R: Reference<Target = C>,
    {
        let mut slots: HashMap<Key, &'a Slot<T, C>> = HashMap::new();
        for slot in self.slots() {
            if let Some(id) = slot.id() {
                slots.insert(Key::of_id(id)?, slot);
            }
        }
        let pair = |element: &'e R| {
            let Some(id) = element.reference() else { return Ok((element, None)) };
            let slot = slots.get(&Key::of_id(id)?).ok_or_else(|| self.not_loaded())?;
            Ok((element, Some(slot.entry())))
        };
        elements.into_iter().map(pair).collect()
    }
}
