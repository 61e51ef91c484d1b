//! Commands that write many documents: the bar of a command, a terminal whose width changes, and Ctrl-C.

use mongodb::bson::{Document, doc};
use schema_runtime::{finish_writes, prelude::*};
use schema_tests::copies::{self, Item, Owner};

use crate::{
    program::Program,
    pseudo_terminal::{Terminal, blocking},
};

/// The number of holders of one source.
const ITEMS: i64 = 150;

/// The arguments of a speed of about 40 documents in a second.
const SLOWLY: [&str; 4] = ["--chunk", "1", "--throttle", "40/s"];

/// Returns the program with a source and the holders of the source. All copies are right.
async fn with_items() -> Program {
    let program = Program::with("copies").await;
    copies::prepare(&program.db).await;
    Owner::insert(&program.db, &Owner { id: 1, label: "old".to_owned(), count: 1, plain: 0 }).await.expect("a source");
    let item = |id| Item {
        id,
        title: String::new(),
        tags: Vec::new(),
        owner: Ref::new(1),
        label: "old".to_owned(),
        count: 1,
        backup: None,
        backup_label: None,
    };
    Item::insert_many(&program.db, (0..ITEMS).map(item).collect::<Vec<_>>()).await.expect("holders");
    finish_writes(&program.db).await;
    program.run(&["recover"]).await.with(0);
    program
}

/// Returns the program with a source that another program has changed: all copies of the label are stale.
async fn with_stale_items() -> Program {
    let program = with_items().await;
    let owners = program.db.collection::<Document>("owners");
    owners.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "label": "new" } }).await.expect("a write");
    program
}

/// Returns the number of holders with the new label.
async fn count_new(program: &Program) -> u64 {
    let items = program.db.collection::<Document>("items");
    items.count_documents(doc! { "label": "new" }).await.expect("a count")
}

/// Returns the frames of a bar without the sequences that move the cursor.
fn frames(shown: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = shown.chars();
    while let Some(next) = rest.next() {
        match next {
            // A sequence begins with ESC and `[`, and ends with a letter.
            '\u{1b}' => {
                rest.by_ref().find(char::is_ascii_alphabetic);
                plain.push('\n');
            }
            next => plain.push(next),
        }
    }
    plain.split(['\r', '\n']).filter(|line| line.contains("repairing [")).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_bar_of_a_repair_fits_a_terminal_that_is_resized() {
    let program = with_stale_items().await;
    let command = program.command(&[&["repair", "--yes"], &SLOWLY[..]].concat());
    let (code, before, after) = blocking(move || {
        let mut terminal = Terminal::new(&command, "xterm-256color", 100);
        terminal.until("repairing |");
        terminal.until("repairing [");
        let before = std::mem::take(&mut terminal.shown);
        terminal.resize(40);
        // A frame may be under way.
        terminal.until("repairing [");
        terminal.until("\u{1b}");
        terminal.shown.clear();
        terminal.until("repairing [");
        let (code, after) = terminal.end();
        (code, before, after)
    })
    .await;
    assert_eq!(code, 0, "{after:?}");
    let longest = |shown: &str| frames(shown).iter().map(|frame| frame.chars().count()).max();
    assert!(longest(&before).is_some_and(|columns| 40 < columns && columns <= 100), "{before:?}");
    assert!(longest(&after).is_some_and(|columns| columns <= 40), "{after:?}");
    assert!(after.contains("Item.owner: "), "{after:?}");
    assert_eq!(count_new(&program).await, ITEMS as u64);
    assert_eq!(program.run(&["verify"]).await.with(0), "nothing found\n");
}

/// A recover of one source has one part: the bar has no number before the end of the source.
#[tokio::test]
async fn a_recover_shows_that_the_recover_runs() {
    let program = with_items().await;
    let update = Owner::update_by_id(1).set(Owner::F.label, "new").defer_copies();
    update.execute(&program.db).await.expect("an update");
    let command = program.command(&[&["recover"], &SLOWLY[..]].concat());
    let (code, shown) = blocking(move || {
        let mut terminal = Terminal::new(&command, "xterm-256color", 100);
        for frame in ["recovering |", "recovering /", "recovering -"] {
            terminal.until(frame);
        }
        terminal.end()
    })
    .await;
    assert_eq!(code, 0, "{shown:?}");
    assert!(shown.contains("1 source with pending copies") && !shown.contains("0/0"), "{shown:?}");
    assert_eq!(count_new(&program).await, ITEMS as u64);
    assert_eq!(program.run(&["verify"]).await.with(0), "nothing found\n");
}

#[tokio::test]
async fn ctrl_c_in_a_repair_leaves_copies_that_the_next_repair_writes() {
    let program = with_stale_items().await;
    let command = program.command(&[&["repair", "--yes"], &SLOWLY[..]].concat());
    let (code, shown) = blocking(move || {
        let mut terminal = Terminal::new(&command, "xterm-256color", 100);
        terminal.until("repairing [");
        terminal.press("\u{3}");
        terminal.end()
    })
    .await;
    assert_eq!(code, 130, "{shown:?}");
    assert!(shown.contains("stopping after the running step; press Ctrl-C again to end at once"), "{shown:?}");
    assert!(shown.contains("stopped by Ctrl-C: `repair` again repairs the data that is left"), "{shown:?}");
    assert!(count_new(&program).await < ITEMS as u64);

    program.run(&["repair", "--yes"]).await.with(0);
    assert_eq!(count_new(&program).await, ITEMS as u64);
    assert_eq!(program.run(&["verify"]).await.with(0), "nothing found\n");
}
