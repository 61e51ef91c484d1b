//! The kind and the options of a collection, in the words of the user.

use proc_macro2::Ident;
use syn::{Expr, Path};

use super::{Clause, Collation, Field, Model, Number};

/// The options of a collection.
#[derive(Default)]
pub(crate) struct CollectionOptions {
    /// The kinds, in the order of [`Kind`]; a right model has at most one.
    pub(crate) kinds: Vec<GivenKind>,
    /// The word `pre_and_post_images`.
    pub(crate) images: Option<Expr>,
    /// The variant of the runtime's `Compression`, with the argument of the user.
    pub(crate) compression: Option<(&'static str, Expr)>,
    /// The rules by which the collection compares texts.
    pub(crate) collation: Option<Collation>,
    /// The word `validation`.
    pub(crate) validation: Option<Expr>,
    /// The words `read_only` and `insert_only`, as far as given.
    pub(crate) writes: Vec<Expr>,
}

/// A kind of collection.
pub(crate) struct GivenKind {
    pub(crate) kind: Kind,
    /// The word of the kind.
    pub(crate) word: &'static str,
    /// The argument of the user.
    pub(crate) tokens: Expr,
}

pub(crate) enum Kind {
    /// `capped(size = "64MiB", max = 10_000)`
    Capped {
        /// The most bytes; `None` after a mistake.
        bytes: Option<(u64, Expr)>,
        max: Option<Number>,
    },
    /// `clustered(ttl = "30d")`
    Clustered { ttl: Option<(u32, Expr)> },
    /// `time_series(time = at, meta = sensor, granularity = minutes, ttl = "90d")`
    TimeSeries(TimeSeries),
    /// `view(of = Product, filter(lt(price, 100)))`
    View(View),
}

pub(crate) struct View {
    /// The model of the source; `None` after a mistake.
    pub(crate) of: Option<Path>,
    pub(crate) filter: Vec<Clause>,
    /// The result of the aggregation that makes the documents of the view.
    pub(crate) aggregate: Option<Path>,
    /// The fields that have another name in the source.
    pub(crate) renamed: Vec<RenamedField>,
}

/// `from(label = name)`: a field of a view, and the path of the field in the source.
pub(crate) struct RenamedField {
    /// The field of the view, in Rust.
    pub(crate) field: String,
    pub(crate) from: Vec<String>,
    pub(crate) tokens: Expr,
}

impl View {
    /// Returns the number of the renaming of this field.
    pub(crate) fn renaming_of(&self, field: &Field) -> Option<usize> {
        self.renamed.iter().position(|renamed| renamed.field == field.rust_name)
    }
}

pub(crate) struct TimeSeries {
    /// The field with the time; `None` after a mistake.
    pub(crate) time: Option<Ident>,
    pub(crate) meta: Option<Ident>,
    /// The variant of the runtime's `Granularity`.
    pub(crate) granularity: &'static str,
    pub(crate) ttl: Option<(u32, Expr)>,
}

impl CollectionOptions {
    /// Returns the kind of the collection; `None` for a plain collection.
    pub(crate) fn kind(&self) -> Option<&GivenKind> {
        self.kinds.first()
    }

    /// Returns the time series of the collection.
    pub(crate) fn time_series(&self) -> Option<&TimeSeries> {
        match &self.kind()?.kind {
            Kind::TimeSeries(series) => Some(series),
            Kind::Capped { .. } | Kind::Clustered { .. } | Kind::View(_) => None,
        }
    }
}

impl Model {
    /// Returns the field of this name, with the place of the field.
    pub(crate) fn field_named(&self, name: &Ident) -> Option<(usize, &Field)> {
        let name = crate::parse::identifier(name);
        self.record.fields.iter().enumerate().find(|(_, field)| field.rust_name == name)
    }
}
