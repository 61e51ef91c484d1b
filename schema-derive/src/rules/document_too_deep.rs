//! Rule: `document_too_deep`
//!
//! A document may nest at most 100 levels, and a struct that embeds itself has no last one. Refer to the inner ones instead:
//! an `Option<Ref<..>>` to the parent makes a tree.
//!
//! Source: MongoDB limits, "nested depth for BSON documents".

use quote::ToTokens;
use syn::{Type, visit::Visit};

use crate::{
    errors::Errors,
    model::{Record, Stored},
};

const ID: &str = "document_too_deep";

pub(super) fn enforce(record: &Record, errors: &Errors) {
    for field in record.fields.iter().filter(|field| !matches!(field.storage, Stored::Opaque { .. })) {
        let mut search = Search { name: record.ident.to_string(), found: false };
        search.visit_type(&field.ty);
        if search.found {
            errors.rule(
                &field.ty,
                ID,
                &format!("`{}` embeds itself, and a document may nest at most 100 levels", record.ident),
                "give it a collection of its own and refer to it: `Option<Ref<..>>` with a `parent_ref`",
            );
        }
    }
}

/// Looks for the struct's own name in a type, outside a reference.
struct Search {
    name: String,
    found: bool,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_type(&mut self, ty: &'ast Type) {
        if let Type::Path(path) = ty
            && let Some(last) = path.path.segments.last()
        {
            if last.ident == "Ref" {
                return;
            }
            let alone = path.path.segments.len() == 1 && last.arguments.to_token_stream().is_empty();
            if alone && (last.ident == self.name.as_str() || last.ident == "Self") {
                self.found = true;
            }
        }
        syn::visit::visit_type(self, ty);
    }
}
