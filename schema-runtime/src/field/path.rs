//! The path of a field, known from types alone.

use std::marker::PhantomData;

use crate::model::Record;

/// A place in a document, as a type.
pub trait Path {
    /// The names that lead to it.
    const NODE: PathNode;
}

/// One name of a path and what is before it.
#[derive(Clone, Copy, Debug)]
pub struct PathNode {
    parent: Option<&'static PathNode>,
    name: &'static str,
}

/// The document itself.
pub struct Root;

/// Field number `INDEX` of the struct `R`, under `P`.
pub struct Segment<P, R, const INDEX: usize>(PhantomData<fn() -> (P, R)>);

impl Path for Root {
    const NODE: PathNode = PathNode { parent: None, name: "" };
}

impl<P: Path, R: Record, const INDEX: usize> Path for Segment<P, R, INDEX> {
    const NODE: PathNode = PathNode { parent: Some(&P::NODE), name: R::FIELDS[INDEX].name };
}

impl PathNode {
    /// The stored names, joined by dots.
    pub fn join(&self) -> String {
        match self.parent {
            Some(parent) if parent.parent.is_some() => parent.join() + "." + self.name,
            _ => self.name.to_owned(),
        }
    }
}
