//! Searches in texts: a text means itself, and a pattern is the program's own.

use schema_runtime::{Pattern, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "lines")]
struct Line {
    #[serde(rename = "_id")]
    id: i32,
    text: String,
}

/// Each text has characters with a meaning in patterns.
const TEXTS: [&str; 14] = [
    "3.5 mm",
    "3x5 mm",
    "^start",
    "end$",
    "a|b",
    "(a)",
    "[a-z]+",
    r"C:\dir",
    "a{2}",
    "why?*",
    "#tag x",
    r"\Qa.b\E",
    "two\nlines",
    "zero\0byte",
];

async fn with_lines() -> Database {
    let db = database().await;
    let lines: Vec<Line> = (0..).zip(TEXTS).map(|(id, text)| Line { id, text: text.to_owned() }).collect();
    Line::insert_many(&db, &lines).await.unwrap();
    db
}

async fn found(db: &Database, filter: Filter<Line>) -> Vec<String> {
    let found = Line::find(filter).sort(Line::F.id.asc()).fetch_all(db).await.unwrap();
    found.into_iter().map(|line| line.text).collect()
}

#[tokio::test]
async fn each_character_of_a_text_means_itself() {
    let (db, text) = (with_lines().await, Line::F.text);
    for whole in TEXTS {
        for filter in [text.contains_text(whole), text.starts_with(whole), text.ends_with(whole)] {
            assert_eq!(found(&db, filter).await, [whole]);
        }
        let upper = whole.to_uppercase();
        for filter in [
            text.contains_text_ignoring_case(&upper),
            text.starts_with_ignoring_case(&upper),
            text.ends_with_ignoring_case(&upper),
        ] {
            assert_eq!(found(&db, filter).await, [whole]);
        }
        for part in whole.chars().map(String::from) {
            let holds = TEXTS.into_iter().filter(|text| text.contains(&part)).collect::<Vec<_>>();
            assert_eq!(found(&db, text.contains_text(&part)).await, holds, "{part}");
        }
    }
    assert_eq!(found(&db, text.contains_text(".*")).await, [""; 0]);
    assert_eq!(found(&db, text.contains_text("A|B")).await, [""; 0]);
    assert_eq!(found(&db, text.ends_with("two")).await, [""; 0], "the end of the text, not of a line");
    assert_eq!(found(&db, text.contains_text("")).await, TEXTS);
}

#[tokio::test]
async fn a_pattern_has_the_flags_that_the_program_sets() {
    let (db, text) = (with_lines().await, Line::F.text);
    let pattern = |pattern: &str| Pattern::new(pattern).unwrap();
    assert_eq!(found(&db, text.regex(pattern("^3.5"))).await, ["3.5 mm", "3x5 mm"]);
    assert_eq!(found(&db, text.regex(pattern("^LINES$"))).await, [""; 0]);
    assert_eq!(found(&db, text.regex(pattern("^lines$").multi_line())).await, ["two\nlines"]);
    assert_eq!(found(&db, text.regex(pattern("^LINES$").multi_line().case_insensitive())).await, ["two\nlines"]);
    assert_eq!(found(&db, text.regex(pattern("two.lines"))).await, [""; 0]);
    assert_eq!(found(&db, text.regex(pattern("two.lines").dot_all())).await, ["two\nlines"]);
    let extended = pattern("3 [.] 5 # of a screw\n").extended();
    assert_eq!(found(&db, text.regex(&extended)).await, ["3.5 mm"]);
    assert_eq!(found(&db, text.regex(&extended) & text.starts_with("3")).await, ["3.5 mm"]);
    let all_flags = pattern("^ LINES . $").case_insensitive().multi_line().dot_all().extended();
    assert_eq!(found(&db, text.regex(all_flags)).await, [""; 0]);
    assert_eq!(found(&db, text.regex(pattern(r"\x00"))).await, ["zero\0byte"]);
    assert_eq!(found(&db, !text.regex(pattern("."))).await, [""; 0]);
}

#[tokio::test]
async fn a_pattern_is_valid_before_a_command_is_sent() {
    let (db, text) = (with_lines().await, Line::F.text);
    for refused in ["a\0".to_owned(), "a".repeat(32_765)] {
        let error = Pattern::new(refused).unwrap_err();
        assert!(matches!(error, Error::Filter { .. }), "{error:?}");
    }
    // The server takes the longest pattern of this crate: white space makes the pattern long, and adds nothing to the
    // compiled form. The compiled form of a literal is twice as long, so the server refuses a literal of that length.
    let longest = Pattern::new(format!("{:32764}", "end")).unwrap().extended();
    assert_eq!(found(&db, text.regex(longest)).await, ["end$"]);
    let error = Line::find(text.regex(Pattern::new("a".repeat(32_764)).unwrap())).count(&db).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error:?}");
    // An escaped text may be longer than the text.
    let error = Line::find(text.contains_text(&".".repeat(16_383))).count(&db).await.unwrap_err();
    assert!(matches!(error, Error::Filter { .. }), "{error:?}");
    assert_eq!(Line::find(text.contains_text(&".".repeat(16_382))).count(&db).await.unwrap(), 0);
    // The server judges the syntax.
    let error = Line::find(text.regex(Pattern::new("(").unwrap())).count(&db).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error:?}");
}
