//! The parameters of functions: the database or transaction that a public operation runs on is `db`, and no function
//! of `operation` and `derived` has a `bool`.

use std::{fs, path::Path};

use syn::{
    FnArg, ImplItemFn, ItemFn, ItemMod, ItemTrait, Pat, Signature, TraitItem, TraitItemFn, Type, TypeParamBound,
    Visibility,
    visit::{self, Visit},
};

/// The types of the target of an operation.
const TARGETS: [&str; 2] = ["Executor", "Database"];

/// The functions with a parameter `bool`, outside of tests.
#[derive(Default)]
struct Flags(Vec<String>);

impl Flags {
    fn check(&mut self, signature: &Signature) {
        for parameter in &signature.inputs {
            let FnArg::Typed(parameter) = parameter else { continue };
            if matches!(&*parameter.ty, Type::Path(path) if path.path.is_ident("bool")) {
                self.0.push(signature.ident.to_string());
            }
        }
    }
}

impl<'ast> Visit<'ast> for Flags {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.check(&function.sig);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.check(&function.sig);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.check(&function.sig);
    }
}

#[test]
fn functions_of_writes_take_enums() {
    let mut flags = Flags::default();
    for folder in ["operation", "derived"] {
        let mut files = Vec::new();
        super::names::sources(&super::root().join("schema-runtime/src").join(folder), &mut files);
        assert!(files.len() > 30, "only {} files in {folder}", files.len());
        for file in &files {
            let text = fs::read_to_string(file).expect("a source file");
            flags.visit_file(&syn::parse_file(&text).expect("Rust"));
        }
    }
    assert!(flags.0.is_empty(), "write an enum in the place of `bool`: {:#?}", flags.0);
}

#[derive(Default)]
struct Parameters {
    /// The number of parameters that are the target of an operation.
    count: usize,
    /// The functions whose parameter has another name.
    wrong: Vec<String>,
}

impl Parameters {
    fn read(&mut self, file: &Path) {
        let text = fs::read_to_string(file).expect("a source file");
        self.visit_file(&syn::parse_file(&text).expect("Rust"));
    }

    fn check(&mut self, signature: &Signature) {
        for parameter in &signature.inputs {
            let FnArg::Typed(parameter) = parameter else { continue };
            let Pat::Ident(name) = &*parameter.pat else { continue };
            if is_target(&parameter.ty) {
                self.count += 1;
                if name.ident != "db" {
                    self.wrong.push(format!("`{}` of `{}`", name.ident, signature.ident));
                }
            }
        }
    }
}

/// Returns whether the type is a reference to an `impl Executor`, a `dyn Executor` or a `Database`.
fn is_target(ty: &Type) -> bool {
    let is_named =
        |path: &syn::Path| path.segments.last().is_some_and(|last| TARGETS.iter().any(|name| last.ident == name));
    let is_bound = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(bound) if is_named(&bound.path));
    let Type::Reference(reference) = ty else { return false };
    match &*reference.elem {
        Type::Path(path) => is_named(&path.path),
        Type::ImplTrait(bounds) => bounds.bounds.iter().any(is_bound),
        Type::TraitObject(bounds) => bounds.bounds.iter().any(is_bound),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Parameters {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if matches!(function.vis, Visibility::Public(_)) {
            self.check(&function.sig);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if matches!(function.vis, Visibility::Public(_)) {
            self.check(&function.sig);
        }
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        if matches!(item.vis, Visibility::Public(_)) {
            for method in &item.items {
                if let TraitItem::Fn(method) = method {
                    self.check(&method.sig);
                }
            }
        }
        visit::visit_item_trait(self, item);
    }
}

#[test]
fn the_target_of_an_operation_has_one_name() {
    let mut files = Vec::new();
    super::names::sources(&super::root().join("schema-runtime/src"), &mut files);
    let mut parameters = Parameters::default();
    for file in &files {
        parameters.read(file);
    }
    assert!(parameters.count > 130, "only {} parameters were found", parameters.count);
    assert!(parameters.wrong.is_empty(), "write `db`: {:#?}", parameters.wrong);
}
