//! A picture as SVG: boxes, texts and arrows. Each text is escaped, and has the width that the layout assumes.

use std::fmt::Write as _;

/// The colors, light and dark.
const STYLE: &str = include_str!("style.css");

/// The length of the tip of an arrow, in pixels.
const TIP: i32 = 7;

/// A place in a picture, in pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// An area of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The heading of a picture.
    Title,
    /// The name of a collection.
    Name,
    /// A field of a document.
    Row,
    /// A field with a reference.
    Reference,
    /// A field with a copy.
    Copy,
    /// A remark beside the boxes.
    Label,
}

impl Ink {
    fn class(self) -> &'static str {
        match self {
            Ink::Title => "title",
            Ink::Name => "name",
            Ink::Row => "row",
            Ink::Reference => "row reference",
            Ink::Copy => "row copy",
            Ink::Label => "label",
        }
    }

    /// Returns the width of a text in pixels: a letter is as wide as six tenths of the size of the font.
    pub(crate) fn width(self, text: &str) -> i32 {
        let tenths = if self == Ink::Label { 66 } else { 72 };
        let letters = i32::try_from(text.chars().count()).expect("a text is short");
        (letters * tenths + 9) / 10
    }
}

/// The meaning of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrow {
    /// From a reference to the document.
    Reference,
    /// From a source to a copy.
    Copy,
    /// From a step to the next step.
    Flow,
}

/// A picture that grows by each call.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: i32,
    height: i32,
    description: &'static str,
    body: String,
}

impl Canvas {
    /// Begins a picture. The description is the text for readers who do not see the picture.
    pub(crate) fn new(width: i32, height: i32, description: &'static str) -> Self {
        Canvas { width, height, description, body: String::new() }
    }

    /// Draws a text with its left end at `x` and its base line at `y`.
    ///
    /// # Panics
    /// When the text leaves the picture.
    pub(crate) fn draw_text(&mut self, x: i32, y: i32, ink: Ink, text: &str) {
        let width = ink.width(text);
        assert!(x >= 0 && x + width <= self.width && (12..=self.height).contains(&y), "`{text}` leaves the picture");
        let (class, text) = (ink.class(), escape(text));
        self.write(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" textLength=\"{width}\" \
             lengthAdjust=\"spacingAndGlyphs\">{text}</text>"
        ));
    }

    /// Draws a text in the middle of a range of the picture.
    pub(crate) fn draw_centered(&mut self, x: i32, width: i32, y: i32, ink: Ink, text: &str) {
        self.draw_text(x + (width - ink.width(text)) / 2, y, ink, text);
    }

    /// Draws a box of a class of the style.
    pub(crate) fn draw_box(&mut self, class: &str, area: Area) {
        let Area { x, y, width, height } = area;
        self.write(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>"
        ));
    }

    /// Draws an arrow through the points. The last part of the arrow is level or upright.
    pub(crate) fn draw_arrow(&mut self, arrow: Arrow, points: &[Point]) {
        let [.., before, end] = points else { panic!("an arrow has two points") };
        let (along_x, along_y) = ((end.x - before.x).signum(), (end.y - before.y).signum());
        let base = Point { x: end.x - along_x * TIP, y: end.y - along_y * TIP };
        let mut line = String::new();
        for (at, point) in points[..points.len() - 1].iter().chain([&base]).enumerate() {
            let _ = write!(line, "{}{} {}", if at == 0 { "M" } else { "L" }, point.x, point.y);
        }
        let class = match arrow {
            Arrow::Reference => "reference",
            Arrow::Copy => "copy",
            Arrow::Flow => "flow",
        };
        self.write(&format!("<path class=\"arrow {class}\" d=\"{line}\"/>"));
        let (wide, high) = (along_y * 4, along_x * 4);
        self.write(&format!(
            "<path class=\"tip {class}\" d=\"M{} {}L{} {}L{} {}Z\"/>",
            end.x,
            end.y,
            base.x - wide,
            base.y - high,
            base.x + wide,
            base.y + high
        ));
    }

    /// Ends the picture and returns the text of the file.
    pub(crate) fn finish(self) -> String {
        let Canvas { width, height, description, body } = self;
        let description = escape(description);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{description}\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<style>\n{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n{body}</svg>\n"
        )
    }

    fn write(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }
}

/// Returns a text for the content or an attribute of an element.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
