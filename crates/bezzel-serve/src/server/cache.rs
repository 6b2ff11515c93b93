//! A cache of computed values with a memory limit.

use std::collections::VecDeque;

/// The most recently used values, within a limit of bytes.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    /// The entries. The most recently used one is at the end.
    entries: VecDeque<(K, V, u64)>,
    bytes: u64,
    capacity: u64,
}

/// The bytes of an entry beside its value, so that small values cannot become too many.
const OVERHEAD: u64 = 1 << 10;

impl<K: PartialEq, V: Clone> Cache<K, V> {
    pub(super) fn new(capacity: u64) -> Self {
        Self { entries: VecDeque::new(), bytes: 0, capacity }
    }

    /// Returns the value of a key, which becomes the most recently used one.
    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let place = self.entries.iter().position(|(known, ..)| known == key)?;
        let entry = self.entries.remove(place)?;
        let value = entry.1.clone();
        self.entries.push_back(entry);
        Some(value)
    }

    /// Keeps a value of `bytes` bytes, unless it exceeds the limit alone, and drops the least recently used values
    /// that exceed the rest.
    pub(super) fn put(&mut self, key: K, value: V, bytes: u64) {
        let bytes = bytes.saturating_add(OVERHEAD);
        if bytes > self.capacity {
            return;
        }
        if let Some(place) = self.entries.iter().position(|(known, ..)| *known == key) {
            self.bytes -= self.entries.remove(place).map_or(0, |(.., bytes)| bytes);
        }
        while self.bytes + bytes > self.capacity {
            let Some((.., freed)) = self.entries.pop_front() else { break };
            self.bytes -= freed;
        }
        self.bytes += bytes;
        self.entries.push_back((key, value, bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_is_evicted() {
        let mut cache = Cache::new(3 * (OVERHEAD + 10));
        for key in 0..3 {
            cache.put(key, key, 10);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(3, 3, 10);
        assert_eq!([0, 1, 2, 3].map(|key| cache.get(&key)), [Some(0), None, Some(2), Some(3)]);
        // It replaces two entries.
        cache.put(4, 4, OVERHEAD + 20);
        assert_eq!([0, 2, 3, 4].map(|key| cache.get(&key)), [None, None, Some(3), Some(4)]);
        cache.put(3, 33, 10);
        assert_eq!([3, 4].map(|key| cache.get(&key)), [Some(33), Some(4)]);
        // A value that exceeds the limit alone is not kept, and drops none.
        cache.put(5, 5, u64::MAX);
        assert_eq!([3, 4, 5].map(|key| cache.get(&key)), [Some(33), Some(4), None]);
        assert!(cache.bytes <= cache.capacity);
    }
}
