//! A table from states to what is known of them.

use super::key::Key;
use crate::budget::{Budget, Halt};

/// The smallest table that is made.
const FEWEST: usize = 1 << 8;

/// Open addressing, from states to small values.
pub(super) struct Table<K, V> {
    slots: Vec<Slot<K, V>>,
    taken: usize,
}

/// Without gaps: 12 bytes for a state of 64 bits with a reference.
#[derive(Clone, Copy)]
#[repr(Rust, packed(4))]
struct Slot<K, V> {
    key: K,
    value: V,
}

/// What else is kept while a table grows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

impl<K: Key, V: Copy + Default> Table<K, V> {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), taken: 0 }
    }

    /// How many states it has.
    pub(super) fn len(&self) -> usize {
        self.taken
    }

    /// What it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        Self::bytes_of(self.slots.len())
    }

    fn bytes_of(slots: usize) -> u64 {
        (slots * size_of::<Slot<K, V>>()) as u64
    }

    /// Whether it must grow before another state is looked for.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        4 * self.taken >= 3 * self.slots.len()
    }

    /// Makes room for more, if so much may be taken beside what is kept; what it takes for a
    /// moment, in bytes.
    pub(super) fn grow(&mut self, beside: Kept, budget: &Budget) -> Result<u64, Halt> {
        let slots = (2 * self.slots.len()).max(FEWEST);
        // The old slots are there until the new ones are filled.
        let bytes = Self::bytes_of(self.slots.len() + slots);
        if beside.bytes.saturating_add(bytes) > budget.bytes {
            return Err(Halt::Bytes(budget.bytes));
        }
        let empty = Slot { key: K::default(), value: V::default() };
        let old = std::mem::replace(&mut self.slots, vec![empty; slots]);
        for slot in old {
            let key = slot.key;
            if key != K::default() {
                let (place, _) = self.find(key);
                self.slots[place] = slot;
            }
        }
        Ok(bytes)
    }

    /// The place of a state, and what is known of it if it is there. There is a free place.
    #[inline]
    pub(super) fn find(&self, key: K) -> (usize, Option<V>) {
        let mask = self.slots.len() - 1;
        let mut place = key.hash() as usize & mask;
        loop {
            let Slot { key: found, value } = self.slots[place];
            if found == key {
                return (place, Some(value));
            }
            if found == K::default() {
                return (place, None);
            }
            place = (place + 1) & mask;
        }
    }

    /// Puts a state to the place that was found for it.
    #[inline]
    pub(super) fn put(&mut self, place: usize, key: K, value: V) {
        self.slots[place] = Slot { key, value };
        self.taken += 1;
    }

    /// What is known of the state at a place, to be changed.
    #[inline]
    pub(super) fn set(&mut self, place: usize, value: V) {
        self.slots[place].value = value;
    }

    /// All states.
    pub(super) fn each(&self) -> impl Iterator<Item = (K, V)> + '_ {
        let taken = self.slots.iter().filter(|slot| { slot.key } != K::default());
        taken.map(|slot| (slot.key, slot.value))
    }
}
