//! The selection of the one document that a write returns.

use std::{fmt, marker::PhantomData, sync::Arc};

use derive_where::derive_where;

use crate::{
    definition::ModelDefinition,
    document::{top_field, without_values},
    error::Result,
    executor::{Context, Executor, OperationOptions, Selected},
    field::{Filter, Path, Revealable, SortKeys, Token},
    model::{Model, shown_fields},
    page::sort_by,
};

/// The one document of `M` that a write selects and returns.
#[derive_where(Clone)]
pub(super) struct Selection<M> {
    selected: Result<Selected>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> Selection<M> {
    pub(super) fn new(filter: Filter<M>) -> Self {
        let returned = shown_fields::<M>();
        let selected = filter.into_document().map(|filter| Selected { filter, returned, ..Selected::default() });
        Selection { selected, model: PhantomData }
    }

    /// Selects the first document in this order.
    pub(super) fn sort(self, keys: impl SortKeys<M>) -> Self {
        self.with(|selected| selected.sort = sort_by(&keys.into_paths()))
    }

    /// Returns also a hidden field.
    pub(super) fn reveal<F: Token<Model = M, Access: Revealable>>(self) -> Self {
        let path = F::Path::NODE.join();
        self.with(|selected| drop(selected.returned.remove(top_field(&path))))
    }

    pub(super) fn into_selected(self) -> Result<Selected> {
        self.selected
    }
}

impl<M> Selection<M> {
    /// Changes the options of the write.
    pub(super) fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        self.with(|selected| change(Arc::make_mut(selected.options.get_or_insert_default())))
    }

    fn with(mut self, change: impl FnOnce(&mut Selected)) -> Self {
        if let Ok(selected) = &mut self.selected {
            change(selected);
        }
        self
    }
}

/// Returns the context of a write of the selected document, with the options of the write.
pub(super) fn context_of(
    db: &dyn Executor,
    definition: &ModelDefinition,
    options: Option<&OperationOptions>,
) -> Result<Context> {
    let context = db.context()?.with(options)?.comparing(definition.texts_of_writes());
    if definition.fills() {
        context.refuse_selection("a write of a model with derived data")?;
    }
    Ok(context)
}

/// Shows the selection without the values.
impl<M> fmt::Debug for Selection<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = &mut formatter.debug_struct("Selection");
        match &self.selected {
            Ok(Selected { filter, sort, .. }) => {
                fields.field("filter", &format_args!("{}", without_values(filter))).field("sort", sort).finish()
            }
            Err(error) => fields.field("error", error).finish(),
        }
    }
}
