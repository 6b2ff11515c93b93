//! What an engine finds of all solutions: their number, and what a list of them comes to.

use std::fmt;
use std::str::FromStr;

use bezzel_encode::Auxiliaries;
use bezzel_problem::{Candidate, Square};
use bezzel_solve::Answer;
use num_bigint::BigUint;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fields::{Kind, always, maybe, recorded};
use super::names::names_of;

/// A number of solutions, exact however large; in JSON its decimal digits, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(pub BigUint);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl<N: Into<BigUint>> From<N> for Count {
    fn from(number: N) -> Self {
        Self(number.into())
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let plain = text.bytes().all(|byte| byte.is_ascii_digit())
            && (text == "0" || !text.starts_with('0'));
        let number = if plain { BigUint::from_str(&text).ok() } else { None };
        number.map(Self).ok_or_else(|| D::Error::custom(format!("`{text}` is no count")))
    }
}

recorded! {
    /// The finding of an engine on all solutions.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct AllSolutions {
        /// The number of solutions, or of models; where `whole` is false, the number found.
        pub count: Count = always("solutions", Kind::Digits),
        /// True if these are all solutions, or as many as the job asks for.
        pub whole: bool = always("solutions_whole", Kind::Flag),
        /// The digest of the set of solutions, whatever their order, where they were listed: two engines
        /// that list the same have the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub digest: Option<String> = maybe("solutions_digest", Kind::Hex(32)),
        /// The decision diagram, or the states, by which they were counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub diagram: Option<DiagramSize> = maybe("", Kind::Map(DiagramSize::FIELDS)),
        /// The declared kind of the encoding's auxiliary variables, where models were counted: if the squares
        /// determine them, there are as many models as solutions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub auxiliaries: Option<Auxiliaries> =
            maybe("auxiliaries_promised", Kind::Word(names_of::<Auxiliaries>)),
    }
}

impl AllSolutions {
    /// The answer that follows from the number.
    pub(crate) fn answer(&self) -> Answer {
        match (self.count.0.bits() > 0, self.whole) {
            (true, _) => Answer::Sat,
            (false, true) => Answer::Unsat,
            (false, false) => Answer::Unknown,
        }
    }
}

recorded! {
    /// The size of a decision diagram, or of a set of states. Terminals are never counted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct DiagramSize {
        /// Nodes of the finished diagram; nothing where none is made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub nodes: Option<u64> = maybe("diagram_nodes", Kind::Count),
        /// The most nodes that were kept at a time while it was made, as the engine's documentation defines
        /// them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub peak_nodes: Option<u64> = maybe("diagram_peak_nodes", Kind::Count),
        /// The most states that were kept at a time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub peak_states: Option<u64> = maybe("diagram_peak_states", Kind::Count),
    }
}

/// The digest of a set of solutions that come in any order.
///
/// Each solution is hashed: on boards the squares of its queens in reading order, else its candidates. The hashes are
/// added up modulo 2¹²⁸: order does not matter, and a solution that comes twice counts twice.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetDigest(u128);

impl SetDigest {
    /// Takes one solution, and returns its own hash; the squares are sorted in place.
    pub fn add(&mut self, squares: &mut [Square]) -> u128 {
        squares.sort_unstable();
        self.add_numbers(squares.iter().flat_map(|square| [square.row, square.column]))
    }

    /// Takes one solution, the chosen candidates in ascending order, and returns its own hash.
    pub fn add_candidates(&mut self, chosen: &[Candidate]) -> u128 {
        self.add_numbers(chosen.iter().copied())
    }

    fn add_numbers(&mut self, numbers: impl Iterator<Item = u32>) -> u128 {
        let mut hasher = blake3::Hasher::new();
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
        let hash = hasher.finalize();
        let (first, _) = hash.as_bytes().split_at(16);
        let hash = u128::from_le_bytes(first.try_into().expect("16 bytes"));
        self.0 = self.0.wrapping_add(hash);
        hash
    }

    /// The digest, in 32 hexadecimal digits.
    pub fn finish(self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_its_digits_and_nothing_else() {
        let large: Count =
            serde_json::from_str("\"340282366920938463463374607431768211456\"").unwrap();
        assert_eq!(large, Count(BigUint::from(1_u8) << 128));
        assert_eq!(
            serde_json::to_string(&large).unwrap(),
            "\"340282366920938463463374607431768211456\""
        );
        for text in ["\"\"", "\"-1\"", "\"01\"", "\"1e3\"", "\"+1\"", "92", "\"1_0\""] {
            assert!(serde_json::from_str::<Count>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_set_has_one_digest_in_every_order_and_another_if_a_solution_comes_twice() {
        let solution = |columns: [u32; 4]| {
            columns.into_iter().zip(0..).map(|(column, row)| Square::new(row, column)).collect()
        };
        let (mut one, mut other): (Vec<_>, Vec<_>) =
            (solution([1, 3, 0, 2]), solution([2, 0, 3, 1]));
        let mut digests = [SetDigest::default(); 3];
        digests[0].add(&mut one);
        digests[0].add(&mut other);
        other.reverse();
        digests[1].add(&mut other);
        digests[1].add(&mut one);
        digests[2] = digests[1];
        digests[2].add(&mut one);
        let [first, second, twice] = digests.map(SetDigest::finish);
        assert_eq!(first, second);
        assert_ne!(first, twice);
    }
}
