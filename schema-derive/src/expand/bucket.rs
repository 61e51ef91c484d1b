//! Writes the code of buckets: the options of the buckets, and the definition of the bucket documents.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    Mistake,
    check_call::check,
    definition::{expand_fields_of, expand_list, expand_options, expand_relations_of, target_of},
    index::expand_index,
    literal::number,
    span::over,
};
use crate::{
    model::{Bucket, Field, Index, IndexKey, Model, Origin, Relation, Span, Stored},
    parse::{may_be_struct, ungroup},
};

/// Writes `impl Bucketed for Comment`. A model that is not in buckets gets `impl HasOwnDocument` instead.
pub(super) fn expand_bucket(model: &Model, mistake: Option<&Mistake>) -> TokenStream {
    let name = &model.record.ident;
    let Some((bucket, parent, relation)) = model.bucket_parent() else {
        if let (Some(mistake), true) = (mistake, model.has_lost_bucket()) {
            return expand_lost(name, mistake);
        }
        // The impl is of `HasOwnDocument`, not of `OwnDocument`: in the error for a model in buckets, rustc would name
        // another model that implements `OwnDocument`.
        return quote!(impl __schema::HasOwnDocument for #name {});
    };
    let (definition, documents) =
        (expand_one(model, bucket, parent, relation), expand_documents(model, parent, mistake.is_none()));
    let target = target_of(&parent.ty);
    let which = match bucket.by {
        Some(_) => quote!(ByTime),
        None => quote!(ByArrival),
    };
    let of_parent = over(&parent.ty, quote!(type Parent = #target;));
    quote! {
        impl __schema::Bucketed for #name {
            #of_parent
            const BUCKET: &'static __schema::BucketDefinition = &#definition;
            const DOCUMENTS: &'static __Definition = &#documents;
        }
        impl __schema::#which for #name {}
    }
}

/// Writes placeholder buckets after a mistake that leaves no parent.
fn expand_lost(name: &Ident, mistake: &Mistake) -> TokenStream {
    let value = mistake.value();
    quote! {
        impl __schema::Bucketed for #name {
            type Parent = __Mistake;
            const BUCKET: &'static __schema::BucketDefinition = #value;
            const DOCUMENTS: &'static __Definition = <Self as __schema::Model>::DEFINITION;
        }
        impl __schema::ByArrival for #name {}
    }
}

/// Writes the checks of buckets: the size, the types of the fields that place a child, and the copies inside a child.
pub(super) fn expand_bucket_checks(model: &Model) -> TokenStream {
    let Some((bucket, _, relation)) = model.bucket_parent() else { return TokenStream::new() };
    let name = &model.record.ident;
    let mut checks = TokenStream::new();
    if let Some(size) = &bucket.size {
        checks.extend(check(&size.tokens, "bucket_size", quote!(::<#name>), quote!()));
    }
    if let Some(key) = relation.order.first() {
        checks.extend(check(&key.tokens, "bucket_order", quote!(::<#name>), quote!()));
    }
    if let Some(by) = &bucket.by {
        checks.extend(check(&by.tokens, "bucket_by", quote!(::<#name>), quote!()));
    }
    for (at, field) in model.record.fields.iter().enumerate() {
        if field.copy.is_none()
            && may_be_struct(&field.ty)
            && field.stored_as.is_none()
            && matches!(field.storage, Stored::Plain | Stored::Relation(_))
        {
            let at = proc_macro2::Literal::usize_unsuffixed(at);
            checks.extend(check(ungroup(&field.ty), "bucket_copies", quote!(::<#name>), quote!(#at)));
        }
    }
    checks
}

/// Returns the most children of a bucket; 1 after a mistake.
fn size(bucket: &Bucket) -> u64 {
    bucket.size.as_ref().map_or(1, |size| size.value)
}

fn expand_one(model: &Model, bucket: &Bucket, parent: &Field, relation: &Relation) -> TokenStream {
    let named = |field: &Field| {
        let (rust_name, name) = (&field.rust_name, &field.name);
        quote!(__schema::BucketField::new(#rust_name, #name))
    };
    let find = |name: &str| model.record.fields.iter().find(|field| field.rust_name == name);
    let order = relation.order.first().and_then(|key| find(&key.field)).map(|field| {
        let field = named(field);
        quote!(.order(#field))
    });
    let by = bucket.by.as_ref().and_then(|by| Some((by.span, find(&by.field)?))).map(|(span, field)| {
        let (span, field) = (
            match span {
                Span::Day => quote!(Day),
                Span::Hour => quote!(Hour),
            },
            named(field),
        );
        quote!(.by(__schema::Span::#span, #field))
    });
    let (size, parent) = (number(size(bucket)), named(parent));
    quote!(__schema::BucketDefinition::new(#size, #parent) #order #by)
}

/// Writes the definition of the bucket documents:
/// `{_id, post, page, count, first, last, items: [the child without post], emptied}`.
fn expand_documents(model: &Model, parent: &Field, whole: bool) -> TokenStream {
    let (record, name, collection) = (&model.record, model.record.ident.to_string(), &model.collection);
    let name_of = &record.ident;
    let (field, relation) = (
        expand_fields_of(record, &|field| field.ident == parent.ident),
        expand_relations_of(record, &|field| field.ident == parent.ident),
    );
    let items = expand_list(record, &|field| field.ident != parent.ident);
    let Some((bucket, ..)) = model.bucket_parent() else { return TokenStream::new() };
    let most = number(size(bucket));
    let span = bucket.by.as_ref().map(|by| {
        let word = by.span.word();
        quote!(__Stored::new(#word, #word, <__schema::DateTime as __Field>::SHAPE),)
    });
    let ordered = model.bucket_parent().and_then(|(_, _, relation)| relation.order.first());
    let ordered = ordered.and_then(|key| record.fields.iter().find(|field| field.rust_name == key.field));
    let bounds = ordered.map(|field| {
        let ty = super::span::written(field.stored_type());
        let shape = over(field.stored_type(), quote!(<#ty as __Field>::SHAPE.nullable()));
        quote!(__Stored::new("first", "first", #shape), __Stored::new("last", "last", #shape),)
    });
    let indexes = expand_indexes(model, bucket, parent);
    let options = expand_options(model, whole);
    quote! {
        __Definition::of_buckets_of::<#name_of>(
            #collection,
            &[
                __Stored::new("id", "_id", <__schema::ObjectId as __Field>::SHAPE),
                #field,
                #span
                __Stored::new("page", "page", <u32 as __Field>::SHAPE),
                __Stored::new("count", "count", <u32 as __Field>::SHAPE),
                #bounds
                __Stored::new("items", "items", __schema::Shape::list(
                    &__schema::Shape::document(#name, #items, true)
                ).max(#most)),
                __Stored::new("emptied", "emptied", <__schema::DateTime as __Field>::SHAPE.nullable()),
                __Stored::new("followed", "followed", <bool as __Field>::SHAPE.nullable()),
            ],
            &[#relation],
            &[#indexes],
        )
        .of_buckets(<Self as __schema::Bucketed>::BUCKET)
        #options
    }
}

/// Writes the indexes of the buckets. A page is a single document, and a child is in a single bucket. The keys of
/// declared indexes lead through `items`.
fn expand_indexes(model: &Model, bucket: &Bucket, parent: &Field) -> TokenStream {
    let post = &parent.rust_name;
    let span = bucket.by.as_ref().map(|by| {
        let word = by.span.word();
        quote!(__Key::asc(&[#word]),)
    });
    let id = model.id().map(|field| field.rust_name.clone()).unwrap_or_default();
    let declared = model.indexes.iter().filter(|index| matches!(index.origin, Origin::Declared(_)));
    let declared = declared.map(|index| {
        let keys = index.keys.iter().map(|key| {
            let mut path = key.path.clone();
            if path.first() != Some(&parent.rust_name) {
                path.insert(0, "items".to_owned());
            }
            IndexKey { path, direction: key.direction, tokens: key.tokens.clone() }
        });
        let origin = Origin::Declared(model.record.ident.clone());
        let keys = keys.collect();
        expand_index(&Index { name: index.name.clone(), ..Index::plain(keys, origin) })
    });
    quote! {
        __Index::new(&[__Key::asc(&[#post]), #span __Key::asc(&["page"])]).unique().for_bucket(),
        __Index::new(&[__Key::asc(&["items", #id])])
            .unique()
            .partial(&[__schema::PartialClause::new(
                &["items", #id],
                __schema::PartialOperator::Exists,
                __schema::Literal::Bool(true),
            )])
            .for_bucket(),
        #(#declared),*
    }
}
