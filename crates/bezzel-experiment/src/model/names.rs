//! The names under which serde knows the fields of a struct or the variants of an enum.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// Returns the names of the fields of a struct, or of the variants of an enum, as in JSON; none for other types.
pub(crate) fn names_of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    match T::deserialize(NameCollector) {
        Err(RequestedNames(names)) => names,
        Ok(_) => &[],
    }
}

/// A deserializer without a value. It only records the names that a type requests.
struct NameCollector;

/// The requested names.
#[derive(Debug)]
struct RequestedNames(&'static [&'static str]);

impl fmt::Display for RequestedNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "asked for {}", self.0.join(", "))
    }
}

impl std::error::Error for RequestedNames {}

impl Error for RequestedNames {
    fn custom<M: fmt::Display>(_message: M) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for NameCollector {
    type Error = RequestedNames;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, RequestedNames> {
        Err(RequestedNames(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, RequestedNames> {
        Err(RequestedNames(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, RequestedNames> {
        Err(RequestedNames(variants))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}
