//! The changes as workflow commands of GitHub, which show each change at a line of the schema file. Source: GitHub,
//! "Workflow commands for GitHub Actions".

use crate::manage::{
    schema_diff::{ChangePlace, DeployLevel, SchemaChange, SchemaDiff},
    schema_file::SchemaFile,
};

impl SchemaDiff {
    /// Returns a workflow command of GitHub for each change, at the line of the change in the later file: `notice` for
    /// a safe change, `warning` for a change that needs a step, `error` for a change that breaks a version. `path` is
    /// the path of the file in the repository.
    pub fn to_annotations(&self, later: &SchemaFile, path: &str) -> String {
        let text = later.to_json();
        let lines: Vec<&str> = text.lines().collect();
        let mut annotations = String::new();
        for change in &self.changes {
            let command = match change.level() {
                DeployLevel::Safe => "notice",
                DeployLevel::NeedsStep => "warning",
                DeployLevel::Breaks => "error",
            };
            let mut message = format!("{}: {change}", change.collection);
            for effect in &change.effects {
                message.push_str(&format!("\n{effect}: {}", effect.remedy()));
            }
            let place = format!("file={},line={}", escape_property(path), line_of(change, &lines));
            annotations.push_str(&format!("::{command} {place}::{}\n", escape_message(&message)));
        }
        annotations
    }
}

/// Returns the number of the line of a change, from 1. A removed part has the line of the model, and a removed model
/// the first line.
fn line_of(change: &SchemaChange, lines: &[&str]) -> usize {
    let starts = |line: &&str, name: &str, value: &str| {
        let value = serde_json::Value::from(value);
        line.trim_start().trim_start_matches('{').starts_with(&format!("\"{name}\": {value}"))
    };
    let Some(model) = lines.iter().position(|line| starts(line, "collection", &change.collection)) else { return 1 };
    let within = lines.iter().enumerate().skip(model + 1).take_while(|(_, line)| !is_model(line));
    let (name, value) = match &change.place {
        ChangePlace::Field(path) => ("path", path.rsplit_once(": ").map_or(path.as_str(), |(_, path)| path)),
        ChangePlace::Index(name) | ChangePlace::SearchIndex(name) | ChangePlace::Query(name) => ("name", name.as_str()),
        ChangePlace::SilencedRule(rule) => ("rule", rule.as_str()),
        ChangePlace::Collection | ChangePlace::ShardKey | ChangePlace::Rules => return model + 1,
    };
    within.into_iter().find(|(_, line)| starts(line, name, value)).map_or(model + 1, |(line, _)| line + 1)
}

fn is_model(line: &str) -> bool {
    line.trim_start().starts_with("\"collection\": ")
}

fn escape_message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}
