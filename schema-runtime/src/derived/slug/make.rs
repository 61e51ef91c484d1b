//! Makes slugs from texts. Pure.

use mongodb::bson::oid::ObjectId;

/// The number of candidates before a random end: the plain text, and the text with a number from 2 on.
const NUMBERED: u32 = 9;

/// The number of random characters.
const RANDOM: usize = 8;

/// Makes a slug of a text: lower-case ASCII letters and digits, with hyphens between the words, and at most `max_len`
/// characters.
pub(super) fn slug_of(text: &str, max_len: usize) -> String {
    cut(&slug::slugify(text), max_len)
}

/// Returns the numbered candidates for a taken slug; none for a text without a letter or a digit.
pub(super) fn others(slug: &str, max_len: usize) -> impl Iterator<Item = String> + '_ {
    (2..=NUMBERED).filter(|_| !slug.is_empty()).map(move |number| ended(slug, &number.to_string(), max_len))
}

/// Returns a slug with a random end that no concurrent writer makes.
pub(super) fn random(slug: &str, max_len: usize) -> String {
    // An end of digits alone could be mistaken for a part of the name, such as a date.
    loop {
        let id = ObjectId::new().to_hex();
        let end = &id[id.len() - RANDOM..];
        if end.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return ended(slug, end, max_len);
        }
    }
}

/// Returns whether a slug was made of the given slug, with or without an end.
pub(super) fn is_of(made: &str, slug: &str, max_len: usize) -> bool {
    let is_hex = |end: &str| {
        let has_letter = end.bytes().any(|byte| byte.is_ascii_alphabetic());
        end.len() == RANDOM && has_letter && end.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let end = made.get(made.len().saturating_sub(RANDOM)..).filter(|end| is_hex(end));
    let is_random = end.is_some_and(|end| ended(slug, end, max_len) == made);
    made == slug || is_random || others(slug, max_len).any(|other| other == made)
}

fn ended(slug: &str, end: &str, max_len: usize) -> String {
    let begin = cut(slug, max_len.saturating_sub(end.len() + 1));
    if begin.is_empty() { end.to_owned() } else { format!("{begin}-{end}") }
}

/// Cuts a slug, which is ASCII.
fn cut(slug: &str, max_len: usize) -> String {
    slug.get(..max_len).unwrap_or(slug).trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{is_of, others, random, slug_of};

    #[test]
    fn any_text_makes_one() {
        assert_eq!(slug_of("Left-handed Smoke  Shifter!", 80), "left-handed-smoke-shifter");
        assert_eq!(slug_of("Blåbærsyltetøy & Crème brûlée", 80), "blabaersyltetoy-creme-brulee");
        assert_eq!(slug_of("北京", 80), "bei-jing");
        assert_eq!(slug_of("?!", 80), "");
        assert_eq!(slug_of("a left-handed shifter", 16), "a-left-handed-sh");
        assert_eq!(slug_of("a left-handed--shifter", 14), "a-left-handed");
    }

    #[test]
    fn what_is_taken_has_others_that_fit() {
        let of = |slug: &str, max_len| others(slug, max_len).collect::<Vec<_>>();
        assert_eq!(of("bolt", 16)[..2], ["bolt-2", "bolt-3"]);
        assert_eq!(of("a-left-handed-sh", 16)[7], "a-left-handed-9");
        assert_eq!(of("", 16), [""; 0]);
        let one = random("a-left-handed-shifter", 16);
        assert!(one.starts_with("a-left-") && one.len() == 15 && random("", 16).len() == 8, "{one}");
        assert_ne!(one, random("a-left-handed-shifter", 16));
        assert!(is_of(&one, "a-left-handed-sh", 16) && is_of(&random("", 16), "", 16));
        assert!(
            is_of("bolt", "bolt", 16)
                && is_of("bolt-9", "bolt", 16)
                && is_of("a-left-handed-9", "a-left-handed-sh", 16)
        );
        assert!(!is_of("report-20240101", "report", 40), "a date");
        assert!(!is_of("bolt-10", "bolt", 16) && !is_of("bolts", "bolt", 16) && !is_of("bolt", "bolt-2", 16));
    }
}
