//! Things by number, so that the many rows of a record are compared by numbers.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Each thing once, numbered from 0 in the order in which it first came.
///
/// The numbers follow from that order alone, never from that of the map.
#[derive(Clone, Debug)]
pub struct Roll<T> {
    numbers: HashMap<T, usize>,
}

impl<T> Default for Roll<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new() }
    }
}

impl<T: Hash + Eq> Roll<T> {
    /// The number of a thing, which is the next one if it comes for the first time.
    pub fn enter(&mut self, thing: T) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(thing).or_insert(next)
    }

    /// The number of a thing that came.
    pub fn number<Q: Hash + Eq + ?Sized>(&self, thing: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        self.numbers.get(thing).copied()
    }

    /// How many things came.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether none came.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The things in their order.
    pub fn into_things(self) -> Vec<T> {
        let mut numbered: Vec<_> = self.numbers.into_iter().collect();
        numbered.sort_unstable_by_key(|&(_, number)| number);
        numbered.into_iter().map(|(thing, _)| thing).collect()
    }
}

impl<T: Hash + Eq> FromIterator<T> for Roll<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut roll = Self::default();
        for thing in things {
            roll.enter(thing);
        }
        roll
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_numbered_in_the_order_in_which_they_first_come() {
        let words = ["zeta", "alpha", "zeta", "mu", "alpha"];
        let mut roll = Roll::default();
        let numbers: Vec<_> = words.into_iter().map(|word| roll.enter(word)).collect();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!((roll.number("mu"), roll.number("nu"), roll.len()), (Some(2), None, 3));
        assert_eq!(roll.into_things(), ["zeta", "alpha", "mu"]);
    }
}
