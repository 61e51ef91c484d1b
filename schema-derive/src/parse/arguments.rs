//! The words between the parentheses of an attribute: `unique`, `max = 20`, `desc(time)`, `addresses.city`.

use proc_macro2::Span;
use syn::{
    Attribute, Expr, Ident, Lit, LitInt, LitStr, Member, Meta, Token, Type, punctuated::Punctuated, spanned::Spanned,
};

use crate::errors::Errors;

/// One word of an attribute with what follows it.
#[derive(Clone)]
pub(crate) struct Argument {
    /// The word, without `r#`; for a path of fields its text (`addresses.city`).
    pub(crate) word: String,
    pub(crate) value: Value,
    /// The whole argument as written.
    pub(crate) tokens: Expr,
}

#[derive(Clone)]
pub(crate) enum Value {
    /// `unique`
    None,
    /// `max = 20`
    Assigned(Expr),
    /// `desc(time)`
    List(Vec<Argument>),
    /// `addresses.city as String`
    Typed(Box<Type>),
}

/// The arguments of one attribute.
pub(crate) struct Arguments {
    /// The attribute's name.
    pub(crate) attribute: String,
    pub(crate) span: Span,
    pub(crate) list: Vec<Argument>,
}

impl Arguments {
    /// Reads an attribute; what is not a list of arguments is a mistake and gives none.
    pub(crate) fn read(attribute: &Attribute, errors: &Errors) -> Arguments {
        let name = attribute.path().get_ident().map(Ident::to_string).unwrap_or_default();
        let mut arguments = Arguments { attribute: name, span: attribute.path().span(), list: Vec::new() };
        let expressions = match &attribute.meta {
            Meta::Path(_) => return arguments,
            Meta::NameValue(pair) => {
                errors.at(
                    pair,
                    format!(
                        "`#[{0}(..)]` takes its words in parentheses\nhelp: write `#[{0}(..)]`",
                        arguments.attribute
                    ),
                );
                return arguments;
            }
            Meta::List(list) => list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated),
        };
        match expressions {
            Ok(expressions) => {
                arguments.list = expressions.into_iter().filter_map(|expression| read(expression, errors)).collect();
            }
            Err(error) => errors.push(error),
        }
        arguments
    }

    /// Refuses a word that is not known here, and a word given twice.
    pub(crate) fn expect_words(&self, known: &[&str], errors: &Errors) {
        expect_words(&format!("#[{}(..)]", self.attribute), &self.list, known, errors);
    }

    pub(crate) fn get(&self, word: &str) -> Option<&Argument> {
        self.list.iter().find(|argument| argument.word == word)
    }
}

fn expect_words(place: &str, list: &[Argument], known: &[&str], errors: &Errors) {
    for (at, argument) in list.iter().enumerate() {
        if argument.word.is_empty() {
            let known = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            errors.at(
                &argument.tokens,
                format!("this value in `{place}` has no word before it\nhelp: write `word = value`; the words here are {known}"),
            );
        } else if !known.contains(&argument.word.as_str()) {
            let near = match similar(&argument.word, known) {
                Some(word) => format!(", did you mean `{word}`?"),
                None => String::new(),
            };
            let known = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            errors.at(
                &argument.tokens,
                format!("unknown word `{}` in `{place}`{near}\nhelp: the words here are {known}", argument.word),
            );
        } else if argument.word != "allow" && list[..at].iter().any(|earlier| earlier.word == argument.word) {
            errors.at(
                &argument.tokens,
                format!("`{}` is given twice in `{place}`\nhelp: remove one of the two", argument.word),
            );
        }
    }
}

/// The known word that is nearest in spelling, if one is near.
pub(crate) fn similar<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().max(word.len()).div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `None` after a mistake, which is in `errors`.
fn read(expression: Expr, errors: &Errors) -> Option<Argument> {
    let tokens = expression.clone();
    match expression {
        Expr::Assign(assign) => {
            let word = word_of(&assign.left, errors)?;
            Some(Argument { word, value: Value::Assigned(*assign.right), tokens })
        }
        Expr::Call(call) => {
            let word = word_of(&call.func, errors)?;
            let list = call.args.into_iter().filter_map(|argument| read(argument, errors)).collect();
            Some(Argument { word, value: Value::List(list), tokens })
        }
        Expr::Cast(cast) => {
            let word = word_of(&cast.expr, errors)?;
            Some(Argument { word, value: Value::Typed(cast.ty), tokens })
        }
        Expr::Group(group) => read(*group.expr, errors),
        Expr::Lit(literal) => {
            Some(Argument { word: String::new(), value: Value::Assigned(Expr::Lit(literal)), tokens })
        }
        Expr::Unary(unary) => {
            Some(Argument { word: String::new(), value: Value::Assigned(Expr::Unary(unary)), tokens })
        }
        Expr::Path(path) if path.path.segments.len() > 1 => {
            let names: Vec<String> = path.path.segments.iter().map(|segment| identifier(&segment.ident)).collect();
            Some(Argument { word: names.join("::"), value: Value::None, tokens })
        }
        other => match path_of(&other) {
            Some(path) => Some(Argument { word: path.join("."), value: Value::None, tokens }),
            None => {
                errors.at(other, "expected a word, `word = value` or `word(..)`");
                None
            }
        },
    }
}

