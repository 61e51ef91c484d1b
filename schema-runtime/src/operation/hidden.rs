//! The hidden fields of written values. A value that was not loaded is absent from the document of a write, and a write
//! never removes the stored value.

use mongodb::bson::{Document, RawDocument, RawDocumentBuf};

use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result},
};

/// Returns the document of a value without the fields of these names, which were not loaded.
pub(super) fn without_unloaded(document: RawDocumentBuf, unloaded: &[&str]) -> Result<RawDocumentBuf> {
    if unloaded.is_empty() {
        return Ok(document);
    }
    let mut document = Document::try_from(&*document).map_err(Error::encode)?;
    unloaded.iter().for_each(|name| drop(document.remove(name)));
    codec::encode(&document).map_err(Error::encode)
}

/// Returns the stored names of the hidden fields that were not loaded. serde always writes a hidden field.
pub(super) fn unloaded(definition: &ModelDefinition, document: &RawDocument) -> Vec<&'static str> {
    let is_absent = |name: &&str| !codec::elements(document).any(|element| element.name() == *name);
    definition.hidden().map(|field| field.name).filter(is_absent).collect()
}

/// Returns the document of an insert.
///
/// # Errors
/// [`Error::HiddenNotLoaded`] without the value of a hidden field.
pub(super) fn loaded(definition: &ModelDefinition, document: RawDocumentBuf) -> Result<RawDocumentBuf> {
    match unloaded(definition, &document).first() {
        None => Ok(document),
        Some(field) => Err(Error::HiddenNotLoaded { model: definition.model, field }),
    }
}
