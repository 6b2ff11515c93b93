//! Instances in JSON: the name of the kind, and its value.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::Instance;
use super::list::{KindEntry, kinds};
use crate::unknown::UnknownId;

impl Serialize for Instance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &dyn erased_serde::Serialize = &*self.0;
        serializer.serialize_newtype_variant("Instance", 0, self.info().id, value)
    }
}

impl<'de> Deserialize<'de> for Instance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Instance", kinds().ids(), OneEntry)
    }
}

/// Reads a map with one entry, whose key names a kind.
struct OneEntry;

impl<'de> Visitor<'de> for OneEntry {
    type Value = Instance;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map whose one key is a kind of instance")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Instance, A::Error> {
        let (id, value) = data.variant::<String>()?;
        let kinds = kinds();
        match kinds.find(&id) {
            Some(kind) => value.newtype_variant_seed(OfKind(kind)),
            None => Err(de::Error::custom(UnknownId::new("kind of instance", &id, kinds.ids()))),
        }
    }
}

/// Reads the value of an instance of this kind.
struct OfKind(&'static KindEntry);

impl<'de> DeserializeSeed<'de> for OfKind {
    type Value = Instance;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Instance, D::Error> {
        let mut erased = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        (self.0.read)(&mut erased).map_err(de::Error::custom)
    }
}
