//! Writes the kind and the options of a collection, and the calls of the checks of a kind.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::{
    check_call::check,
    collation::expand_collation,
    literal::{expand_literal, expand_option, number},
    span::{over, written},
};
use crate::{
    model::{Clause, Field, GivenKind, Kind, Model, RenamedField, TimeSeries, View},
    parse::ungroup,
};

/// Writes `.of_kind(..)`, `.pre_and_post_images()`, `.compressed(..)` and `.collation(..)`.
pub(super) fn expand_collection_options(model: &Model) -> TokenStream {
    let options = &model.options;
    let kind = options.kind().and_then(|given| expand_kind(model, &given.kind));
    let kind = kind.map(|kind| quote!(.of_kind(__schema::CollectionKind::#kind)));
    let images = options.images.as_ref().map(|_| quote!(.pre_and_post_images()));
    let compression = options.compression.as_ref().map(|(variant, _)| {
        let variant = Ident::new(variant, Span::call_site());
        quote!(.compressed(__schema::Compression::#variant))
    });
    let collation = expand_collation(options.collation.as_ref());
    quote!(#kind #images #compression #collation)
}

/// Writes the kind; `None` after a mistake.
fn expand_kind(model: &Model, kind: &Kind) -> Option<TokenStream> {
    Some(match kind {
        Kind::Capped { bytes, max } => {
            let bytes = number(bytes.as_ref()?.0);
            let documents = expand_option(max.as_ref().map(|max| number(max.value)));
            quote!(Capped { bytes: #bytes, documents: #documents })
        }
        Kind::Clustered { ttl } => {
            let ttl = expand_ttl(ttl.as_ref());
            quote!(Clustered { expire_after_seconds: #ttl })
        }
        Kind::TimeSeries(series) => expand_time_series(model, series)?,
        Kind::View(view) => {
            let view = expand_view(model, view)?;
            quote!(View(#view))
        }
    })
}

/// Writes the source of a view; `None` after a mistake.
fn expand_view(model: &Model, view: &View) -> Option<TokenStream> {
    let of = view.of.as_ref()?;
    let inner = written(of);
    let of = over(of, quote!(__Target::of::<#inner>()));
    let filter = view.filter.iter().map(expand_clause);
    let renamed = view
        .renamed
        .iter()
        .map(|RenamedField { field, from, .. }| quote!(__schema::RenamedField { field: #field, from: &[#(#from),*] }));
    let aggregate = view.aggregate.as_ref().map(|result| {
        let name = &model.record.ident;
        over(result, quote!(.aggregate::<#name>()))
    });
    Some(quote!(__schema::ViewDefinition::new(#of, &[#(#filter),*], &[#(#renamed),*]) #aggregate))
}

fn expand_time_series(model: &Model, series: &TimeSeries) -> Option<TokenStream> {
    let stored = |field: &Ident| model.field_named(field).map(|(_, field)| field.name.clone());
    let time = stored(series.time.as_ref()?)?;
    let meta = expand_option(series.meta.as_ref().and_then(stored).map(|meta| quote!(#meta)));
    let granularity = Ident::new(series.granularity, Span::call_site());
    let ttl = expand_ttl(series.ttl.as_ref());
    Some(quote! {
        TimeSeries(__schema::TimeSeriesDefinition {
            time: #time,
            meta: #meta,
            granularity: __schema::Granularity::#granularity,
            expire_after_seconds: #ttl,
        })
    })
}

fn expand_ttl<T>(ttl: Option<&(u32, T)>) -> TokenStream {
    expand_option(ttl.map(|(seconds, _)| number(u64::from(*seconds))))
}

/// Writes one clause of a partial index or of a view.
pub(super) fn expand_clause(clause: &Clause) -> TokenStream {
    let (path, operator) = (&clause.path, Ident::new(clause.operator, Span::call_site()));
    let value = expand_literal(&clause.value);
    quote! {
        __schema::PartialClause::new(&[#(#path),*], __schema::PartialOperator::#operator, #value)
    }
}

/// Writes the constant by which references to the model are refused; nothing for a model with references.
pub(super) fn expand_unreferable(model: &Model) -> Option<TokenStream> {
    let GivenKind { kind, word, .. } = model.options.kind()?;
    matches!(kind, Kind::TimeSeries(_) | Kind::View(_)).then(|| quote!(const UNREFERABLE: &'static str = #word;))
}

/// Writes the aggregation of a view of groups.
pub(super) fn expand_groups_of_view(model: &Model) -> Option<TokenStream> {
    let Some(GivenKind { kind: Kind::View(View { aggregate: Some(result), of: Some(_), .. }), .. }) =
        model.options.kind()
    else {
        return None;
    };
    let (name, groups) = (&model.record.ident, written(result));
    Some(quote!(impl __schema::ViewOfGroups for #name { type Groups = #groups; }))
}

/// Writes the checks of the kind and of the collation.
pub(super) fn expand_kind_checks(model: &Model) -> TokenStream {
    let name = &model.record.ident;
    let collation = model.options.collation.as_ref();
    let collation = collation
        .map(|collation| check(&collation.tokens, "collation_id", quote!(::<#name>), quote!()))
        .unwrap_or_default();
    let Some(GivenKind { kind, tokens, .. }) = model.options.kind() else { return collation };
    let mut checks = match kind {
        Kind::Clustered { ttl: None } => TokenStream::new(),
        Kind::Clustered { ttl: Some((_, tokens)) } => check(tokens, "clustered_ttl", quote!(::<#name>), quote!()),
        Kind::Capped { .. } => check(tokens, "collection_kind", quote!(::<#name>), quote!()),
        Kind::TimeSeries(series) => {
            let mut checks = check(tokens, "collection_kind", quote!(::<#name>), quote!());
            if let Some((time, (at, _))) = series.time.as_ref().and_then(|time| Some((time, model.field_named(time)?)))
            {
                let at = Literal::usize_unsuffixed(at);
                checks.extend(check(time, "time_series_time", quote!(::<#name>), quote!(#at)));
            }
            checks
        }
        Kind::View(view) => expand_view_checks(model, view),
    };
    checks.extend(collation);
    checks
}

/// Writes the checks of the conditions and of the fields of a view.
fn expand_view_checks(model: &Model, view: &View) -> TokenStream {
    let (name, mut checks) = (&model.record.ident, TokenStream::new());
    let index = Literal::usize_unsuffixed;
    let Some(of) = &view.of else { return checks };
    let (place, of) = (of, written(of));
    checks.extend(check(place, "view_source", quote!(::<#of>), quote!()));
    for (at, clause) in view.filter.iter().enumerate() {
        let at = index(at);
        checks.extend(check(&clause.tokens, "view_clause", quote!(::<#name, #of>), quote!(#at)));
    }
    // An aggregation has the fields of the result, and a model the stored fields.
    let (kind, generics) = match &view.aggregate {
        Some(result) => {
            checks.extend(check(result, "view_groups", quote!(::<#name, #of>), quote!()));
            ("value", quote!(::<#name>))
        }
        None => ("field", quote!(::<#name, #of>)),
    };
    for (at, field) in model.record.fields.iter().enumerate() {
        let at = index(at);
        let generics = generics.clone();
        checks.extend(match view.renaming_of(field) {
            Some(number) => {
                let (tokens, number) = (&view.renamed[number].tokens, index(number));
                check(tokens, &format!("view_renamed_{kind}"), generics, quote!(#at, #number))
            }
            None if view.aggregate.is_some() && is_id(field) => check(&field.ident, "view_key", generics, quote!(#at)),
            None => check(&field.ident, &format!("view_{kind}"), generics, quote!(#at)),
        });
    }
    for flat in &model.record.flats {
        let text = &flat.rust_name;
        checks.extend(check(ungroup(&flat.ty), &format!("view_flat_{kind}"), generics.clone(), quote!(#text)));
    }
    checks
}

fn is_id(field: &Field) -> bool {
    field.name == "_id"
}
