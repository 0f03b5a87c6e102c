//! Values of Python in the notation of a scenario, guided by the form that the library gives them.
//!
//! The library asks for the fields, words and numbers of a [`Form`], as it does when it reads a file, and each answer
//! is written down. So Python can say what a scenario file can: dictionaries for what has fields, lists, texts, and
//! words in any case. Something with a kind, such as a plot, is a word, or a dictionary with its kind as the only key.

mod access;
mod unfit;

use std::cell::RefCell;

use carom::scenario::Form;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::text::{number, quoted};
use crate::words::shown;
use access::{Entries, Items, Kinds, Variants};
pub(crate) use unfit::Place;
use unfit::Unfit;

/// The text of a value of this form. `place` is what a message calls the value.
pub(crate) fn written(form: Form, given: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<String> {
    let text = RefCell::default();
    form.read(Reader::new(given.clone(), &text)).map_err(|unfit| unfit.raised(place))?;
    Ok(text.into_inner())
}

/// The fields of a kind of plots, such as `path_xz`. `own` are the plots of a scenario, for messages.
pub(crate) fn plot_fields(kind: &str, own: &[String], py: Python<'_>) -> PyResult<Vec<String>> {
    let (text, seen) = (RefCell::default(), RefCell::default());
    let reader = Reader { seen: Some(&seen), ..Reader::new(PyString::new(py, kind).into_any(), &text) };
    let read = Form::Plot.read(reader);
    match (seen.into_inner(), read) {
        // Some fields may be missing; which there are is known nevertheless.
        (Some(fields), _) => Ok(fields),
        (None, Err(unfit)) => Err(unfit.or(own).raised(Place::Argument("the name of a plot"))),
        (None, Ok(())) => Ok(Vec::new()),
    }
}

/// Checks the settings of a style, given beside the fields of a plot of this kind.
pub(crate) fn check_style(style: &Bound<'_, PyDict>, kind: &str, fields: &[String]) -> PyResult<()> {
    let (text, fields) = (RefCell::default(), fields.iter().map(String::as_str).collect::<Vec<_>>());
    let read = Form::Style.read(Reader::new(style.clone().into_any(), &text));
    read.map_err(|unfit| unfit.beside(&fields).raised(Place::Kind(kind)))
}

/// A value that is read.
#[derive(Clone)]
struct Reader<'r, 'py> {
    given: Bound<'py, PyAny>,
    text: &'r RefCell<String>,
    /// Whether the brackets of a structure are written already, around the only value of its kind.
    has_brackets: bool,
    /// Where the fields of the kind are noted.
    seen: Option<&'r RefCell<Option<Vec<String>>>>,
}

impl<'r, 'py> Reader<'r, 'py> {
    fn new(given: Bound<'py, PyAny>, text: &'r RefCell<String>) -> Self {
        Self { given, text, has_brackets: false, seen: None }
    }

    fn write(&self, text: &str) {
        self.text.borrow_mut().push_str(text);
    }

    fn must_be(&self, wanted: &str) -> Unfit {
        Unfit::new(format!("must be {wanted}, found {}", shown(&self.given)))
    }

    /// A whole number.
    fn whole<T: for<'a> FromPyObject<'a, 'py>>(&self) -> Result<T, Unfit> {
        let index = self.given.call_method0("__index__").ok().filter(|_| !self.given.is_instance_of::<PyBool>());
        let found = index.and_then(|index| Some((index.extract::<T>().ok()?, index)));
        let (found, index) = found.ok_or_else(|| self.must_be("a whole number, not negative and not too large"))?;
        self.write(&index.to_string());
        Ok(found)
    }

    fn word(&self) -> Result<String, Unfit> {
        let text = self.given.cast::<PyString>().map_err(|_| self.must_be("a text"))?;
        text.to_str().map(str::to_owned).map_err(|_| self.must_be("a text of Unicode"))
    }

    fn fields(&self) -> Result<&Bound<'py, PyDict>, Unfit> {
        self.given.cast::<PyDict>().map_err(|_| self.must_be("a dictionary"))
    }
}

macro_rules! wholes {
    ($($method:ident $visit:ident $kind:ty)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            visitor.$visit(self.whole::<$kind>()?)
        }
    )+};
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Unfit;

    /// A number, a text, or several values.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.given.is_instance_of::<PyString>() {
            self.deserialize_string(visitor)
        } else if self.given.extract::<f64>().is_ok() {
            self.deserialize_f64(visitor)
        } else {
            self.deserialize_tuple(0, visitor)
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let truth: bool = self.given.extract().map_err(|_| self.must_be("True or False"))?;
        self.write(&truth.to_string());
        visitor.visit_bool(truth)
    }

    wholes! {
        deserialize_u8 visit_u8 u8
        deserialize_u16 visit_u16 u16
        deserialize_u32 visit_u32 u32
        deserialize_u64 visit_u64 u64
        deserialize_i8 visit_i8 i8
        deserialize_i16 visit_i16 i16
        deserialize_i32 visit_i32 i32
        deserialize_i64 visit_i64 i64
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let real = if self.given.is_instance_of::<PyBool>() { None } else { self.given.extract::<f64>().ok() };
        let real = real.filter(|real| real.is_finite()).ok_or_else(|| self.must_be("a finite number"))?;
        self.write(&number(real));
        visitor.visit_f64(real)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let word = self.word()?;
        self.write(&quoted(&word));
        visitor.visit_string(word)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    /// A text alone is a list of one.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        Items::of(self, ["[", "]"])?.visit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unfit> {
        Items::of(self, ["(", ")"])?.visit(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        Entries::of_map(self)?.visit(["{", "}"], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        let brackets = if self.has_brackets { ["", ""] } else { ["(", ")"] };
        Entries::of(self)?.visit(brackets, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_enum(Variants { kinds: Kinds::of(&self, variants)?, reader: self })
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple_struct identifier ignored_any
    }
}