/// The word that an expression is, or the path of fields.
fn word_of(expression: &Expr, errors: &Errors) -> Option<String> {
    let path = path_of(expression);
    if path.is_none() {
        errors.at(expression, "expected a word or a field here, as `max` or `addresses.city`");
    }
    path.map(|path| path.join("."))
}

/// `addresses.city` as its names, without `r#`.
pub(crate) fn path_of(expression: &Expr) -> Option<Vec<String>> {
    match expression {
        Expr::Path(path) => path.path.get_ident().map(|ident| vec![identifier(ident)]),
        Expr::Field(field) => {
            let mut names = path_of(&field.base)?;
            match &field.member {
                Member::Named(ident) => names.push(identifier(ident)),
                Member::Unnamed(_) => return None,
            }
            Some(names)
        }
        Expr::Group(group) => path_of(&group.expr),
        _ => None,
    }
}

/// An identifier without `r#`.
pub(crate) fn identifier(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

impl Argument {
    /// The path of names that the word is.
    pub(crate) fn path(&self) -> Vec<String> {
        self.word.split('.').map(str::to_owned).collect()
    }

    /// Refuses a value: the word stands alone.
    pub(crate) fn expect_word(&self, errors: &Errors) {
        if !matches!(self.value, Value::None) {
            errors.at(&self.tokens, format!("`{0}` takes no value\nhelp: write `{0}`", self.word));
        }
    }

    /// A positive whole number, as in `max = 20`.
    pub(crate) fn expect_number(&self, errors: &Errors) -> Option<u64> {
        let number = match self.literal() {
            Some(Lit::Int(number)) => LitInt::base10_parse::<u64>(number).ok().filter(|number| *number > 0),
            _ => None,
        };
        if number.is_none() {
            errors.at(&self.tokens, format!("`{0}` takes a whole number above 0\nhelp: write `{0} = 20`", self.word));
        }
        number
    }

    /// A string, as in `name = "by_time"`.
    pub(crate) fn expect_string(&self, example: &str, errors: &Errors) -> Option<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) => Some(text.clone()),
            _ => {
                errors.at(&self.tokens, format!("`{0}` takes a string\nhelp: write `{0} = \"{example}\"`", self.word));
                None
            }
        }
    }

    /// A bare word, as in `level = moderate`.
    pub(crate) fn expect_identifier(&self, errors: &Errors) -> Option<Ident> {
        if let Value::Assigned(Expr::Path(path)) = &self.value
            && let Some(ident) = path.path.get_ident()
        {
            return Some(ident.clone());
        }
        errors.at(&self.tokens, format!("`{0}` takes a name\nhelp: write `{0} = ..`", self.word));
        None
    }

    /// The arguments in parentheses, as in `allow(..)`; a mistake when there are none.
    pub(crate) fn expect_list(&self, example: &str, errors: &Errors) -> &[Argument] {
        match &self.value {
            Value::List(list) if !list.is_empty() => list,
            _ => {
                errors.at(&self.tokens, format!("`{}` takes words in parentheses\nhelp: write `{example}`", self.word));
                &[]
            }
        }
    }

    pub(crate) fn expect_words(&self, list: &[Argument], known: &[&str], errors: &Errors) {
        expect_words(&format!("{}(..)", self.word), list, known, errors);
    }

    fn literal(&self) -> Option<&Lit> {
        fn inside(expression: &Expr) -> Option<&Lit> {
            match expression {
                Expr::Lit(literal) => Some(&literal.lit),
                Expr::Group(group) => inside(&group.expr),
                _ => None,
            }
        }
        match &self.value {
            Value::Assigned(value) => inside(value),
            _ => None,
        }
    }
}
