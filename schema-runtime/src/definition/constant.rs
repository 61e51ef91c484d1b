//! String work that runs while a `const` is evaluated: comparing names and writing the text of a compile error.

/// Returns whether two strings are the same, in a `const`. Compares eight bytes at a time, from the end: full names of models differ there.
pub(crate) const fn str_eq(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    while let (Some((left_rest, left_end)), Some((right_rest, right_end))) =
        (left.split_last_chunk::<8>(), right.split_last_chunk::<8>())
    {
        if u64::from_ne_bytes(*left_end) != u64::from_ne_bytes(*right_end) {
            return false;
        }
        (left, right) = (left_rest, right_rest);
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns whether `left` comes before `right` in the order of their bytes.
pub(crate) const fn str_before(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if left[at] != right[at] {
            return left[at] < right[at];
        }
        at += 1;
    }
    left.len() < right.len()
}

/// The text of a compile error, put together in a `const`. Text beyond the capacity is cut off.
pub(crate) struct Message {
    buffer: [u8; Message::CAPACITY],
    length: usize,
}

impl Message {
    const CAPACITY: usize = 1024;

    pub(crate) const fn new() -> Self {
        Message { buffer: [0; Message::CAPACITY], length: 0 }
    }

    /// Adds a text.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && self.length < Message::CAPACITY {
            self.buffer[self.length] = bytes[at];
            self.length += 1;
            at += 1;
        }
        self
    }

    /// Adds several texts.
    pub(crate) const fn texts(self, texts: &[&str]) -> Self {
        let mut message = self;
        let mut at = 0;
        while at < texts.len() {
            message = message.text(texts[at]);
            at += 1;
        }
        message
    }

    /// Adds a text in backticks.
    pub(crate) const fn code(self, text: &str) -> Self {
        self.text("`").text(text).text("`")
    }

    /// Adds a path without backticks: `address.city`.
    pub(crate) const fn path(self, path: &[&str]) -> Self {
        let (mut message, mut at) = (self, 0);
        while at < path.len() {
            message = if at > 0 { message.text(".") } else { message };
            message = message.text(path[at]);
            at += 1;
        }
        message
    }

    /// Adds a field of a struct in backticks: `Part.address.city`.
    pub(crate) const fn field(self, owner: &str, path: &[&str]) -> Self {
        let mut message = self.text("`").text(owner);
        let mut at = 0;
        while at < path.len() {
            message = message.text(".").text(path[at]);
            at += 1;
        }
        message.text("`")
    }

    /// Adds another message.
    pub(crate) const fn message(self, other: &Message) -> Self {
        let (text, _) = other.buffer.split_at(other.length);
        match core::str::from_utf8(text) {
            Ok(text) => self.text(text),
            Err(_) => self,
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a number in decimal.
    pub(crate) const fn number(self, number: u64) -> Self {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let mut message = self;
        while at < digits.len() {
            if message.length < Message::CAPACITY {
                message.buffer[message.length] = digits[at];
                message.length += 1;
            }
            at += 1;
        }
        message
    }

    /// Ends compilation with this text.
    #[track_caller]
    pub(crate) const fn fail(&self) -> ! {
        let (text, _) = self.buffer.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the message of a rule was cut inside a character"),
        }
    }
}

/// Returns `Part` for `store::Part`.
pub(crate) const fn last_segment(name: &'static str) -> &'static str {
    let bytes = name.as_bytes();
    let mut at = bytes.len();
    while at > 0 && bytes[at - 1] != b':' {
        at -= 1;
    }
    name.split_at(at).1
}
