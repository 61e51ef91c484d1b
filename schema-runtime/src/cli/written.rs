//! Texts as results: byte for byte to the standard output, or to a file that the user names.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    exit::Exit,
    failure::Failure,
    file,
    session::{Form, Report},
};

/// A text that goes to the standard output, or is in a file.
pub(super) enum Written {
    Output {
        text: String,
        /// The result with `--json`.
        json: Value,
    },
    File {
        /// The content of the file, as `the diagram`.
        content: &'static str,
        /// The path of the written file.
        file: String,
    },
}

impl Written {
    /// Writes the text to the file; without a file, the text is the output.
    pub(super) fn to(out: Option<&PathBuf>, content: &'static str, text: String) -> Result<Self, Failure> {
        let json = json!({ "text": text });
        Written::with_json(out, content, text, json)
    }

    /// Writes as [`Written::to`]; without a file, the result with `--json` is `json`.
    pub(super) fn with_json(
        out: Option<&PathBuf>,
        content: &'static str,
        text: String,
        json: Value,
    ) -> Result<Self, Failure> {
        let Some(out) = out else { return Ok(Written::Output { text, json }) };
        file::write(out, &text)?;
        Ok(Written::File { content, file: out.to_string_lossy().into_owned() })
    }
}

impl Report for Written {
    fn exit(&self) -> Exit {
        Exit::Done
    }

    fn form(&self) -> Form {
        match self {
            Written::Output { .. } => Form::File,
            Written::File { .. } => Form::Lines,
        }
    }

    fn text(&self) -> String {
        match self {
            Written::Output { text, .. } => text.clone(),
            Written::File { content, file } => format!("{content} is in {file}"),
        }
    }

    fn json(&self) -> Value {
        match self {
            Written::Output { json, .. } => json.clone(),
            Written::File { file, .. } => json!({ "file": file }),
        }
    }
}
