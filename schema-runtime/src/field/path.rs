//! The path of a field, known from types alone.

use std::{iter, marker::PhantomData};

use super::Record;
use crate::definition::{FieldDefinition, Kind, Shape, Variants};

/// A place in a document, as a type.
pub trait Path: 'static {
    /// The names that lead to the place.
    const NODE: PathNode<'static>;
}

/// One name of a path, with the names before this name.
#[derive(Clone, Copy, Debug)]
pub struct PathNode<'k> {
    parent: Option<&'k PathNode<'k>>,
    /// The stored name; of a path inside of a raw value, all names of the path.
    name: &'k str,
    shape: Option<&'static Shape>,
    field: Option<&'static FieldDefinition>,
    variant: Option<Variant>,
    step: Step,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A field of a struct, or a path inside of a raw value.
    Field,
    /// A key of a map.
    Key,
    /// A position of an array.
    Index,
}

/// One variant of an enum: the tag, and the name of the variant in the tag.
#[derive(Clone, Copy, Debug)]
struct Variant {
    tag: &'static str,
    name: &'static str,
}

/// The document itself, or the element of an array that a condition is about.
pub struct Root;

/// Field number `INDEX` of the struct `R`, under `P`.
pub struct Segment<P, R, const INDEX: usize>(PhantomData<fn() -> (P, R)>);

/// The fields of variant number `INDEX` of the enum `E`, in the value at `P`.
pub struct InVariant<P, E, const INDEX: usize>(PhantomData<fn() -> (P, E)>);

/// An enum that holds data, stored as a document with a tag. The derives implement the trait.
pub trait Tagged: Record {
    /// The variants.
    const VARIANTS: &'static Variants;
}

/// Each element of the array at `P`.
pub struct Each<P>(PhantomData<fn() -> P>);

/// A path that leads to one value: no field before the last field is an array.
#[diagnostic::on_unimplemented(
    message = "this field is inside of an array, and a single value of the document is needed",
    label = "each element has a value of this field",
    note = "help: for a condition on an element write `elem_match` of the array; to change elements write `each`"
)]
pub trait OneValue: Path {}

impl Path for Root {
    const NODE: PathNode<'static> =
        PathNode { parent: None, name: "", shape: None, field: None, variant: None, step: Step::Field };
}

impl<P: Path, R: Record + 'static, const INDEX: usize> Path for Segment<P, R, INDEX> {
    const NODE: PathNode<'static> = PathNode {
        parent: Some(&P::NODE),
        name: R::FIELDS[INDEX].name,
        shape: Some(&R::FIELDS[INDEX].shape),
        field: Some(&R::FIELDS[INDEX]),
        variant: None,
        step: Step::Field,
    };
}

impl<P: Path, E: Tagged + 'static, const INDEX: usize> Path for InVariant<P, E, INDEX> {
    const NODE: PathNode<'static> = PathNode {
        parent: Some(&P::NODE),
        name: "",
        shape: P::NODE.shape,
        field: None,
        variant: Some(Variant { tag: E::VARIANTS.tag, name: E::VARIANTS.list[INDEX].name }),
        step: Step::Field,
    };
}

impl<P: Path> Path for Each<P> {
    const NODE: PathNode<'static> = P::NODE;
}

#[diagnostic::do_not_recommend]
impl OneValue for Root {}

#[diagnostic::do_not_recommend]
impl<P: OneValue, R: Record + 'static, const INDEX: usize> OneValue for Segment<P, R, INDEX> {}

#[diagnostic::do_not_recommend]
impl<P: OneValue, E: Tagged + 'static, const INDEX: usize> OneValue for InVariant<P, E, INDEX> {}

