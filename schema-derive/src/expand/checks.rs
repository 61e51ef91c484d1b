//! Writes the calls of the runtime's checks. Each call has the span of the user's tokens that the check judges, so that
//! rustc underlines the judged tokens.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::{
    check_call::check,
    collection_kind::expand_kind_checks,
    span::{placed, written},
    value_rule::{expand_default_check, expand_rule_checks},
};
use crate::{
    model::{
        Field, Flat, History, Index, Managed, Model, Origin, Record, RollupKind, Slug, Storage, Stored, Tree, TreeRole,
    },
    parse::{identifier, is_plain, may_be_struct, ungroup},
};

/// Writes the checks of an embedded struct: the checks of the fields and of the copies.
pub(super) fn expand_struct_checks(record: &Record) -> TokenStream {
    let mut checks = expand_record_checks(record);
    checks.extend(expand_copy_checks(record, "copied_field"));
    checks.extend(record.flats.iter().map(|flat| expand_flat_check(&record.ident, flat, "flat_field")));
    checks
}

/// Writes the checks of the fields of a struct.
fn expand_record_checks(record: &Record) -> TokenStream {
    let name = &record.ident;
    let fields = record.fields.iter().enumerate();
    fields.flat_map(|(at, field)| [expand_field_check(name, at, field), expand_reference_check(field)]).collect()
}

