//! String work that runs while a `const` is evaluated: comparing names and writing the text of a compile error.

/// Returns whether two strings are the same, in a `const`. Compares eight bytes at a time, from the end: full names of
/// models differ there.
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

/// Runs a block for each item of a slice, in a `const fn`: `each!(for field in model.fields { .. })`.
macro_rules! each {
    (for $item:ident in $head:ident $(:: $segment:ident)* $(. $member:ident)* $body:block) => {{
        let mut rest: &[_] = $head $(:: $segment)* $(. $member)*;
        while let [$item, others @ ..] = rest {
            rest = others;
            $body
        }
    }};
}
pub(crate) use each;

/// Creates a [`Text`] from a template: each `{}` stands for the next of the strings. The compiler counts both.
macro_rules! text {
    ($template:expr $(, $part:expr)* $(,)?) => {{
        const _: () = $crate::definition::assert_parts($template, &[$(stringify!($part)),*]);
        $crate::definition::Text::new($template, &[$($part),*])
    }};
}
pub(crate) use text;

/// Ends compilation with the message of the rule that the file is named by: the mistake and the reason, then the code
/// to write. Both are templates with their strings, as in `text!`.
macro_rules! refuse {
    ($mistake:expr $(, $part:expr)*; help: $help:expr $(, $code:expr)*) => {{
        const RULE: &str = $crate::definition::rule_of(module_path!());
        let mistake = $crate::definition::text!($mistake $(, $part)*);
        let help = $crate::definition::text!($help $(, $code)*);
        $crate::definition::report(mistake.as_str(), help.as_str(), RULE)
    }};
}
pub(crate) use refuse;

/// A text that is put together in a `const`. Text beyond the capacity is cut off.
pub(crate) struct Text {
    buffer: [u8; Text::CAPACITY],
    length: usize,
}

impl Text {
    const CAPACITY: usize = 1024;

    /// Creates a text from a template. `text!` counts the parts.
    pub(crate) const fn new(template: &str, parts: &[&str]) -> Self {
        let mut text = Text { buffer: [0; Text::CAPACITY], length: 0 };
        let (mut template, mut parts) = (template.as_bytes(), parts);
        loop {
            (template, parts) = match (template, parts) {
                ([b'{', b'}', rest @ ..], [part, others @ ..]) => {
                    text.push(part);
                    (rest, others)
                }
                ([byte, rest @ ..], _) => {
                    text.push_byte(*byte);
                    (rest, parts)
                }
                ([], _) => return text,
            };
        }
    }

    /// Adds a text to the end.
    pub(crate) const fn push(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while let [byte, others @ ..] = rest {
            self.push_byte(*byte);
            rest = others;
        }
    }

    const fn push_byte(&mut self, byte: u8) {
        if self.length < Text::CAPACITY {
            self.buffer[self.length] = byte;
            self.length += 1;
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.buffer.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => panic!("the message of a rule was cut inside a character"),
        }
    }
}

/// Returns a path with dots: `address.city`.
pub(crate) const fn dotted(path: &[&str]) -> Text {
    let mut text = text!("");
    let mut separator = "";
    each!(for name in path {
        text.push(separator);
        text.push(name);
        separator = ".";
    });
    text
}

/// Returns a number in decimal.
pub(crate) const fn digits(number: u64) -> Text {
    let mut text = match number / 10 {
        0 => text!(""),
        rest => digits(rest),
    };
    text.push_byte(b'0' + (number % 10) as u8);
    text
}

/// Ends compilation. `refuse!` is the short form.
#[track_caller]
pub(crate) const fn report(mistake: &str, help: &str, rule: &str) -> ! {
    panic!("{}", text!("{}\nhelp: {}\nrule: {} (guide/pages/rules/{}.md)", mistake, help, rule, rule).as_str())
}

/// Returns the rule that a module belongs to: `ttl_field` for `schema_runtime::checks::indexes::ttl_field`, and for a
/// module inside.
pub(crate) const fn rule_of(module: &'static str) -> &'static str {
    let (path, mut start, mut end, mut colons) = (module.as_bytes(), 0, 0, 0);
    while end < path.len() && (colons < 6 || path[end] != b':') {
        if path[end] == b':' {
            (start, colons) = (end + 1, colons + 1);
        }
        end += 1;
    }
    module.split_at(end).0.split_at(start).1
}

/// Refuses a template with another number of `{}` than of parts.
pub(crate) const fn assert_parts(template: &str, parts: &[&str]) {
    let (mut rest, mut count) = (template.as_bytes(), 0);
    while let [first, others @ ..] = rest {
        if matches!((first, others), (b'{', [b'}', ..])) {
            count += 1;
        }
        rest = others;
    }
    assert!(count == parts.len(), "a template has another number of strings than of places");
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
