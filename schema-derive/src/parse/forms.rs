//! The form of a word of an attribute: the kind of the value behind the word, and nothing else.

use syn::{Expr, Lit};

use super::{
    arguments::{Argument, Arguments, Value, did_you_mean, path_of},
    constant::{Constant, float, integer, is_integer},
};
use crate::errors::Errors;

/// A word of an attribute, the single form of the word, and an example.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    /// The word with the value: `max = 20`.
    pub(crate) example: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// `unique`
    Flag,
    /// `backwards` or `backwards = false`
    Switch,
    /// `name = "by_time"`
    Text,
    /// `max = 20`
    Number,
    /// `min = -0.5`
    Limit,
    /// `inserts = 9.5`
    Percentage,
    /// `inverse = books`
    Name,
    /// `of = Task::owner`
    Path,
    /// `from = host.ipaddr`
    Field,
    /// `by = day(time)`
    Call,
    /// `order = desc(time)`, or `order(desc(time), name)`
    Order,
    /// `new` or `new(Debug, Clone)`: the word alone, or the word with a value.
    Optional(&'static Form),
    /// `partial(gt(qty, 0))`: the parentheses hold no words of the table.
    List,
    /// `one_of("new", "paid")`: texts or whole numbers.
    Values,
    /// `validation(level = moderate)`
    Words(&'static [Word]),
    /// `allow(rule, reason = "..")`, for a rule of this list; the only word that may be repeated.
    Allow(&'static [&'static str]),
}

/// Makes a word. The example is the text that stands behind the word in the table.
pub(crate) const fn word(name: &'static str, form: Form, example: &'static str) -> Word {
    Word { name, form, example }
}

/// Makes words that stand alone.
pub(crate) const fn flags<const N: usize>(names: &'static [&'static str]) -> [Word; N] {
    let mut flags = [word("", Form::Flag, ""); N];
    let mut at = 0;
    while at < N {
        flags[at] = word(names[at], Form::Flag, names[at]);
        at += 1;
    }
    flags
}

/// Returns the names of the words.
pub(crate) fn names_of(words: &[Word]) -> Vec<&'static str> {
    words.iter().map(|word| word.name).collect()
}

/// Returns the words as text.
pub(crate) fn listed(words: &[Word]) -> String {
    words.iter().map(|word| format!("`{}`", word.name)).collect::<Vec<_>>().join(", ")
}

impl Arguments {
    /// Refuses an unknown word, a word given twice, and a word in a wrong form. The refused words are left out.
    pub(crate) fn expect_words(&mut self, known: &[Word], errors: &Errors) {
        judge(&format!("#[{}(..)]", self.attribute), &mut self.list, known, errors);
    }
}

/// Refuses each unknown word, each word given twice, and each word in a wrong form. The refused words are left out, so
/// that a single mistake gives a single message.
pub(crate) fn judge(place: &str, list: &mut Vec<Argument>, known: &[Word], errors: &Errors) {
    let mut seen: Vec<&str> = Vec::new();
    let mut is_refused = false;
    list.retain_mut(|argument| {
        // Several values without words are a single mistake.
        if argument.word.is_empty() && std::mem::replace(&mut is_refused, true) {
            return false;
        }
        let Some(word) = known.iter().find(|word| word.name == argument.word) else {
            refuse_unknown(place, argument, known, "here", errors);
            return false;
        };
        if seen.contains(&word.name) && !matches!(word.form, Form::Allow(_)) {
            errors.at(
                &argument.tokens,
                format!("`{0}` is given twice in `{place}`\nhelp: remove the second `{0}`", argument.word),
            );
            return false;
        }
        seen.push(word.name);
        let is_right = argument.expect(word.form, word.example, errors);
        let form = if let Form::Optional(form) = word.form { *form } else { word.form };
        if let (Form::Words(inside), Value::List(list)) = (form, &mut argument.value) {
            judge(&format!("{}(..)", word.name), list, inside, errors);
        }
        is_right
    });
}

