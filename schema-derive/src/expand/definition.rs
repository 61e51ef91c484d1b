//! The definition of a model, as `const` data.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Type;

use super::{
    collection_kind::expand_collection_options,
    document_rule::expand_document_rules,
    history::expand_history,
    index::expand_index,
    literal::number,
    order::order_keys,
    search_index::expand_search_indexes,
    span::{over, placed, written},
    tree::expand_tree,
    value_rule::expand_checked,
};

use crate::{
    model::{
        Allow, ChangeRate, Changes, Check, Defect, DeleteRule, Field, History, Json, Model, Record, Storage, Stored,
        StoredAs, Writes,
    },
    parse::may_be_struct,
};

/// `&[FieldDefinition::new("id", "_id", <ObjectId as Field>::SHAPE), ..]`
pub(super) fn expand_fields(record: &Record) -> TokenStream {
    expand_list(record, &|_| true)
}

/// Writes the list of the definitions of the fields that `is_one` selects, and of all fields of the flat structs.
pub(super) fn expand_list(record: &Record, is_one: &dyn Fn(&Field) -> bool) -> TokenStream {
    expand_joined(expand_fields_of(record, is_one), record)
}

/// Writes the list of these definitions, and of the definitions of all fields of the flat structs.
pub(super) fn expand_joined(own: TokenStream, record: &Record) -> TokenStream {
    let mut flats = record.flats.iter().filter(|flat| !flat.broken).peekable();
    if flats.peek().is_none() {
        return quote!(&[#own]);
    }
    let flats = flats.map(|flat| {
        let (name, ty) = (&flat.rust_name, written(&flat.ty));
        let shape = over(&flat.ty, quote!(<#ty as __Field>::SHAPE));
        quote!(__schema::Flat::new(#name, #shape))
    });
    quote! {{
        const OWN: &[__Stored] = &[#own];
        const FLAT: &[__schema::Flat] = &[#(#flats),*];
        const ALL: [__Stored; __schema::joined_len(OWN, FLAT)] = __schema::joined(OWN, FLAT);
        &ALL
    }}
}

/// Writes the definitions of the fields that `is_one` selects.
pub(super) fn expand_fields_of(record: &Record, is_one: &dyn Fn(&Field) -> bool) -> TokenStream {
    let id = record.fields.iter().find(|field| field.name == "_id");
    let id = id.map(|field| expand_shape(&field.ty, &field.storage, &field.checks));
    let fields = record.fields.iter().filter(|field| is_one(field)).map(|field| {
        let (rust_name, name) = (&field.rust_name, &field.name);
        // A field that embeds the field's own struct has no shape; the rule `document_too_deep` has reported the
        // mistake.
        let endless = Stored::Opaque { max_bytes: 0, converted: false };
        let shape =
            expand_shape(field.stored_type(), if field.defect == Some(Defect::EmbedsItself) { &endless } else { &field.storage }, &field.checks);
        let stored_as = field.stored_as.as_ref().map(|StoredAs { name, .. }| {
            quote!(.stored_as(const { &__schema::StoredAs::new(#name) }))
        });
        let not_whole = field.misspelt.then(|| quote!(.not_whole()));
        let absent = match (field.skippable, field.default) {
            (true, _) => quote!(.skippable()),
            (false, true) => quote!(.defaulted()),
            (false, false) => quote!(),
        };
        let managed = field.managed.as_ref().map(|managed| {
            let word = variant(managed.managed.word());
            quote!(.#word())
        });
        let unversioned = field.unversioned.as_ref().map(|_| quote!(.unversioned()));
        let changes = expand_changes(field);
        let may_dangle = field.may_dangle.as_ref().map(|_| quote!(.may_dangle()));
        let written = field.changes.per_day.as_ref().map(|written| {
            let often = number(written.value);
            quote!(.changes_per_day(#often))
        });
        let history = expand_history(field);
        let slug = field.slug.as_ref().map(|slug| {
            let from = &slug.from;
            let follow = slug.follow.as_ref().map(|_| quote!(.follow()));
            let keep_old = slug.keep_old.as_ref().zip(slug.kept(&field.name)).map(|(keep_old, kept)| {
                let most = number(keep_old.value);
                quote!(.keep_old(#kept, #most))
            });
            quote!(.slug(__schema::SlugDefinition::new(#from) #follow #keep_old))
        });
        let json = match &field.json {
            Json::AsStored => None,
            Json::Renamed { name, .. } => Some(quote!(.json_renamed(#name))),
            Json::Skipped => Some(quote!(.json_skipped())),
        };
        let hidden = field.hidden.as_ref().map(|_| quote!(.hidden()));
        let immutable = field.immutable.as_ref().map(|_| quote!(.immutable()));
        let tree = expand_tree(field, record, id.as_ref());
        let sequence = field.sequence().map(|name| quote!(.sequence(#name)));
        quote!(__Stored::new(#rust_name, #name, #shape #stored_as #not_whole) #absent #managed #unversioned #changes #written #may_dangle #history #slug #tree #json #sequence #hidden #immutable)
    });
    quote!(#(#fields),*)
}

/// Writes `.changes_often()`, `.changes_seldom()` or nothing.
pub(super) fn expand_changes(field: &Field) -> Option<TokenStream> {
    expand_rate(&field.changes)
}

/// Writes how often a field changes, as far as the user says.
pub(super) fn expand_rate(changes: &Changes) -> Option<TokenStream> {
    changes.rate.map(|rate| match rate {
        ChangeRate::Often => quote!(.changes_often()),
        ChangeRate::Seldom => quote!(.changes_seldom()),
    })
}

/// Writes the shape of a type, with the bounds and the rules of the attributes.
pub(super) fn expand_shape(ty: &Type, storage: &Stored, checks: &[Check]) -> TokenStream {
    expand_checked(ty, expand_bounded(ty, storage), checks)
}

/// Writes the shape of a type, with the bounds of the attribute.
fn expand_bounded(ty: &Type, storage: &Stored) -> TokenStream {
    // The span is the user's type, so that rustc reports a wrong type there.
    let written = written(ty);
    let shape = over(ty, quote!(<#written as __Field>::SHAPE));
    match storage {
        Stored::Plain => shape,
        Stored::Opaque { max_bytes, converted } => {
            let max_bytes = number(*max_bytes);
            match converted {
                true => quote!(__schema::Shape::converted(#max_bytes)),
                false => quote!(__schema::Shape::opaque(#max_bytes)),
            }
        }
        Stored::Subset { keep } | Stored::History(History { keep, .. }) => {
            let keep = number(keep.value);
            quote!(#shape.max(#keep))
        }
        Stored::Relation(relation) => match &relation.max {
            Some(max) => {
                let max = number(max.value);
                quote!(#shape.max(#max))
            }
            None => shape,
        },
        Stored::Bound(bound) => {
            let max = bound.max.as_ref().map(|max| number(max.value));
            let max_len =
                bound.max_len.as_ref().map(|max_len| number(max_len.value)).map(|most| quote!(.max_len(#most)));
            let max_bytes =
                bound.max_bytes.as_ref().map(|most| number(most.value)).map(|most| quote!(.max_bytes(#most)));
            match (max, max_len.or(max_bytes)) {
                (Some(max), Some(of_item)) => {
                    quote!(#shape.max(#max).with_items(const { &#shape.item()#of_item }))
                }
                (Some(max), None) => quote!(#shape.max(#max)),
                (None, Some(of_value)) => quote!(#shape #of_value),
                (None, None) => shape,
            }
        }
    }
}

pub(super) fn expand_relations(record: &Record) -> TokenStream {
    expand_relations_of(record, &|_| true)
}

/// Writes the relations of the fields that `is_one` selects.
pub(super) fn expand_relations_of(record: &Record, is_one: &dyn Fn(&Field) -> bool) -> TokenStream {
    let relations = record.fields.iter().filter(|field| is_one(field)).filter_map(|field| {
        let relation = field.relation()?;
        let (rust_name, name, ty) = (&field.rust_name, &field.name, &field.ty);
        let cardinality = variant(&format!("__{:?}", relation.cardinality));
        let storage = variant(match relation.storage {
            Storage::Embed => "__StoredInside",
            Storage::ChildRefs => "__StoredRefs",
            Storage::ParentRef => "__StoredRef",
            Storage::OneWay => "__StoredOneWay",
            Storage::TwoWay => "__StoredTwoWay",
        });
        let target = relation.storage.refers().then(|| {
            let target = target_of(ty);
            // Only a struct may be an extended reference.
            let reference = may_be_struct(ty).then(|| {
                let written = written(ty);
                let reference = placed(ty, quote!(<#written as __References>::BY));
                quote!(.reference(#reference))
            });
            // The target, with the declaration on the far side. The far side of a mirror is only the relation that the
            // mirror follows.
            match relation.is_mirror() {
                true => quote!(.to(__Target::of::<#target>()) #reference),
                false => quote!(.refers::<#target, Self>() #reference),
            }
        });
        let mirror = relation.is_mirror().then(|| quote!(.mirror()));
        let order = (!relation.order.is_empty()).then(|| {
            let keys = order_keys(&relation.order);
            quote!(.order(#keys))
        });
        let inverse = relation.inverse.as_ref().map(|inverse| {
            let inverse = crate::parse::identifier(inverse);
            quote!(.inverse(#inverse))
        });
        let by = relation.by.as_ref().map(|by| {
            let by = crate::parse::identifier(by);
            quote!(.by(#by))
        });
        let allows = (!relation.allows.is_empty()).then(|| {
            let allows = expand_allows(&relation.allows);
            quote!(.allows(#allows))
        });
        Some(over(
            ty,
            quote! {
                __Relation::new(#rust_name, #name, #cardinality, #storage)
                    #target #mirror #order #inverse #by #allows
            },
        ))
    });
    quote!(#(#relations),*)
}

/// Writes the model that a type refers to, as a type with a single place: rustc reports a mistake in the type once.
pub(super) fn target_of(ty: &Type) -> TokenStream {
    let inner = written(ty);
    placed(ty, quote!(__To<#inner>))
}

pub(super) fn expand_inverses(model: &Model) -> TokenStream {
    let inverses = model.inverses.iter().map(|inverse| {
        let (accessor, child) = (crate::parse::identifier(&inverse.accessor), &inverse.child);
        let field = crate::parse::identifier(&inverse.field);
        let written = written(child);
        let child = over(child, quote!(__Target::of::<#written>()));
        let on_delete = inverse.on_delete.as_ref().map(|on_delete| {
            let rule = expand_delete_rule(on_delete.rule);
            quote!(.on_delete(#rule))
        });
        let one = inverse.is_one.then(|| quote!(.one_to_one()));
        let at_most = inverse.at_most.as_ref().map(|most| {
            let most = number(most.value);
            quote!(.at_most(#most))
        });
        let allows = (!inverse.allows.is_empty()).then(|| {
            let allows = expand_allows(&inverse.allows);
            quote!(.allows(#allows))
        });
        let per_day = inverse.per_day.as_ref().map(|often| {
            let often = number(often.value);
            quote!(.per_day(#often))
        });
        quote!(__schema::InverseDefinition::new(#accessor, #child, #field) #one #on_delete #at_most #per_day #allows)
    });
    quote!(#(#inverses),*)
}

fn expand_delete_rule(rule: DeleteRule) -> TokenStream {
    let rule = variant(&format!("{rule:?}"));
    quote!(__schema::DeleteRule::#rule)
}

/// Writes `const MIRRORS: .. = &[..];` of a model; nothing for a model without mirrors.
pub(super) fn expand_mirrors(record: &Record) -> Option<TokenStream> {
    let mirrors = record.fields.iter().filter_map(|field| Some((field, field.relation()?)));
    let mut mirrors = mirrors
        .filter_map(|(field, relation)| {
            let of = relation.of.as_ref()?;
            let (rust_name, child_field) = (&field.rust_name, crate::parse::identifier(&of.field));
            let written = written(&of.child);
            let child = over(&of.child, quote!(__Target::of::<#written>()));
            let on_delete = match &relation.on_delete {
                Some(on_delete) => {
                    let rule = expand_delete_rule(on_delete.rule);
                    quote!(::core::option::Option::Some(#rule))
                }
                None => quote!(::core::option::Option::None),
            };
            Some(quote!(__schema::MirrorDefinition::new(#rust_name, #child, #child_field, #on_delete)))
        })
        .peekable();
    mirrors.peek()?;
    Some(quote!(const MIRRORS: &'static [__schema::MirrorDefinition] = &[#(#mirrors),*];))
}

pub(super) fn expand_definition(model: &Model, whole: bool) -> TokenStream {
    let collection = &model.collection;
    let indexes = model.indexes.iter().map(expand_index);
    let search_indexes = expand_search_indexes(model);
    let options = expand_options(model, whole);
    let variants = model.tagged.as_ref().map(|_| quote!(.variants(<Self as __schema::Tagged>::VARIANTS)));
    let bucket = model
        .bucket_parent()
        .map(|_| quote!(.in_buckets(<Self as __schema::Bucketed>::BUCKET, <Self as __schema::Bucketed>::DOCUMENTS)));
    quote! {
        __Definition::of::<Self>(#collection, &[#(#indexes),*]) #search_indexes #variants #options #bucket
    }
}

/// Writes the options of the whole collection.
pub(super) fn expand_options(model: &Model, whole: bool) -> TokenStream {
    let validation = ((model.level, model.action) != ("Strict", "Error")).then(|| {
        let (level, action) = (variant(model.level), variant(model.action));
        quote!(.validation(__schema::ValidationLevel::#level, __schema::ValidationAction::#action))
    });
    let of_variants = model.tagged.iter().flat_map(|tagged| tagged.records().flat_map(|record| &record.fields));
    let fields = model.record.fields.iter().filter(|_| model.tagged.is_none()).chain(of_variants);
    let bound_allows = fields.flat_map(allows_of_bound);
    let allows: Vec<TokenStream> = model.allows.iter().chain(bound_allows).map(expand_allow).collect();
    let allows = (!allows.is_empty()).then(|| quote!(.allows(&[#(#allows),*])));
    let writes = match model.writes {
        Writes::All => None,
        Writes::Inserts | Writes::Measurements => Some(quote!(.insert_only())),
        Writes::Nothing | Writes::Viewed => Some(quote!(.read_only())),
    };
    let strict = model.record.strict.then(|| quote!(.strict()));
    let not_whole = (!whole).then(|| quote!(.not_whole()));
    let document_rules = whole.then(|| expand_document_rules(model));
    let kind = expand_collection_options(model);
    quote!(#validation #kind #writes #strict #allows #document_rules #not_whole)
}

fn allows_of_bound(field: &Field) -> &[Allow] {
    match &field.storage {
        Stored::Bound(bound) => &bound.allows,
        _ => &[],
    }
}

pub(super) fn expand_allows(allows: &[Allow]) -> TokenStream {
    let allows = allows.iter().map(expand_allow);
    quote!(&[#(#allows),*])
}

fn expand_allow(allow: &Allow) -> TokenStream {
    let (rule, reason) = (&allow.rule, &allow.reason);
    quote!(__schema::Allow::new(#rule, #reason))
}

/// Makes a name of the runtime, with the span of the macro call.
fn variant(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
