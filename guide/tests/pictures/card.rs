//! A card: a document with the name of its collection and its fields.

use crate::canvas::{Area, Canvas, Ink, Point};

/// The height of a row, and the height of the name of the collection, in pixels.
const ROW: i32 = 20;
/// The free space left and right of a text, and below the last row.
const PAD: i32 = 8;

/// A row of a card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    ink: Ink,
    text: &'static str,
    is_part: bool,
}

impl Row {
    /// A field of the document.
    pub(crate) const fn field(text: &'static str) -> Self {
        Row { ink: Ink::Row, text, is_part: false }
    }

    /// A field with a reference.
    pub(crate) const fn reference(text: &'static str) -> Self {
        Row { ink: Ink::Reference, text, is_part: false }
    }

    /// A field with a copy.
    pub(crate) const fn copy(text: &'static str) -> Self {
        Row { ink: Ink::Copy, text, is_part: false }
    }

    /// A struct inside of the document, as a box inside of the card.
    pub(crate) const fn part(text: &'static str) -> Self {
        Row { ink: Ink::Row, text, is_part: true }
    }

    /// A struct of copies inside of the document.
    pub(crate) const fn copied_part(text: &'static str) -> Self {
        Row { ink: Ink::Copy, text, is_part: true }
    }
}

/// A document of a collection, at a place of a picture.
#[derive(Debug)]
pub(crate) struct Card {
    at: Point,
    width: i32,
    name: &'static str,
    rows: Vec<Row>,
}

impl Card {
    /// Places a document.
    pub(crate) fn new(x: i32, y: i32, width: i32, name: &'static str, rows: &[Row]) -> Self {
        Card { at: Point { x, y }, width, name, rows: rows.to_vec() }
    }

    /// Returns the area of the card.
    pub(crate) fn area(&self) -> Area {
        let rows = i32::try_from(self.rows.len()).expect("a card is small");
        Area { x: self.at.x, y: self.at.y, width: self.width, height: ROW + rows * (ROW + 2) + PAD }
    }

    /// Returns the upper end of a row.
    fn row(&self, row: usize) -> i32 {
        assert!(row < self.rows.len(), "{} has no row {row}", self.name);
        self.at.y + ROW + 4 + i32::try_from(row).expect("a card is small") * (ROW + 2)
    }

    /// Returns the place where an arrow meets a row at the left edge of the card.
    pub(crate) fn left(&self, row: usize) -> Point {
        let inset = if self.rows[row].is_part { PAD } else { 0 };
        Point { x: self.at.x + inset, y: self.row(row) + ROW / 2 }
    }

    /// Returns the place where an arrow meets a row at the right edge of the card.
    pub(crate) fn right(&self, row: usize) -> Point {
        let inset = if self.rows[row].is_part { PAD } else { 0 };
        Point { x: self.at.x + self.width - inset, y: self.row(row) + ROW / 2 }
    }

    /// Returns the middle of the upper edge.
    pub(crate) fn top(&self) -> Point {
        Point { x: self.at.x + self.width / 2, y: self.at.y }
    }

    /// Returns the middle of the lower edge.
    pub(crate) fn bottom(&self) -> Point {
        let area = self.area();
        Point { x: area.x + area.width / 2, y: area.y + area.height }
    }

    /// Draws the card.
    ///
    /// # Panics
    /// When a text is wider than the card.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        let Point { x, y } = self.at;
        canvas.draw_box("box", self.area());
        canvas.draw_box("head", Area { x: x + 1, y: y + 1, width: self.width - 2, height: ROW });
        canvas.draw_text(x + PAD, y + 15, Ink::Name, self.name);
        for (at, row) in self.rows.iter().enumerate() {
            let top = self.row(at);
            let inset = if row.is_part { PAD } else { 0 };
            if row.is_part {
                canvas.draw_box("part", Area { x: x + PAD, y: top, width: self.width - 2 * PAD, height: ROW });
            }
            let space = self.width - 2 * (PAD + inset);
            assert!(row.ink.width(row.text) <= space, "`{}` is wider than the card {}", row.text, self.name);
            canvas.draw_text(x + PAD + inset, top + 14, row.ink, row.text);
        }
    }
}
