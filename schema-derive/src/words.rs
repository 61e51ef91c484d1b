//! Enums with a word of an attribute for each variant.

/// Defines an enum with a word for each variant, and with complete lists of the variants and the words.
macro_rules! words {
    (
        $(#[$of_enum:meta])*
        $visibility:vis enum $name:ident { $($(#[$of_variant:meta])* $variant:ident = $word:expr),* $(,)? }
    ) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $visibility enum $name { $($(#[$of_variant])* $variant),* }

        impl $name {
            $visibility const ALL: &'static [$name] = &[$($name::$variant),*];
            #[allow(dead_code, reason = "some words are only looked up singly")]
            $visibility const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word in the attribute.
            $visibility const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }
    };
}

pub(crate) use words;