/// Words of other tools, with the words of this crate.
const OTHER_WORDS: [(&str, &str); 3] = [
    ("many_to_one", "`one_to_many, parent_ref`: a relation has the cardinality of the parent, also in the child"),
    ("belongs_to", "`one_to_many, parent_ref`, or `one_to_one, parent_ref` for a single child"),
    ("has_many", "`#[relation(one_to_many, parent_ref)]` in the child, and `#[inverse(..)]` here"),
];

/// Refuses an unknown word. `here` names the place of the known words, as "here" or "beside the accessor".
pub(crate) fn refuse_unknown(place: &str, argument: &Argument, known: &[Word], here: &str, errors: &Errors) {
    if argument.word.is_empty() {
        errors.at(
            &argument.tokens,
            format!(
                "this value in `{place}` has no word\nhelp: write `word = value`; the words {here} are {}",
                listed(known)
            ),
        );
        return;
    }
    if let Some((_, instead)) = OTHER_WORDS.iter().find(|(other, _)| *other == argument.word) {
        let message = format!("unknown word `{}` in `{place}`\nhelp: write {instead}", argument.word);
        return errors.at(&argument.tokens, message);
    }
    let near = did_you_mean(&argument.word, &names_of(known));
    errors.at(
        &argument.tokens,
        format!("unknown word `{}` in `{place}`{near}\nhelp: the words {here} are {}", argument.word, listed(known)),
    );
}

impl Argument {
    /// Returns whether the argument is an option of this list, and not a field of the same name: `name = ".."` is an
    /// option, `name` alone is a field.
    pub(crate) fn is_option_of(&self, options: &[Word]) -> bool {
        let option = options.iter().find(|word| word.name == self.word);
        option.is_some_and(|word| matches!(word.form, Form::Flag) || !matches!(self.value, Value::None))
    }

    /// Returns whether the argument has this form; reports a mistake with the example when the form is wrong.
    pub(crate) fn expect(&self, form: Form, example: &str, errors: &Errors) -> bool {
        let is_right = self.has_form(form);
        // A mistake inside of the parentheses is reported already.
        if !is_right && !self.has_mistake_inside() {
            let what = self.what(form);
            let help = self.unquoted(form).unwrap_or_else(|| format!("write `{example}`"));
            errors.at(&self.tokens, format!("`{}` takes {what}\nhelp: {help}", self.word));
        }
        is_right
    }

    fn has_form(&self, form: Form) -> bool {
        match form {
            Form::Flag => matches!(self.value, Value::None),
            Form::Switch => matches!(self.value, Value::None) || matches!(self.literal(), Some(Lit::Bool(_))),
            Form::Text => matches!(self.literal(), Some(Lit::Str(_))),
            Form::Number => self.number().is_some(),
            Form::Limit => self.limit().is_some(),
            Form::Percentage => self.percentage().is_some(),
            Form::Name => matches!(&self.value, Value::Assigned(Expr::Path(path)) if path.path.get_ident().is_some()),
            Form::Path => matches!(&self.value, Value::Assigned(Expr::Path(path)) if path.qself.is_none()),
            Form::Field => matches!(&self.value, Value::Assigned(value) if path_of(value).is_some()),
            Form::Call => matches!(&self.value, Value::Assigned(Expr::Call(_))),
            Form::Order => match &self.value {
                Value::Assigned(value) => !matches!(value, Expr::Lit(_)),
                Value::List(list) => !list.is_empty(),
                Value::None | Value::Typed(_) => false,
            },
            Form::Values => !self.inside().is_empty() && self.inside().iter().all(|inside| inside.constant().is_some()),
            Form::Optional(form) => matches!(self.value, Value::None) || self.has_form(*form),
            Form::List | Form::Words(_) | Form::Allow(_) => {
                matches!(&self.value, Value::List(list) if !list.is_empty())
            }
        }
    }

    /// Returns whether an argument in the parentheses could not be read.
    fn has_mistake_inside(&self) -> bool {
        matches!((&self.value, &self.tokens), (Value::List(list), Expr::Call(call)) if list.len() < call.args.len())
    }

