//! Enums whose variants are words of attributes.

/// An enum with the word of each variant, and with lists of all of both that leave none out.
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
            #[allow(dead_code, reason = "some are only looked up one by one")]
            $visibility const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word in the attribute.
            $visibility const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }
    };
}

pub(crate) use words;
