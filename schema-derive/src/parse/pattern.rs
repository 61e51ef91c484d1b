//! A pattern that the server (PCRE) and Rust's `regex` match in the same way. The pattern is written from the parsed
//! form, in the part of the syntax that both share.
//!
//! Source: pcre2pattern(3), without `UCP`, as MongoDB compiles a pattern; the syntax of the crate `regex`.

use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassAsciiKind, ClassBracketed, ClassPerlKind, ClassSet, ClassSetItem, GroupKind,
    Repetition, RepetitionKind, RepetitionRange, parse::Parser,
};

/// The most repetitions of a part of a pattern, all repetitions around the part together. PCRE and `regex` copy a part
/// for each repetition, and refuse a large result.
const MOST_REPEATED: u64 = 1_000;
/// The most bytes of a pattern.
const MOST_BYTES: usize = 1_000;

/// A pattern of the shared part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pattern {
    /// The pattern in the form that both sides take.
    pub(crate) text: String,
    /// The fewest code points of a string that matches from the start to the end.
    pub(crate) least: u64,
}

impl Pattern {
    /// Reads a pattern; the reason and the help where the pattern is outside of the shared part.
    pub(crate) fn read(pattern: &str) -> Result<Pattern, (String, String)> {
        let ast = Parser::new().parse(pattern).map_err(|error| {
            (format!("the pattern is not valid: {}", error.kind()), "write a pattern of the crate `regex`".to_owned())
        })?;
        let mut text = String::new();
        let least = write(&ast, &mut text, 1)?;
        if text.len() > MOST_BYTES {
            return refused("a pattern of this length", "write a pattern of at most 1,000 bytes");
        }
        Ok(Pattern { text, least })
    }
}

fn refused<T>(what: &str, help: &str) -> Result<T, (String, String)> {
    Err((format!("{what} is outside of the syntax that the server and Rust match in the same way"), help.to_owned()))
}

/// Writes a part of a pattern, and returns the fewest code points of a match. `times` is the most repetitions around
/// the part.
fn write(ast: &Ast, text: &mut String, times: u64) -> Result<u64, (String, String)> {
    match ast {
        Ast::Empty(_) => Ok(0),
        Ast::Flags(_) => refused("a flag", "write both cases of a letter in a class: `[Aa]`"),
        Ast::Literal(literal) => {
            text.push_str(&outside(literal.c));
            Ok(1)
        }
        Ast::Dot(_) => {
            text.push_str(r"[^\x{A}]");
            Ok(1)
        }
        Ast::Assertion(assertion) => write_assertion(assertion, text),
        Ast::ClassUnicode(_) => {
            refused("a class of Unicode (`\\p{..}`)", "write the letters in a class: `[A-Za-zÆØÅæøå]`")
        }
        Ast::ClassPerl(class) => {
            let negation = if class.negated { "^" } else { "" };
            text.push_str(&format!("[{negation}{}]", perl(&class.kind)));
            Ok(1)
        }
        Ast::ClassBracketed(class) => write_class(class, text),
        Ast::Repetition(repetition) => write_repetition(repetition, text, times),
        Ast::Group(group) => {
            if let GroupKind::NonCapturing(flags) = &group.kind
                && !flags.items.is_empty()
            {
                return refused("a flag", "write both cases of a letter in a class: `[Aa]`");
            }
            text.push_str("(?:");
            let least = write(&group.ast, text, times)?;
            text.push(')');
            Ok(least)
        }
        Ast::Alternation(alternation) => {
            let mut least = u64::MAX;
            for (at, branch) in alternation.asts.iter().enumerate() {
                if at > 0 {
                    text.push('|');
                }
                least = least.min(write(branch, text, times)?);
            }
            Ok(least)
        }
        Ast::Concat(concat) => {
            let mut least: u64 = 0;
            for part in &concat.asts {
                least = least.saturating_add(write(part, text, times)?);
            }
            Ok(least)
        }
    }
}

fn write_assertion(assertion: &Assertion, text: &mut String) -> Result<u64, (String, String)> {
    text.push_str(match assertion.kind {
        AssertionKind::StartLine | AssertionKind::StartText => "^",
        // `$` of PCRE also matches before a last line break.
        AssertionKind::EndLine | AssertionKind::EndText => r"\z",
        _ => return refused("a border of a word (`\\b`)", "write the characters around the word in a class"),
    });
    Ok(0)
}

fn write_repetition(repetition: &Repetition, text: &mut String, times: u64) -> Result<u64, (String, String)> {
    let (fewest, most) = match &repetition.op.kind {
        RepetitionKind::ZeroOrOne => (0, Some(1)),
        RepetitionKind::ZeroOrMore => (0, None),
        RepetitionKind::OneOrMore => (1, None),
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => (*count, Some(*count)),
        RepetitionKind::Range(RepetitionRange::AtLeast(count)) => (*count, None),
        RepetitionKind::Range(RepetitionRange::Bounded(fewest, most)) => (*fewest, Some(*most)),
    };
    let times = times.saturating_mul(u64::from(most.unwrap_or(fewest).max(1)));
    if times > MOST_REPEATED {
        return refused("more than 1,000 repetitions", "write a `max_len` or a `min_len` for the length");
    }
    let is_grouped = match &*repetition.ast {
        Ast::Empty(_) | Ast::Assertion(_) | Ast::Flags(_) => {
            return refused("a repetition of no character", "remove the repetition");
        }
        Ast::Repetition(_) => true,
        _ => false,
    };
    text.push_str(if is_grouped { "(?:" } else { "" });
    let least = write(&repetition.ast, text, times)?;
    text.push_str(if is_grouped { ")" } else { "" });
    text.push_str(&match (fewest, most) {
        (0, Some(1)) => "?".to_owned(),
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (fewest, None) => format!("{{{fewest},}}"),
        (fewest, Some(most)) if fewest == most => format!("{{{fewest}}}"),
        (fewest, Some(most)) => format!("{{{fewest},{most}}}"),
    });
    if !repetition.greedy {
        text.push('?');
    }
    Ok(least.saturating_mul(fewest.into()))
}

