//! Names as texts of XML and HTML.

/// Returns a text without control characters, which XML does not allow.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|letter| if is_plain(letter) { letter } else { '\u{fffd}' }).collect()
}

fn is_plain(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !letter.is_control() && !turns && !matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns a text for the inside of an element and of an attribute in quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in printable(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_texts() {
        assert_eq!(escape("</script><img onerror='x'>"), "&lt;/script&gt;&lt;img onerror=&#39;x&#39;&gt;");
        assert_eq!(escape("a\u{0}b\u{202e}c&\""), "a\u{fffd}b\u{fffd}c&amp;&quot;");
    }
}
