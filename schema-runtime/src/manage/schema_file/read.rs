//! Writes and reads a schema file.

use serde::{Deserialize, Serialize};
use serde_json::Serializer;

use super::{FORMAT, SchemaFile, lines::Lines};

/// The reason why a text is no schema file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFileError {
    /// The text is no JSON, or the JSON has another form.
    #[error("the text is no schema file: {0}")]
    Form(#[from] serde_json::Error),
    /// The file has a format that this version of the crate does not know.
    #[error(
        "the schema file has format {found}, and this version reads format {FORMAT}: use the version that wrote the file"
    )]
    Format {
        /// The format of the file.
        found: u32,
    },
    /// Two models of the file have the same collection.
    #[error("the schema file lists the collection `{0}` twice")]
    Repeated(String),
}

impl SchemaFile {
    /// Returns the file as JSON with a line for each field and each index, and a newline at the end. The same models
    /// give the same text.
    pub fn to_json(&self) -> String {
        let mut text = Vec::new();
        let written = self.serialize(&mut Serializer::with_formatter(&mut text, Lines::default()));
        written.expect("texts, numbers and lists are JSON");
        text.push(b'\n');
        String::from_utf8(text).expect("JSON is UTF-8")
    }

    /// Reads a file that [`to_json`](SchemaFile::to_json) wrote.
    ///
    /// # Errors
    /// [`SchemaFileError`] with the line and the column when the text has another form, and for a format of a later
    /// version.
    pub fn from_json(text: &str) -> Result<Self, SchemaFileError> {
        /// The first field decides whether the remaining fields can be read.
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        let found = serde_json::from_str::<Versioned>(text)?.format;
        if found != FORMAT {
            return Err(SchemaFileError::Format { found });
        }
        let file: SchemaFile = serde_json::from_str(text)?;
        let mut collections: Vec<&str> = file.models.iter().map(|model| model.collection.as_str()).collect();
        collections.sort_unstable();
        match collections.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(SchemaFileError::Repeated(pair[0].to_owned())),
            None => Ok(file),
        }
    }
}
