//! From the model to code: `const` data, field tokens, one-line methods, and the calls of the runtime's checks. Cannot
//! fail. Everything generated names the runtime by `::schema_runtime::__private`.

mod aggregate;
mod bucket;
mod check_call;
mod checks;
mod collation;
mod collection_kind;
mod copy;
mod definition;
mod document_rule;
mod embed;
mod extra;
mod facets;
mod fallback;
mod fields;
mod hidden;
mod history;
mod index;
mod literal;
mod mistake;
mod new_value;
mod order;
mod patch;
mod projection;
mod query;
mod relation;
mod rollup;
mod search_index;
mod shard_key;
mod slug;
mod span;
mod tagged;
mod tree;
mod value_rule;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Type, spanned::Spanned};

use crate::model::{Field, Index, Model, Record};

pub(crate) use aggregate::{expand_aggregate, fallback_aggregate};
pub(crate) use embed::expand_embed;
pub(crate) use facets::{expand_facets, fallback_facets};
pub(crate) use fallback::{expand_refused, fallback_embed, fallback_model, fallback_projection};
pub(crate) use mistake::Mistake;
pub(crate) use patch::{expand_patch, fallback_patch};
pub(crate) use projection::expand_projection;

/// Writes the code of a model. After a mistake, the checks of the model are left out, and the checks of related models
/// report nothing about the model. `None` for a model with parameters, since parameters are a mistake.
pub(crate) fn expand_model(model: &Model, mistake: Option<&Mistake>) -> Option<TokenStream> {
    let record = &model.record;
    if !record.generics.params.is_empty() {
        return None;
    }
    let whole = mistake.is_none();
    let (name, text) = (&record.ident, record.ident.to_string());
    let (generics, type_generics, where_clause) = record.generics.split_for_impl();
    let (fields_struct, fields_ident) = match &model.tagged {
        Some(tagged) => (tagged::expand_parts(tagged, true, whole), tagged::tokens_ident(tagged)),
        None => (fields::expand_fields_struct(record, Some(model)), fields::fields_ident(record)),
    };
    let stored = model.tagged.is_none().then(|| expand_record(record, extra::expand_extra(model)));
    let views = model.tagged.as_ref().map(|tagged| tagged::expand_views(model, tagged));
    let relations = definition::expand_relations(record);
    let inverses = definition::expand_inverses(model);
    let mirrors = definition::expand_mirrors(record);
    let definition = definition::expand_definition(model, whole);
    let handles = relation::expand_handles(model);
    let (id_type, id_value) = match model.id() {
        // A hidden `_id` is a mistake.
        Some(Field { ty, hidden: Some(_), .. }) => (quote!(#ty), quote!(::core::unreachable!())),
        Some(field) => {
            let (ident, ty) = (&field.ident, &field.ty);
            let value = match &model.tagged {
                Some(tagged) => tagged::expand_id(tagged, ident),
                None => quote!(&self.#ident),
            };
            (quote!(#ty), value)
        }
        None => (quote!(__Mistake), quote!(::core::unreachable!())),
    };
    let managed = expand_managed(record);
    let (skipped, unloaded) = (expand_skipped(model), hidden::expand_unloaded(model));
    let judges = document_rule::expand_judges(model);
    let copied_to = copy::expand_copied_to(record);
    let rollups = rollup::expand_rollups(record);
    let queries = query::expand_queries(model);
    let shard_key = shard_key::expand_shard_key(model);
    // Rules refuse histories and slugs for children in buckets, since both bring methods of documents.
    let is_own = model.bucket.is_none();
    let history_methods = is_own.then(|| history::expand_history_methods(model));
    let slug_methods = is_own.then(|| slug::expand_slug_methods(model));
    let tree = tree::expand_tree_impl(model);
    let alias = mistake.map(Mistake::alias);
    let lost = mistake.map(|mistake| mistake.expand_lost(name, &record.generics, model.lost(), model.defined()));
    let bucket = bucket::expand_bucket(model, mistake);
    let new = new_value::expand_new(model, mistake);
    let (new_impls, new_item) = new.map(|new| (new.impls, new.item)).unzip();
    let by_shard_key = shard_key::expand_filter(model);
    let query_methods = query::expand_query_methods(model);
    let writes = expand_writes(model);
    let unreferable = collection_kind::expand_unreferable(model);
    let groups_of_view = collection_kind::expand_groups_of_view(model);
    let copyable = (whole && model.tagged.is_none()).then(|| copy::expand_copyable(record));
    let checks = if whole { checks::expand_model_checks(model) } else { TokenStream::new() };
    Some(quote! {
        const _: () = {
            use ::schema_runtime::__private::names::*;
            #alias
            #fields_struct
            #stored
            impl #generics __schema::Described for #name #type_generics #where_clause {
                const SHAPE: __schema::Shape = __schema::Shape::model(#text);
                type Class = __schema::class::Subdocument;
                type Nested<__M: 'static, __P: __schema::Path, __K: 'static> = __schema::NoFields;
            }
            impl #generics __schema::Model for #name #type_generics #where_clause {
                type Id = #id_type;
                type Fields = #fields_ident<Self, __schema::Root, __schema::Plain>;
                const F: Self::Fields = __schema::NestedTokens::NEW;
                const NAME: &'static str = ::core::concat!(::core::module_path!(), "::", #text);
                const RELATIONS: &'static [__Relation] = &[#relations];
                const INVERSES: &'static [__schema::InverseDefinition] = &[#inverses];
                #mirrors
                #copied_to
                #rollups
                #queries
                #shard_key
                #unreferable
                #copyable
                const DEFINITION: &'static __Definition = &#definition;
                fn id(&self) -> &#id_type {
                    #id_value
                }
                #managed
                #skipped
                #judges
                #unloaded
            }
            #bucket
            #groups_of_view
            #writes
            #handles
            #query_methods
            #by_shard_key
            #history_methods
            #slug_methods
            #views
            #tree
            #new_impls
            #lost
        };
        #checks
        #new_item
    })
}

/// Writes the stored fields of a struct.
fn expand_record(record: &Record, extra: Option<TokenStream>) -> TokenStream {
    let (name, text) = (&record.ident, record.ident.to_string());
    let (generics, type_generics, where_clause) = record.generics.split_for_impl();
    let (field_list, copies) = (definition::expand_fields(record), copy::expand_copies(record));
    quote! {
        impl #generics __schema::Record for #name #type_generics #where_clause {
            const STRUCT: &'static str = #text;
            const FIELDS: &'static [__Stored] = #field_list;
            #copies
            #extra
        }
    }
}

/// Writes the impls of the writes that the model has, and of the search for words.
fn expand_writes(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let inserts = model.writes.inserts().then(|| quote!(impl __schema::InsertsDocuments for #name {}));
    let updates = model.writes.updates().then(|| quote!(impl __schema::UpdatesDocuments for #name {}));
    let finds_words = |index: &Index| index.has_words() && index.hidden.is_none();
    let words = model.indexes.iter().any(finds_words).then(|| quote!(impl __schema::TextIndexed for #name {}));
    quote!(#inserts #updates #words)
}

/// Writes the method that puts stored values back into the struct after a write; nothing when the crate sets no field
/// of the struct.
fn expand_managed(record: &Record) -> Option<TokenStream> {
    let mut sets = record
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.managed.is_some())
        .map(|(at, field)| {
            let (ident, name, at) = (&field.ident, &field.name, Literal::usize_unsuffixed(at));
            let set = match field.decoder {
                Some(_) => quote!(__schema::set_managed_by::<Self, #at>),
                None => quote!(__schema::set_managed),
            };
            quote!(#set(&mut self.#ident, #name, stored)?;)
        })
        .peekable();
    sets.peek()?;
    Some(quote! {
        fn set_managed(&mut self, stored: &__schema::Document) -> __schema::Result<(), __schema::FieldDecodeError> {
            #(#sets)*
            __schema::Result::Ok(())
        }
    })
}

/// Writes the method that keeps the skipped and hidden fields of a struct when the document is read again; nothing
/// without such fields.
fn expand_skipped(model: &Model) -> Option<TokenStream> {
    let swap = |kept: Vec<&Ident>| {
        let swaps = kept.iter().map(|ident| quote!(::core::mem::swap(&mut self.#ident, &mut stored.#ident);));
        (!kept.is_empty()).then(|| quote!(#(#swaps)*))
    };
    let body = match &model.tagged {
        None => swap(hidden::kept(&model.record))?,
        Some(tagged) => {
            let mut arms = tagged.variants.iter().filter_map(tagged::expand_skipped_of_variant).peekable();
            arms.peek()?;
            quote! {
                match (self, stored) {
                    #(#arms)*
                    _ => {}
                }
            }
        }
    };
    Some(quote! {
        fn swap_skipped(&mut self, stored: &mut Self) {
            #body
        }
    })
}

/// Writes `schema![A, B]`.
pub(crate) fn expand_schema(models: &[Type]) -> TokenStream {
    let count = models.len();
    let checks = models.iter().enumerate().map(|(at, model)| {
        quote_spanned! {model.span()=>
            const _: () = __schema_model(INDEX, #at);
        }
    });
    quote! {{
        #[allow(unused_imports)]
        use ::schema_runtime::__private::schema_model as __schema_model;
        const MODELS: [&::schema_runtime::__private::ModelDefinition; #count] =
            [#(<#models as ::schema_runtime::__private::Model>::DEFINITION.stored()),*];
        #[allow(long_running_const_eval)]
        const INDEX: &::schema_runtime::__private::SchemaIndex<#count> =
            &::schema_runtime::__private::SchemaIndex::new(MODELS);
        #(#checks)*
        ::schema_runtime::Schema::new(&MODELS)
    }}
}

/// Returns the generics of a struct for an impl. Each type parameter has the bound `Field`; defaults stay with the
/// struct.
fn bounded_generics(record: &Record) -> syn::Generics {
    let mut generics = record.generics.clone();
    for parameter in generics.const_params_mut() {
        parameter.default = None;
    }
    for parameter in generics.type_params_mut() {
        parameter.default = None;
        parameter.bounds.push(syn::parse_quote!(::schema_runtime::__private::Field));
    }
    generics
}
