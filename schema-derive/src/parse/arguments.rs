//! The words between the parentheses of an attribute: `unique`, `max = 20`, `desc(time)`, `addresses.city`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::{
    Attribute, BinOp, DeriveInput, Expr, Ident, Lit, LitStr, Member, Meta, Path, Token, Type, punctuated::Punctuated,
    spanned::Spanned,
};

use crate::errors::Errors;

/// A word of an attribute, with the value behind the word.
#[derive(Clone)]
pub(crate) struct Argument {
    /// The word, without `r#`; for a path of fields the text of the path (`addresses.city`).
    pub(crate) word: String,
    pub(crate) value: Value,
    /// The whole argument as written.
    pub(crate) tokens: Expr,
}

#[derive(Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "the tests build tokens with places in the source, and tokens with places are larger"
)]
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

/// The arguments of an attribute.
pub(crate) struct Arguments {
    /// The name of the attribute.
    pub(crate) attribute: String,
    pub(crate) span: Span,
    pub(crate) list: Vec<Argument>,
    /// True when the attribute holds no list of arguments; the mistake is reported.
    pub(crate) is_broken: bool,
}

impl Arguments {
    /// Reads the arguments of an attribute. Anything but a list of arguments is a mistake, and gives no arguments.
    pub(crate) fn read(attribute: &Attribute, errors: &Errors) -> Arguments {
        let name = attribute.path().get_ident().map(Ident::to_string).unwrap_or_default();
        let mut arguments =
            Arguments { attribute: name, span: attribute.path().span(), list: Vec::new(), is_broken: false };
        let expressions = match &attribute.meta {
            Meta::Path(_) => return arguments,
            Meta::NameValue(pair) => {
                errors.at(
                    pair,
                    format!("`#[{0}(..)]` takes words in parentheses\nhelp: write `#[{0}(..)]`", arguments.attribute),
                );
                return arguments;
            }
            Meta::List(list) => list
                .parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)
                .map_err(|error| direction_behind(list.tokens.clone()).unwrap_or(error)),
        };
        match expressions {
            Ok(expressions) => {
                arguments.list =
                    expressions.into_iter().filter_map(|expression| read_argument(expression, errors)).collect();
            }
            Err(error) => {
                arguments.is_broken = true;
                errors.push(error);
            }
        }
        arguments
    }

    /// Takes the arguments that are not words of the table, as the keys of an index; the words of the table stay.
    pub(crate) fn take(&mut self, is_other: impl Fn(&Argument) -> bool) -> Vec<Argument> {
        self.list.extract_if(.., |argument| is_other(argument)).collect()
    }

    pub(crate) fn get(&self, word: &str) -> Option<&Argument> {
        self.list.iter().find(|argument| argument.word == word)
    }
}

/// Returns the mistake of a user who writes a direction behind the field, as in SQL: `published desc`.
fn direction_behind(tokens: TokenStream) -> Option<syn::Error> {
    let mut before: Option<Ident> = None;
    for token in tokens {
        match (token, &before) {
            (TokenTree::Ident(word), Some(field)) if word == "asc" || word == "desc" => {
                let message = format!("a direction comes before the field\nhelp: write `{word}({field})`");
                return Some(syn::Error::new_spanned(quote!(#field #word), message));
            }
            (TokenTree::Ident(word), _) => before = Some(word),
            (TokenTree::Group(group), _) => {
                if let Some(error) = direction_behind(group.stream()) {
                    return Some(error);
                }
                before = None;
            }
            (TokenTree::Punct(_) | TokenTree::Literal(_), _) => before = None,
        }
    }
    None
}

/// Returns the attribute of this name on an item. `model` and `projection` say the kind of the item, also for another
/// derive.
pub(crate) fn marked<'a>(input: &'a DeriveInput, name: &str) -> Option<&'a Attribute> {
    input.attrs.iter().find(|attribute| attribute.path().is_ident(name))
}

/// Returns the end of a message on an unknown word: the known word that is nearest in spelling, or nothing.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    similar(word, known).map(|near| format!(", did you mean `{near}`?")).unwrap_or_default()
}