impl<'k> PathNode<'k> {
    /// Returns the value under a key of the map at this node.
    pub(super) fn key(&'k self, key: &'k str) -> PathNode<'k> {
        let shape = self.shape.and_then(|shape| match shape.kind {
            Kind::Map { values, .. } => Some(values),
            _ => None,
        });
        PathNode { parent: Some(self), name: key, shape, field: None, variant: None, step: Step::Key }
    }

    /// Returns the element at a position of the array at this node. `items` is the shape of an element without bounds.
    pub(super) fn element(&'k self, index: &'k str, items: &'static Shape) -> PathNode<'k> {
        let shape = match self.shape {
            Some(Shape { kind: Kind::Array { items, .. }, .. }) => *items,
            _ => items,
        };
        PathNode { parent: Some(self), name: index, shape: Some(shape), field: None, variant: None, step: Step::Index }
    }

    /// Returns the value at a path inside of the raw value at this node. The value holds the bound of the whole.
    pub(super) fn inside(&'k self, path: &'k str) -> PathNode<'k> {
        PathNode { parent: Some(self), name: path, shape: self.shape, field: None, variant: None, step: Step::Field }
    }

    /// Hands the same path below another node to `visit`.
    pub(super) fn below(&self, other: &PathNode<'_>, visit: &mut dyn FnMut(&PathNode<'_>)) {
        match self.parent {
            None => visit(other),
            Some(parent) => parent.below(other, &mut |parent| {
                let PathNode { name, shape, field, variant, step, .. } = *self;
                visit(&PathNode { parent: Some(parent), name, shape, field, variant, step });
            }),
        }
    }

    /// Joins the stored names by dots; empty for the root.
    pub fn join(&self) -> String {
        match self.parent {
            Some(parent) if self.variant.is_some() => parent.join(),
            Some(parent) => joined(parent.join(), self.name),
            None => String::new(),
        }
    }

    /// Returns the type and the bounds of the stored value; `None` for the root.
    pub fn shape(&self) -> Option<&'static Shape> {
        self.shape
    }

    /// Returns whether serde leaves the field out when the value is `None`.
    pub(crate) fn leaves_none_out(&self) -> bool {
        self.field.is_some_and(|field| field.skippable && field.shape.nullable)
    }

    /// Returns whether a document may have no array at the path.
    pub(crate) fn may_be_no_array(&self) -> bool {
        self.field.is_some_and(|field| field.shape.nullable || !field.required)
    }

    /// Returns the stored path of each struct on the way to the field that a document may be without.
    pub(crate) fn optional_structs(&self) -> Vec<String> {
        let Some(parent) = self.parent else { return Vec::new() };
        let mut structs = parent.optional_structs();
        if self.variant.is_none() && parent.may_be_no_document() {
            structs.push(parent.join());
        }
        structs
    }

    /// Returns whether the path leads to an element by the position in the array.
    pub(crate) fn is_position(&self) -> bool {
        self.step == Step::Index
    }

    /// Returns the stored path of each position of an array on the way to the field, with the field.
    pub(crate) fn positions(&self) -> Vec<String> {
        let Some(parent) = self.parent else { return Vec::new() };
        let mut positions = parent.positions();
        if self.step == Step::Index {
            positions.push(self.join());
        }
        positions
    }

    /// Returns whether a document may have no document at the path.
    fn may_be_no_document(&self) -> bool {
        match (self.field, self.shape) {
            (Some(field), _) => may_be_no_struct(field),
            (None, Some(shape)) if self.step != Step::Field => shape.nullable || needs_fields(shape),
            _ => false,
        }
    }

    /// Returns whether the path leads to one value that may be null or absent. A path through an array leads to several
    /// values.
    pub(crate) fn may_be_null(&self) -> bool {
        let shapes = || iter::successors(Some(self), |node| node.parent).filter_map(|node| node.shape);
        shapes().all(|shape| !matches!(shape.kind, Kind::Array { .. })) && shapes().any(|shape| shape.nullable)
    }

    /// Returns the stored path of each tag on the way to the field, with the name of the variant; the outermost tag
    /// comes first.
    pub(crate) fn tags(&self) -> Vec<(String, &'static str)> {
        let Some(parent) = self.parent else { return Vec::new() };
        let mut tags = parent.tags();
        tags.extend(self.variant.map(|Variant { tag, name }| (joined(parent.join(), tag), name)));
        tags
    }
}

/// Returns whether a field may be null, or may be absent although a part of the struct is required.
fn may_be_no_struct(field: &FieldDefinition) -> bool {
    match field.shape.kind {
        Kind::Document { .. } => field.shape.nullable || !field.required && needs_fields(&field.shape),
        Kind::Map { .. } | Kind::Opaque { .. } => field.shape.nullable,
        _ => false,
    }
}

/// Returns whether a part of a value of the shape is required.
fn needs_fields(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Document { fields, .. } if fields.iter().any(|inner| inner.required))
}

fn joined(before: String, name: &str) -> String {
    if before.is_empty() { name.to_owned() } else { before + "." + name }
}
