//! The life of a copy: the write of the source, the transaction, and the end of the write.

use crate::{
    canvas::{Area, Arrow, Canvas, Ink, Point},
    card::{Card, Row},
};

const WIDTH: i32 = 420;
const LEFT: i32 = 12;

/// Draws a step as a box with a text, and returns the middle of the lower edge.
fn draw_step(canvas: &mut Canvas, y: i32, text: &str) -> Point {
    let area = Area { x: LEFT, y, width: WIDTH - 2 * LEFT, height: 28 };
    canvas.draw_box("box", area);
    canvas.draw_centered(area.x, area.width, y + 18, Ink::Row, text);
    Point { x: WIDTH / 2, y: y + area.height }
}

/// Draws an arrow down to `y`.
fn draw_down(canvas: &mut Canvas, from: Point, y: i32) {
    canvas.draw_arrow(Arrow::Flow, &[from, Point { x: from.x, y }]);
}

/// Draws the write of a source whose copies have a `fan_out`.
pub(crate) fn draw_life_of_copy() -> String {
    let mut canvas = Canvas::new(
        WIDTH,
        432,
        "An update of a part begins a transaction. The transaction writes the part with a mark, and the name in each \
         product that holds the part. After the commit the update of the products runs once more, and the mark is \
         removed.",
    );
    let begin = draw_step(&mut canvas, 12, "Part::update_by_id(7).set(Part::F.name, ..)");
    let frame = Area { x: LEFT, y: 66, width: WIDTH - 2 * LEFT, height: 218 };
    draw_down(&mut canvas, begin, frame.y);
    canvas.draw_box("frame", frame);
    canvas.draw_text(frame.x + 10, frame.y + 20, Ink::Label, "one transaction");

    let rows = [Row::field("_id: 7"), Row::field("name: \"#5 grommet\""), Row::field("_sync_..: mark")];
    let part = Card::new(24, 122, 152, "parts", &rows);
    let rows = [Row::field("parts:"), Row::copied_part("name: \"#5 grommet\"")];
    let products = [Card::new(236, 98, 162, "products", &rows), Card::new(236, 190, 162, "products", &rows)];
    canvas.draw_text(24, 114, Ink::Label, "1. the source");
    canvas.draw_text(236, 90, Ink::Label, "2. the copies");
    part.draw(&mut canvas);
    for product in &products {
        product.draw(&mut canvas);
        let (from, to) = (part.right(1), product.left(1));
        canvas.draw_arrow(Arrow::Copy, &[from, Point { x: 206, y: from.y }, Point { x: 206, y: to.y }, to]);
    }

    let end = Point { x: WIDTH / 2, y: frame.y + frame.height };
    draw_down(&mut canvas, end, 310);
    let commit = draw_step(&mut canvas, 310, "3. commit: readers see all new names at once");
    draw_down(&mut canvas, commit, 360);
    draw_step(&mut canvas, 360, "4. the copies once more, then the mark is removed");
    canvas.draw_centered(0, WIDTH, 412, Ink::Label, "A client that stops leaves the mark: recover does step 4");
    canvas.finish()
}