fn write_class(class: &ClassBracketed, text: &mut String) -> Result<u64, (String, String)> {
    let ClassSet::Item(item) = &class.kind else {
        return refused("an operation on classes (`&&`, `--`, `~~`)", "write a single class with all characters");
    };
    text.push_str(if class.negated { "[^" } else { "[" });
    write_item(item, text)?;
    text.push(']');
    Ok(1)
}

fn write_item(item: &ClassSetItem, text: &mut String) -> Result<(), (String, String)> {
    match item {
        ClassSetItem::Empty(_) => {}
        ClassSetItem::Literal(literal) => text.push_str(&inside(literal.c)),
        ClassSetItem::Range(range) => {
            text.push_str(&format!("{}-{}", inside(range.start.c), inside(range.end.c)));
        }
        ClassSetItem::Ascii(class) if !class.negated => text.push_str(ascii(&class.kind)),
        ClassSetItem::Perl(class) if !class.negated => text.push_str(perl(&class.kind)),
        ClassSetItem::Union(union) => union.items.iter().try_for_each(|item| write_item(item, text))?,
        ClassSetItem::Ascii(_) | ClassSetItem::Perl(_) | ClassSetItem::Bracketed(_) | ClassSetItem::Unicode(_) => {
            return refused("a class inside of a class", "write a single class with all characters");
        }
    }
    Ok(())
}

/// Returns the content of a class of Perl, in ASCII.
fn perl(kind: &ClassPerlKind) -> &'static str {
    match kind {
        ClassPerlKind::Digit => "0-9",
        ClassPerlKind::Space => r"\x{9}-\x{D} ",
        ClassPerlKind::Word => "0-9A-Za-z_",
    }
}

fn ascii(kind: &ClassAsciiKind) -> &'static str {
    match kind {
        ClassAsciiKind::Alnum => "0-9A-Za-z",
        ClassAsciiKind::Alpha => "A-Za-z",
        ClassAsciiKind::Ascii => r"\x{0}-\x{7F}",
        ClassAsciiKind::Blank => r"\x{9} ",
        ClassAsciiKind::Cntrl => r"\x{0}-\x{1F}\x{7F}",
        ClassAsciiKind::Digit => "0-9",
        ClassAsciiKind::Graph => r"!-\x{7E}",
        ClassAsciiKind::Lower => "a-z",
        ClassAsciiKind::Print => r" -\x{7E}",
        ClassAsciiKind::Punct => r"!-/:-@\[-`{-\x{7E}",
        ClassAsciiKind::Space => r"\x{9}-\x{D} ",
        ClassAsciiKind::Upper => "A-Z",
        ClassAsciiKind::Word => "0-9A-Za-z_",
        ClassAsciiKind::Xdigit => "0-9A-Fa-f",
    }
}

/// Returns a character outside of a class.
fn outside(character: char) -> String {
    match character {
        '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => format!("\\{character}"),
        character => plain(character),
    }
}

/// Returns a character inside of a class. Two of `&`, `-` or `~` are an operation of Rust, and `[:` is a name in PCRE.
fn inside(character: char) -> String {
    match character {
        '\\' | '[' | ']' | '^' | '-' => format!("\\{character}"),
        '&' | '~' => code(character),
        character => plain(character),
    }
}

fn plain(character: char) -> String {
    if character.is_control() { code(character) } else { character.to_string() }
}

fn code(character: char) -> String {
    format!("\\x{{{:X}}}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn a_pattern_is_written_in_the_shared_part() {
        for (pattern, text, least) in [
            ("^[A-Z]{3}$", r"^[A-Z]{3}\z", 3),
            (r"\A\d+(?P<x>a|bc)\z", r"^[0-9]+(?:a|bc)\z", 2),
            (r"^\w\S.$", r"^[0-9A-Za-z_][^\x{9}-\x{D} ][^\x{A}]\z", 3),
            (r"^[[:alpha:]&~-]*?$", r"^[A-Za-z\x{26}\x{7E}\-]*?\z", 0),
            (r"a++|\.", r"(?:a+)+|\.", 1),
            ("^(a|)ö{2,}\\n$", r"^(?:a|)ö{2,}\x{A}\z", 3),
        ] {
            let read = Pattern::read(pattern).unwrap_or_else(|(what, _)| panic!("{pattern}: {what}"));
            assert_eq!((read.text.as_str(), read.least), (text, least), "{pattern}");
            assert_eq!(Pattern::read(text).map(|again| again.text).as_deref(), Ok(text), "{pattern}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for pattern in [
            "(?i)a",
            r"\bword\b",
            r"\p{L}",
            "[a[bc]]",
            "[a&&b]",
            "[^[:^alpha:]]",
            "(a{50}){50}",
            "^*",
            "(",
            r"(a)\1",
            "(?=a)",
            "a{2000}",
        ] {
            assert!(Pattern::read(pattern).is_err(), "{pattern}");
        }
    }
}
