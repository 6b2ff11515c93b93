//! The result of an engine that enumerates or counts all solutions: their number, and the digest of their set.

use std::fmt;
use std::str::FromStr;

use bezzel_encode::Auxiliaries;
use bezzel_problem::{Candidate, Grid};
use bezzel_solve::Answer;
use num_bigint::BigUint;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fields::{always, map, maybe, recorded};

/// An exact number of solutions of any size. In JSON it is the text of its decimal digits.
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
        /// The number of solutions, or of models. If `whole` is false, it is the number found until the end of the run.
        pub count: Count = always("solutions"),
        /// True if these are all solutions, or if the number that the job asks for was reached.
        pub whole: bool = always("solutions_whole"),
        /// The digest of the set of solutions, independent of their order, if they were listed. Two engines that list
        /// the same set have the same digest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub digest: Option<String> = maybe("solutions_digest"),
        /// The size of the decision diagram, or of the set of states, from which the solutions were counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub diagram: Option<DiagramSize> = map(DiagramSize::FIELDS),
        /// The declared kind of the encoding's auxiliary variables, if models were counted. If the candidates determine
        /// them, the numbers of models and solutions are equal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub auxiliaries: Option<Auxiliaries> = maybe("auxiliaries_promised"),
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
        /// Nodes of the finished diagram; absent if no diagram is made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub nodes: Option<u64> = maybe("diagram_nodes"),
        /// The largest number of nodes kept at one time during the construction, as the engine's documentation defines
        /// them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub peak_nodes: Option<u64> = maybe("diagram_peak_nodes"),
        /// The largest number of states kept at one time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub peak_states: Option<u64> = maybe("diagram_peak_states"),
    }
}

/// The digest of a set of solutions, independent of their order.
///
/// Each solution is hashed: in a grid the rows and columns of its candidates, else its candidates. The hashes are
/// added modulo 2¹²⁸. The order does not matter, and a solution that occurs twice counts twice.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetDigest(u128);

impl SetDigest {
    /// Adds one solution, given by its chosen candidates in ascending order, and returns its own hash. The candidates
    /// stand in `grid`, if there is one.
    pub fn add(&mut self, chosen: &[Candidate], grid: Option<Grid>) -> u128 {
        match grid {
            None => self.add_numbers(chosen.iter().copied()),
            Some(grid) => self.add_numbers(chosen.iter().flat_map(|&candidate| {
                let place = grid.square(candidate);
                [place.row, place.column]
            })),
        }
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

    /// Returns the digest as 32 hexadecimal digits.
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
        let (one, other) = ([1, 7, 8, 14], [2, 4, 11, 13]);
        let grid = Some(Grid { rows: 4, columns: 4 });
        let mut digests = [SetDigest::default(); 3];
        digests[0].add(&one, grid);
        digests[0].add(&other, grid);
        digests[1].add(&other, grid);
        digests[1].add(&one, grid);
        digests[2] = digests[1];
        digests[2].add(&one, grid);
        let [first, second, twice] = digests.map(SetDigest::finish);
        assert_eq!(first, second);
        assert_ne!(first, twice);
    }

    #[test]
    fn a_solution_is_hashed_by_its_candidates_or_by_their_rows_and_columns() {
        let hash = |numbers: &[u32]| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            u128::from_le_bytes(blake3::hash(&bytes).as_bytes()[..16].try_into().unwrap())
        };
        let add = |grid| SetDigest::default().add(&[1, 7, 8, 14], grid);
        assert_eq!(add(None), hash(&[1, 7, 8, 14]));
        let grid = Grid { rows: 4, columns: 4 };
        assert_eq!(add(Some(grid)), hash(&[0, 1, 1, 3, 2, 0, 3, 2]));
    }
}