    fn what(&self, form: Form) -> String {
        let what = match form {
            Form::Flag => "no value",
            Form::Switch => "no value, or `true` or `false`",
            Form::Text => "a string",
            Form::Number | Form::Percentage | Form::Limit => {
                let what = match form {
                    Form::Number => "a whole number above 0",
                    Form::Percentage => "a number of per cent",
                    _ => "a number",
                };
                return match self.unit() {
                    Some(written) => format!("{what} without a unit, and `{written}` has a unit"),
                    None => what.to_owned(),
                };
            }
            Form::Name => "a name",
            Form::Path => "a path",
            Form::Field => "a field",
            Form::Call => "a word and a field",
            Form::Order => "fields of this struct",
            Form::Optional(form) => return format!("{}, or stands alone", self.what(*form)),
            Form::Values => "texts or whole numbers in parentheses",
            Form::List | Form::Words(_) | Form::Allow(_) => "words in parentheses",
        };
        what.to_owned()
    }

    /// Returns the help for a name in quotes: the name without quotes.
    fn unquoted(&self, form: Form) -> Option<String> {
        let Some(Lit::Str(text)) = self.literal() else { return None };
        let text = text.value();
        let is_name = match form {
            Form::Name => syn::parse_str::<syn::Ident>(&text).is_ok(),
            Form::Path => syn::parse_str::<syn::Path>(&text).is_ok(),
            Form::Field | Form::Call | Form::Order => {
                syn::parse_str::<Expr>(&text).is_ok_and(|value| !matches!(value, Expr::Lit(_)))
            }
            Form::Optional(form) => return self.unquoted(*form),
            Form::Number => syn::parse_str::<syn::LitInt>(&text).is_ok_and(|number| number.suffix().is_empty()),
            Form::Limit => syn::parse_str::<Expr>(&text).is_ok_and(|value| Constant::of(&value).is_some()),
            Form::Flag
            | Form::Switch
            | Form::Text
            | Form::Percentage
            | Form::Values
            | Form::List
            | Form::Words(_)
            | Form::Allow(_) => false,
        };
        is_name.then(|| format!("write `{} = {text}`, without quotes", self.word))
    }

    /// Returns a literal with a suffix that is not a type of numbers: `2k`.
    fn unit(&self) -> Option<String> {
        let suffix = match self.literal()? {
            Lit::Int(number) => number.suffix(),
            Lit::Float(number) => number.suffix(),
            _ => return None,
        };
        (!suffix.is_empty() && !is_numeric(suffix)).then(|| {
            let literal = self.literal();
            quote::quote!(#literal).to_string()
        })
    }

    /// Returns a positive whole number, as in `max = 20`.
    pub(crate) fn number(&self) -> Option<u64> {
        match self.literal()? {
            Lit::Int(number) => integer(number).filter(|number| *number > 0),
            _ => None,
        }
    }

    /// Returns a number of any sign, as in `min = -0.5`.
    pub(crate) fn limit(&self) -> Option<Constant> {
        match &self.value {
            Value::Assigned(value) => {
                Constant::of(value).filter(|value| matches!(value, Constant::Integer(_) | Constant::Double(_)))
            }
            Value::None | Value::List(_) | Value::Typed(_) => None,
        }
    }

    /// Returns a text or a whole number without a word, as in `one_of("new", 3)`.
    pub(crate) fn constant(&self) -> Option<Constant> {
        match &self.value {
            Value::Assigned(value) if self.word.is_empty() => {
                Constant::of(value).filter(|value| matches!(value, Constant::Integer(_) | Constant::String(_)))
            }
            Value::None | Value::Assigned(_) | Value::List(_) | Value::Typed(_) => None,
        }
    }

    /// Returns a number of per cent, as in `inserts = 9.5`.
    pub(crate) fn percentage(&self) -> Option<f64> {
        match self.literal()? {
            Lit::Int(number) => integer::<u32>(number).map(f64::from),
            Lit::Float(number) => float(number),
            _ => None,
        }
    }
}

fn is_numeric(suffix: &str) -> bool {
    is_integer(suffix) || ["f32", "f64"].contains(&suffix)
}
