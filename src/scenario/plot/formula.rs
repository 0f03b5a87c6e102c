//! Formulas of one variable, such as `1 - 9.81/2*x^2`, for curves that are laid over a plot.
//!
//! Functions are those of `libm`, so a formula has the same bits on every machine.

use std::f64::consts;
use std::str::FromStr;

/// Most characters of a formula, so that it cannot be nested without end.
const LENGTH_MAX: usize = 400;

/// A function of one argument.
type Function = fn(f64) -> f64;

/// The functions by name.
const FUNCTIONS: [(&str, Function); 16] = [
    ("abs", libm::fabs),
    ("acos", libm::acos),
    ("asin", libm::asin),
    ("atan", libm::atan),
    ("ceil", libm::ceil),
    ("cos", libm::cos),
    ("cosh", libm::cosh),
    ("exp", libm::exp),
    ("floor", libm::floor),
    ("ln", libm::log),
    ("log10", libm::log10),
    ("sin", libm::sin),
    ("sinh", libm::sinh),
    ("sqrt", libm::sqrt),
    ("tan", libm::tan),
    ("tanh", libm::tanh),
];

/// A formula of `x`, which may also be written `t`.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula(Node);

/// The error for a text that is no formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} at character {place}")]
pub struct NoFormula {
    /// What should be there.
    wanted: &'static str,
    /// The number of the character, from 1.
    place: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Variable,
    Number(f64),
    Minus(Box<Self>),
    Two(Sign, Box<[Self; 2]>),
    Call(&'static str, Box<Self>),
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

impl Formula {
    /// Its value at `x`; not a number where it has none.
    pub fn at(&self, x: f64) -> f64 {
        self.0.at(x)
    }
}

impl Node {
    fn at(&self, x: f64) -> f64 {
        match self {
            Self::Variable => x,
            Self::Number(value) => *value,
            Self::Minus(inner) => -inner.at(x),
            Self::Two(sign, sides) => {
                let [left, right] = [sides[0].at(x), sides[1].at(x)];
                match sign {
                    Sign::Plus => left + right,
                    Sign::Minus => left - right,
                    Sign::Times => left * right,
                    Sign::Over => left / right,
                    Sign::Power => libm::pow(left, right),
                }
            }
            Self::Call(name, inner) => {
                let found = FUNCTIONS.iter().find(|(known, _)| known == name);
                found.map_or(f64::NAN, |(_, function)| function(inner.at(x)))
            }
        }
    }
}

/// With `+ - * / ^`, parentheses, the constants `pi` and `e`, and functions of one argument.
impl FromStr for Formula {
    type Err = NoFormula;

    fn from_str(text: &str) -> Result<Self, NoFormula> {
        let mut reader = Reader { letters: text.chars().collect(), next: 0 };
        if reader.letters.len() > LENGTH_MAX {
            return Err(NoFormula { wanted: "at most 400 characters, so it must end", place: LENGTH_MAX });
        }
        let node = reader.sum()?;
        match reader.peek() {
            None => Ok(Self(node)),
            Some(_) => Err(reader.wanted("an operator or the end is missing")),
        }
    }
}

struct Reader {
    letters: Vec<char>,
    next: usize,
}

impl Reader {
    /// The next letter that is no space.
    fn peek(&mut self) -> Option<char> {
        while self.letters.get(self.next).is_some_and(|letter| letter.is_whitespace()) {
            self.next += 1;
        }
        self.letters.get(self.next).copied()
    }

    /// Takes one of these letters if it is the next.
    fn take(&mut self, wanted: &[(char, Sign)]) -> Option<Sign> {
        let letter = self.peek()?;
        let &(_, sign) = wanted.iter().find(|(known, _)| *known == letter)?;
        self.next += 1;
        Some(sign)
    }

    fn wanted(&self, wanted: &'static str) -> NoFormula {
        NoFormula { wanted, place: self.next + 1 }
    }

    fn sum(&mut self) -> Result<Node, NoFormula> {
        let mut left = self.product()?;
        while let Some(sign) = self.take(&[('+', Sign::Plus), ('-', Sign::Minus), ('−', Sign::Minus)]) {
            left = Node::Two(sign, Box::new([left, self.product()?]));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, NoFormula> {
        let mut left = self.signed()?;
        while let Some(sign) = self.take(&[('*', Sign::Times), ('·', Sign::Times), ('/', Sign::Over)]) {
            left = Node::Two(sign, Box::new([left, self.signed()?]));
        }
        Ok(left)
    }

    /// A minus binds less than a power: `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<Node, NoFormula> {
        match self.take(&[('-', Sign::Minus), ('−', Sign::Minus), ('+', Sign::Plus)]) {
            Some(Sign::Minus) => Ok(Node::Minus(Box::new(self.signed()?))),
            Some(_) => self.signed(),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<Node, NoFormula> {
        let base = self.atom()?;
        match self.take(&[('^', Sign::Power)]) {
            Some(sign) => Ok(Node::Two(sign, Box::new([base, self.signed()?]))),
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<Node, NoFormula> {
        match self.peek() {
            Some('(') => self.inner(),
            Some(letter) if letter.is_ascii_digit() || letter == '.' => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() => self.word(),
            _ => Err(self.wanted("a number, `x`, a function or `(` is missing")),
        }
    }

    /// What stands in parentheses.
    fn inner(&mut self) -> Result<Node, NoFormula> {
        self.next += 1;
        let node = self.sum()?;
        if self.peek() != Some(')') {
            return Err(self.wanted("`)` is missing"));
        }
        self.next += 1;
        Ok(node)
    }

    fn number(&mut self) -> Result<Node, NoFormula> {
        let from = self.next;
        let letter = |place: usize| self.letters.get(place).copied().unwrap_or(' ');
        let mut end = from;
        while letter(end).is_ascii_digit() || letter(end) == '.' {
            end += 1;
        }
        let sign = usize::from(matches!(letter(end + 1), '+' | '-'));
        if matches!(letter(end), 'e' | 'E') && letter(end + 1 + sign).is_ascii_digit() {
            end += 2 + sign;
            while letter(end).is_ascii_digit() {
                end += 1;
            }
        }
        let number = String::from_iter(&self.letters[from..end]).parse();
        let value = number.map_err(|_| self.wanted("a number is wanted"))?;
        self.next = end;
        Ok(Node::Number(value))
    }

    fn word(&mut self) -> Result<Node, NoFormula> {
        let from = self.next;
        let rest = self.letters[from..].iter().take_while(|letter| letter.is_ascii_alphanumeric());
        let word: String = rest.collect();
        let named = |(name, _): &(&'static str, Function)| (*name == word).then_some(*name);
        if let Some(name) = FUNCTIONS.iter().find_map(named) {
            self.next += word.len();
            if self.peek() != Some('(') {
                return Err(self.wanted("`(` is missing after a function"));
            }
            return Ok(Node::Call(name, Box::new(self.inner()?)));
        }
        let node = match word.as_str() {
            "x" | "t" => Node::Variable,
            "pi" => Node::Number(consts::PI),
            "e" => Node::Number(consts::E),
            _ => return Err(self.wanted("a word that is neither `x`, `t`, `pi`, `e` nor a function")),
        };
        self.next += word.len();
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_the_values_of_mathematics() {
        let rows = [
            ("1 - 9.81/2*x^2", 2.0, 1.0 - 9.81 / 2.0 * 4.0),
            ("-x^2", 3.0, -9.0),
            ("2^3^2", 0.0, 512.0),
            ("2^-x", 1.0, 0.5),
            ("8/4/2 - 1 - 1", 0.0, -1.0),
            ("1.5e-3*t + 2e2", 1000.0, 201.5),
            ("sqrt(abs(-16)) * (x + 1)", 1.0, 8.0),
            ("exp(ln(5)) + log10(1000)", 0.0, 8.0),
            ("cos(pi) − e/e · 2", 0.0, -3.0),
        ];
        for (text, x, value) in rows {
            let found = text.parse::<Formula>().unwrap().at(x);
            assert!((found - value).abs() <= 1e-12 * value.abs(), "{text}: {found}");
        }
        assert!("ln(x)".parse::<Formula>().unwrap().at(-1.0).is_nan());
    }

    #[test]
    fn what_is_no_formula_is_told_with_its_place() {
        let rows = [
            ("", "a number, `x`, a function or `(` is missing at character 1"),
            ("1 +", "a number, `x`, a function or `(` is missing at character 4"),
            ("(1 + x", "`)` is missing at character 7"),
            ("2 x", "an operator or the end is missing at character 3"),
            ("sin x", "`(` is missing after a function at character 5"),
            ("1.2.3", "a number is wanted at character 1"),
            ("v*x", "a word that is neither `x`, `t`, `pi`, `e` nor a function at character 1"),
        ];
        for (text, words) in rows {
            assert_eq!(text.parse::<Formula>().unwrap_err().to_string(), words, "{text}");
        }
        let deep = "(".repeat(1000);
        assert!(deep.parse::<Formula>().unwrap_err().to_string().starts_with("at most 400"));
    }
}
