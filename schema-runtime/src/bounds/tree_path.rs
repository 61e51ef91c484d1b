//! The path of a document in a tree: a text with the `_id`s of the ancestors.

use std::{fmt, marker::PhantomData};

use derive_where::derive_where;
use mongodb::bson::Bson;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    definition::Shape,
    error::Result,
    field::{Field, IntoValue, NoFields, Path},
    model::Model,
};

/// A materialized path, for a field with `#[tree(path)]`: the `_id`s of the ancestors, the root first, each with a `:`
/// at the end, so that a subtree is one range of an index. Inserts and moves write the path; a value for an insert has
/// the empty path.
///
/// The path holds an `ObjectId` as 24 hexadecimal digits, a `Uuid` as 32 and a `String` unchanged. An integer has 16
/// digits: the 64 bits with the sign turned over, so that the digits are in the order of the numbers. A filter compares
/// a path with a text: `Comment::F.path.between(&*from..&*to)`.
#[derive_where(Clone, Default, Eq, PartialEq)]
pub struct TreePath<T> {
    text: String,
    model: PhantomData<fn() -> T>,
}

impl<T> TreePath<T> {
    /// Returns the text in the stored form.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the number of ancestors.
    pub fn depth(&self) -> usize {
        self.text.bytes().filter(|byte| *byte == b':').count()
    }
}

impl<T> fmt::Debug for TreePath<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TreePath").field(&self.text).finish()
    }
}

impl<T> Serialize for TreePath<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T> Deserialize<'de> for TreePath<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| TreePath { text, model: PhantomData })
    }
}

#[diagnostic::do_not_recommend]
impl<T: Model> Field for TreePath<T> {
    const SHAPE: Shape = <String as Field>::SHAPE;
    type Class = <String as Field>::Class;
    type Nested<M: 'static, P: Path, K: 'static> = NoFields;
}

/// The ends of a range of paths: a part of a path says where the range begins, and is no path of a document.
macro_rules! text {
    ($($text:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T> IntoValue<TreePath<T>> for $text {
            fn into_value(self) -> Result<Bson> {
                Ok(Bson::String(String::from(self)))
            }
        }
    )*};
}

text! { &str String }

/// A type that holds the path of a document in a tree of `M`.
#[diagnostic::on_unimplemented(
    message = "a materialized path is stored in a `TreePath<{M}>`",
    label = "this has the type `{Self}`",
    note = "help: write `#[tree(path)] path: TreePath<{M}>`"
)]
pub trait PathOf<M> {
    /// Returns the text of the path.
    fn text(&self) -> &str;
}

#[diagnostic::do_not_recommend]
impl<M> PathOf<M> for TreePath<M> {
    fn text(&self) -> &str {
        &self.text
    }
}
