//! The facts that the tokens of a type show. An alias shows nothing here; the runtime's checks see through an alias.

use proc_macro2::Ident;
use syn::{Data, DeriveInput, GenericArgument, PathArguments, Type, TypePath, visit::Visit};

/// The name of the type of a hidden field.
pub(crate) const HIDDEN: &str = "Hidden";

/// An array or a map with a written-out type.
pub(crate) enum Literal<'a> {
    /// `Vec<T>`, `VecDeque<T>`, a set or `Box<[T]>`.
    Array(&'a Type),
    /// A map to `T`.
    Map(&'a Type),
}

/// Removes the invisible group around a type that passed through `macro_rules!`.
pub(crate) fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// Returns the last name of a path type, and the type arguments.
pub(crate) fn last_segment(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let segment = path.path.segments.last()?;
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    Some((segment.ident.to_string(), arguments))
}

/// Returns the array or map that a type is, as far as the tokens say. Looks inside `Option` and `Box`.
pub(crate) fn collection_literal(ty: &Type) -> Option<Literal<'_>> {
    let (name, arguments) = last_segment(ty)?;
    match (name.as_str(), arguments.as_slice()) {
        ("Vec" | "VecDeque" | "BTreeSet", [item]) => Some(Literal::Array(item)),
        ("HashSet", [item, ..]) => Some(Literal::Array(item)),
        ("BTreeMap" | "HashMap", [_, value, ..]) => Some(Literal::Map(value)),
        ("Option", [inner]) => collection_literal(inner),
        ("Box", [inner]) => match ungroup(inner) {
            Type::Slice(slice) => Some(Literal::Array(&slice.elem)),
            inner => collection_literal(inner),
        },
        _ => None,
    }
}

/// Returns the type inside of each `Option` and `Box` around the type, as far as the tokens say. A boxed slice stays.
pub(crate) fn inside_option(ty: &Type) -> &Type {
    match last_segment(ty) {
        Some((name, arguments)) if name == "Option" || name == "Box" => match arguments.as_slice() {
            [inner] if !matches!(ungroup(inner), Type::Slice(_)) => inside_option(inner),
            _ => ty,
        },
        _ => ty,
    }
}

/// Returns the key of a map when the keys are surely no strings: `i32` of a `BTreeMap<i32, String>`, also inside of
/// another type.
pub(crate) fn unfit_key(ty: &Type) -> Option<&Type> {
    let (name, arguments) = last_segment(ty)?;
    match (name.as_str(), arguments.as_slice()) {
        ("BTreeMap" | "HashMap", [key, ..]) if is_unfit(key) => Some(key),
        (_, arguments) => arguments.iter().find_map(|inner| unfit_key(inner)),
    }
}

fn is_unfit(key: &Type) -> bool {
    last_segment(key).is_some_and(|(name, arguments)| arguments.is_empty() && name != "String" && is_scalar(&name))
}

/// Returns whether a type names the struct `name`, or `Self`, outside a reference.
pub(crate) fn names(ty: &Type, name: &Ident) -> bool {
    let mut search = Search { name, found: false };
    search.visit_type(ty);
    search.found
}

struct Search<'a> {
    name: &'a Ident,
    found: bool,
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_type_path(&mut self, path: &'ast TypePath) {
        let Some(last) = path.path.segments.last() else { return };
        if last.ident == "Ref" {
            return;
        }
        if path.path.segments.len() == 1 && (last.ident == *self.name || last.ident == "Self") {
            self.found = true;
        }
        syn::visit::visit_type_path(self, path);
    }
}

/// Returns whether the item has a lifetime, or a field with a borrowed type: `&'static str`.
pub(crate) fn borrows(input: &DeriveInput) -> bool {
    let has_it = input.generics.lifetimes().next().is_some();
    let Data::Struct(data) = &input.data else { return has_it };
    has_it || data.fields.iter().any(|field| is_borrowed(&field.ty))
}

/// Returns whether a type is or holds a borrow: `&str`, `Vec<&str>`.
pub(crate) fn is_borrowed(ty: &Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// Returns whether a type is written as a single reference: `Ref<..>` or `Option<Ref<..>>`.
pub(crate) fn is_reference(ty: &Type) -> bool {
    match last_segment(ty) {
        Some((name, arguments)) if name == "Option" => arguments.first().is_some_and(|inner| is_reference(inner)),
        Some((name, _)) => name == "Ref",
        None => false,
    }
}

/// Returns the model that a type refers to; `None` when the type is not written as a single reference.
pub(crate) fn referred(ty: &Type) -> Option<&Type> {
    let (name, arguments) = last_segment(ty)?;
    match (name.as_str(), arguments.as_slice()) {
        ("Option", [inner]) => referred(inner),
        ("Ref", [model]) => Some(model),
        _ => None,
    }
}

/// Returns whether a type is written as a single plain value, or as an `Option` of a plain value.
pub(crate) fn is_plain(ty: &Type) -> bool {
    match last_segment(ty) {
        Some((name, arguments)) if name == "Option" => arguments.first().is_some_and(|inner| is_plain(inner)),
        Some((name, _)) => is_scalar(&name),
        None => true,
    }
}

/// Returns whether a type may be or hold a struct: the type is not written as plain values or references.
pub(crate) fn may_be_struct(ty: &Type) -> bool {
    match (collection_literal(ty), last_segment(ty)) {
        (Some(Literal::Array(item) | Literal::Map(item)), _) => may_be_struct(item),
        (None, Some((name, arguments))) => match (name.as_str(), arguments.as_slice()) {
            ("Option" | "Box", [inner]) => may_be_struct(inner),
            _ => name != "Ref" && !is_scalar(&name),
        },
        (None, None) => true,
    }
}

/// Returns whether this is the usual name of a type that is stored as a single value.
pub(crate) fn is_scalar(name: &str) -> bool {
    const SCALARS: [&str; 18] = [
        "ObjectId",
        "String",
        "bool",
        "char",
        "i8",
        "i16",
        "i32",
        "i64",
        "u8",
        "u16",
        "u32",
        "u64",
        "f32",
        "f64",
        "DateTime",
        "Decimal128",
        "Timestamp",
        "Uuid",
    ];
    SCALARS.contains(&name)
}
