//! The names that serde has for the fields of a struct, or for the variants of an enum.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// The names of the fields of a struct, or of the variants of an enum, as they are in JSON; none of
/// what is neither.
pub(crate) fn names_of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    match T::deserialize(Asking) {
        Err(Names(names)) => names,
        Ok(_) => &[],
    }
}

/// A deserializer without a value, which only records the names that a type asks for.
struct Asking;

/// The names that were asked for.
#[derive(Debug)]
struct Names(&'static [&'static str]);

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "asked for {}", self.0.join(", "))
    }
}

impl std::error::Error for Names {}

impl Error for Names {
    fn custom<M: fmt::Display>(_message: M) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Asking {
    type Error = Names;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Names> {
        Err(Names(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Names> {
        Err(Names(fields))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Names> {
        Err(Names(variants))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}