/// Returns the known word that is nearest in spelling; `None` when no word is near.
pub(crate) fn similar<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().max(word.len()).div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Reads an argument; `None` after a mistake. The mistake is in `errors`.
pub(crate) fn read_argument(expression: Expr, errors: &Errors) -> Option<Argument> {
    let tokens = expression.clone();
    match expression {
        Expr::Assign(assign) => {
            let word = word_of(&assign.left, errors)?;
            Some(Argument { word, value: Value::Assigned(ungrouped(*assign.right)), tokens })
        }
        Expr::Call(call) => {
            let word = word_of(&call.func, errors)?;
            let list = call.args.into_iter().filter_map(|argument| read_argument(argument, errors)).collect();
            Some(Argument { word, value: Value::List(list), tokens })
        }
        Expr::Cast(cast) => {
            let word = word_of(&cast.expr, errors)?;
            Some(Argument { word, value: Value::Typed(cast.ty), tokens })
        }
        Expr::Group(group) => read_argument(*group.expr, errors),
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
        Expr::Binary(comparison) => {
            errors.at(&tokens, not_a_word(&comparison));
            None
        }
        other => match path_of(&other) {
            Some(path) => Some(Argument { word: path.join("."), value: Value::None, tokens }),
            None => {
                errors.at(other, NO_WORD);
                None
            }
        },
    }
}

const NO_WORD: &str = "expected a word, `word = value` or `word(..)`";

/// Returns the message about an operator of Rust: `price < 5` is written as `lt(price, 5)`.
fn not_a_word(comparison: &syn::ExprBinary) -> String {
    let word = match &comparison.op {
        BinOp::Lt(_) => "lt",
        BinOp::Le(_) => "lte",
        BinOp::Gt(_) => "gt",
        BinOp::Ge(_) => "gte",
        BinOp::Eq(_) => "eq",
        _ => return NO_WORD.to_owned(),
    };
    let text = |side: &Expr| path_of(side).map_or_else(|| quote!(#side).to_string(), |path| path.join("."));
    let (left, right) = (text(&comparison.left), text(&comparison.right));
    format!("a comparison is written as a word with both sides\nhelp: write `{word}({left}, {right})`")
}

/// Removes the invisible group around a parameter of `macro_rules!`.
fn ungrouped(expression: Expr) -> Expr {
    match expression {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

/// Returns an expression as a word, or as the path of fields.
fn word_of(expression: &Expr, errors: &Errors) -> Option<String> {
    let path = path_of(expression);
    if path.is_none() {
        errors.at(expression, "expected a word or a field here, as `max` or `addresses.city`");
    }
    path.map(|path| path.join("."))
}

/// Returns the names of `addresses.city`, without `r#`.
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

/// Returns an identifier without `r#`.
pub(crate) fn identifier(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

impl Argument {
    /// Returns the word as a path of names.
    pub(crate) fn path(&self) -> Vec<String> {
        self.word.split('.').map(str::to_owned).collect()
    }

    /// Returns a string, as in `name = "by_time"`.
    pub(crate) fn text(&self) -> Option<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns a bare word, as in `level = moderate`.
    pub(crate) fn name(&self) -> Option<Ident> {
        match &self.value {
            Value::Assigned(Expr::Path(path)) => path.path.get_ident().cloned(),
            _ => None,
        }
    }

    /// Returns a path, as in `of = Task::owner`.
    pub(crate) fn names(&self) -> Option<&Path> {
        match &self.value {
            Value::Assigned(Expr::Path(path)) => Some(&path.path),
            _ => None,
        }
    }

    /// Returns the word behind the `=`, with the parentheses of the word: `text(..)` of `title = text(..)`.
    pub(crate) fn assigned(&self, errors: &Errors) -> Option<Argument> {
        match &self.value {
            Value::Assigned(value) => read_argument(value.clone(), errors),
            Value::None | Value::List(_) | Value::Typed(_) => None,
        }
    }

    /// Returns the arguments in the parentheses.
    pub(crate) fn inside(&self) -> &[Argument] {
        match &self.value {
            Value::List(list) => list,
            Value::None | Value::Assigned(_) | Value::Typed(_) => &[],
        }
    }

    pub(super) fn literal(&self) -> Option<&Lit> {
        match &self.value {
            Value::Assigned(Expr::Lit(literal)) => Some(&literal.lit),
            _ => None,
        }
    }
}
