//! Comments are in plain English: few words point back to an earlier noun (`it`, `those`, `one`), and few sentences
//! begin with such a word.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::root;

const POINTING: &str =
    "it its they them their theirs those these what whose one ones others other such which whatever whoever";
const POINTING_STARTS: &str = "what those that these it they whether where who whoever which such";
/// The words after a first `of` that point back.
const AFTER_OF: &str = "a an those what one";

/// The most pointing words of a folder, in per cent of the words.
const MOST_IN_A_FOLDER: f64 = 3.0;
/// The most pointing words of a file of more than [`SHORT`] words.
const MOST_IN_A_FILE: f64 = 6.0;
pub(crate) const SHORT: usize = 60;
/// The most sentences of a folder that begin with a pointing word, in per cent of the sentences.
const MOST_STARTS: f64 = 4.0;

/// The most characters of a line with a comment.
const WIDTH: usize = 120;

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) words: usize,
    pub(crate) pointing: usize,
    pub(crate) sentences: usize,
    pub(crate) starts: usize,
}

impl Counts {
    pub(crate) fn of(text: &str) -> Self {
        let mut counts = Counts::default();
        for words in sentences(text) {
            counts.words += words.len();
            counts.pointing += words.iter().filter(|word| is_in(POINTING, word)).count();
            counts.sentences += 1;
            counts.starts += usize::from(begins_pointing(&words));
        }
        counts
    }

    pub(crate) fn add(&mut self, other: &Counts) {
        self.words += other.words;
        self.pointing += other.pointing;
        self.sentences += other.sentences;
        self.starts += other.starts;
    }
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

pub(crate) fn begins_pointing(words: &[String]) -> bool {
    match words {
        [the, same, ..] if the == "the" && same == "same" => true,
        [of, next, ..] if of == "of" => is_in(AFTER_OF, next),
        [first, ..] => is_in(POINTING_STARTS, first),
        [] => false,
    }
}

pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the text of the comments, without blocks of code. An empty line stands for each line of code.
fn comments(source: &str) -> String {
    let (mut lines, mut is_code) = (Vec::new(), false);
    for line in source.lines() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            lines.push("");
            continue;
        };
        let text = comment.trim_start_matches(['/', '!']);
        if text.trim_start().starts_with("```") {
            is_code = !is_code;
        } else {
            lines.push(if is_code { "" } else { text });
        }
    }
    lines.join("\n")
}

/// Returns the words of each sentence of at least three words. A quoted name is a word.
pub(crate) fn sentences(text: &str) -> Vec<Vec<String>> {
    let mut sentences = Vec::new();
    for paragraph in text.split("\n\n") {
        let quoted = paragraph.split('`').enumerate();
        let plain: String = quoted.map(|(at, part)| if at % 2 == 0 { part } else { "X" }).collect();
        let mut sentence = Vec::new();
        for token in plain.split_whitespace() {
            let word = |part: &str| part.trim_matches('\'').to_lowercase();
            let parts = token.split(|letter: char| !letter.is_ascii_alphabetic() && !matches!(letter, '\'' | '-'));
            sentence
                .extend(parts.filter(|part| part.starts_with(|letter: char| letter.is_ascii_alphabetic())).map(word));
            if token.trim_end_matches(['*', ')', ']', '"']).ends_with(['.', ':', ';', '!', '?']) {
                sentences.push(std::mem::take(&mut sentence));
            }
        }
        sentences.push(sentence);
    }
    sentences.retain(|sentence| sentence.len() >= 3);
    sentences
}

/// Adds the Rust files below a folder. The cases of `tests/ui` are no prose.
pub(crate) fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !matches!(name, "ui" | "target") {
            add_files(&path, files);
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
}

#[test]
fn comments_name_their_subjects() {
    let mut wrong = Vec::new();
    for folder in ["schema-runtime/src", "schema-derive/src", "tests"] {
        let (mut files, mut all) = (Vec::new(), Counts::default());
        add_files(&root().join(folder), &mut files);
        for file in files {
            let counts = Counts::of(&comments(&fs::read_to_string(&file).expect("a file")));
            let pointing = percent(counts.pointing, counts.words);
            if counts.words > SHORT && pointing > MOST_IN_A_FILE {
                wrong.push(format!("{}: {pointing:.1} % of the words point back", file.display()));
            }
            all.add(&counts);
        }
        let (pointing, starts) = (percent(all.pointing, all.words), percent(all.starts, all.sentences));
        println!("{folder}: {} words, {pointing:.1} % point back, {starts:.1} % of the sentences begin so", all.words);
        if pointing > MOST_IN_A_FOLDER || starts > MOST_STARTS {
            wrong.push(format!(
                "{folder}: {pointing:.1} % of the words, and {starts:.1} % of the first words, point back"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rows of tables and lines with an address are as long as their content.
#[test]
fn comments_are_at_most_120_wide() {
    let mut files = Vec::new();
    for folder in ["schema-runtime", "schema-derive", "tests", "protocols", "examples"] {
        add_files(&root().join(folder), &mut files);
    }
    let mut wide = Vec::new();
    for file in files {
        for (at, line) in fs::read_to_string(&file).expect("a file").lines().enumerate() {
            let comment = line.trim_start();
            let is_exempt = comment.starts_with("/// |") || comment.contains("://");
            if comment.starts_with("//") && !is_exempt && line.chars().count() > WIDTH {
                wide.push(format!("{}:{}", file.display(), at + 1));
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn words_and_sentences_are_counted() {
    let counts = Counts::of(&comments(
        "/// What it does. `those` is quoted:\n/// the same holds.\nlet it = 1; // no comment of its own\n\n// Of one parent, others go.",
    ));
    assert_eq!((counts.words, counts.pointing, counts.sentences, counts.starts), (14, 4, 4, 3));
}
