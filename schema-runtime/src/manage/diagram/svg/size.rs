//! The sizes of texts in a monospace font, without a font file, and the sizes of boxes. Pure.

use super::super::picture::{Card, Row};

/// The size of a text: the pixels of a letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    letter: i64,
}

/// The size of the texts in boxes: 12 pixels high.
pub(super) const TEXT: Size = Size { letter: 7 };
/// The size of the texts at lines: 10 pixels high.
pub(super) const LABEL: Size = Size { letter: 6 };

/// The most letters of a text; a longer text ends with `…`, and the title of the box has the whole text.
const MOST_LETTERS: usize = 44;

impl Size {
    pub(super) fn width(self, text: &str) -> i64 {
        text.chars().map(|letter| if is_wide(letter) { 2 * self.letter } else { self.letter }).sum()
    }
}

/// Returns whether a letter is as wide as two letters: the scripts of East Asia, and pictures.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
}

/// Returns a text of at most 44 letters.
pub(super) fn short(text: &str) -> String {
    let count = text.chars().count();
    if count <= MOST_LETTERS {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MOST_LETTERS - 1).collect();
    format!("{kept}…")
}

/// The height of a line of text.
pub(super) const SLOT: i64 = 16;
/// The space between the border and the texts.
pub(super) const PADDING: i64 = 8;
/// The space between the columns of a box.
const GAP: i64 = 14;
/// The indentation of a field inside of a struct.
const INDENT: i64 = 10;

/// The columns of a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// The place of the types.
    pub(super) types: i64,
    /// The place of the marks.
    pub(super) marks: i64,
    /// The width of the box.
    pub(super) width: i64,
}

impl Columns {
    pub(super) fn of(card: &Card) -> Self {
        let widest = |width: &dyn Fn(&Row) -> i64| card.rows.iter().map(width).max().unwrap_or_default();
        let types = PADDING + widest(&|row| indent(row) + TEXT.width(&short(&row.name))) + GAP;
        let marks = types + widest(&|row| TEXT.width(&short(&row.type_text))) + GAP;
        let rows = marks + widest(&|row| TEXT.width(&short(&row.marks.join(" "))));
        let single = card.heads.iter().chain(&card.indexes).chain([&card.collection]);
        let single = single.map(|text| PADDING + TEXT.width(&short(text))).max().unwrap_or_default();
        Columns { types, marks, width: rows.max(single) + PADDING }
    }
}

/// Returns the space before the name of a field.
pub(super) fn indent(row: &Row) -> i64 {
    INDENT * i64::try_from(row.depth.min(12)).unwrap_or_default()
}

/// Returns the number of lines of text.
pub(super) fn slots(card: &Card) -> i64 {
    i64::try_from(1 + card.heads.len() + card.rows.len() + card.indexes.len()).unwrap_or(i64::MAX)
}

/// Returns the line of text of a field.
pub(super) fn slot_of(card: &Card, row: usize) -> i64 {
    i64::try_from(1 + card.heads.len() + row).unwrap_or(i64::MAX)
}
