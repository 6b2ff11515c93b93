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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_refuses_values_without_an_instance() {
        for (kind, value) in [
            ("exact-cover", r#"{"items":["a"],"secondary":2,"options":[]}"#),
            ("exact-cover", r#"{"items":["a"],"secondary":0,"options":[[1]]}"#),
            ("exact-cover", r#"{"items":["a"],"secondary":0,"options":[[0,0]]}"#),
            ("exact-cover", r#"{"items":["a"],"secondary":0,"options":[[]]}"#),
            ("exact-cover", r#"{"items":["a","b"],"secondary":1,"options":[[1]]}"#),
            ("exact-cover", r#"{"items":["a","a"],"secondary":0,"options":[]}"#),
            ("exact-cover", r#"{"items":["a b"],"secondary":0,"options":[]}"#),
            ("exact-cover", r#"{"items":["a|b"],"secondary":0,"options":[]}"#),
            ("latin-square", r#"{"order":0,"exactly_one":3,"given":[]}"#),
            ("latin-square", r#"{"order":4,"box_rows":3,"exactly_one":3,"given":[]}"#),
            ("latin-square", r#"{"order":4,"exactly_one":4,"given":[]}"#),
            ("latin-square", r#"{"order":4,"exactly_one":3,"given":[[1,1,5]]}"#),
            ("latin-square", r#"{"order":4,"exactly_one":3,"given":[[1,1,1],[1,1,2]]}"#),
            ("latin-square", r#"{"order":1000,"exactly_one":3,"given":[]}"#),
            ("langford", r#"{"n":0}"#),
            ("langford", r#"{"n":4,"m":4}"#),
            ("max-square", r#"{"side":3,"painted":10}"#),
            ("pigeonhole", r#"{"pigeons":4,"holes":0}"#),
            ("graph-colouring", r#"{"graph":{"mycielski":3},"colours":0}"#),
            (
                "graph-colouring",
                r#"{"graph":{"edges":{"vertices":2,"edges":[[1,3]]}},"colours":2}"#,
            ),
            ("car-sequencing", r#"{"options":[],"classes":[{"demand":1,"options":[0]}]}"#),
            ("bin-packing", r#"{"sizes":[1,2],"conflicts":[],"capacity":3,"bins":1}"#),
            ("bin-packing", r#"{"sizes":[2,1],"conflicts":[[1,2]],"capacity":3,"bins":1}"#),
            ("bin-packing", r#"{"sizes":[2,1],"conflicts":[],"capacity":3,"bins":3}"#),
            (
                "multidimensional-knapsack",
                r#"{"profits":[1,2],"weights":[[1]],"capacities":[1],"value":1}"#,
            ),
            (
                "generalised-assignment",
                r#"{"weights":[[1]],"costs":[[1]],"capacities":[],"cost":1}"#,
            ),
        ] {
            let text = format!(r#"{{"{kind}":{value}}}"#);
            let read = serde_json::from_str::<Instance>(&text);
            assert!(read.is_err(), "{text}");
        }
        for instance in Instance::examples() {
            let text = serde_json::to_string(&instance).unwrap();
            assert_eq!(serde_json::from_str::<Instance>(&text).unwrap(), instance, "{text}");
        }
    }
}
