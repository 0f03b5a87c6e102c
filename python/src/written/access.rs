//! The parts of a value: items of a list, entries of a dictionary, a kind with what belongs to it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::Reader;
use super::unfit::{Step, Unfit};
use crate::text::quoted;
use crate::words::{either, meant, plain, snake};

/// The items of a list.
pub(super) struct Items<'r, 'py> {
    reader: Reader<'r, 'py>,
    brackets: [&'static str; 2],
    items: std::vec::IntoIter<Bound<'py, PyAny>>,
    index: usize,
}

impl<'r, 'py> Items<'r, 'py> {
    pub(super) fn of(reader: Reader<'r, 'py>, brackets: [&'static str; 2]) -> Result<Self, Unfit> {
        let items = if reader.given.is_instance_of::<PyString>() {
            vec![reader.given.clone()]
        } else if reader.given.is_instance_of::<PyDict>() {
            return Err(reader.must_be("a list"));
        } else {
            let all = reader.given.try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
            all.map_err(|_| reader.must_be("a list"))?
        };
        Ok(Self { reader, brackets, items: items.into_iter(), index: 0 })
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unfit> {
        self.reader.write(self.brackets[0]);
        let value = visitor.visit_seq(&mut self)?;
        if self.items.len() > 0 {
            return Err(self.reader.must_be(&format!("a list of {}", self.index)));
        }
        self.reader.write(self.brackets[1]);
        Ok(value)
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_> {
    type Error = Unfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unfit> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        if index > 0 {
            self.reader.write(", ");
        }
        self.index += 1;
        let value = seed.deserialize(Reader::new(item, self.reader.text));
        value.map(Some).map_err(|unfit| unfit.within(Step::Index(index)))
    }
}

/// An entry of a dictionary.
struct Entry<'py> {
    key: String,
    /// What a message calls its place; `None` if that is the place of the whole.
    step: Option<String>,
    value: Bound<'py, PyAny>,
}

/// The entries of a dictionary. What is `None` is not there.
pub(super) struct Entries<'r, 'py> {
    reader: Reader<'r, 'py>,
    entries: std::vec::IntoIter<Entry<'py>>,
    next: Option<Entry<'py>>,
    is_first: bool,
    /// Whether keys are texts, not names of fields.
    is_map: bool,
}

impl<'r, 'py> Entries<'r, 'py> {
    /// The fields of a structure.
    pub(super) fn of(reader: Reader<'r, 'py>) -> Result<Self, Unfit> {
        let mut entries = Vec::new();
        for (key, value) in reader.fields()?.iter().filter(|(_, value)| !value.is_none()) {
            let key = Reader::new(key, reader.text).word()?;
            entries.push(Entry { step: Some(key.clone()), key, value });
        }
        Ok(Self { reader, entries: entries.into_iter(), next: None, is_first: true, is_map: false })
    }

    pub(super) fn of_map(reader: Reader<'r, 'py>) -> Result<Self, Unfit> {
        Ok(Self { is_map: true, ..Self::of(reader)? })
    }

    /// The fields of a kind, with the one that its name has. If it has a style, fields that it has not are put there.
    fn of_kind(
        reader: Reader<'r, 'py>,
        fields: &[&'static str],
        named: Option<(&'static str, Bound<'py, PyAny>)>,
    ) -> Result<Self, Unfit> {
        let all = Self::of(reader)?;
        let is_own = |entry: &Entry<'_>| !fields.contains(&"style") || fields.contains(&entry.key.as_str());
        let (mut own, others): (Vec<_>, Vec<_>) = all.entries.partition(is_own);
        if !others.is_empty() {
            let style = PyDict::new(all.reader.given.py());
            let nested = own.iter().position(|entry| entry.key == "style").map(|place| own.remove(place));
            let nested = nested.map(|entry| Reader::new(entry.value, all.reader.text).fields().cloned()).transpose()?;
            let kept = nested.map_or(Ok(()), |nested| style.update(nested.as_mapping()));
            kept.and_then(|()| others.into_iter().try_for_each(|entry| style.set_item(entry.key, entry.value)))
                .map_err(|error| Unfit::new(error.to_string()))?;
            own.push(Entry { key: "style".to_owned(), step: None, value: style.into_any() });
        }
        let named = named.map(|(key, value)| Entry { key: key.to_owned(), step: None, value });
        own.splice(0..0, named);
        Ok(Self { entries: own.into_iter(), ..all })
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(
        mut self,
        brackets: [&'static str; 2],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.reader.write(brackets[0]);
        let value = visitor.visit_map(&mut self)?;
        self.reader.write(brackets[1]);
        Ok(value)
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, '_> {
    type Error = Unfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unfit> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        let key = StrDeserializer::<Unfit>::new(&entry.key);
        let key = seed.deserialize(key)?;
        let comma = if self.is_first { "" } else { ", " };
        let name = if self.is_map { quoted(&entry.key) } else { entry.key.clone() };
        self.reader.write(&format!("{comma}{name}: "));
        self.is_first = false;
        self.next = Some(entry);
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unfit> {
        let Some(Entry { step, value, .. }) = self.next.take() else {
            return Err(Unfit::new("a key has no value".to_owned()));
        };
        seed.deserialize(Reader::new(value, self.reader.text)).map_err(|unfit| match step {
            Some(key) => unfit.within(Step::Key(key)),
            None => unfit,
        })
    }
}

/// A kind, and what belongs to it.
pub(super) struct Kinds<'py> {
    name: &'static str,
    /// As it was given.
    given: String,
    value: Bound<'py, PyAny>,
    /// A field that its name has, as the plane of `path_xz`.
    named: Option<(&'static str, Bound<'py, PyAny>)>,
    /// Whether it was a dictionary with its kind as the key.
    is_keyed: bool,
    variants: &'static [&'static str],
}

impl<'py> Kinds<'py> {
    pub(super) fn of(reader: &Reader<'_, 'py>, variants: &'static [&'static str]) -> Result<Self, Unfit> {
        let (given, py) = (&reader.given, reader.given.py());
        let nothing = || PyDict::new(py).into_any();
        if let Some(value) = variants.contains(&"Mm").then(|| millimetres(given)).flatten() {
            let value = value.into_pyobject(py).map_err(|error| Unfit::new(error.to_string()))?.into_any();
            return Ok(Self { name: "Mm", given: String::new(), value, named: None, is_keyed: false, variants });
        }
        let (word, value, is_keyed) = if let Ok(dictionary) = given.cast::<PyDict>() {
            let mut entries = dictionary.iter();
            match (entries.next(), entries.next()) {
                (Some((key, value)), None) => {
                    let value = if value.is_none() { nothing() } else { value };
                    (Reader::new(key, reader.text).word()?, value, true)
                }
                _ => return Err(reader.must_be("a word, or a dictionary with its kind as the only key")),
            }
        } else if given.is_instance_of::<PyString>() {
            (reader.word()?, nothing(), false)
        } else {
            let known: Vec<String> = variants.iter().map(|name| snake(name)).collect();
            return Err(reader.must_be(&listed(&known, variants)));
        };
        let (name, named) = match meant(&word, variants) {
            Some(name) => (name, None),
            None => named_field(&word, variants, py).ok_or_else(|| unknown(&word, variants))?,
        };
        Ok(Self { name, given: word, value, named, is_keyed, variants })
    }
}

/// A kind with a field in its name.
type Named<'py> = (&'static str, Option<(&'static str, Bound<'py, PyAny>)>);

fn named_field<'py>(word: &str, variants: &'static [&'static str], py: Python<'py>) -> Option<Named<'py>> {
    let word = snake(word);
    let (base, end) = word.rsplit_once('_')?;
    let field = match plain(end).as_str() {
        "x" | "y" | "z" => "axis",
        "xy" | "xz" | "yz" => "plane",
        _ => return None,
    };
    Some((meant(base, variants)?, Some((field, PyString::new(py, end).into_any()))))
}

fn unknown(word: &str, variants: &[&'static str]) -> Unfit {
    let known: Vec<String> = variants.iter().filter(|&&name| name != "Mm").map(|name| snake(name)).collect();
    match variants.contains(&"Mm") {
        true => Unfit::new(format!("must be {}, found \"{word}\"", listed(&known, variants))),
        false => Unfit::unknown(word, &known),
    }
}

/// The words that are allowed, and lengths.
fn listed(known: &[String], variants: &[&'static str]) -> String {
    let words: Vec<String> = known.iter().filter(|word| *word != "mm").cloned().collect();
    let length = "a length such as 85 or \"85 mm\"";
    match (variants.contains(&"Mm"), words.is_empty()) {
        (true, true) => length.to_owned(),
        (true, false) => format!("{length}, {}", either(&words)),
        (false, _) => either(&words),
    }
}

/// A length in mm: a number, or a text with a unit.
fn millimetres(given: &Bound<'_, PyAny>) -> Option<f64> {
    let Ok(text) = given.cast::<PyString>() else { return given.extract().ok() };
    let text = text.to_str().ok()?.trim();
    let (number, factor) = [("mm", 1.0), ("cm", 10.0), ("in", 25.4)]
        .into_iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))
        .unwrap_or((text, 1.0));
    number.trim().parse::<f64>().ok().map(|number| number * factor)
}

/// The choice of a kind.
pub(super) struct Variants<'r, 'py> {
    pub(super) kinds: Kinds<'py>,
    pub(super) reader: Reader<'r, 'py>,
}

impl<'de, 'r, 'py> EnumAccess<'de> for Variants<'r, 'py> {
    type Error = Unfit;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Unfit> {
        self.reader.write(self.kinds.name);
        let name: StrDeserializer<'_, Unfit> = self.kinds.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl Variants<'_, '_> {
    /// Puts the kind into the place of an error within it.
    fn placed(is_keyed: bool, given: &str) -> impl FnOnce(Unfit) -> Unfit {
        move |unfit| {
            let unfit = match unfit.missing {
                Some("plane") => {
                    Unfit::new(format!("needs a plane: name it \"{given}_xy\", \"{given}_xz\" or \"{given}_yz\""))
                }
                Some("axis") => {
                    Unfit::new(format!("needs an axis: name it \"{given}_x\", \"{given}_y\" or \"{given}_z\""))
                }
                _ => unfit,
            };
            if is_keyed { unfit.within(Step::Key(given.to_owned())) } else { unfit }
        }
    }
}

impl<'de> VariantAccess<'de> for Variants<'_, '_> {
    type Error = Unfit;

