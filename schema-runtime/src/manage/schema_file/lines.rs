//! The layout of a schema file: a line for each field and each index, so that a comparison of two files by lines shows
//! each change as a line.

use std::io::{self, Write};

use serde_json::ser::Formatter;

/// The deepest list or object whose elements stand on lines of their own: the lists inside of a model.
const DEEPEST: usize = 4;

/// Writes lists and objects down to [`DEEPEST`] on several lines, and deeper lists and objects on the line of their
/// owner.
#[derive(Default)]
pub(super) struct Lines {
    depth: usize,
    is_empty: bool,
}

impl Lines {
    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.is_empty = true;
        writer.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let was_long = self.depth <= DEEPEST && !self.is_empty;
        self.depth -= 1;
        self.is_empty = false;
        if was_long {
            self.new_line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn separate<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.is_empty = false;
        match (self.depth <= DEEPEST, first) {
            (true, true) => self.new_line(writer),
            (true, false) => writer.write_all(b",").and_then(|()| self.new_line(writer)),
            (false, true) => Ok(()),
            (false, false) => writer.write_all(b", "),
        }
    }

    fn new_line<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
