//! A table from states to their values.

use super::key::Key;
use bezzel_count::budget::{Budget, Halt};

/// The smallest table that is made.
const MIN_SLOTS: usize = 1 << 8;

/// Open addressing, from states to small values.
pub(super) struct Table<K, V> {
    slots: Vec<Slot<K, V>>,
    taken: usize,
}

/// Packed: 12 bytes for a state of 64 bits with a reference.
#[derive(Clone, Copy)]
#[repr(Rust, packed(4))]
struct Slot<K, V> {
    key: K,
    value: V,
}

/// The nodes and bytes that are kept elsewhere while a table grows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

impl<K: Key, V: Copy + Default> Table<K, V> {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), taken: 0 }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.taken
    }

    /// The memory, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        Self::bytes_of(self.slots.len())
    }

    fn bytes_of(slots: usize) -> u64 {
        (slots * size_of::<Slot<K, V>>()) as u64
    }

    /// True if it must grow before the next search for a state.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        4 * self.taken >= 3 * self.slots.len()
    }

    /// Enlarges the table, if the budget allows it beside `beside`. Returns the memory that it takes meanwhile, in
    /// bytes.
    pub(super) fn grow(&mut self, beside: Kept, budget: &Budget) -> Result<u64, Halt> {
        let slots = (2 * self.slots.len()).max(MIN_SLOTS);
        // The old slots exist until the new ones are filled.
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

    /// The place of a state, and its value if it is there. There must be a free place.
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

    /// Changes the value of the state at a place.
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
