//! Diagrams of a schema, drawn from a schema file: `picture` finds the boxes and the lines, `select` keeps the asked
//! part, and a file for each format writes text. Pure.

mod dot;
mod html;
mod mermaid;
mod picture;
mod report;
mod select;
mod svg;

#[cfg(feature = "cli")]
pub(crate) use select::nearest;

use crate::manage::schema_file::SchemaFile;

pub use report::report;

/// A format of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiagramFormat {
    /// An `erDiagram` of Mermaid, for Markdown.
    Mermaid,
    /// A graph of Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A page with the picture, a search and the facts of each collection, in one file.
    Html,
}

/// The part of the schema that a diagram shows. The default is the whole schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiagramOptions {
    only: Vec<String>,
    depth: Option<u32>,
    by_module: bool,
    hides_copies: bool,
    hides_indexes: bool,
}

impl DiagramOptions {
    /// Shows the whole schema.
    pub fn new() -> Self {
        DiagramOptions::default()
    }

    /// Shows this model or collection, and the neighbors up to [`depth`](DiagramOptions::depth). Several calls add up.
    pub fn only(mut self, name: impl Into<String>) -> Self {
        self.only.push(name.into());
        self
    }

    /// Sets the number of lines from a named collection to the farthest shown collection. The default is 1.
    pub fn depth(self, depth: u32) -> Self {
        DiagramOptions { depth: Some(depth), ..self }
    }

    /// Groups the collections by the modules of the structs: DOT draws a frame around each module, and the remaining
    /// formats order the collections by module and write the module into each box.
    pub fn group_by_module(self) -> Self {
        DiagramOptions { by_module: true, ..self }
    }

    /// Leaves out the lines of copies.
    pub fn hide_copies(self) -> Self {
        DiagramOptions { hides_copies: true, ..self }
    }

    /// Leaves out indexes.
    pub fn hide_indexes(self) -> Self {
        DiagramOptions { hides_indexes: true, ..self }
    }
}

/// The reason why a diagram cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// The schema has no such model and no such collection.
    #[error("the schema has no model and no collection `{name}`{}", similar(nearest.as_deref()))]
    UnknownName {
        /// The asked name.
        name: String,
        /// The most similar name of the schema.
        nearest: Option<String>,
    },
    /// Mermaid refuses texts of more than 50,000 characters.
    #[error(
        "the diagram has {characters} characters, and Mermaid draws at most 50000: show a part with `only` `{only}`, or \
         write another format"
    )]
    TooLong {
        /// The length of the text.
        characters: usize,
        /// A collection whose diagram with the direct neighbors is short enough.
        only: String,
    },
}

fn similar(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(": `{name}` is similar")).unwrap_or_default()
}

/// Draws a schema. The same schema gives the same bytes.
///
/// # Errors
/// [`UnknownName`](DiagramError::UnknownName) for a name that the schema does not have, and
/// [`TooLong`](DiagramError::TooLong) for a diagram that Mermaid refuses.
///
/// # Examples
/// ```
/// use schema_runtime::{
///     diagram::{DiagramFormat, DiagramOptions, draw},
///     prelude::*,
/// };
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "users")]
/// struct User {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     name: String,
/// }
///
/// let file = schema![User].snapshot()?;
/// let text = draw(&file, DiagramFormat::Mermaid, &DiagramOptions::new()).expect("the schema is small");
/// assert!(text.starts_with("erDiagram"));
/// # Ok::<(), schema_runtime::Error>(())
/// ```
pub fn draw(file: &SchemaFile, format: DiagramFormat, options: &DiagramOptions) -> Result<String, DiagramError> {
    let picture = select::select(picture::picture(file, options), options)?;
    match format {
        DiagramFormat::Mermaid => mermaid::checked(&picture),
        DiagramFormat::Dot => Ok(dot::write(&picture, options.by_module)),
        DiagramFormat::Svg => Ok(svg::write(&picture)),
        DiagramFormat::Html => Ok(html::write(&picture, file)),
    }
}