/// Writes the check of a flat field.
pub(super) fn expand_flat_check(owner: &Ident, flat: &Flat, name: &str) -> TokenStream {
    let (text, ty) = (&flat.rust_name, written(&flat.ty));
    check(ungroup(&flat.ty), name, quote!(::<#owner, #ty>), quote!(#text))
}

/// Writes the checks of the copies of a struct.
fn expand_copy_checks(record: &Record, name: &str) -> TokenStream {
    let owner = &record.ident;
    let copies = record.fields.iter().filter_map(|field| field.copy.as_ref());
    let copies = copies.filter_map(|copy| Some((copy, record.reference_of(copy)?))).enumerate();
    copies
        .map(|(at, (copy, reference))| {
            let (at, ty) = (Literal::usize_unsuffixed(at), &reference.ty);
            let inner = written(ty);
            let source = placed(ty, quote!(::schema_runtime::__private::TargetOf<#inner>));
            let generics = quote!(::<#owner, #source>);
            check(&copy.tokens, name, generics, quote!(#at))
        })
        .collect()
}

/// Writes the checks of the copies of a model: copies in the model, copies in embedded structs, and copies of the
/// model's fields elsewhere.
fn expand_model_copy_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let mut checks = expand_copy_checks(&model.record, "held_copy");
    for (at, field) in model.record.fields.iter().enumerate() {
        if matches!(field.storage, Stored::Plain | Stored::Relation(_))
            && field.copy.is_none()
            && field.stored_as.is_none()
            && may_be_struct(&field.ty)
        {
            let at = Literal::usize_unsuffixed(at);
            checks.extend(check(ungroup(&field.ty), "held_copies", quote!(::<#name>), quote!(#at)));
        }
    }
    for (at, (_, copied)) in model.record.copied().enumerate() {
        let (at, holder) = (Literal::usize_unsuffixed(at), written(&copied.holder));
        checks.extend(check(&copied.tokens, "copied_to", quote!(::<#name, #holder>), quote!(#at)));
    }
    if model.record.strict {
        checks.extend(check(name, "strict_holder", quote!(::<#name>), quote!()));
    }
    checks
}

/// Writes the checks of a model: the fields, the relations, the indexes, the inverses and the size.
pub(super) fn expand_model_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    // The checks of an enum are written beside the tokens of each variant.
    let is_struct = model.tagged.is_none();
    let mut checks = if is_struct { expand_record_checks(&model.record) } else { TokenStream::new() };
    checks.extend(model.record.flats.iter().map(|flat| expand_flat_check(name, flat, "flat_in_model")));
    checks.extend(check(name, "document_size", quote!(::<#name>), quote!()));
    checks.extend(super::document_rule::expand_document_rule_checks(model));
    checks.extend(expand_rollup_checks(model));
    checks.extend(super::bucket::expand_bucket_checks(model));
    checks.extend(expand_slug_checks(model));
    checks.extend(expand_tree_checks(model));
    if is_struct {
        checks.extend(expand_model_copy_checks(model));
    } else if model.record.strict {
        checks.extend(check(name, "strict_holder", quote!(::<#name>), quote!()));
    }
    let mut mirrors = 0;
    for (at, field) in model.record.fields.iter().enumerate() {
        let Some(relation) = field.relation() else { continue };
        if let Some(by) = &relation.by {
            let at = Literal::usize_unsuffixed(at);
            checks.extend(check(by, "relation_by", quote!(::<#name>), quote!(#at)));
        }
        if relation.storage.refers() && relation.is_array() && !relation.storage.is_mirrored() {
            let (text, ty) = (&field.rust_name, written(&field.ty));
            let target = placed(&field.ty, quote!(::schema_runtime::__private::TargetOf<#ty>));
            let generics = quote!(::<#name, #target>);
            checks.extend(check(&relation.storage_tokens, "undeclared", generics, quote!(#text)));
        }
        if let Some(of) = &relation.of {
            let (text, child, child_field) = (&field.rust_name, written(&of.child), identifier(&of.field));
            let generics = quote!(::<#name, #child>);
            checks.extend(check(&of.tokens, "mirror_field", generics.clone(), quote!(#text, #child_field)));
            let at = Literal::usize_unsuffixed(mirrors);
            mirrors += 1;
            let judged = match &relation.on_delete {
                Some(on_delete) => on_delete.tokens.to_token_stream(),
                None => of.tokens.to_token_stream(),
            };
            checks.extend(check(&judged, "mirror_on_delete", generics, quote!(#at)));
        }
        for order in &relation.order {
            let order_field = &order.field;
            checks.extend(check(&order.tokens, "order_field", quote!(::<#name>), quote!(#order_field)));
        }
        if let Some(inverse) = &relation.inverse {
            let (text, ty) = (&field.rust_name, written(&field.ty));
            let accessor = identifier(inverse);
            let rule = if relation.storage.is_mirrored() { "mirror_named" } else { "inverse_named" };
            checks.extend(check(
                inverse,
                rule,
                quote!(::<#name, ::schema_runtime::__private::TargetOf<#ty>>),
                quote!(#text, #accessor),
            ));
        }
    }
    for (at, inverse) in model.inverses.iter().enumerate() {
        let (child, at) = (written(&inverse.child), Literal::usize_unsuffixed(at));
        if let Some(on_delete) = &inverse.on_delete {
            checks.extend(check(&on_delete.tokens, "inverse_on_delete", quote!(::<#name, #child>), quote!(#at)));
        }
        if let Some(most) = &inverse.at_most {
            checks.extend(check(&most.tokens, "inverse_at_most", quote!(::<#name, #child>), quote!(#at)));
        }
        let (child, text) = (written(&inverse.child), identifier(&inverse.field));
        let accessor = identifier(&inverse.accessor);
        checks.extend(check(&inverse.field, "inverse_field", quote!(::<#name, #child>), quote!(#accessor, #text)));
    }
    for (at, index) in model.indexes.iter().enumerate() {
        checks.extend(expand_index_checks(model, at, index));
    }
    checks.extend(super::search_index::expand_search_checks(model));
    checks.extend(expand_query_checks(model));
    checks.extend(expand_kind_checks(model));
    checks.extend(expand_shard_key_checks(model));
    checks
}

/// Writes the checks of each field of the shard key, and of the whole key.
fn expand_shard_key_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let Some(key) = &model.shard_key else { return TokenStream::new() };
    let fields = key.fields.iter().enumerate().map(|(at, field)| {
        let at = Literal::usize_unsuffixed(at);
        check(&field.tokens, "shard_key_field", quote!(::<#name>), quote!(#at))
    });
    let mut checks: TokenStream = fields.collect();
    if let Some(first) = key.fields.first() {
        checks.extend(check(&first.tokens, "shard_key", quote!(::<#name>), quote!()));
    }
    checks
}

/// Writes the checks of the conditions and the order of each query. For a field that does not exist, rustc reports the
/// mistake at the method. A field with a plain type may be used in any condition and in any order, and gets no check:
/// rustc needs a millisecond to evaluate each check.
fn expand_query_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let is_plain = |path: &[String]| {
        let mut fields = model.record.fields.iter();
        matches!(path, [only] if fields.any(|field| {
            field.rust_name == *only && is_plain(&field.ty) && matches!(field.storage, Stored::Plain | Stored::Bound(_))
        }))
    };
    let mut checks = TokenStream::new();
    for (at, query) in model.queries.iter().enumerate() {
        let at = Literal::usize_unsuffixed(at);
        for (number, condition) in query.conditions.iter().enumerate().filter(|(_, asked)| !is_plain(&asked.path)) {
            let number = Literal::usize_unsuffixed(number);
            checks.extend(check(&condition.tokens, "query_condition", quote!(::<#name>), quote!(#at, #number)));
        }
        for (number, key) in query.order.iter().enumerate().filter(|(_, key)| !is_plain(&key.path)) {
            let number = Literal::usize_unsuffixed(number);
            checks.extend(check(&key.tokens, "query_order", quote!(::<#name>), quote!(#at, #number)));
        }
        if let (Some(_), Some(collation)) = (&query.page, &query.collation) {
            checks.extend(check(&collation.tokens, "collated_pages", quote!(::<#name>), quote!()));
        }
    }
    checks
}

/// Writes the check that a field with `may_dangle` is a reference.
fn expand_reference_check(field: &Field) -> TokenStream {
    if field.may_dangle.is_none() || field.relation().is_some() {
        return TokenStream::new();
    }
    let inner = written(&field.ty);
    let target = placed(&field.ty, quote!(::schema_runtime::__private::TargetOf<#inner>));
    check(ungroup(&field.ty), "dangling_reference", quote!(::<#target>), quote!())
}

fn expand_field_check(name: &Ident, at: usize, field: &Field) -> TokenStream {
    let declared = field.stored_as.as_ref().map(|declared| expand_stored_check(&declared.ty, "stored_field"));
    // The check of the declared type judges a field without further attributes, so that a mistake gives one message.
    let is_judged = declared.is_some() && matches!(field.storage, Stored::Plain) && field.managed.is_none();
    let own = (!is_judged).then(|| expand_own_check(name, at, field));
    let rules = expand_rule_checks(name, at, &field.checks);
    let default = expand_default_check(name, at, field);
    quote!(#declared #own #rules #default)
}

/// Writes the check of the type that `#[stored_as(..)]` declares.
pub(super) fn expand_stored_check(ty: &Type, check_name: &str) -> TokenStream {
    let inner = written(ty);
    check(ungroup(ty), check_name, quote!(::<#inner>), quote!())
}

fn expand_own_check(name: &Ident, at: usize, field: &Field) -> TokenStream {
    let rules = match &field.storage {
        Stored::Opaque { .. } => return TokenStream::new(),
        _ if field.name == "_id" => "id_type",
        Stored::Plain => match &field.managed {
            Some(managed) => return expand_managed_check(name, at, field, managed.managed),
            None => "field_type",
        },
        Stored::Bound(bound) if bound.max_bytes.is_some() => {
            if bound.max.is_some() {
                "bounded_raws"
            } else {
                "bounded_raw"
            }
        }
        Stored::Bound(bound) => match (&bound.max, &bound.max_len) {
            (Some(_), None) => "bounded_collection",
            (None, _) => "bounded_string",
            (Some(_), Some(_)) => "bounded_strings",
        },
        Stored::Subset { .. } => "subset_field",
        Stored::History(history) => return expand_history_checks(name, at, field, history),
        Stored::Relation(relation) => match relation.storage {
            Storage::Embed if !relation.is_array() => "embedded_struct",
            Storage::Embed => "embedded_list",
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay if relation.is_array() => {
                "reference_list"
            }
            Storage::ChildRefs | Storage::ParentRef | Storage::OneWay | Storage::TwoWay => "single_reference",
        },
    };
    let at = Literal::usize_unsuffixed(at);
    check(ungroup(&field.ty), rules, quote!(::<#name>), quote!(#at))
}

/// Writes the check of the source of each slug.
fn expand_slug_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let slugs = model.record.fields.iter().enumerate().filter_map(|(at, field)| Some((at, field.slug.as_ref()?)));
    let check = |(at, slug): (usize, &Slug)| {
        let at = Literal::usize_unsuffixed(at);
        check(&slug.tokens, "slug_source", quote!(::<#name>), quote!(#at))
    };
    slugs.map(check).collect()
}

/// Writes the checks of the fields of a tree, and of the `_id`s that a path holds.
fn expand_tree_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let fields =
        model.record.fields.iter().enumerate().filter_map(|(at, field)| Some((at, field, field.tree.as_ref()?)));
    let check_one = |(at, field, tree): (usize, &Field, &Tree)| {
        let (at, ty) = (Literal::usize_unsuffixed(at), written(&field.ty));
        let target = match field.relation() {
            Some(_) => placed(&field.ty, quote!(::schema_runtime::__private::TargetOf<#ty>)),
            None => quote!(#name),
        };
        let of_id = (tree.role == TreeRole::Path).then(|| check(&tree.tokens, "tree_id", quote!(::<#name>), quote!()));
        let of_field = check(ungroup(&field.ty), "tree_field", quote!(::<#name, #target>), quote!(#at));
        quote!(#of_field #of_id)
    };
    fields.map(check_one).collect()
}

/// Writes the checks of a history: the type, the fields of the order, and the fields of the interval.
fn expand_history_checks(name: &Ident, at: usize, field: &Field, history: &History) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    let mut checks = check(ungroup(&field.ty), "history_field", quote!(::<#name>), quote!(#at));
    for (key_at, key) in history.order.iter().enumerate() {
        let key_at = Literal::usize_unsuffixed(key_at);
        checks.extend(check(&key.tokens, "history_order", quote!(::<#name>), quote!(#at, #key_at)));
    }
    if let Some(interval) = &history.interval {
        checks.extend(check(&interval.tokens, "history_interval", quote!(::<#name>), quote!(#at)));
    }
    checks
}

/// Writes the checks of the fields that a parent keeps of children: the relation, the fields of the order, and the
/// source field of a function.
fn expand_rollup_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let mut checks = TokenStream::new();
    let rollups = model.record.fields.iter().filter_map(|field| Some((field, field.rollup.as_ref()?)));
    for (at, (field, rollup)) in rollups.enumerate() {
        let (at, child) = (Literal::usize_unsuffixed(at), written(&rollup.child));
        checks.extend(check(&rollup.tokens, "rollup_relation", quote!(::<#name, #child>), quote!(#at)));
        match &rollup.kind {
            RollupKind::Subset { order } => {
                checks.extend(check(ungroup(&field.ty), "rollup_elements", quote!(::<#name, #child>), quote!(#at)));
                for (key_at, key) in order.iter().enumerate() {
                    let key_at = Literal::usize_unsuffixed(key_at);
                    let arguments = quote!(#at, #key_at);
                    checks.extend(check(&key.tokens, "rollup_order", quote!(::<#name, #child>), arguments));
                }
            }
            RollupKind::Count => {
                let ty = written(&field.ty);
                checks.extend(check(ungroup(&field.ty), "rollup_count", quote!(::<#name, #ty>), quote!(#at)));
            }
            RollupKind::Function { tokens, .. } => {
                checks.extend(check(tokens, "rollup_source", quote!(::<#name, #child>), quote!(#at)));
                let ty = written(&field.ty);
                checks.extend(check(ungroup(&field.ty), "rollup_value", quote!(::<#name, #child, #ty>), quote!(#at)));
            }
        }
    }
    checks
}

fn expand_managed_check(name: &Ident, at: usize, field: &Field, managed: Managed) -> TokenStream {
    let (at, ty) = (Literal::usize_unsuffixed(at), written(&field.ty));
    match managed {
        Managed::Version => check(ungroup(&field.ty), "version_field", quote!(::<#name, #ty>), quote!(#at)),
        Managed::CreatedAt | Managed::UpdatedAt => {
            check(ungroup(&field.ty), "timestamp_field", quote!(::<#name>), quote!(#at))
        }
    }
}

fn expand_index_checks(model: &Model, at: usize, index: &Index) -> TokenStream {
    let name = &model.record.ident;
    let Origin::Declared(word) = &index.origin else { return TokenStream::new() };
    let mut checks = TokenStream::new();
    let at = Literal::usize_unsuffixed(at);
    for (key_at, key) in index.keys.iter().enumerate() {
        if key.path.is_empty() {
            continue;
        }
        let key_at = Literal::usize_unsuffixed(key_at);
        checks.extend(check(&key.tokens, "index_key", quote!(::<#name>), quote!(#at, #key_at)));
    }
    for (clause_at, clause) in index.partial.iter().enumerate() {
        let clause_at = Literal::usize_unsuffixed(clause_at);
        checks.extend(check(&clause.tokens, "partial_clause", quote!(::<#name>), quote!(#at, #clause_at)));
    }
    for (place_at, place) in index.settings.only.iter().chain(&index.settings.except).enumerate() {
        let place_at = Literal::usize_unsuffixed(place_at);
        checks.extend(check(&place.tokens, "wildcard_path", quote!(::<#name>), quote!(#at, #place_at)));
    }
    if let Some((field, _)) = &index.settings.language_field {
        checks.extend(check(field, "text_language", quote!(::<#name>), quote!(#at)));
    }
    if index.keys.len() > 1 {
        checks.extend(check(word, "parallel_arrays", quote!(::<#name>), quote!(#at)));
    }
    if let Some(unique) = &index.unique {
        checks.extend(check(unique, "unique_optional", quote!(::<#name>), quote!(#at)));
    }
    checks
}
