//! The program at a terminal: questions, colors and bars.

use mongodb::bson::{Document, doc};

use crate::{
    program::Program,
    pseudo_terminal::{Terminal, blocking},
};

#[tokio::test]
async fn the_questions_of_an_apply_are_answered_by_keys() {
    let program = Program::new().await;
    let command = program.command(&["apply"]);
    let (code, shown) = blocking(move || {
        let mut terminal = Terminal::new(&command, "xterm-256color", 100);
        terminal.until("[y/N]");
        terminal.press("n\r");
        terminal.end()
    })
    .await;
    assert_eq!(code, 5, "{shown}");
    assert!(shown.contains("not confirmed: nothing is changed"), "{shown}");
    assert!(program.db.list_collection_names().await.expect("names").is_empty());

    let command = program.command(&["apply"]);
    let (code, shown) = blocking(move || {
        let mut terminal = Terminal::new(&command, "xterm-256color", 60);
        terminal.until("[y/N]");
        terminal.press("y\r");
        terminal.end()
    })
    .await;
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("done: products: index number_1"), "{shown}");
    assert!(shown.contains("applying ["), "a bar: {shown:?}");

    let index = doc! { "key": { "price": 1 }, "name": "price" };
    program.db.run_command(doc! { "createIndexes": "products", "indexes": [index] }).await.expect("an index");
    for (name, code) in [("parts", 5), ("products", 0)] {
        let command = program.command(&["apply", "--yes", "--allow", "drop-undeclared"]);
        let ended = blocking(move || {
            let mut terminal = Terminal::new(&command, "xterm-256color", 200);
            terminal.until("type the name of the collection:");
            terminal.press(&format!("{name}\r"));
            terminal.end()
        })
        .await;
        assert_eq!(ended.0, code, "{}", ended.1);
    }
    let names = program.db.collection::<Document>("products").list_index_names().await.expect("names");
    assert!(!names.contains(&"price".to_owned()), "{names:?}");
}

#[tokio::test]
async fn ctrl_c_at_a_question_ends_with_130() {
    let program = Program::new().await;
    let command = program.command(&["apply"]);
    let (code, shown) = blocking(move || {
        let mut terminal = Terminal::new(&command, "xterm-256color", 80);
        terminal.until("[y/N]");
        terminal.press("\u{3}");
        terminal.end()
    })
    .await;
    assert_eq!(code, 130, "{shown}");
    assert!(program.db.list_collection_names().await.expect("names").is_empty());
}

#[tokio::test]
async fn a_terminal_has_colors_unless_the_user_wants_none() {
    let program = Program::new().await;
    let runs = [
        ("xterm-256color", "auto", "", true),
        ("xterm-256color", "auto", "1", false),
        ("xterm-256color", "never", "", false),
        ("dumb", "auto", "", false),
    ];
    for (term, color, no_color, colored) in runs {
        let mut command = program.command(&["plan", "--color", color]);
        command.env("NO_COLOR", no_color);
        let (code, shown) = blocking(move || Terminal::new(&command, term, 80).end()).await;
        assert_eq!(code, 3, "{shown}");
        assert_eq!(shown.contains("\u{1b}["), colored, "{term}, {color}, {no_color}: {shown:?}");
    }
}

#[tokio::test]
async fn a_dumb_terminal_gets_no_bar() {
    let program = Program::new().await;
    let command = program.command(&["apply", "--yes"]);
    let (code, shown) = blocking(move || Terminal::new(&command, "dumb", 20).end()).await;
    assert_eq!(code, 0, "{shown}");
    assert!(!shown.contains('\u{1b}') && !shown.contains("applying ["), "{shown:?}");
}
