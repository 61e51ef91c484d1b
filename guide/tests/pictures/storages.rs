//! The shapes in which a relation is stored: each shape is a picture of the same size, so that two stand side by side.

use crate::{
    canvas::{Arrow, Canvas, Ink, Point},
    card::{Card, Row},
};

const WIDTH: i32 = 352;
const HEIGHT: i32 = 240;
const TOP: i32 = 40;

/// Begins a picture with its heading and the remark at its lower end.
fn begin(description: &'static str, title: &str, remark: &str) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, description);
    canvas.draw_centered(0, WIDTH, 24, Ink::Title, title);
    canvas.draw_centered(0, WIDTH, HEIGHT - 12, Ink::Label, remark);
    canvas
}

/// Draws an arrow with a level begin, an upright part at `x`, and a level end.
fn draw_step(canvas: &mut Canvas, arrow: Arrow, from: Point, x: i32, to: Point) {
    canvas.draw_arrow(arrow, &[from, Point { x, y: from.y }, Point { x, y: to.y }, to]);
}

/// Draws structs inside of a document.
pub(crate) fn draw_embed() -> String {
    let mut canvas = begin(
        "A document of people holds two addresses as structs inside of the document.",
        "one_to_few, embed",
        "one find reads a single document",
    );
    let rows = [
        Row::field("_id: 1"),
        Row::field("name: \"Ann\""),
        Row::field("addresses:"),
        Row::part("{ city: \"Oslo\", .. }"),
        Row::part("{ city: \"Rome\", .. }"),
    ];
    Card::new(82, TOP + 14, 188, "people", &rows).draw(&mut canvas);
    canvas.finish()
}

/// Draws an array of references in the parent.
pub(crate) fn draw_child_refs() -> String {
    let mut canvas = begin(
        "A document of products holds an array of two references. Each reference leads to a document of parts.",
        "one_to_many, child_refs",
        "a find of the product, a find of its parts",
    );
    let rows = [Row::field("_id: 1"), Row::field("name: \"desk\""), Row::reference("parts: [7, 8]")];
    let product = Card::new(16, TOP + 37, 132, "products", &rows);
    let part = |y, id, name| Card::new(212, y, 124, "parts", &[Row::field(id), Row::field(name)]);
    let parts = [part(TOP, "_id: 7", "name: \"leg\""), part(TOP + 94, "_id: 8", "name: \"top\"")];
    product.draw(&mut canvas);
    for part in &parts {
        part.draw(&mut canvas);
        draw_step(&mut canvas, Arrow::Reference, product.right(2), 180, part.left(0));
    }
    canvas.finish()
}

/// Draws a reference to the parent in each child.
pub(crate) fn draw_parent_ref() -> String {
    let mut canvas = begin(
        "Each of two documents of logmsg holds a reference to one document of hosts.",
        "one_to_squillions, parent_ref",
        "a find of the host, a find of its messages",
    );
    let host = Card::new(16, TOP + 47, 124, "hosts", &[Row::field("_id: 1"), Row::field("name: \"web\"")]);
    let message = |y, id| Card::new(212, y, 124, "logmsg", &[Row::field(id), Row::reference("host: 1")]);
    host.draw(&mut canvas);
    for message in [message(TOP, "_id: 11"), message(TOP + 94, "_id: 12")] {
        message.draw(&mut canvas);
        draw_step(&mut canvas, Arrow::Reference, message.left(1), 180, host.right(0));
    }
    canvas.finish()
}

/// Draws the newest children inside of the parent.
pub(crate) fn draw_subset() -> String {
    let mut canvas = begin(
        "A document of hosts holds the newest two of three documents of logmsg as structs.",
        "subset(of = .., keep = 2)",
        "one find reads the host and the newest messages",
    );
    let rows = [
        Row::field("_id: 1"),
        Row::field("recent:"),
        Row::copied_part("{ _id: 13, .. }"),
        Row::copied_part("{ _id: 12, .. }"),
    ];
    let host = Card::new(16, TOP + 24, 150, "hosts", &rows);
    let message = |number, id| Card::new(244, TOP + number * 57, 92, "logmsg", &[Row::field(id)]);
    host.draw(&mut canvas);
    for (number, id, row) in [(0, "_id: 13", Some(2)), (1, "_id: 12", Some(3)), (2, "_id: 11", None)] {
        let message = message(number, id);
        message.draw(&mut canvas);
        if let Some(row) = row {
            draw_step(&mut canvas, Arrow::Copy, message.left(0), 198 + number * 18, host.right(row));
        }
    }
    canvas.finish()
}
