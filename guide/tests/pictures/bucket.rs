//! Children in buckets: the documents of a parent, and the place of the next child.

use crate::{
    canvas::{Area, Arrow, Canvas, Ink, Point},
    card::{Card, Row},
};

const WIDTH: i32 = 420;
const SIZE: i32 = 5;
/// The width of a child in a bucket, in pixels.
const CHILD: i32 = 34;

/// Draws a bucket with its children, and returns the lower edge of the place after the last child.
fn draw_bucket(canvas: &mut Canvas, bucket: &Card, first: i32, count: i32) -> Point {
    bucket.draw(canvas);
    let line = bucket.left(2);
    for number in 0..SIZE {
        let area = Area { x: line.x + 8 + number * CHILD, y: line.y - 9, width: CHILD - 4, height: 18 };
        canvas.draw_box(if number < count { "part" } else { "free" }, area);
        if number < count {
            canvas.draw_centered(area.x, area.width, area.y + 13, Ink::Row, &(first + number).to_string());
        }
    }
    Point { x: line.x + 8 + count * CHILD + (CHILD - 4) / 2, y: line.y + 9 }
}

/// Draws the twelve comments of an article in buckets of five.
pub(crate) fn draw_buckets() -> String {
    let mut canvas = Canvas::new(
        WIDTH,
        384,
        "Three documents of comments refer to one article. The first two buckets hold five comments each. The third \
         bucket holds two comments and has three free places. An insert goes to the first free place.",
    );
    canvas.draw_centered(0, WIDTH, 24, Ink::Title, "bucket(size = 5)");
    let article = Card::new(16, 138, 124, "articles", &[Row::field("_id: 1"), Row::field("title: \"..\"")]);
    article.draw(&mut canvas);
    let counts = ["page: 1, count: 5", "page: 2, count: 5", "page: 3, count: 2"];
    let mut next = Point { x: 0, y: 0 };
    for (number, count) in (0..).zip(counts) {
        let rows = [Row::reference("article: 1"), Row::field(count), Row::field("")];
        let bucket = Card::new(216, 40 + number * 102, 188, "comments", &rows);
        next = draw_bucket(&mut canvas, &bucket, 1 + number * SIZE, if number == 2 { 2 } else { SIZE });
        let (from, to) = (bucket.left(0), article.right(0));
        canvas.draw_arrow(Arrow::Reference, &[from, Point { x: 178, y: from.y }, Point { x: 178, y: to.y }, to]);
    }
    canvas.draw_arrow(Arrow::Flow, &[Point { x: next.x, y: 358 }, next]);
    canvas.draw_centered(216, 188, 372, Ink::Label, "an insert is one update");
    canvas.draw_text(16, 372, Ink::Label, "bucket(2) reads page 2");
    canvas.finish()
}
