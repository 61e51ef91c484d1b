//! Writes the kind and the options of a collection, and the calls of the checks of a kind.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::{
    check_call::check,
    collation::expand_collation,
    literal::{expand_literal, expand_option, number},
    span::{over, written},
};
use crate::model::{Clause, GivenKind, Kind, Model, TimeSeries};

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
        Kind::View { of, filter } => {
            let of = of.as_ref()?;
            let written = written(of);
            let of = over(of, quote!(__Target::of::<#written>()));
            let filter = filter.iter().map(expand_clause);
            quote!(View(__schema::ViewDefinition { of: #of, filter: &[#(#filter),*] }))
        }
    })
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
    matches!(kind, Kind::TimeSeries(_) | Kind::View { .. }).then(|| quote!(const UNREFERABLE: &'static str = #word;))
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
        Kind::View { of, filter } => {
            let mut checks = TokenStream::new();
            for (at, clause) in filter.iter().enumerate() {
                let at = Literal::usize_unsuffixed(at);
                checks.extend(of.as_ref().map(|of| {
                    let of = written(of);
                    check(&clause.tokens, "view_clause", quote!(::<#name, #of>), quote!(#at))
                }));
            }
            checks
        }
    };
    if let Kind::View { of: Some(of), .. } = kind {
        let of = written(of);
        for (at, field) in model.record.fields.iter().enumerate() {
            let at = Literal::usize_unsuffixed(at);
            checks.extend(check(&field.ident, "view_field", quote!(::<#name, #of>), quote!(#at)));
        }
    }
    checks.extend(collation);
    checks
}