    fn unit_variant(self) -> Result<(), Unfit> {
        let Kinds { given, value, named, is_keyed, variants, .. } = self.kinds;
        if named.is_some() {
            return Err(unknown(&given, variants));
        }
        let is_empty = !is_keyed || value.is_empty().unwrap_or(false);
        if is_empty { Ok(()) } else { Err(Unfit::new(format!("\"{given}\" is a word alone, without a value"))) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unfit> {
        let Kinds { given, value, named, is_keyed, variants, .. } = self.kinds;
        if named.is_some() {
            return Err(unknown(&given, variants));
        }
        let reader = self.reader;
        reader.write("(");
        let inner = Reader { has_brackets: true, ..Reader::new(value, reader.text) };
        let value = seed.deserialize(inner).map_err(Self::placed(is_keyed, &given))?;
        reader.write(")");
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unfit> {
        let Kinds { given, value, is_keyed, .. } = self.kinds;
        let items = Items::of(Reader::new(value, self.reader.text), ["(", ")"])?;
        items.visit(visitor).map_err(Self::placed(is_keyed, &given))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Unfit> {
        let Kinds { given, value, named, is_keyed, variants, .. } = self.kinds;
        if named.as_ref().is_some_and(|(field, _)| !fields.contains(field)) {
            return Err(unknown(&given, variants));
        }
        if let Some(seen) = self.reader.seen {
            *seen.borrow_mut() = Some(fields.iter().map(|&field| field.to_owned()).collect());
        }
        let inner = Reader::new(value, self.reader.text);
        let entries = Entries::of_kind(inner, fields, named).map_err(Self::placed(is_keyed, &given))?;
        let visited = entries.visit(["(", ")"], visitor);
        visited.map_err(|unfit| Self::placed(is_keyed, &given)(unfit.beside(fields)))
    }
}
